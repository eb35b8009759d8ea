"""The registry of errors and the one handler that answers them.

Models and acts raise `DomainError(code)` or a validation error; views catch nothing.
Every answer has the shape `{success, message, code, errors, data, requestId}`.
"""

import errno
import logging
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.core.exceptions import PermissionDenied as DjangoPermissionDenied
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import IntegrityError, InterfaceError, OperationalError, connection
from django.http import Http404, HttpResponse
from django.views.defaults import page_not_found
from rest_framework import exceptions

from config.api.field_messages import name_field
from config.request_id import current_request_id

logger = logging.getLogger(__name__)

# code: (status, the sentence for a person)
REGISTRY: dict[str, tuple[int, str]] = {
    "invalid": (400, "Please check the marked fields."),
    "malformed": (400, "We couldn't read that request."),
    "date_time_required": (400, "Please select date and time"),
    "link_invalid": (400, "This link no longer works. Please ask for a new one."),
    "ticket_invalid": (400, "That took too long or was already done. Please start again."),
    "not_signed_in": (401, "Please sign in."),
    "session_ended": (401, "You've been signed out. Please sign in again."),
    "login_failed": (401, "Login failed"),
    "second_step_failed": (401, "That code isn't right. Please try the next one."),
    "account_inactive": (403, "This account has been deactivated. Please contact us."),
    "wrong_role": (403, "Your account can't do this."),
    "second_step_required": (403, "Your account needs two-step sign-in. Please set it up in your profile first."),
    "not_found": (404, "Not found."),
    "doctor_unavailable": (404, "Doctor not found or unavailable."),
    "method_not_allowed": (405, "This address doesn't support that method."),
    "not_acceptable": (406, "Only JSON is available here."),
    "timeout": (408, "Your request took too long to arrive. Please try again."),
    "email_taken": (409, "An account with this email address already exists."),
    "email_confirmed": (409, "Your email address is already confirmed."),
    "no_pending_email": (409, "There is no new email address to confirm."),
    "license_taken": (409, "Another listed doctor has this license. Please check the number, authority and region."),
    "case_changed": (409, "The doctor or another admin has changed this application. Please review it."),
    "own_account": (409, "You can't do this to your own account here."),
    "last_admin": (409, "This is the last active admin. Add another admin first."),
    "last_superuser": (409, "This is the last superuser. Make another admin a superuser first."),
    "second_step_on": (409, "An authenticator app is already set up. Turn it off first."),
    "passkey_taken": (409, "This passkey is already in use."),
    "passkeys_full": (409, "You've reached the limit of passkeys for one account. Remove one first."),
    "review_required": (409, "This change needs a new approval. Please confirm it."),
    "schedule_not_uniform": (
        409,
        "Your weekdays have different hours. Change them in your schedule, so that none of them is overwritten.",
    ),
    "time_not_offered": (409, "This time isn't available. Please choose another."),
    "slot_taken": (409, "This time has just been taken. Please choose another."),
    "patient_busy": (409, "You already have an appointment at this time."),
    "already_booked": (409, "You've already booked this time."),
    "requests_full": (
        409,
        "You've reached the limit of requests waiting for a reply. Wait for a reply or cancel one first.",
    ),
    "email_unconfirmed": (409, "Confirm your email address first. Then you can book more appointments."),
    "network_share_taken": (
        429,
        "People on your network are holding as many of this doctor's times as we allow. You can still book this one.",
    ),
    "hold_paused": (429, "You've held this time for as long as we allow. You can still book it while it's free."),
    "booked_too_often": (429, "You've made too many bookings in the past hour. Please wait a little."),
    "patient_unavailable": (409, "This patient's account is closed, so you can't book for them."),
    "not_failed": (409, "This message hasn't failed, so there's nothing to retry."),
    "address_forgotten": (409, "The address for this message has been deleted, so it can't be sent."),
    "illegal_transition": (409, "This appointment can no longer be changed that way."),
    "not_started": (409, "You can complete an appointment from 15 minutes before it starts."),
    "proposal_open": (409, "Another time has already been suggested. Please respond to it first."),
    "proposal_closed": (409, "You can no longer respond to this suggested time."),
    "visits_affected": (409, "This change affects appointments. Please decide what happens to each one."),
    "record_changed": (409, "This record was changed in another window. Please review it before you save."),
    "draft_changed": (409, "This draft was changed in another window."),
    "length_required": (411, "The request must state its length."),
    "too_large": (413, "The request is too large."),
    "unsupported_media_type": (415, "This content type isn't accepted here."),
    "too_many": (429, "Too many attempts. Please wait a little."),
    "server_error": (500, "Something went wrong on our side."),
    "storage_full": (507, "There's no space left to save this. Nothing was changed. Please try again later."),
    "unavailable": (503, "The service is briefly unavailable. Please try again."),
}

# What the database refuses, by the constraint's name (PostgreSQL) or the columns it names (SQLite).
CONSTRAINT_CODES: dict[str, tuple[str, dict[str, list[str]]]] = {}


def register_constraint(code: str, *names: str, field: str | None = None) -> None:
    """Let an IntegrityError that names one of `names` answer with `code`, marking `field`."""
    errors = {field: [REGISTRY[code][1]]} if field else {}
    for name in names:
        CONSTRAINT_CODES[name] = (code, errors)


# The database can't be reached or does not answer; its other errors are a fault of one statement.
DATABASE_AWAY = (OperationalError, InterfaceError)


class DomainError(Exception):
    """A rule of the product refuses this act.

    `code` stands in `REGISTRY`; `errors` marks fields by wire name; `data` helps the caller go on.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        *,
        errors: Mapping[str, list[str]] | None = None,
        data: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        self.status, default = REGISTRY[code]
        self.code = code
        self.message = message or default
        self.errors = dict(errors or {})
        self.data = dict(data or {})
        self.retry_after = retry_after
        super().__init__(f"{code}: {self.message}")


def field_error(field: str, message: str) -> DomainError:
    """Build the error that marks one field."""
    return DomainError("invalid", errors={field: [message]})


def error_response(error: DomainError) -> HttpResponse:
    """Build the answer to a broken rule."""
    body = {
        "success": False,
        "message": error.message,
        "code": error.code,
        "errors": error.errors,
        "data": error.data,
        "requestId": current_request_id.get(),
    }
    response = HttpResponse(orjson.dumps(body, default=str), status=error.status, content_type="application/json")
    response.is_envelope = True  # type: ignore[attr-defined]  # tells the middleware that this is ours already
    if error.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


def answer_exception(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return an exception raised in a view; None lets an unknown one become a logged 500."""
    rule = as_rule(exc)
    if rule is None:
        return None
    response = error_response(rule)
    if isinstance(exc, exceptions.MethodNotAllowed):
        response["Allow"] = ", ".join(context["view"].allowed_methods)
    return response


# What frameworks raise, and the code that says the same; the first that fits counts.
PLAIN_CODES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
    (exceptions.MethodNotAllowed, "method_not_allowed"),
    (exceptions.NotAcceptable, "not_acceptable"),
    (exceptions.UnsupportedMediaType, "unsupported_media_type"),
    (RequestDataTooBig, "too_large"),
    ((exceptions.ParseError, SuspiciousOperation), "malformed"),
    (exceptions.NotAuthenticated, "not_signed_in"),
    (exceptions.AuthenticationFailed, "session_ended"),
    ((exceptions.PermissionDenied, DjangoPermissionDenied), "wrong_role"),
    ((Http404, exceptions.NotFound), "not_found"),
)


def as_rule(exc: Exception) -> DomainError | None:
    """Translate what Django, DRF and the database raise into the registry's terms."""
    if isinstance(exc, DomainError):
        return exc
    if isinstance(exc, exceptions.ValidationError):
        return DomainError("invalid", errors=flatten(exc.detail))
    if isinstance(exc, DjangoValidationError):
        detail = exc.message_dict if hasattr(exc, "error_dict") else {"form": exc.messages}
        return DomainError("invalid", errors=flatten(detail))
    if isinstance(exc, exceptions.Throttled):
        return DomainError("too_many", retry_after=int(getattr(exc, "wait", None) or 60))
    if isinstance(exc, IntegrityError):
        return broken_constraint(exc)
    if is_out_of_room(exc):
        logger.error("There is no room left: %s", exc.__class__.__name__)
        return DomainError("storage_full", retry_after=60)
    if isinstance(exc, DATABASE_AWAY):
        logger.warning("The database did not answer: %s (%s)", exc.__class__.__name__, exc.__cause__.__class__.__name__)
        return DomainError("unavailable", retry_after=5)
    for kinds, code in PLAIN_CODES:
        if isinstance(exc, kinds):
            return DomainError(code)
    return None


def is_out_of_room(exc: Exception) -> bool:
    """Return whether a disk is full, be it the database's or that of files."""
    if isinstance(exc, OSError):
        return exc.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    if not isinstance(exc, OperationalError):
        return False
    if connection.vendor == "postgresql":
        return getattr(exc.__cause__, "sqlstate", "") == DISK_FULL
    # SQLite says so of the database itself; of the files beside it, it says only that something went wrong.
    return "is full" in str(exc) or (
        "disk I/O error" in str(exc) and not has_room(settings.DATABASES["default"]["NAME"])
    )


DISK_FULL = "53100"  # in PostgreSQL's list of codes
# Less than SQLite's write-ahead log and its index ask for at once.
LEAST_ROOM = 256 * 1024


def has_room(database: str) -> bool:
    """Return whether the disk of SQLite's file can take anything more."""
    try:
        return shutil.disk_usage(Path(database).parent).free > LEAST_ROOM
    except OSError:
        return True


def broken_constraint(exc: IntegrityError) -> DomainError | None:
    """Name the rule behind a database constraint, or None when no rule is known for it."""
    cause = exc.__cause__
    diagnosis = getattr(getattr(cause, "diag", None), "constraint_name", None) or str(exc)
    for name, (code, errors) in CONSTRAINT_CODES.items():
        if name in diagnosis:
            return DomainError(code, errors=errors)
    return None


def flatten(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Turn DRF's nested errors into `{"hospital.name": ["…"]}`; what has no field stands under `form`."""
    if isinstance(detail, Mapping):
        flat: dict[str, list[str]] = {}
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else writable(key)
            for path, messages in flatten(value, ".".join(part for part in (prefix, name) if part)).items():
                flat.setdefault(path, []).extend(messages)
        return flat
    if isinstance(detail, list | tuple):
        flat = {}
        for index, item in enumerate(detail):
            if isinstance(item, Mapping):
                for path, messages in flatten(item, f"{prefix}.{index}" if prefix else str(index)).items():
                    flat.setdefault(path, []).extend(messages)
            else:
                flat.setdefault(prefix or "form", []).append(name_field(writable(item), prefix))
        return flat
    return {prefix or "form": [name_field(writable(detail), prefix)]}


def writable(message: object) -> str:
    """Return a message as text that can be written as UTF-8; some repeat what was sent, lone surrogates and all."""
    return str(message).encode("utf-8", "replace").decode()


def answer_missing(request: Any, exception: Exception) -> HttpResponse:
    """Return where nothing stands: staff see a page of theirs; else only a file can be missing, which nobody reads."""
    if request.path_info.startswith("/staff/"):
        return page_not_found(request, exception)
    return HttpResponse("Not found.\n", status=404, content_type="text/plain; charset=utf-8")


def answer_crash(request: Any) -> HttpResponse:
    """Return what no view caught: JSON under `/api`, the plain page elsewhere.

    A database that is away or a full disk is told as such here too: the staff site and the media have no other handler.
    """
    raised = sys.exc_info()[1]
    rule = as_rule(raised) if isinstance(raised, OperationalError | InterfaceError | OSError | DomainError) else None
    rule = rule or DomainError("server_error")
    if request.path_info.startswith("/api/"):
        return error_response(rule)
    response = HttpResponse(CRASH_PAGE % rule.message, status=rule.status, content_type="text/html; charset=utf-8")
    if rule.retry_after is not None:
        response["Retry-After"] = str(rule.retry_after)
    return response


CRASH_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    "<title>Something went wrong</title><h1>Something went wrong on our side</h1><p>%s</p>"
    "<p>Nothing you entered was changed. Please try again in a moment.</p><p><a href='/'>Go to the home page</a>"
)
