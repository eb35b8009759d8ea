"""How often something may be tried, counted in the cache that all workers share.

Each count is one atomic step that comes before the try it counts, so no number of parallel tries passes a limit.
"""

import hashlib
import ipaddress
import logging
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as RedisTimeout

from accounts.audit.log import record_exhausted
from config.api.errors import DomainError

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
            raise DomainError("unavailable", retry_after=5)
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
        raise DomainError("unavailable", retry_after=5) from away


@dataclass(frozen=True)
class Limit:
    """At most `most` tries of one kind by one subject in a window, a quarter of an hour unless `seconds` says else.

    The first try beyond it in a window writes one row to the audit log, which names the limit and never the subject.
    """

    name: str
    most: int
    seconds: int = WINDOW_SECONDS

    def take(self, *subject: str) -> None:
        """Count one try; raises `too_many`, with the seconds to wait, when there have been enough.

        Counting comes before trying, in one atomic step, so that a burst of parallel tries is not let through.
        """
        tries, end = self.count(*subject)
        if tries > self.most and self.is_first_beyond(end, *subject):
            record_exhausted(self.name, self.most)
        self.refuse_beyond(self.most, (tries, end))

    def count(self, *subject: str) -> tuple[int, float]:
        """Count one try; return how many there are now in this window, and when it ends."""
        key, fresh = self.key(*subject), time.time() + self.seconds
        with shared_counters():
            end = cache.get(key) or cache.get_or_set(key, fresh, self.seconds) or fresh
            # The counter is this window's own and outlives it, so that no try falls between two windows.
            counter = f"{key}:{end}"
            cache.add(counter, 0, self.seconds + 60)
            return cache.incr(counter), end

    def is_first_beyond(self, end: float, *subject: str) -> bool:
        """Return True to exactly one caller in the window that ends at `end`, however tries race."""
        with shared_counters():
            return cache.add(f"{self.key(*subject)}:{end}:beyond", 1, self.seconds + 60)

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
            raise DomainError("too_many", retry_after=max(1, int(end - time.time()) + 1))

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


@dataclass(frozen=True)
class NetworkLimit:
    """At most `most` tries of one kind from one network: an IPv4 address, or an IPv6 /64.

    One IPv6 line often has a whole /56, and one customer of a host a /48, so those are counted too, with 4 and 16 times
    the ceiling. A try that a narrower network's ceiling refuses does not count for the wider ones, so that no single
    line uses up what its neighbors have.
    """

    name: str
    most: int
    seconds: int = WINDOW_SECONDS

    def take(self, address: str, *subject: str) -> None:
        """Count one try from an address, about `subject` if given; raises `too_many` beyond any of the ceilings."""
        for limit, counted in self.counters(address, *subject):
            limit.take(*counted)

    def refuse_when_spent(self, address: str, *subject: str) -> None:
        """Raise `too_many` when there have been enough from one of the networks, without counting another."""
        for limit, counted in self.counters(address, *subject):
            limit.refuse_when_spent(*counted)

    def give_back(self, address: str, *subject: str) -> None:
        """Uncount a try that turned out well."""
        for limit, counted in self.counters(address, *subject):
            limit.give_back(*counted)

    def clear(self, address: str, *subject: str) -> None:
        """Forget the tries so far from these networks."""
        for limit, counted in self.counters(address, *subject):
            limit.clear(*counted)

    def counters(self, address: str, *subject: str) -> list[tuple[Limit, tuple[str, ...]]]:
        """Return the counter of each network that an address belongs to, the narrowest first."""
        return [
            (Limit(self.name, self.most * times, self.seconds), (*subject, network))
            for network, times in networks_of(address)
        ]


@dataclass(frozen=True)
class Wait:
    """A wait before each try of one kind by one subject: no longer than `seconds`, and one try after each."""

    name: str
    seconds: int = 60

    def take(self, *subject: str) -> None:
        """Let exactly one try through after each wait; raises `too_many` with the rest of the wait, or starts one."""
        key = Limit(self.name, 1).key(*subject)
        with shared_counters():
            fresh = time.time() + self.seconds
            until = cache.get_or_set(key, fresh, WINDOW_SECONDS) or fresh
            left = until - time.time()
            if left <= 0:
                if cache.add(f"{key}:{until}", 1, WINDOW_SECONDS):
                    cache.delete(key)
                    return
                left = self.seconds
        raise DomainError("too_many", retry_after=min(self.seconds, math.ceil(left)))

    def let_through(self, *subject: str) -> None:
        """Let the next try through at once."""
        with shared_counters():
            cache.set(Limit(self.name, 1).key(*subject), time.time(), WINDOW_SECONDS)


# The prefixes at which an IPv6 address is counted, and how many times the ceiling each allows.
IPV6_PREFIXES = ((64, 1), (56, 4), (48, 16))


def networks_of(address: str) -> list[tuple[str, int]]:
    """Return the networks that an address counts for, the narrowest first, each with its multiple of a ceiling."""
    narrowest = network_of(address)
    if "/" not in narrowest:
        return [(narrowest, 1)]
    return [(str(ipaddress.ip_network((address, prefix), strict=False)), times) for prefix, times in IPV6_PREFIXES]


def network_of(address: str) -> str:
    """Return what counts as one address: an IPv6 customer has a whole /64 to try from."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
