"""The error registry and the exception handler.

Models and services raise `DomainError(code)` or a validation error; views catch nothing.
Every error response has the shape `{success, message, code, errors, data, requestId}`.
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

from config import probes
from config.api.field_messages import name_field
from config.failure_reasons import describe_database_failure
from config.metrics import instruments
from config.request_id import current_request_id

logger = logging.getLogger(__name__)

# code: (HTTP status, message for the user)
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
    "maintenance": (503, "The site is being improved. Please try again in a minute."),
    "unavailable": (503, "The service is briefly unavailable. Please try again."),
}

# Error codes by the name of the violated constraint (PostgreSQL) or the columns that the error lists (SQLite).
CONSTRAINT_CODES: dict[str, tuple[str, dict[str, list[str]]]] = {}


def register_constraint(code: str, *names: str, field: str | None = None) -> None:
    """Map an IntegrityError that names one of `names` to `code`, with an error at `field`."""
    errors = {field: [REGISTRY[code][1]]} if field else {}
    for name in names:
        CONSTRAINT_CODES[name] = (code, errors)


# The database can't be reached or doesn't respond; its other errors concern a single statement.
DATABASE_UNAVAILABLE = (OperationalError, InterfaceError)


class DomainError(Exception):
    """A business rule was violated.

    `code` is a key of `REGISTRY`, `errors` is keyed by wire name, and `data` helps the client recover.
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
    """Return a validation error for one field."""
    return DomainError("invalid", errors={field: [message]})


def error_response(error: DomainError) -> HttpResponse:
    """Return the response for a domain error, and count it."""
    instruments.rejections.labels(error.code).inc()
    body = {
        "success": False,
        "message": error.message,
        "code": error.code,
        "errors": error.errors,
        "data": error.data,
        "requestId": current_request_id.get(),
    }
    response = HttpResponse(orjson.dumps(body, default=str), status=error.status, content_type="application/json")
    response.is_envelope = True  # type: ignore[attr-defined]  # the middleware leaves it unchanged
    if error.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


def handle_exception(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return the response for an exception raised in a view; None leaves it to Django's 500 handler."""
    rule = to_domain_error(exc)
    if rule is None:
        return None
    response = error_response(rule)
    if isinstance(exc, exceptions.MethodNotAllowed):
        response["Allow"] = ", ".join(context["view"].allowed_methods)
    return response


# Error codes of the exceptions that frameworks raise; the first match counts.
EXCEPTION_CODES: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
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


def to_domain_error(exc: Exception) -> DomainError | None:
    """Convert an exception of Django, DRF or the database; None if the registry has no code for it."""
    if isinstance(exc, DomainError):
        return exc
    if isinstance(exc, exceptions.ValidationError):
        return DomainError("invalid", errors=flatten_errors(exc.detail))
    if isinstance(exc, DjangoValidationError):
        detail = exc.message_dict if hasattr(exc, "error_dict") else {"form": exc.messages}
        return DomainError("invalid", errors=flatten_errors(detail))
    if isinstance(exc, exceptions.Throttled):
        return DomainError("too_many", retry_after=int(getattr(exc, "wait", None) or 60))
    if isinstance(exc, IntegrityError):
        return to_constraint_error(exc)
    if is_disk_full(exc):
        logger.error("The disk is full: %s", exc.__class__.__name__)
        return DomainError("storage_full", retry_after=60)
    if isinstance(exc, DATABASE_UNAVAILABLE):
        logger.warning("The database did not answer: %s", describe_database_failure(exc))
        return DomainError("unavailable", retry_after=5)
    if probes.is_bucket_failure(exc):
        probes.log_bucket_failure(exc, settings.S3_BUCKET)
        return DomainError("unavailable", retry_after=5)
    for kinds, code in EXCEPTION_CODES:
        if isinstance(exc, kinds):
            return DomainError(code)
    return None


def is_disk_full(exc: Exception) -> bool:
    """Return whether the disk of the database or of the files is full."""
    if isinstance(exc, OSError):
        return exc.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
    if not isinstance(exc, OperationalError):
        return False
    if connection.vendor == "postgresql":
        return getattr(exc.__cause__, "sqlstate", "") == DISK_FULL_SQLSTATE
    # SQLite reports a full database; for its WAL files it only reports an I/O error.
    return "is full" in str(exc) or (
        "disk I/O error" in str(exc) and not has_free_space(settings.DATABASES["default"]["NAME"])
    )


DISK_FULL_SQLSTATE = "53100"
# Less than SQLite allocates at once for its write-ahead log and index.
MIN_FREE_BYTES = 256 * 1024


def has_free_space(database: str) -> bool:
    """Return whether there is space on the disk of a SQLite file."""
    try:
        return shutil.disk_usage(Path(database).parent).free > MIN_FREE_BYTES
    except OSError:
        return True


def to_constraint_error(exc: IntegrityError) -> DomainError | None:
    """Return the error registered for the violated constraint, or None."""
    cause = exc.__cause__
    constraint = getattr(getattr(cause, "diag", None), "constraint_name", None) or str(exc)
    for name, (code, errors) in CONSTRAINT_CODES.items():
        if name in constraint:
            return DomainError(code, errors=errors)
    return None


def flatten_errors(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """Flatten DRF's nested errors to `{"hospital.name": ["…"]}`; errors without a field are under `form`."""
    if isinstance(detail, Mapping):
        flat: dict[str, list[str]] = {}
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else replace_surrogates(key)
            for path, messages in flatten_errors(value, ".".join(part for part in (prefix, name) if part)).items():
                flat.setdefault(path, []).extend(messages)
        return flat
    if isinstance(detail, list | tuple):
        flat = {}
        for index, item in enumerate(detail):
            if isinstance(item, Mapping):
                for path, messages in flatten_errors(item, f"{prefix}.{index}" if prefix else str(index)).items():
                    flat.setdefault(path, []).extend(messages)
            else:
                flat.setdefault(prefix or "form", []).append(name_field(replace_surrogates(item), prefix))
        return flat
    return {prefix or "form": [name_field(replace_surrogates(detail), prefix)]}


def replace_surrogates(message: object) -> str:
    """Return a message that can be encoded as UTF-8; some quote the input, lone surrogates included."""
    return str(message).encode("utf-8", "replace").decode()


def handle_404(request: Any, exception: Exception) -> HttpResponse:
    """Return Django's 404 page on the staff site, plain text for missing files elsewhere."""
    if request.path_info.startswith("/staff/"):
        return page_not_found(request, exception)
    return HttpResponse("Not found.\n", status=404, content_type="text/plain; charset=utf-8")


def handle_500(request: Any) -> HttpResponse:
    """Return the response to an unhandled exception: JSON under `/api`, a plain page elsewhere.

    An unavailable database or storage or a full disk is named here too, since the staff site and media have no other
    handler.
    """
    error = sys.exc_info()[1]
    rule = None
    if isinstance(error, Exception) and (
        isinstance(error, OperationalError | InterfaceError | OSError | DomainError) or probes.is_bucket_failure(error)
    ):
        rule = to_domain_error(error)
    rule = rule or DomainError("server_error")
    if request.path_info.startswith("/api/"):
        return error_response(rule)
    response = HttpResponse(ERROR_PAGE % rule.message, status=rule.status, content_type="text/html; charset=utf-8")
    if rule.retry_after is not None:
        response["Retry-After"] = str(rule.retry_after)
    return response


ERROR_PAGE = (
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
    "<title>Something went wrong</title><h1>Something went wrong on our side</h1><p>%s</p>"
    "<p>Nothing you entered was changed. Please try again in a moment.</p><p><a href='/'>Go to the home page</a>"
)
