"""Keep requests that wait for a scarce resource from taking all threads of a worker.

A worker serves with `WORKER_THREADS` threads, and a request that waits for a file to be examined or a password to be
hashed holds one of them. Each scarce resource therefore has a bulkhead: so many callers use it at once, so many wait,
and the rest are rejected immediately with 503 `unavailable` and `Retry-After`.

How the places of one process are divided:

1. All bulkheads together hold at most half of the threads, whether their callers wait or run. The other half is left
   for requests that wait for nothing, like searching doctors and reading appointments.
2. Each bulkhead has a share that no other one can take. An attack on one resource can fill its own share and the
   shared places; the others still serve as many callers as their shares. The shares must fit into the half, or the
   process doesn't start.
3. The rest of the half is shared: a bulkhead whose share is full takes from it, up to its own size
   (`max_running + max_waiting`).
4. One caller has one place in a bulkhead: a user by id, an anonymous one by network or, where many people of one
   network must get in at the same time, by network and what they claim to be. A second concurrent call is rejected
   with 429 `too_many`.
5. One network holds at least one place fewer than a bulkhead's size, whatever the number of its accounts. Where fewer
   places than its size can be held, because the shared ones are taken, it may hold all of these.

A caller must not enter a second bulkhead while it is inside one.
"""

import math
import threading
import weakref
from collections import Counter
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http.response import HttpResponseBase

from config.api.errors import DomainError

Response = TypeVar("Response", bound=HttpResponseBase)


class ThreadBudget:
    """The half of a worker's threads that all bulkheads divide among themselves."""

    def __init__(self, threads: int) -> None:
        self.places = threads // 2
        self.bulkheads: list[Bulkhead] = []
        # One lock for all bulkheads, since each affects what is left for the others. Reentrant, since the garbage
        # collector may release a place at any moment.
        self.lock = threading.RLock()

    def add(self, bulkhead: "Bulkhead") -> None:
        """Register a bulkhead; raise ImproperlyConfigured if the shares no longer fit."""
        with self.lock:
            shares = bulkhead.share + sum(each.share for each in self.bulkheads)
            if shares > self.places:
                raise ImproperlyConfigured(
                    f"WORKER_THREADS must be at least {2 * shares}: half of the threads must hold the shares"
                    " of all resources that callers wait for."
                )
            self.bulkheads.append(bulkhead)

    @property
    def shared(self) -> int:
        """Return the number of places outside all shares."""
        return self.places - sum(each.share for each in self.bulkheads)

    @property
    def shared_in_use(self) -> int:
        """Return the number of places held beyond the shares; requires the lock."""
        return sum(max(0, each.held - each.share) for each in self.bulkheads)

    @property
    def held(self) -> int:
        """Return the number of places held now."""
        with self.lock:
            return sum(each.held for each in self.bulkheads)


thread_budget = ThreadBudget(settings.WORKER_THREADS)


class Bulkhead:
    """The bounded queue in front of one scarce resource.

    Args:
        name: the resource's name in the log and in tests.
        max_running: how many callers use the resource at the same time.
        max_waiting: how many more may wait for it.
        seconds: the longest wait; a longer one ends with `unavailable`.
        share: how many places no other bulkhead can take.
        budget: the threads that the places belong to.
    """

    def __init__(
        self,
        name: str,
        max_running: int,
        max_waiting: int,
        seconds: float,
        *,
        share: int = 1,
        budget: ThreadBudget = thread_budget,
    ) -> None:
        self.name = name
        self.max_running = max_running
        self.size = max_running + max_waiting
        self.seconds = seconds
        self.share = min(share, self.size)
        self.budget = budget
        self.held = self.running = 0
        self.callers: Counter[str] = Counter()
        self.networks: Counter[str] = Counter()
        self.places: weakref.WeakSet[Place] = weakref.WeakSet()
        self.condition = threading.Condition(budget.lock)
        budget.add(self)

    def acquire(self, caller: str = "", network: str = "") -> "Place":
        """Return a place once the resource is free; it is held until its release.

        An empty caller or network, as in management commands, only counts toward the size.

        Raises:
            DomainError: `unavailable` if all places are held or the wait is too long, `too_many` if the caller has a
                place already or the network has as many as one network can have.
        """
        with self.condition:
            self._add(caller, network)
            try:
                if not self.condition.wait_for(lambda: self.running < self.max_running, self.seconds):
                    raise self._error("unavailable")
            except BaseException:
                self._remove(caller, network)
                raise
            self.running += 1
        place = Place(self, caller, network)
        self.places.add(place)
        return place

    def release_all(self) -> None:
        """Release the places of all callers; for tests."""
        for place in list(self.places):
            place.release()

    def leave(self, caller: str, network: str) -> None:
        """Stop using the resource and give the place back."""
        with self.condition:
            self.running -= 1
            self._remove(caller, network)
            self.condition.notify()

    def _add(self, caller: str, network: str) -> None:
        if caller and self.callers[caller]:
            raise self._error("too_many")
        if self.held >= self.size:
            raise self._error("unavailable")
        if network and self.size > 1 and self.networks[network] >= self.size - 1:
            raise self._error("too_many")
        if self.held >= self.share and self.budget.shared_in_use >= self.budget.shared:
            raise self._error("unavailable")
        self.held += 1
        self.callers[caller] += 1
        self.networks[network] += 1

    def _remove(self, caller: str, network: str) -> None:
        self.held -= 1
        for counter, key in ((self.callers, caller), (self.networks, network)):
            counter[key] -= 1
            if not counter[key]:
                del counter[key]

    def _error(self, code: str) -> DomainError:
        return DomainError(code, retry_after=self.retry_after)

    @property
    def retry_after(self) -> int:
        """Return the seconds after which it is worth trying again."""
        return max(1, math.ceil(self.seconds / 2))


class Place:
    """A caller's place in a bulkhead: released by `release`, after a `with` block, or with the response."""

    def __init__(self, bulkhead: Bulkhead, caller: str, network: str) -> None:
        # Also runs when the place is garbage-collected without a release.
        self._finalizer = weakref.finalize(self, bulkhead.leave, caller, network)

    def __enter__(self) -> "Place":
        return self

    def __exit__(self, *error: Any) -> None:
        self.release()

    def release(self) -> None:
        """Give the place back; does nothing the second time."""
        self._finalizer()

    def release_after(self, response: Response) -> Response:
        """Hold the place until the response is sent or its client has gone."""
        response._resource_closers.append(self.release)  # type: ignore[attr-defined]  # unknown to the stubs
        return response
