"""A budget of CPU time for reading: what one network's visitors, or one signed-in user, may have this process compute.

A limit on the number of requests can't tell a cheap one from a search that costs fifty times as much, and one number
for both is either too low for people or too high for the machine. So the CPU time that reading took is charged when it
is over, to a budget that refills all the time. While one is overdrawn, reading is refused with 429 and a `Retry-After`
of a few seconds; what is served from kept bytes never gets here and is free.

Each process has its own budgets, since it is its own CPU time that they share out. The database's isn't seen.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.audit.log import current_address, record_exhausted
from accounts.models import User
from accounts.throttling.rate_limit import WINDOW_SECONDS, networks_of
from config.api.errors import DomainError

# A budget that was not used holds what refills in this many seconds.
BURST_SECONDS = 10
# What takes less is not charged: nobody wears the machine out with it sooner than with refused requests.
FREE_MS = 1.0
MAX_BUDGETS = 20_000


@dataclass(slots=True)
class Budget:
    """Milliseconds of CPU time that are left, or negative: overdrawn."""

    left: float
    at: float
    audited_at: float = float("-inf")


class CpuBudgets:
    """The budgets of one kind; `rate` is how many milliseconds of CPU time refill in a second, 0 for no limit."""

    def __init__(self, name: str, rate: float) -> None:
        self.name, self.rate = name, rate
        self.budgets: OrderedDict[str, Budget] = OrderedDict()
        self.lock = threading.Lock()

    def refuse_overdrawn(self, subject: str, multiple: int = 1) -> None:
        """Raise `too_many` while the subject's budget is overdrawn, with the seconds until it isn't."""
        with self.lock:
            budget = self.refill(subject, multiple)
            if budget is None or budget.left > 0:
                return
            now, is_new = budget.at, budget.at - budget.audited_at >= WINDOW_SECONDS
            if is_new:
                budget.audited_at = now
        if is_new:
            record_exhausted(self.name, int(self.rate))
        raise DomainError("too_many", retry_after=int(-budget.left / (self.rate * multiple)) + 1)

    def charge(self, subject: str, milliseconds: float, multiple: int = 1) -> None:
        """Take CPU time off the subject's budget; the least recently charged of too many is forgotten."""
        with self.lock:
            budget = self.refill(subject, multiple)
            if budget is None:
                budget = self.budgets[subject] = Budget(self.rate * multiple * BURST_SECONDS, time.monotonic())
            budget.left -= milliseconds
            self.budgets.move_to_end(subject)
            while len(self.budgets) > MAX_BUDGETS:
                self.budgets.popitem(last=False)

    def refill(self, subject: str, multiple: int) -> Budget | None:
        """Return the subject's budget as it is now; None for one that was never charged."""
        budget = self.budgets.get(subject)
        if budget is not None:
            now, rate = time.monotonic(), self.rate * multiple
            budget.left = min(rate * BURST_SECONDS, budget.left + (now - budget.at) * rate)
            budget.at = now
        return budget

    def clear(self) -> None:
        """Forget all budgets."""
        with self.lock:
            self.budgets.clear()


of_network = CpuBudgets("cpu-address", settings.CPU_MS_PER_ADDRESS)
of_person = CpuBudgets("cpu-person", settings.CPU_MS_PER_PERSON)


class Meter:
    """What one request costs, and who pays for it."""

    def __init__(self, budgets: CpuBudgets, payers: Sequence[tuple[str, int]]) -> None:
        self.budgets, self.payers = budgets, payers
        self.began = time.thread_time()

    def refuse_overdrawn(self) -> None:
        """Raise `too_many` while one of the payers' budgets is overdrawn."""
        for payer, multiple in self.payers:
            self.budgets.refuse_overdrawn(payer, multiple)

    def charge(self, seconds: float) -> None:
        """Charge CPU time to all payers."""
        if seconds * 1000 >= FREE_MS:
            for payer, multiple in self.payers:
                self.budgets.charge(payer, seconds * 1000, multiple)

    def charge_stream(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Pass a streamed answer on, and charge what making it took, however it ends."""
        spent = 0.0
        try:
            while True:
                began = time.thread_time()
                part = next(parts, None)
                spent += time.thread_time() - began
                if part is None:
                    return
                yield part
        finally:
            self.charge(spent)


def meter_of(request: Request) -> Meter | None:
    """Return the meter of a request that reads; None for one that nobody pays for."""
    if request.method not in {"GET", "HEAD"}:
        # Acts have limits by number, since others are affected by each.
        return None
    if isinstance(request.user, User):
        return Meter(of_person, [(str(request.user.pk), 1)]) if of_person.rate else None
    return Meter(of_network, networks_of(current_address.get())) if of_network.rate else None


def charge_user(request: HttpRequest, user: User) -> None:
    """Let a user pay for a request that no session signs in; raises `too_many` while their budget is overdrawn."""
    if of_person.rate:
        meter = Meter(of_person, [(str(user.pk), 1)])
        meter.refuse_overdrawn()
        request.cpu_meter = meter  # type: ignore[attr-defined]  # for the middleware below


class CpuThrottle(BaseThrottle):
    """Refuse reading by a subject whose budget is overdrawn."""

    def allow_request(self, request: Request, view: object) -> bool:
        """Begin to measure the request; raises `too_many` while its budget is overdrawn."""
        if not hasattr(request._request, "cpu_meter") and (meter := meter_of(request)):
            meter.refuse_overdrawn()
            request._request.cpu_meter = meter  # type: ignore[attr-defined]  # for the middleware below
        return True


class CpuMiddleware:
    """Charge what a request took, its rendering included."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        meter: Meter | None = getattr(request, "cpu_meter", None)
        if meter:
            meter.charge(time.thread_time() - meter.began)
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
                response.streaming_content = meter.charge_stream(iter(response.streaming_content))
        return response
