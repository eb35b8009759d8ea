"""Reject requests with large headers before they are parsed.

Granian accepts 400 kB of headers. Django and Python parse some of them in quadratic time: a `Content-Type` of that size
keeps a thread busy for most of a minute.
"""

from collections.abc import Callable
from typing import Any

# Browsers send one or two kilobytes, and proxies add a few lines.
MAX_HEAD_BYTES = 16 * 1024
# Headers that are lists or have parameters, which are parsed item by item.
MAX_LIST_BYTES = 1_000
LIST_HEADERS = (
    "CONTENT_TYPE",
    "HTTP_ACCEPT",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_IF_NONE_MATCH",
    "HTTP_IF_MATCH",
    "HTTP_RANGE",
    "HTTP_X_FORWARDED_FOR",
)


def has_large_headers(environ: dict[str, Any]) -> bool:
    """Return whether a list header, or target and headers together, exceed the limits."""
    if any(len(environ.get(name) or "") > MAX_LIST_BYTES for name in LIST_HEADERS):
        return True
    total = len(environ.get("PATH_INFO") or "") + len(environ.get("QUERY_STRING") or "")
    for name, value in environ.items():
        if name.startswith("HTTP_"):
            total += len(name) + len(value)
    return total > MAX_HEAD_BYTES


def limit_headers(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application to respond 431 (RFC 6585, section 5) to large headers."""

    def call(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if has_large_headers(environ):
            headers = [("Content-Type", "text/plain"), ("Content-Length", "0"), ("Cache-Control", "no-store")]
            start_response("431 Request Header Fields Too Large", headers)
            return [b""]
        return application(environ, start_response)

    return call
