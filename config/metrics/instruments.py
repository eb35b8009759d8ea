"""What each process counts. Labels are names of our own; nothing in them is personal, and no client chooses one.

Counting a request takes 7 µs of CPU time, 1% of the quickest response, a cached page of the directory
(`config/tests/metrics/test_instruments.py` measures it).
"""

import contextlib
import functools
import os

from django.conf import settings

if settings.METRICS_TOKEN:
    # Processes share their figures through files below this folder (see `process_files.py`). The library reads the
    # variable when it is imported. A folder that can't be made is reported by `config.env.checks`.
    with contextlib.suppress(OSError):
        settings.METRICS_ROOT.mkdir(parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_ROOT)

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
)

from config.log_formatters import METHODS

disable_created_metrics()
registry = CollectorRegistry()

requests = Counter("wellhour_http_requests", "Responses.", ["route", "method", "status"], registry=registry)
durations = Histogram(
    "wellhour_http_request_duration_seconds",
    "Time to a response.",
    ["route"],
    buckets=(0.01, 0.05, 0.1, 0.25, 1, 5),
    registry=registry,
)
rejections = Counter("wellhour_rejections", "Error responses of the API.", ["code"], registry=registry)
slot_searches = Counter("wellhour_slot_searches", "Searches for free times.", ["search", "result"], registry=registry)
bookings = Counter("wellhour_bookings", "Appointments booked.", ["by"], registry=registry)
deliveries = Counter("wellhour_deliveries", "Attempts to send.", ["channel", "outcome"], registry=registry)


def count_request(route: str, method: str | None, status: int, seconds: float) -> None:
    """Count a response and how long it took; a streamed one until it starts."""
    counter, histogram = get_route_instruments(route, method if method in METHODS else "other", status // 100)
    counter.inc()
    histogram.observe(seconds)


@functools.cache
def get_route_instruments(route: str, method: str | None, status_class: int) -> tuple[Counter, Histogram]:
    """Return the counter and the histogram of these labels; finding them takes the library longer than counting."""
    return requests.labels(route, method, f"{status_class}xx"), durations.labels(route)


def count_slot_search(search: str, *, has_result: bool) -> None:
    """Count a search for free times: of a "doctor" or in the "directory"."""
    slot_searches.labels(search, "free" if has_result else "none").inc()
