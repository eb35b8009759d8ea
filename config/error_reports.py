"""Reports of exceptions to Sentry, or what speaks its protocol, if `SENTRY_DSN` is set.

They contain no more than the log: types and locations, never messages, values, requests or users (ADR 0076). The SDK's
own integrations, which would collect more, are off; what it adds to an event is left out of it again.
"""

import atexit
import logging
from typing import Any

from django.conf import settings
from django.http import HttpResponse

from config.log_formatters import get_request_id, get_route
from config.version import VERSION

EVENT_KEYS = {"event_id", "timestamp", "platform", "level", "release", "environment", "tags"}
EXCEPTION_KEYS = {"type", "module"}
FRAME_KEYS = {"filename", "function", "module", "lineno", "in_app"}
FLUSH_SECONDS = 2


def start_reporting() -> None:
    """Report every exception that is logged as an error from now on; do nothing without `SENTRY_DSN`."""
    if not settings.SENTRY_DSN:
        return
    import sentry_sdk

    sentry_sdk.init(
        dsn=settings.SENTRY_DSN,
        release=VERSION,
        environment=settings.ENVIRONMENT,
        default_integrations=False,
        auto_enabling_integrations=False,
        send_default_pii=False,
        max_request_body_size="never",
        include_local_variables=False,
        include_source_context=False,
        max_breadcrumbs=0,
        auto_session_tracking=False,
        before_send=reduce_event,
    )
    logging.getLogger().addHandler(ReportHandler(logging.ERROR))
    atexit.register(sentry_sdk.flush, FLUSH_SECONDS)


class ReportHandler(logging.Handler):
    """Reports exceptions, with the logger, the request's id and its route."""

    def emit(self, record: logging.LogRecord) -> None:
        if not (record.exc_info and record.exc_info[1]):
            return
        import sentry_sdk

        tags = {"logger": record.name, "request_id": get_request_id(record)}
        if request := getattr(record, "request", None):
            tags["route"] = get_route(request, HttpResponse(status=500))
        sentry_sdk.capture_exception(record.exc_info, tags=tags)


def reduce_event(event: Any, hint: Any) -> Any:
    """Return an event with nothing but what is listed above: a newer SDK may add what it likes."""
    exceptions = [
        {
            **pick(each, EXCEPTION_KEYS),
            "stacktrace": {
                "frames": [pick(frame, FRAME_KEYS) for frame in (each.get("stacktrace") or {}).get("frames", [])]
            },
        }
        for each in event.get("exception", {}).get("values", [])
    ]
    return {**pick(event, EVENT_KEYS), "exception": {"values": exceptions}}


def pick(mapping: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key in keys}
