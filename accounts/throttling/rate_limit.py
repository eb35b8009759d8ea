"""Rate limits, counted in the cache that all workers share.

An attempt is counted atomically before it is made, so parallel attempts can't exceed a limit.
"""

import hashlib
import ipaddress
import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache

from accounts.audit.log import record_rate_limit
from config.api.errors import DomainError
from config.probes import log_redis_failure

WINDOW_SECONDS = 15 * 60
# While the circuit breaker is open, one caller per interval tries the cache.
PROBE_INTERVAL_SECONDS = 1.0


class CircuitBreaker:
    """Protects the worker threads from a cache that accepts connections but never responds."""

    def __init__(self) -> None:
        self.opened_at: float | None = None
        self._probe_lock = threading.Lock()

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Allow all calls while closed; while open, allow one probe per interval and raise `unavailable` for others."""
        if self.opened_at is None:
            yield
        elif time.monotonic() - self.opened_at < PROBE_INTERVAL_SECONDS or not self._probe_lock.acquire(blocking=False):
            raise DomainError("unavailable", retry_after=5)
        else:
            try:
                yield
                self.opened_at = None
            finally:
                self._probe_lock.release()


circuit_breaker = CircuitBreaker()


@contextmanager
def handle_cache_errors() -> Iterator[None]:
    """Raise `unavailable` if the cache fails, because attempts that are not counted would be unlimited."""
    try:
        with circuit_breaker.guard():
            yield
    except Exception as error:
        # Imported here, since it takes 5 MB that a site without Redis does not need.
        from redis.exceptions import RedisError
        from redis.exceptions import TimeoutError as RedisTimeout

        if not isinstance(error, RedisError):
            raise
        if isinstance(error, RedisTimeout):
            circuit_breaker.opened_at = time.monotonic()
        log_redis_failure(error)
        raise DomainError("unavailable", retry_after=5) from error


@dataclass(frozen=True)
class RateLimit:
    """At most `max_attempts` per subject in a window of `seconds`.

    The first attempt over the limit in a window writes one audit row, which names the limit but not the subject.
    """

    name: str
    max_attempts: int
    seconds: int = WINDOW_SECONDS

    def consume(self, *subject: str) -> None:
        """Count one attempt; raise `too_many`, with the seconds to wait, if it exceeds the limit."""
        attempts, window_end = self.count(*subject)
        if attempts > self.max_attempts and self.is_first_excess(window_end, *subject):
            record_rate_limit(self.name, self.max_attempts)
        self.raise_if_exceeded(self.max_attempts, attempts, window_end)

    def count(self, *subject: str) -> tuple[int, float]:
        """Count one attempt; return the number of attempts in this window and the window's end."""
        key, new_end = self.key(*subject), time.time() + self.seconds
        with handle_cache_errors():
            window_end = cache.get(key) or cache.get_or_set(key, new_end, self.seconds) or new_end
            # Each window has its own counter, which outlives it, so that no attempt falls between two windows.
            counter = f"{key}:{window_end}"
            cache.add(counter, 0, self.seconds + 60)
            return cache.incr(counter), window_end

    def is_first_excess(self, window_end: float, *subject: str) -> bool:
        """Return True for exactly one caller per window, even when attempts race."""
        with handle_cache_errors():
            return cache.add(f"{self.key(*subject)}:{window_end}:beyond", 1, self.seconds + 60)

    def check(self, *subject: str) -> None:
        """Raise `too_many` if the limit is reached, without counting an attempt."""
        key = self.key(*subject)
        with handle_cache_errors():
            window_end = cache.get(key)
            attempts = cache.get(f"{key}:{window_end}", 0) if window_end else 0
        self.raise_if_exceeded(self.max_attempts - 1, attempts, window_end or 0)

    def raise_if_exceeded(self, max_attempts: int, attempts: int, window_end: float) -> None:
        if attempts > max_attempts:
            raise DomainError("too_many", retry_after=max(1, int(window_end - time.time()) + 1))

    def refund(self, *subject: str) -> None:
        """Subtract an attempt that succeeded."""
        key = self.key(*subject)
        with handle_cache_errors():
            counter = f"{key}:{cache.get(key)}"
            # An attempt counted in the previous window leaves this one unchanged.
            if cache.get(counter, 0) > 0:
                cache.decr(counter)

    def clear(self, *subject: str) -> None:
        key = self.key(*subject)
        with handle_cache_errors():
            cache.delete_many([key, f"{key}:{cache.get(key)}"])

    def key(self, *subject: str) -> str:
        """Return the cache key; subjects are hashed, since they are personal data of any length."""
        return f"limit:{self.name}:{hashlib.sha256(chr(0).join(subject).encode()).hexdigest()}"


@dataclass(frozen=True)
class NetworkRateLimit:
    """At most `max_attempts` from one network: an IPv4 address, or an IPv6 /64.

    Internet lines often have a whole IPv6 /56, and hosting customers a /48, so those are limited too, to 4 and 16 times
    the number. An attempt that a narrower network's limit refuses does not count for the wider ones, so that one line
    can't use up the limit of its neighbors.
    """

    name: str
    max_attempts: int
    seconds: int = WINDOW_SECONDS

    def consume(self, address: str, *subject: str) -> None:
        """Count one attempt from an address, about `subject` if given; raise `too_many` if any limit is exceeded."""
        for limit, key in self.limits(address, *subject):
            limit.consume(*key)

    def check(self, address: str, *subject: str) -> None:
        """Raise `too_many` if any limit is reached, without counting an attempt."""
        for limit, key in self.limits(address, *subject):
            limit.check(*key)

    def refund(self, address: str, *subject: str) -> None:
        """Subtract an attempt that succeeded."""
        for limit, key in self.limits(address, *subject):
            limit.refund(*key)

    def clear(self, address: str, *subject: str) -> None:
        for limit, key in self.limits(address, *subject):
            limit.clear(*key)

    def limits(self, address: str, *subject: str) -> list[tuple[RateLimit, tuple[str, ...]]]:
        """Return the limit and subject for each network that contains the address, the narrowest first."""
        return [
            (RateLimit(self.name, self.max_attempts * multiple, self.seconds), (*subject, network))
            for network, multiple in list_networks(address)
        ]


@dataclass(frozen=True)
class Cooldown:
    """A wait of `seconds` before each attempt of one subject."""

    name: str
    seconds: int = 60

    def consume(self, *subject: str) -> None:
        """Allow one attempt after each wait; otherwise start a wait if none is running, and raise `too_many`."""
        key = RateLimit(self.name, 1).key(*subject)
        with handle_cache_errors():
            new_end = time.time() + self.seconds
            end = cache.get_or_set(key, new_end, WINDOW_SECONDS) or new_end
            remaining = end - time.time()
            if remaining <= 0:
                if cache.add(f"{key}:{end}", 1, WINDOW_SECONDS):
                    cache.delete(key)
                    return
                remaining = self.seconds
        raise DomainError("too_many", retry_after=min(self.seconds, math.ceil(remaining)))

    def reset(self, *subject: str) -> None:
        """Allow the next attempt at once."""
        with handle_cache_errors():
            cache.set(RateLimit(self.name, 1).key(*subject), time.time(), WINDOW_SECONDS)


# The prefix lengths at which IPv6 addresses are counted, each with its multiple of the limit.
IPV6_PREFIXES = ((64, 1), (56, 4), (48, 16))


def list_networks(address: str) -> list[tuple[str, int]]:
    """Return the networks that contain an address, the narrowest first, each with its multiple of the limit."""
    narrowest = get_network(address)
    if "/" not in narrowest:
        return [(narrowest, 1)]
    return [
        (str(ipaddress.ip_network((address, prefix), strict=False)), multiple) for prefix, multiple in IPV6_PREFIXES
    ]


def get_network(address: str) -> str:
    """Return the /64 of an IPv6 address, since a customer has at least that, or the IPv4 address itself."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return address
