"""Compressed responses (RFC 9110, section 8.4): what a client accepts, and quick compression for what is sent once."""

import gzip
import re
from collections.abc import Callable

import brotli
from django.http import HttpRequest

# The lowest level shrinks JSON to a fifth, in less time than sending the rest would take.
QUICK_COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: bytes(brotli.compress(body, quality=1)),
    "gzip": lambda body: gzip.compress(body, 1, mtime=0),
}


def choose_coding(request: HttpRequest) -> str:
    """Return the best content coding that the client accepts; an empty string for none."""
    accepted = set()
    for item in request.META.get("HTTP_ACCEPT_ENCODING", "").lower().replace(" ", "").split(","):
        name, _, weight = item.partition(";q=")
        if not re.fullmatch(r"0(\.0*)?", weight):
            accepted.add(name)
    return next((coding for coding in ("br", "gzip") if coding in accepted), "")
