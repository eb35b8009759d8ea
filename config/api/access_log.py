"""Whose personal data a response shows: collected while the response is built, recorded before it is sent.

Code that puts people or appointments into a response calls `add_subjects`; the base viewset and the staff site collect
these calls. `accounts/access_log.py` records them and registers itself here, since `config` imports no app.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Subject:
    """An object shown, named as in the audit log, and the person whose data it is."""

    kind: str
    pk: UUID
    person: UUID


@dataclass(slots=True)
class ResponseSubjects:
    """The subjects of one response. `is_declared` is true after any call of `add_subjects`, even with no rows."""

    is_declared: bool = False
    subjects: dict[UUID, Subject] = field(default_factory=dict)


class UndeclaredAccessError(Exception):
    """A view responded to a signed-in user without declaring whose data it shows, or why it shows none."""


_collected: ContextVar[ResponseSubjects | None] = ContextVar("response_subjects", default=None)


@contextmanager
def collect_subjects() -> Iterator[ResponseSubjects]:
    """Collect the subjects that are added within the block."""
    collected = ResponseSubjects()
    token = _collected.set(collected)
    try:
        yield collected
    finally:
        _collected.reset(token)


def add_subjects(kind: str, rows: Iterable[tuple[UUID, UUID]]) -> None:
    """Add rows, as pairs of id and the person whose data it is, to the subjects of the response.

    Does nothing outside a request, such as in messages and exports.
    """
    collected = _collected.get()
    if collected is None:
        return
    collected.is_declared = True
    for pk, person in rows:
        collected.subjects[pk] = Subject(kind, pk, person)


def add_people(kind: str, people: Iterable[UUID]) -> None:
    """Add people to the subjects of the response."""
    add_subjects(kind, ((person, person) for person in people))


Recorder = Callable[[Any, str, Iterable[Subject]], None]
_recorders: list[Recorder] = []


def register_recorder(recorder: Recorder) -> None:
    """Set the function that records the access of an actor through a view."""
    _recorders[:] = [recorder]


def record_access(actor: Any, view: str, subjects: Iterable[Subject]) -> None:
    """Record an actor's access to subjects; raise `unavailable` if that fails."""
    for recorder in _recorders:
        recorder(actor, view, subjects)
