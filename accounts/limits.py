"""How often something may be tried, counted in the cache that all workers share."""

import hashlib
import ipaddress
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeout

from config.errors import RuleBroken

logger = logging.getLogger(__name__)

WINDOW_SECONDS = 15 * 60


# Counters that hang are asked again by one caller after so many seconds.
PAUSE = 1.0


class Hanging:
    """Whether the counters take connections and answer nothing: all who wait for them are kept from serving people."""

    def __init__(self) -> None:
        self.since: float | None = None
        self._asking = threading.Lock()

    @contextmanager
    def ask(self) -> Iterator[None]:
        """Let everybody ask; once they hang one caller a second, and the others are told at once: `unavailable`."""
        if self.since is None:
            yield
        elif time.monotonic() - self.since < PAUSE or not self._asking.acquire(blocking=False):
            raise RuleBroken("unavailable", retry_after=5)
        else:
            try:
                yield
                self.since = None
            finally:
                self._asking.release()


hanging = Hanging()


@contextmanager
def shared_counters() -> Iterator[None]:
    """Reach for the counters; raises `unavailable` while they are away, since uncounted tries would be unlimited."""
    try:
        with hanging.ask():
            yield
    except RedisError as away:
        if isinstance(away, RedisTimeout):
            hanging.since = time.monotonic()
        logger.warning("The cache did not answer: %s", away.__class__.__name__)
        raise RuleBroken("unavailable", retry_after=5) from away


@dataclass(frozen=True)
class Limit:
    """At most `most` tries of one kind by one subject in a quarter of an hour."""

    name: str
    most: int

    def take(self, *subject: str) -> None:
        """Count one try; raises `too_many`, with the seconds to wait, when there have been enough.

        Counting comes before trying, in one atomic step, so that a burst of parallel tries is not let through.
        """
        self.refuse_beyond(self.most, self.count(*subject))

    def count(self, *subject: str) -> tuple[int, float]:
        """Count one try; answers how many there are now in this window, and when it ends."""
        key, fresh = self.key(*subject), time.time() + WINDOW_SECONDS
        with shared_counters():
            end = cache.get(key) or cache.get_or_set(key, fresh, WINDOW_SECONDS) or fresh
            # The counter is this window's own and outlives it, so that no try falls between two windows.
            counter = f"{key}:{end}"
            cache.add(counter, 0, WINDOW_SECONDS + 60)
            return cache.incr(counter), end

    def refuse_when_spent(self, *subject: str) -> None:
        """Raise `too_many` when there have been enough, without counting another."""
        key = self.key(*subject)
        with shared_counters():
            end = cache.get(key)
            tries = cache.get(f"{key}:{end}", 0) if end else 0
        self.refuse_beyond(self.most - 1, (tries, end or 0))

    def refuse_beyond(self, most: int, counted: tuple[int, float]) -> None:
        """Raise `too_many`, with the seconds that the window still lasts, for a count that is too high."""
        tries, end = counted
        if tries > most:
            raise RuleBroken("too_many", retry_after=max(1, int(end - time.time()) + 1))

    def give_back(self, *subject: str) -> None:
        """Uncount a try that turned out well."""
        key = self.key(*subject)
        with shared_counters():
            counter = f"{key}:{cache.get(key)}"
            # One that was counted in a window before this leaves this one alone.
            if cache.get(counter, 0) > 0:
                cache.decr(counter)

    def clear(self, *subject: str) -> None:
        """Forget the tries so far."""
        key = self.key(*subject)
        with shared_counters():
            cache.delete_many([key, f"{key}:{cache.get(key)}"])

    def key(self, *subject: str) -> str:
        """Name the counter; a hash, since addresses are personal and may hold anything."""
        return f"limit:{self.name}:{hashlib.sha256(chr(0).join(subject).encode()).hexdigest()}"


def network_of(address: str) -> str:
    """Answer what counts as one address: an IPv6 customer has a whole /64 to try from."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
