"""Logging without personal data: formatters, the access log and hooks for uncaught exceptions (ADR 0076).

- A request is logged with the pattern of its route, never with its URL, headers or body.
- An exception is logged with its types and locations, never with its message, in which databases quote values.
- A library's message is logged as its format string, without arguments; without arguments it is left out.
`DEBUG` turns off the last two rules.
"""

import logging
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID

import orjson
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import LazyObject, empty

from config.request_id import current_request_id
from config.version import VERSION

PRODUCT_LOGGERS = {"config", "accounts", "doctors", "appointments", "adminpanel"}
REDACTED = "…"
MAX_FRAMES = 12
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}
# Requested every few seconds by machines, or many times by one page.
DEBUG_ROUTES = {"/healthz", "/readyz", "/metrics", "(static)"}

logger = logging.getLogger(__name__)
access = logging.getLogger("config.access")

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def redact_argument(argument: object, *, is_ours: bool) -> object:
    """Return an argument of a log message, redacted unless it is ours, a number or an id."""
    if isinstance(argument, BaseException):
        return type(argument).__name__
    if is_ours or argument is None or isinstance(argument, int | float | UUID):
        return argument
    return REDACTED


def format_message(record: logging.LogRecord) -> str:
    """Return the message of a record; arguments of libraries are redacted."""
    if settings.DEBUG:
        return record.getMessage()
    is_ours = record.name.partition(".")[0] in PRODUCT_LOGGERS
    pattern = str(record.msg)
    if not record.args:
        return pattern if is_ours else REDACTED
    arguments = record.args
    try:
        if isinstance(arguments, Mapping):
            return pattern % {name: redact_argument(each, is_ours=is_ours) for name, each in arguments.items()}
        return pattern % tuple(redact_argument(each, is_ours=is_ours) for each in arguments)
    except (TypeError, ValueError):
        # The format string expects a number where the argument is redacted.
        return pattern


def format_frame(frame: traceback.FrameSummary) -> str:
    """Return the location of a traceback's frame, relative to the project or the packages."""
    file = Path(frame.filename)
    for root in (settings.BASE_DIR, *map(Path, sys.path)):
        if file.is_relative_to(root) and root != Path("/"):
            file = file.relative_to(root)
            break
    return f"{file}:{frame.lineno} in {frame.name}"


def describe_exceptions(error: BaseException | None) -> Iterator[dict[str, Any]]:
    """Yield an exception and its causes, the last one first: types and locations, no messages."""
    count = 0
    while error is not None and count < MAX_FRAMES:
        frames = traceback.extract_tb(error.__traceback__)
        description: dict[str, Any] = {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "at": [format_frame(frame) for frame in frames[-MAX_FRAMES:]],
        }
        # PostgreSQL's error code (SQLSTATE, SQL:2011 part 2, section 24) and constraint.
        if state := getattr(error, "sqlstate", None):
            description |= {
                "sqlstate": state,
                "constraint": getattr(getattr(error, "diag", None), "constraint_name", None),
            }
        yield description
        count += 1
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


class SafeFormatter(logging.Formatter):
    """Base of both formatters: no messages of exceptions, no arguments of libraries."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        if settings.DEBUG:
            return super().formatException(ei)
        return "\n".join(
            f"  {description['type']}{' ' + description['sqlstate'] if 'sqlstate' in description else ''}"
            + "".join(f"\n    at {each}" for each in reversed(description["at"]))
            for description in describe_exceptions(ei[1])
        )


class LineFormatter(SafeFormatter):
    """A readable line: `12:00:00 INFO config.access [request] GET /api/doctors 200 12 ms`."""

    def format(self, record: logging.LogRecord) -> str:
        moment = self.formatTime(record, "%H:%M:%S")
        message = join_lines(format_message(record))
        line = f"{moment} {record.levelname} {record.name} [{get_request_id(record)}] {message}"
        if record.exc_info and record.exc_info[1]:
            line += "\n" + self.formatException(record.exc_info)
        return line


class JsonFormatter(SafeFormatter):
    """One JSON object a line, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": format_message(record),
            "requestId": get_request_id(record),
            **getattr(record, "request_facts", {}),
        }
        if record.name.partition(".")[0] not in PRODUCT_LOGGERS:
            entry["at"] = f"{record.module}:{record.lineno}"
        if record.exc_info and record.exc_info[1]:
            entry["exception"] = list(describe_exceptions(record.exc_info[1]))
        return orjson.dumps(entry, default=str).decode()


class FailedRequestFilter(logging.Filter):
    """Lets through what `django.request` logs of unhandled exceptions.

    Its other lines say no more than the access log once their arguments are redacted.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info:
            return False
        if not settings.DEBUG:
            record.msg, record.args = "A request failed with an unhandled exception: %d", (record.status_code,)  # type: ignore[attr-defined]  # Django adds it
        return True


def get_request_id(record: logging.LogRecord) -> str:
    return getattr(record, "request_id", None) or current_request_id.get()


def join_lines(text: str) -> str:
    """Return the text on one line, so that no input can forge a log line."""
    return " ".join(text.splitlines()) if len(text.splitlines()) > 1 else text


def get_route(request: HttpRequest, response: HttpResponseBase) -> str:
    """Return the URL pattern of a request; its URL may contain names, searches and secrets."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return "(page)" if match.view_name == "page" else f"/{match.route}"
    is_static = request.path_info.startswith(settings.STATIC_URL) and response.status_code < 400
    return "(static)" if is_static else "(none)"


def get_user_id(request: HttpRequest) -> str | None:
    """Return the user's id if the response needed the user; never load it for the log."""
    user = getattr(request, "user", None)
    if isinstance(user, LazyObject) and user._wrapped is empty:
        return None
    key = getattr(user, "pk", None)
    return str(key) if key else None


def log_request(request: HttpRequest, response: HttpResponseBase, start: float) -> None:
    """Write a request to the access log; for a streamed response, when it starts."""
    facts = {
        "method": request.method if request.method in METHODS else REDACTED,
        "route": get_route(request, response),
        "status": response.status_code,
        "ms": round((time.perf_counter() - start) * 1000, 1),
        "userId": get_user_id(request),
    }
    level = logging.DEBUG if facts["route"] in DEBUG_ROUTES else logging.INFO
    if access.isEnabledFor(level):
        line = "{method} {route} {status} {ms:.0f} ms".format_map(facts)
        access.log(level, "%s", line, extra={"request_facts": facts})


def log_stream_errors(chunks: Iterable[bytes], request_id: str) -> Iterator[bytes]:
    """Yield a stream's chunks; log an exception here and hide it from the server, which would print its message."""
    try:
        yield from chunks
    except Exception:
        logger.exception("A response was aborted", extra={"request_id": request_id})
        raise ResponseAbortedError from None
    finally:
        close = getattr(chunks, "close", None)
        if close:
            close()


class ResponseAbortedError(Exception):
    """A stream was aborted; the connection must not look complete."""


def log_start() -> None:
    """Log which release this process serves."""
    logger.info("Wellhour %s has started in %s", VERSION, settings.ENVIRONMENT)


def install_exception_hooks() -> None:
    """Log warnings and uncaught exceptions, which Python would print."""
    logging.captureWarnings(True)

    def uncaught(kind: type[BaseException], error: BaseException, where: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, where)
        else:
            logger.critical("Nobody caught an exception", exc_info=(kind, error, where))

    def uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            info: ExceptionInfo = (args.exc_type, args.exc_value, args.exc_traceback)
            logger.critical("Nobody caught an exception in a thread", exc_info=info)

    def unraisable(args: Any) -> None:
        if args.exc_value is not None:
            info: ExceptionInfo = (args.exc_type, args.exc_value, args.exc_traceback)
            logger.error("An exception could not be raised", exc_info=info)

    sys.excepthook = uncaught
    threading.excepthook = uncaught_in_thread
    sys.unraisablehook = unraisable
