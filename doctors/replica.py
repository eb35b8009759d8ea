"""A copy of the database that follows it (`DATABASE_REPLICA_URL`): what it may answer, and for how long it is trusted.

It answers the public alone: the directory, a doctor's page and free times, to whoever is not signed in and holds no
time. What they show may be as old as the copy; whoever books is told by the database itself. Everybody else reads what
they have just written, so everything else is asked of the database.

Each process asks the copy once a second how old it is: by the heartbeats of the background's work, which are written
every few seconds. A copy that is away, or behind by more than `DATABASE_REPLICA_SECONDS`, is passed over.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Max, Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.models import Heartbeat
from accounts.turns import CLOCKS_DIFFER
from config.errors import DATABASE_AWAY
from doctors.models import DoctorProfile

logger = logging.getLogger(__name__)

ALIAS = "replica"
# So many seconds lie between two looks at the copy.
LOOK_EVERY = 1.0

is_asked: ContextVar[bool] = ContextVar("is_asked", default=False)


class Router:
    """Send what is read for the public to the copy, and all that is written to the database."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        # Always named, or a row's relations would go on being read where the row was.
        return ALIAS if is_asked.get() else "default"

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return "default"

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, alias: str, app_label: str, **hints: Any) -> bool:
        return alias == "default"


def asked_database() -> BaseDatabaseWrapper:
    """Answer the connection that doctors are read by in statements of our own: the copy's, where it may answer."""
    return connections[router.db_for_read(DoctorProfile)]


class Copy:
    """What this process knows of the copy."""

    def __init__(self) -> None:
        self.is_trusted = False
        self._looking = threading.Lock()
        self._next = 0.0

    def is_fresh(self) -> bool:
        """Tell whether the copy may be asked; one request in a second looks, all others take its word."""
        if time.monotonic() >= self._next and self._looking.acquire(blocking=False):
            try:
                self.trust(is_young_enough())
            finally:
                self._looking.release()
        return self.is_trusted

    def trust(self, is_trusted: bool) -> None:
        """Ask the copy from now on, or pass it over until the next look."""
        if is_trusted != self.is_trusted:
            logger.warning("The replica is asked" if is_trusted else "The replica is away or behind")
        self.is_trusted, self._next = is_trusted, time.monotonic() + LOOK_EVERY


def is_young_enough() -> bool:
    """Tell whether the copy answers, and the last heartbeat that it knows was a short while ago."""
    try:
        beat = Heartbeat.objects.using(ALIAS).aggregate(last=Max("beat_at"))["last"]
    except DATABASE_AWAY:
        return False
    age = timezone.now() - beat if beat else None
    return age is not None and -CLOCKS_DIFFER < age <= timedelta(seconds=settings.REPLICA_SECONDS)


copy = Copy()


def may_lag(request: HttpRequest) -> bool:
    """Tell whether whoever asks has written nothing that the answer could show."""
    is_nobody = request.method in {"GET", "HEAD"} and "HTTP_AUTHORIZATION" not in request.META
    return is_nobody and "holdId" not in request.GET


def serve(request: HttpRequest, ask: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Answer a public call from the copy where it may and can, else from the database."""
    if ALIAS not in settings.DATABASES or not may_lag(request) or not copy.is_fresh():
        return ask()
    mark = is_asked.set(True)
    try:
        answer = ask()
    finally:
        is_asked.reset(mark)
    if answer.status_code == 503:
        copy.trust(False)
        return ask()
    # A doctor who was approved a moment ago is known to the database alone.
    return ask() if answer.status_code == 404 else answer
