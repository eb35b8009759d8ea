"""How often something may be tried, counted in the cache that all workers share."""

import hashlib
import ipaddress
import time
from dataclasses import dataclass

from django.core.cache import cache

from config.errors import RuleBroken

WINDOW_SECONDS = 15 * 60


@dataclass(frozen=True)
class Limit:
    """At most `most` tries of one kind by one subject in a quarter of an hour."""

    name: str
    most: int

    def take(self, *subject: str) -> None:
        """Count one try; raises `too_many`, with the seconds to wait, when there have been enough.

        Counting comes before trying, in one atomic step, so that a burst of parallel tries is not let through.
        """
        key = self.key(*subject)
        now = time.time()
        until = cache.get_or_set(f"{key}:until", now + WINDOW_SECONDS, WINDOW_SECONDS)
        cache.add(key, 0, WINDOW_SECONDS)
        try:
            tries = cache.incr(key)
        except ValueError:
            # The window ran out between the two steps.
            return
        if tries > self.most:
            raise RuleBroken("too_many", retry_after=max(1, int((until or now) - now) + 1))

    def give_back(self, *subject: str) -> None:
        """Uncount a try that turned out well."""
        try:
            cache.decr(self.key(*subject))
        except ValueError:
            return

    def clear(self, *subject: str) -> None:
        """Forget the tries so far."""
        key = self.key(*subject)
        cache.delete_many([key, f"{key}:until"])

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
