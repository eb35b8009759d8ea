"""Keep what everybody is answered about doctors, as bytes, for as long as it is true.

Each process keeps its own and asks the database before every use (`doctors/freshness.py`), in one statement. So nothing
is shared between processes, nobody has to tell them of anything, and an act shows in the very next answer.

Kept is what nobody signed in asks, when it is asked again within a minute: the first answer leaves only a note of whom
it shows, which is what to ask the database about before making the second one. A thousand searches that nobody repeats
so take the room of notes, and cost no statement more.

Orders and filters by the next free time are not kept: any booking of anybody can change them, so that where there are
enough bookings to matter they would be gone before they are asked again.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from rest_framework import serializers
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from accounts.misses import Watched
from config.codings import QUICK, coding_for
from config.errors import DATABASE_AWAY, RuleBroken, answer_exception
from config.tags import is_known, tag_of
from config.wire import EnvelopeRenderer
from doctors import freshness
from doctors.demand import missed
from doctors.freshness import Token
from doctors.serializers import DirectoryQuery, SlotsQuery

# What one process may keep: bytes, and answers and notes together.
MOST_BYTES = 8 * 1024 * 1024
MOST_ENTRIES = 2_000
# Longer than any answer stays true, and as long as a note says that it is asked again.
SECONDS = 60
# Longer texts are nobody's search.
LONGEST_QUERY = 500
LONGEST_ACCEPT = 200
# Less would be sent in as many packets.
LEAST_COMPRESSED = 1_000

Place = tuple[str, str]
Ask = Callable[[], HttpResponseBase]

# What each action may be asked.
QUERIES: dict[str, type[serializers.Serializer[Any]] | None] = {
    "list": DirectoryQuery,
    "retrieve": None,
    "slots": SlotsQuery,
}


@dataclass(slots=True)
class Kept:
    """An answer and what it depends on, or, without content, the note that it was asked for and whom it showed."""

    doctors: tuple[UUID, ...]
    noted_at: float = field(default_factory=time.monotonic)
    content: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    tag: str = ""
    token: Token | None = None
    made_at: datetime | None = None
    true_until: datetime | None = None
    # Where a search found no free time: each one who asks is counted.
    missed: Place | None = None

    @property
    def size(self) -> int:
        """Answer about how much room this takes, in bytes: the objects around the content too."""
        return len(self.content) + 1_000 + 100 * len(self.doctors)

    def is_recent(self) -> bool:
        return time.monotonic() - self.noted_at < SECONDS

    def is_true(self, token: Token | None, now: datetime) -> bool:
        """Tell whether this may be answered: nothing has been written, and no moment has come, that changes it."""
        if self.made_at is None or self.true_until is None or token is None:
            return False
        # A clock that was set back is asked too.
        return token == self.token and self.made_at <= now < self.true_until


class Shelf:
    """What is kept, the longest unasked at the front: it goes first."""

    def __init__(self, most_bytes: int, most_entries: int) -> None:
        self.most_bytes, self.most_entries = most_bytes, most_entries
        self.rows: OrderedDict[Hashable, Kept] = OrderedDict()
        self.bytes = 0
        self.lock = threading.Lock()

    def get(self, key: Hashable) -> Kept | None:
        """Answer what is kept, as recently asked for."""
        with self.lock:
            kept = self.rows.get(key)
            if kept is not None:
                self.rows.move_to_end(key)
            return kept

    def put(self, key: Hashable, kept: Kept) -> None:
        """Keep something in the place of what was there; what does not fit in goes."""
        with self.lock:
            if before := self.rows.pop(key, None):
                self.bytes -= before.size
            self.rows[key] = kept
            self.bytes += kept.size
            while self.bytes > self.most_bytes or len(self.rows) > self.most_entries:
                self.bytes -= self.rows.popitem(last=False)[1].size

    def clear(self) -> None:
        """Keep nothing."""
        with self.lock:
            self.rows.clear()
            self.bytes = 0


shelf = Shelf(MOST_BYTES, MOST_ENTRIES)


class Question(NamedTuple):
    """What a public call asks, spelled in one way however it was written."""

    key: Hashable
    may_be_kept: bool


def question_of(view: Any, request: HttpRequest) -> Question | None:
    """Answer what is asked; None where it is not what everybody may ask, or not in a way that everybody does."""
    meta = request.META
    if request.method not in {"GET", "HEAD"} or "HTTP_AUTHORIZATION" in meta:
        return None
    # A character set would change how the query is read.
    if request.content_params or not takes_json(meta.get("HTTP_ACCEPT", "*/*")):
        return None
    action = view.action_map[request.method.lower()]
    query = spelled(action, meta.get("QUERY_STRING", ""))
    if query is None:
        return None
    given = dict(query)
    # One's own hold is shown as free to its holder alone.
    if given.get("holdId"):
        return None
    may_be_kept = settings.KEPT_ANSWERS and given.get("ordering") != "nextFree" and not given.get("availableBy")
    return Question((action, view.kwargs.get("pk"), query), may_be_kept)


@lru_cache(maxsize=256)
def takes_json(accept: str) -> bool:
    """Tell whether our renderer would be chosen for this `Accept`, and nothing repeated of it."""
    if len(accept) > LONGEST_ACCEPT:
        return False
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    try:
        _, chosen = DefaultContentNegotiation().select_renderer(Request(request), [EnvelopeRenderer()])
    except NotAcceptable:
        return False
    return bool(chosen == EnvelopeRenderer.media_type)


@lru_cache(maxsize=2_048)
def spelled(action: str, query_string: str) -> tuple[tuple[str, Any], ...] | None:
    """Answer the query as the action reads it, without what is passed over; None for one that it refuses."""
    serializer_class = QUERIES[action]
    if serializer_class is None:
        return ()
    if len(query_string) > LONGEST_QUERY:
        return None
    try:
        # As Django reads it.
        query = QueryDict(query_string.encode("iso-8859-1"))
    except (SuspiciousOperation, UnicodeError):
        return None
    serializer = serializer_class(data=query.dict())
    return tuple(sorted(serializer.validated_data.items())) if serializer.is_valid() else None


def is_slowed_down(view: Any) -> bool:
    """Tell whether the watch for whoever tries ids has something to say; the view says it."""
    if not view.asks_by_id():
        return False
    watched = Watched(None)
    try:
        watched.limit.refuse_when_spent(watched.subject)
    except RuleBroken:
        return True
    return False


def serve(view: Any, request: HttpRequest, ask: Ask) -> HttpResponseBase:
    """Answer a public call from what is kept, or `ask` the view and keep what it says.

    A list leaves in the view's `shown` whose times it shows, and whatever was looked for in vain stands in `missed_at`.
    """
    question = question_of(view, request)
    if question is None:
        return ask()
    kept, token, now = None, None, timezone.now()
    if question.may_be_kept and (kept := shelf.get(question.key)) and kept.is_recent():
        try:
            # Before anything else is read.
            token = freshness.token_of(kept.doctors)
        except DATABASE_AWAY as away:
            return answer_exception(away, {}) or ask()
        except DatabaseError:
            # What is kept is no reason to fail.
            return ask()
        if kept.is_true(token, now) and not is_slowed_down(view):
            if kept.missed:
                missed(now, *kept.missed)
            return conditional(request, HttpResponse(kept.content, headers=kept.headers), kept.tag)
    response: Any = ask()
    if response.status_code != 200:
        return response  # type: ignore[no-any-return]  # as the view said it
    response.render()
    tag = tag_of(response.content)
    if question.may_be_kept:
        pk = view.kwargs.get("pk")
        answer = Kept((pk,) if pk else tuple(view.shown))
        if kept is not None and token is not None and answer.doctors == kept.doctors:
            answer.content, answer.headers, answer.tag = response.content, dict(response.items()), tag
            answer.token, answer.made_at, answer.missed = token, now, view.missed_at
            answer.true_until = freshness.turns_at(answer.doctors, now)
        shelf.put(question.key, answer)
    return conditional(request, response, tag)


def conditional(request: HttpRequest, response: HttpResponse, tag: str) -> HttpResponse:
    """Answer 304 to whoever has these bytes already; browsers may keep them if they ask each time.

    Compressed, since nothing secret stands in it that its length could tell: a page of doctors is 5 kB instead of 25.
    """
    coding = coding_for(request) if len(response.content) >= LEAST_COMPRESSED else ""
    if coding:
        tag = f'{tag[:-1]}-{coding}"'
    if is_known(request, tag):
        response = HttpResponseNotModified()
    elif coding:
        response.content = QUICK[coding](response.content)
        response["Content-Encoding"] = coding
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    # A signed-in person is answered `no-store`, and never from what was kept for nobody.
    patch_vary_headers(response, ["Accept-Encoding", "Authorization"])
    return response
