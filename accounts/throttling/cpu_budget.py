"""CPU time budgets for read requests, per user or, for visitors, per network.

A limit on the number of requests treats a search like a request that costs a fiftieth of it; no number suits both.
So the CPU time of a read request is charged afterwards to a token bucket that refills continuously. While it is
overdrawn, read requests get 429 with a `Retry-After` of a few seconds. Cached responses are free.

Each process has its own budgets, for its own CPU time. The database's CPU time is not measured.
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

from accounts.audit.log import current_address, record_rate_limit
from accounts.models import User
from accounts.throttling.rate_limit import WINDOW_SECONDS, list_networks
from config.api.errors import DomainError

# A full budget is what refills in this many seconds.
BURST_SECONDS = 10
# Requests below this are free: they cost no more than refusing them.
MIN_CHARGED_MS = 1.0
MAX_BUDGETS = 20_000


@dataclass(slots=True)
class Budget:
    """The remaining CPU time in milliseconds; negative while overdrawn."""

    remaining_ms: float
    refilled_at: float
    audited_at: float = float("-inf")


class CpuBudgets:
    """Budgets that refill by `rate` milliseconds of CPU time per second; 0 means no limit."""

    def __init__(self, name: str, rate: float) -> None:
        self.name, self.rate = name, rate
        self.budgets: OrderedDict[str, Budget] = OrderedDict()
        self.lock = threading.Lock()

    def check(self, subject: str, multiple: int = 1) -> None:
        """Raise `too_many`, with the seconds to wait, if the subject's budget is overdrawn."""
        with self.lock:
            budget = self.refill(subject, multiple)
            if budget is None or budget.remaining_ms > 0:
                return
            now, is_new = budget.refilled_at, budget.refilled_at - budget.audited_at >= WINDOW_SECONDS
            if is_new:
                budget.audited_at = now
        if is_new:
            record_rate_limit(self.name, int(self.rate))
        raise DomainError("too_many", retry_after=int(-budget.remaining_ms / (self.rate * multiple)) + 1)

    def charge(self, subject: str, milliseconds: float, multiple: int = 1) -> None:
        """Subtract CPU time from the subject's budget; drop the least recently charged budgets beyond `MAX_BUDGETS`."""
        with self.lock:
            budget = self.refill(subject, multiple)
            if budget is None:
                budget = self.budgets[subject] = Budget(self.rate * multiple * BURST_SECONDS, time.monotonic())
            budget.remaining_ms -= milliseconds
            self.budgets.move_to_end(subject)
            while len(self.budgets) > MAX_BUDGETS:
                self.budgets.popitem(last=False)

    def refill(self, subject: str, multiple: int) -> Budget | None:
        """Refill and return the subject's budget, or None if it was never charged."""
        budget = self.budgets.get(subject)
        if budget is not None:
            now, rate = time.monotonic(), self.rate * multiple
            budget.remaining_ms = min(rate * BURST_SECONDS, budget.remaining_ms + (now - budget.refilled_at) * rate)
            budget.refilled_at = now
        return budget

    def clear(self) -> None:
        with self.lock:
            self.budgets.clear()


network_budgets = CpuBudgets("cpu-address", settings.MAX_CPU_MS_PER_IP)
user_budgets = CpuBudgets("cpu-person", settings.MAX_CPU_MS_PER_USER)


class Meter:
    """Measures one request and charges its subjects."""

    def __init__(self, budgets: CpuBudgets, subjects: Sequence[tuple[str, int]]) -> None:
        self.budgets, self.subjects = budgets, subjects
        self.started_at = time.thread_time()

    def check(self) -> None:
        """Raise `too_many` if a subject's budget is overdrawn."""
        for subject, multiple in self.subjects:
            self.budgets.check(subject, multiple)

    def charge(self, seconds: float) -> None:
        if seconds * 1000 >= MIN_CHARGED_MS:
            for subject, multiple in self.subjects:
                self.budgets.charge(subject, seconds * 1000, multiple)

    def charge_stream(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """Yield a streamed response's parts and charge their CPU time at the end, even if the client disconnects."""
        spent = 0.0
        try:
            while True:
                started_at = time.thread_time()
                part = next(parts, None)
                spent += time.thread_time() - started_at
                if part is None:
                    return
                yield part
        finally:
            self.charge(spent)


def create_meter(request: Request) -> Meter | None:
    """Return a meter for a read request, or None if it is not charged."""
    if request.method not in {"GET", "HEAD"}:
        # Writes have limits by number, since each of them affects others.
        return None
    if isinstance(request.user, User):
        return Meter(user_budgets, [(str(request.user.pk), 1)]) if user_budgets.rate else None
    return Meter(network_budgets, list_networks(current_address.get())) if network_budgets.rate else None


def charge_user(request: HttpRequest, user: User) -> None:
    """Charge a request without a session to a user; raise `too_many` if their budget is overdrawn."""
    if user_budgets.rate:
        meter = Meter(user_budgets, [(str(user.pk), 1)])
        meter.check()
        request.cpu_meter = meter  # type: ignore[attr-defined]  # for the middleware below


class CpuThrottle(BaseThrottle):
    """Refuse read requests of a subject whose budget is overdrawn."""

    def allow_request(self, request: Request, view: object) -> bool:
        if not hasattr(request._request, "cpu_meter") and (meter := create_meter(request)):
            meter.check()
            request._request.cpu_meter = meter  # type: ignore[attr-defined]  # for the middleware below
        return True


class CpuMiddleware:
    """Charge the CPU time of a request, including rendering."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        meter: Meter | None = getattr(request, "cpu_meter", None)
        if meter:
            meter.charge(time.thread_time() - meter.started_at)
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
                response.streaming_content = meter.charge_stream(iter(response.streaming_content))
        return response
