"""What every request gets: an id, a bounded body, one spelling of its path, JSON for API errors and no caching."""

import re
import time
from collections.abc import Callable
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import parse_header_parameters
from uuid_utils.compat import uuid7

from config import log_formatters
from config.api.errors import DomainError, error_response
from config.http.client_address import address_in
from config.request_body import BODY_ERROR, CLOSES_CONNECTION, body_limit
from config.request_id import current_request_id

# Seconds after which a body that was not read may be sent again.
RETRY_AFTER = 2

GetResponse = Callable[[HttpRequest], HttpResponse]


def is_api(request: HttpRequest) -> bool:
    """Return whether a request is for the API."""
    return request.path_info == "/api" or request.path_info.startswith("/api/")


class RequestIdMiddleware:
    """Name each request and write its line of the log; the id goes there, to the trail, errors and `X-Request-ID`.

    Being the outermost, it also forbids caching for whatever answers under `/api` or on the staff site and says nothing
    else of it: a view, an error, a redirect to https or the answer to a browser's preflight.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        request_id = uuid7().hex
        token = current_request_id.set(request_id)
        try:
            response = self.get_response(request)
            log_formatters.tell(request, response, began)
        finally:
            current_request_id.reset(token)
        response["X-Request-ID"] = request_id
        if (is_api(request) or request.path_info.startswith("/staff/")) and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store"
        if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
            response.streaming_content = log_formatters.told_if_broken(response.streaming_content, request_id)
        return response


class ApiMiddleware:
    """Keep `/api` to its own rules: no trailing slash, a bounded body, JSON errors."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refused = request.META.get(BODY_ERROR, "")
        if not is_api(request):
            if refused:
                plain = HttpResponse(DomainError(refused).message, status=DomainError(refused).status)
                if refused in CLOSES_CONNECTION:
                    plain["Retry-After"] = RETRY_AFTER
                return plain
            return self.get_response(request)
        # `/x` and `/x/` are one address, answered without a redirect.
        request.path_info = request.path_info.removesuffix("/")
        if request.path_info == "/api":
            # Nothing stands here, and without its slash it would be an address of the page.
            response: HttpResponse = error_response(DomainError("not_found"))
        elif refused:
            retry_after = RETRY_AFTER if refused in CLOSES_CONNECTION else None
            response = error_response(DomainError(refused, retry_after=retry_after))
        elif declared_length(request) > body_limit(request.content_type or ""):
            response = error_response(DomainError("too_large"))
        else:
            response = self.get_response(request)
            if response.status_code >= 400 and not getattr(response, "is_envelope", False):
                response = error_response(plain_error(response.status_code, request.path_info))
        return response


# Python knows "hex" and "zlib" as encodings too, and Django reads addresses and forms by whatever a request names.
CHARSETS = {"", "utf-8", "utf8", "us-ascii"}
BYTES = "application/octet-stream"


def with_readable_type(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application: a Content-Type that Django can't take apart, or whose character set is none of text,
    breaks it before any middleware runs, and another name for UTF-8 as soon as a form is read. See `plain_type`.
    """

    def call(environ: dict[str, Any], start_response: Any) -> Any:
        if "CONTENT_TYPE" in environ:
            environ["CONTENT_TYPE"] = plain_type(environ["CONTENT_TYPE"])
        return application(environ, start_response)

    return call


def plain_type(content_type: str) -> str:
    """Return a type without a character set, for all text is UTF-8; bytes that nobody reads where it says otherwise."""
    try:
        kind, words = parse_header_parameters(content_type)
    except (ValueError, LookupError):
        return BYTES
    if "charset" not in words:
        return content_type
    if words["charset"].strip("\"' ").lower() not in CHARSETS:
        return BYTES
    boundary = words.get("boundary", "").replace("\\", "\\\\").replace('"', '\\"')
    return f'{kind}; boundary="{boundary}"' if boundary else kind


def declared_length(request: HttpRequest) -> int:
    """Return the body's declared length in bytes; what can't be read counts as none."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


# A doctor's page and its times, whatever is in the place of the id.
OF_A_DOCTOR = re.compile(r"/api/doctors/[^/]+(/slots)?")


def plain_error(status: int, path: str) -> DomainError:
    """Return the registry's error for a status that Django itself answered."""
    if status == 404 and OF_A_DOCTOR.fullmatch(path):
        # What is no id is nobody's, like an unknown one.
        return DomainError("doctor_unavailable")
    return DomainError(
        {404: "not_found", 405: "method_not_allowed", 413: "too_large"}.get(
            status, "server_error" if status >= 500 else "invalid"
        )
    )


def client_address(request: HttpRequest) -> str:
    """Return the IP address of the client, or an empty text; see `address_in`."""
    return address_in(request.META)
