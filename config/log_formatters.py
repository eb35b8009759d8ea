"""The log: one line for each thing that happened, with what helps operators and nothing personal.

Three rules keep it so, for our own code, for libraries and for what none of us foresaw:
- a request is told by the pattern of its route, never by its address, its headers or its body;
- an exception is told by its kind and place, never by its text: databases quote in it what they refuse;
- of what libraries say the pattern is written, without the values; a sentence that came ready-made is left out.
`DEBUG` lifts the last two, for developers.
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

OURS = {"config", "accounts", "doctors", "appointments", "adminpanel"}
LEFT_OUT = "…"
FRAMES = 12
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}
# Asked every few seconds by machines, or many times for one page.
QUIET = {"/healthz", "/readyz", "(static)"}

logger = logging.getLogger(__name__)
access = logging.getLogger("config.access")

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def value(given: object, *, is_ours: bool) -> object:
    """Return what may be written of a value in a message."""
    if isinstance(given, BaseException):
        return type(given).__name__
    if is_ours or given is None or isinstance(given, int | float | UUID):
        return given
    return LEFT_OUT


def words(record: logging.LogRecord) -> str:
    """Return a record's sentence; of a library's, the pattern alone."""
    if settings.DEBUG:
        return record.getMessage()
    is_ours = record.name.partition(".")[0] in OURS
    pattern = str(record.msg)
    if not record.args:
        return pattern if is_ours else LEFT_OUT
    given = record.args
    try:
        if isinstance(given, Mapping):
            return pattern % {name: value(each, is_ours=is_ours) for name, each in given.items()}
        return pattern % tuple(value(each, is_ours=is_ours) for each in given)
    except (TypeError, ValueError):
        # A pattern that asks for a number where words are left out.
        return pattern


def place(frame: traceback.FrameSummary) -> str:
    """Write where a frame of a traceback is, from the project's or the packages' folder on."""
    file = Path(frame.filename)
    for root in (settings.BASE_DIR, *map(Path, sys.path)):
        if file.is_relative_to(root) and root != Path("/"):
            file = file.relative_to(root)
            break
    return f"{file}:{frame.lineno} in {frame.name}"


def causes(error: BaseException | None) -> Iterator[dict[str, Any]]:
    """Return an exception and what led to it, the last one first: kinds and places, and no text."""
    told = 0
    while error is not None and told < FRAMES:
        frames = traceback.extract_tb(error.__traceback__)
        one: dict[str, Any] = {
            "type": f"{type(error).__module__}.{type(error).__qualname__}",
            "at": [place(frame) for frame in frames[-FRAMES:]],
        }
        # What PostgreSQL calls the refusal, and the rule behind it (SQLSTATE, SQL:2011 part 2, 24).
        if state := getattr(error, "sqlstate", None):
            one |= {"sqlstate": state, "constraint": getattr(getattr(error, "diag", None), "constraint_name", None)}
        yield one
        told += 1
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


class SafeFormatter(logging.Formatter):
    """What both forms share: no text of an exception, no values of a library."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        if settings.DEBUG:
            return super().formatException(ei)
        return "\n".join(
            f"  {one['type']}{' ' + one['sqlstate'] if 'sqlstate' in one else ''}"
            + "".join(f"\n    at {each}" for each in reversed(one["at"]))
            for one in causes(ei[1])
        )


class LineFormatter(SafeFormatter):
    """A line for a person: `12:00:00 INFO config.access [request] GET /api/doctors 200 12 ms`."""

    def format(self, record: logging.LogRecord) -> str:
        moment = self.formatTime(record, "%H:%M:%S")
        line = f"{moment} {record.levelname} {record.name} [{record_id(record)}] {one_line(words(record))}"
        if record.exc_info and record.exc_info[1]:
            line += "\n" + self.formatException(record.exc_info)
        return line


class JsonFormatter(SafeFormatter):
    """One JSON object on one line, for whatever gathers logs."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": words(record),
            "requestId": record_id(record),
            **getattr(record, "request_facts", {}),
        }
        if record.name.partition(".")[0] not in OURS:
            said["at"] = f"{record.module}:{record.lineno}"
        if record.exc_info and record.exc_info[1]:
            said["exception"] = list(causes(record.exc_info[1]))
        return orjson.dumps(said, default=str).decode()


def record_id(record: logging.LogRecord) -> str:
    """Return the id of the request that a record belongs to."""
    return getattr(record, "request_id", None) or current_request_id.get()


def one_line(text: str) -> str:
    """Keep a message on its line: nobody writes a second one that looks like ours."""
    return " ".join(text.splitlines()) if len(text.splitlines()) > 1 else text


def route_of(request: HttpRequest, response: HttpResponseBase) -> str:
    """Return the pattern that the request's address matched; addresses hold names, searches and secrets."""
    match = getattr(request, "resolver_match", None)
    if match is not None:
        return "(page)" if match.view_name == "page" else f"/{match.route}"
    is_static = request.path_info.startswith(settings.STATIC_URL) and response.status_code < 400
    return "(static)" if is_static else "(none)"


def user_of(request: HttpRequest) -> str | None:
    """Return the id of who asked, where the answer needed to know; nothing is looked up for it."""
    user = getattr(request, "user", None)
    if isinstance(user, LazyObject) and user._wrapped is empty:
        return None
    key = getattr(user, "pk", None)
    return str(key) if key else None


def tell(request: HttpRequest, response: HttpResponseBase, began: float) -> None:
    """Write the line about a request; of an answer written as a stream, when it begins."""
    facts = {
        "method": request.method if request.method in METHODS else LEFT_OUT,
        "route": route_of(request, response),
        "status": response.status_code,
        "ms": round((time.perf_counter() - began) * 1000, 1),
        "userId": user_of(request),
    }
    level = logging.DEBUG if facts["route"] in QUIET else logging.INFO
    if access.isEnabledFor(level):
        line = "{method} {route} {status} {ms:.0f} ms".format_map(facts)
        access.log(level, "%s", line, extra={"request_facts": facts})


def told_if_broken(pieces: Iterable[bytes], request_id: str) -> Iterator[bytes]:
    """Hand a stream on; one that breaks off is told here, and the server, which would print its text, learns of
    nothing but that."""
    try:
        yield from pieces
    except Exception:
        logger.exception("An answer broke off", extra={"request_id": request_id})
        raise ResponseAbortedError from None
    finally:
        close = getattr(pieces, "close", None)
        if close:
            close()


class ResponseAbortedError(Exception):
    """A stream ended before its end; the connection must not look as if all had been sent."""


def take_over() -> None:
    """Send to the log what Python would print by itself: warnings, and exceptions that nobody caught."""
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
