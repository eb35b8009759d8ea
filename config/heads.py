"""Refuse requests with more in their head than anybody sends, before it is taken apart.

The server takes heads of 400 kB. Django and Python take some header values apart in quadratic time: one `Content-Type`
of that size keeps a thread busy for most of a minute.
"""

from collections.abc import Callable
from typing import Any

# Browsers send one or two kilobytes, and a site's proxies a few lines more.
MAX_HEAD_BYTES = 16 * 1024
# Values that are lists, or have parameters, are taken apart piece by piece.
MAX_LIST_BYTES = 1_000
LISTS = (
    "CONTENT_TYPE",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_IF_NONE_MATCH",
    "HTTP_IF_MATCH",
    "HTTP_RANGE",
    "HTTP_X_FORWARDED_FOR",
)


def is_too_large(environ: dict[str, Any]) -> bool:
    """Return whether a request's target and headers, or one that is a list, are longer than we read."""
    if any(len(environ.get(name) or "") > MAX_LIST_BYTES for name in LISTS):
        return True
    total = len(environ.get("PATH_INFO") or "") + len(environ.get("QUERY_STRING") or "")
    for name, value in environ.items():
        if name.startswith("HTTP_"):
            total += len(name) + len(value)
    return total > MAX_HEAD_BYTES


def with_bounded_head(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application: a head that is too large is answered 431 (RFC 6585, 5)."""

    def call(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if is_too_large(environ):
            headers = [("Content-Type", "text/plain"), ("Content-Length", "0"), ("Cache-Control", "no-store")]
            start_response("431 Request Header Fields Too Large", headers)
            return [b""]
        return application(environ, start_response)

    return call
