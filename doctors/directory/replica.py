"""Read the public directory from the replica while it is up to date.

A visitor's request is repeated on the primary if the replica is unavailable. Each process checks the replica once a
second: it is used only while the last heartbeat of the background work that it knows is younger than
`DATABASE_REPLICA_SECONDS`.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db.models import Max
from django.http.response import HttpResponseBase
from django.utils import timezone

from accounts.leases import MAX_CLOCK_SKEW
from accounts.models import Heartbeat
from config.api.errors import DATABASE_UNAVAILABLE
from config.db.router import REPLICA, use_replica

logger = logging.getLogger(__name__)

CHECK_SECONDS = 1.0


class ReplicaHealth:
    """Whether the replica is up to date; one thread at a time checks it, the others use the last result."""

    def __init__(self) -> None:
        self.is_current = False
        self.lock = threading.Lock()
        self.next_check = 0.0

    def check(self) -> bool:
        """Return whether the replica may be read, from a check at most a second old."""
        if time.monotonic() >= self.next_check and self.lock.acquire(blocking=False):
            try:
                self.set(is_current())
            finally:
                self.lock.release()
        return self.is_current

    def set(self, is_current: bool) -> None:
        if is_current != self.is_current:
            logger.warning("The replica is in use" if is_current else "The replica is away or behind")
        self.is_current, self.next_check = is_current, time.monotonic() + CHECK_SECONDS


health = ReplicaHealth()


def is_current() -> bool:
    """Return whether the replica responds and has a recent heartbeat."""
    try:
        beat_at = Heartbeat.objects.using(REPLICA).aggregate(last=Max("beat_at"))["last"]
    except DATABASE_UNAVAILABLE:
        return False
    age = timezone.now() - beat_at if beat_at else None
    return age is not None and -MAX_CLOCK_SKEW < age <= timedelta(seconds=settings.REPLICA_SECONDS)


def read_from_replica(respond: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return a visitor's response from the replica if possible, otherwise from the primary."""
    if REPLICA in settings.DATABASES and health.check():
        with use_replica():
            response = respond()
        if response.status_code != 503:
            return response
        health.set(False)
    return respond()
