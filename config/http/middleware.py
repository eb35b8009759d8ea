"""Middleware: request ids, the access log, body limits, trailing slashes, JSON errors of the API, no caching."""

import re
import time
from collections.abc import Callable
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils.http import parse_header_parameters
from uuid_utils.compat import uuid7

from config import log_formatters
from config.api.errors import DomainError, error_response
from config.http.client_address import get_client_ip
from config.metrics import instruments
from config.request_body import BODY_ERROR, CLOSES_CONNECTION, length_error
from config.request_id import current_request_id

# Sent when a body was not received.
RETRY_AFTER_SECONDS = 2

GetResponse = Callable[[HttpRequest], HttpResponse]


def is_api(request: HttpRequest) -> bool:
    return request.path_info == "/api" or request.path_info.startswith("/api/")


class RequestIdMiddleware:
    """Give each request an id, for logs, audit events, errors and `X-Request-ID`; write the access log and count it.

    As the outermost middleware it also adds `Cache-Control: no-store` to all responses of the API and the staff site
    that have no such header: errors, redirects to https and CORS preflights too.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        request_id = uuid7().hex
        token = current_request_id.set(request_id)
        try:
            response = self.get_response(request)
            log_formatters.log_request(request, response, start)
            route = log_formatters.get_route(request, response)
            instruments.count_request(route, request.method, response.status_code, time.perf_counter() - start)
        finally:
            current_request_id.reset(token)
        response["X-Request-ID"] = request_id
        if (is_api(request) or request.path_info.startswith("/staff/")) and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-store"
        if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
            response.streaming_content = log_formatters.log_stream_errors(response.streaming_content, request_id)
        return response


class ApiMiddleware:
    """Apply the rules of `/api`: optional trailing slash, limited body, JSON errors."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        code = request.META.get(BODY_ERROR) or length_error(request.META)
        if not is_api(request):
            if code:
                plain = HttpResponse(DomainError(code).message, status=DomainError(code).status)
                if code in CLOSES_CONNECTION:
                    plain["Retry-After"] = RETRY_AFTER_SECONDS
                return plain
            return self.get_response(request)
        # `/x` and `/x/` are the same, without a redirect.
        request.path_info = request.path_info.removesuffix("/")
        if request.path_info == "/api":
            # Without its slash it would match the frontend's pages.
            response: HttpResponse = error_response(DomainError("not_found"))
        elif code:
            retry_after = RETRY_AFTER_SECONDS if code in CLOSES_CONNECTION else None
            response = error_response(DomainError(code, retry_after=retry_after))
        else:
            response = self.get_response(request)
            if response.status_code >= 400 and not getattr(response, "is_envelope", False):
                response = error_response(to_error(response.status_code, request.path_info))
        return response


# Django decodes forms by any charset that a request names, and Python also knows "hex" and "zlib".
CHARSETS = {"", "utf-8", "utf8", "us-ascii"}
BYTES = "application/octet-stream"


def normalize_content_type(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application to normalize the Content-Type of requests.

    Django fails before any middleware on one that it can't parse or whose charset is no text encoding.
    """

    def call(environ: dict[str, Any], start_response: Any) -> Any:
        if "CONTENT_TYPE" in environ:
            environ["CONTENT_TYPE"] = normalize_media_type(environ["CONTENT_TYPE"])
        return application(environ, start_response)

    return call


def normalize_media_type(content_type: str) -> str:
    """Return a media type without charset, since all text is UTF-8; `BYTES` for other charsets and syntax errors."""
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


# A doctor and the doctor's slots, with any text as id.
DOCTOR_PATH = re.compile(r"/api/doctors/[^/]+(/slots)?")


def to_error(status: int, path: str) -> DomainError:
    """Return the registry's error for a status of Django's own error responses."""
    if status == 404 and DOCTOR_PATH.fullmatch(path):
        # An invalid id is like an unknown one.
        return DomainError("doctor_unavailable")
    return DomainError(
        {404: "not_found", 405: "method_not_allowed", 413: "too_large"}.get(
            status, "server_error" if status >= 500 else "invalid"
        )
    )


def get_client_address(request: HttpRequest) -> str:
    """Return the client's IP address, or ""; see `get_client_ip`."""
    return get_client_ip(request.META)
