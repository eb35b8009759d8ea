"""Whose personal data a response shows: collected while the response is written, recorded before it is sent.

What writes people or appointments for a response calls `shown`; the base viewset and the staff site collect these
calls. Recording is the accounts app's (`accounts/access_log.py`), which registers itself here: `config` imports
no app.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Subject:
    """Something shown, named as in the audit log, and the person whose data it is."""

    kind: str
    pk: UUID
    person: UUID


@dataclass(slots=True)
class Shown:
    """What one response shows. `is_stated` also where the list was empty: a view that never says is a mistake."""

    is_stated: bool = False
    subjects: dict[UUID, Subject] = field(default_factory=dict)


class UnstatedReadingError(Exception):
    """A view answered a signed-in person and neither named whose data it shows nor said why it shows none."""


_collected: ContextVar[Shown | None] = ContextVar("shown", default=None)


@contextmanager
def collecting() -> Iterator[Shown]:
    """Collect what is shown while the block runs."""
    collected = Shown()
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)


def shown(kind: str, rows: Iterable[tuple[UUID, UUID]]) -> None:
    """Note that these rows, given with the person whose data each is, are in the response.

    Does nothing outside of a request, where messages and exports are written.
    """
    collected = _collected.get()
    if collected is None:
        return
    collected.is_stated = True
    for pk, person in rows:
        collected.subjects[pk] = Subject(kind, pk, person)


def shown_people(kind: str, people: Iterable[UUID]) -> None:
    """Note that the response shows these people themselves."""
    shown(kind, ((person, person) for person in people))


Recorder = Callable[[Any, str, Iterable[Subject]], None]
_recorders: list[Recorder] = []


def register_recorder(recorder: Recorder) -> None:
    """Name the function that records what an actor was shown by a view."""
    _recorders[:] = [recorder]


def record(actor: Any, view: str, subjects: Iterable[Subject]) -> None:
    """Record what an actor was shown; raise `unavailable` if that can't be recorded."""
    for recorder in _recorders:
        recorder(actor, view, subjects)
