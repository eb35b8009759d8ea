"""Keep callers who wait for a scarce resource from taking all threads of a worker.

A worker serves with `WORKER_THREADS` threads, and a request that waits for the file examiner, for its
password to be hashed or for the rest of its own body holds one of them. Each scarce resource therefore has a bulkhead:
so many callers use it at once, so many wait, and the rest are rejected immediately with 503 `unavailable` and
`Retry-After`.

How the places are divided, for each process:

1. All bulkheads together hold at most half of the threads, whether their callers wait or are being served. The other
   half is left for everything that waits for nothing, like searching doctors and reading one's appointments.
2. Each bulkhead has a share that no other one can take. An attack on one resource can fill its own share and what is
   common, and the others still serve as many callers as their shares hold. The shares must fit into the half; the
   process does not start otherwise.
3. What the shares leave of the half is common: a bulkhead that has filled its share takes from it, up to its own size
   (`at_once + waiting`).
4. One occupant has one place in a bulkhead: a person by id, somebody signed out by network, or, where many people of
   one network must get in at the same time, by network and what they claim to be. A second call beside the first is
   rejected with 429 `too_many`.
5. One network holds at least one place fewer than a bulkhead's size, whatever the number of its accounts. Where fewer
   places than its size can be held, because the common ones are taken, it may hold all of these.

A caller must not enter a second bulkhead while it is inside one.
"""

import math
import tempfile
import threading
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.api.errors import DomainError

Piece = TypeVar("Piece")


class Half:
    """The half of a worker's threads that all bulkheads divide among themselves."""

    def __init__(self, threads: int) -> None:
        self.places = threads // 2
        self.bulkheads: list[Bulkhead] = []
        # One lock for all of them: what one holds decides what is left for the others. Reentrant, since the collector
        # may close a forgotten place at any moment.
        self.lock = threading.RLock()

    def add(self, bulkhead: "Bulkhead") -> None:
        """Take a bulkhead in; raises ImproperlyConfigured when the shares no longer fit."""
        with self.lock:
            shares = bulkhead.share + sum(each.share for each in self.bulkheads)
            if shares > self.places:
                raise ImproperlyConfigured(
                    f"WORKER_THREADS must be at least {2 * shares}: half of the threads must hold the shares"
                    " of all resources that callers wait for."
                )
            self.bulkheads.append(bulkhead)

    @property
    def common(self) -> int:
        """Return how many places belong to no bulkhead's share."""
        return self.places - sum(each.share for each in self.bulkheads)

    @property
    def taken_from_common(self) -> int:
        """Return how many places are held beyond the shares; called with the lock."""
        return sum(max(0, each.held - each.share) for each in self.bulkheads)

    @property
    def held(self) -> int:
        """Return how many places are held now."""
        with self.lock:
            return sum(each.held for each in self.bulkheads)


half = Half(settings.WORKER_THREADS)


class Bulkhead:
    """The bounded queue in front of one scarce resource.

    Args:
        name: what the resource is called in the log and in tests.
        at_once: how many callers use the resource at the same time.
        waiting: how many more may wait for their turn.
        seconds: the longest wait for a turn; a longer one ends with `unavailable`.
        share: how many places no other bulkhead can take.
        within: the half of the threads that the places belong to.
    """

    def __init__(
        self, name: str, at_once: int, waiting: int, seconds: float, *, share: int = 1, within: Half = half
    ) -> None:
        self.name = name
        self.at_once = at_once
        self.most = at_once + waiting
        self.seconds = seconds
        self.share = min(share, self.most)
        self.half = within
        self.held = self.running = 0
        self.occupants: Counter[str] = Counter()
        self.networks: Counter[str] = Counter()
        self.places: weakref.WeakSet[Place] = weakref.WeakSet()
        self.change = threading.Condition(within.lock)
        within.add(self)

    @contextmanager
    def enter(self, occupant: str = "", network: str = "") -> Iterator[None]:
        """Hold a place while the block runs; see `hold`."""
        place = self.hold(occupant, network)
        try:
            yield
        finally:
            place.close()

    def hold(self, occupant: str = "", network: str = "") -> "Place":
        """Take a place and wait for a turn; the place is held until it is closed.

        An empty occupant or network is nobody in particular, like a command, and only counts for the size. Raises
        `unavailable` when all places are held or the turn does not come in time, `too_many` when the occupant has a
        place already or the network has all that one network can have.
        """
        with self.change:
            self.take_place(occupant, network)
            try:
                if not self.change.wait_for(lambda: self.running < self.at_once, self.seconds):
                    raise self.full()
            except BaseException:
                self.give_back(occupant, network)
                raise
            self.running += 1
        place = Place(self, occupant, network)
        self.places.add(place)
        return place

    def close_places(self) -> None:
        """Take back all places from all holders; for tests."""
        for place in list(self.places):
            place.close()

    def leave(self, occupant: str, network: str) -> None:
        """End a turn and give its place back."""
        with self.change:
            self.running -= 1
            self.give_back(occupant, network)
            self.change.notify()

    def take_place(self, occupant: str, network: str) -> None:
        """Take a place, or raise; called with the lock."""
        if occupant and self.occupants[occupant]:
            raise self.too_many()
        if self.held >= self.most:
            raise self.full()
        if network and self.most > 1 and self.networks[network] >= self.most - 1:
            raise self.too_many()
        if self.held >= self.share and self.half.taken_from_common >= self.half.common:
            raise self.full()
        self.held += 1
        self.occupants[occupant] += 1
        self.networks[network] += 1

    def give_back(self, occupant: str, network: str) -> None:
        """Give a place back; called with the lock."""
        self.held -= 1
        for counts, one in ((self.occupants, occupant), (self.networks, network)):
            counts[one] -= 1
            if not counts[one]:
                del counts[one]

    def full(self) -> DomainError:
        """Return the error for a caller for whom there is no place."""
        return DomainError("unavailable", retry_after=self.retry_after)

    def too_many(self) -> DomainError:
        """Return the error for a caller who holds enough places already."""
        return DomainError("too_many", retry_after=self.retry_after)

    @property
    def retry_after(self) -> int:
        """Return after how many seconds it is worth trying again."""
        return max(1, math.ceil(self.seconds / 2))


class Place:
    """A place in a bulkhead that outlives the call that took it, like that of a download; nobody else may close it."""

    def __init__(self, bulkhead: Bulkhead, occupant: str, network: str) -> None:
        # Also when it is forgotten unclosed, so that no place is lost.
        self.close = weakref.finalize(self, bulkhead.leave, occupant, network)


class Held(Iterable[Piece]):
    """The pieces of a response that is sent while its place in a bulkhead is held."""

    def __init__(self, pieces: Iterable[Piece], place: Place) -> None:
        self.pieces = pieces
        self.place = place

    def __iter__(self) -> Iterator[Piece]:
        try:
            yield from self.pieces
        finally:
            self.close()

    def close(self) -> None:
        """Give the place back; the server calls this too when the reader has gone."""
        self.place.close()


class HeldFile(tempfile.SpooledTemporaryFile[bytes]):
    """A file that is sent while its place in a bulkhead is held; deleted when it is closed."""

    def __init__(self, place: Place, in_memory: int) -> None:
        super().__init__(max_size=in_memory)
        self.place = place

    def close(self) -> None:
        super().close()
        self.place.close()
