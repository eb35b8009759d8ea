"""ETags (RFC 9110, 8.8.3): whether a client has an answer already."""

import hashlib

from django.http import HttpRequest


def tag_of(content: bytes) -> str:
    """Make the strong ETag that these bytes have and no others."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_known(request: HttpRequest, tag: str) -> bool:
    """Tell whether the request's `If-None-Match` has this tag; one that a proxy made weak is the same, `*` is any."""
    header = request.META.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return False
    return header.strip() == "*" or tag in {part.strip().removeprefix("W/") for part in header.split(",")}
