"""Compressed answers (RFC 9110, 8.4): what a client takes, and what is made anew for each."""

import gzip
import re
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]  # it brings no types
from django.http import HttpRequest

# For what is sent once: the least effort makes a fifth of JSON, in less time than the rest takes to send.
QUICK: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: bytes(brotli.compress(body, quality=1)),
    "gzip": lambda body: gzip.compress(body, 1, mtime=0),
}


def coding_for(request: HttpRequest) -> str:
    """Choose the best coding that a browser takes."""
    accepted = {
        name.strip()
        for name, _, weight in map(taken_apart, request.headers.get("Accept-Encoding", "").split(","))
        if not re.fullmatch(r"0(\.0*)?", weight.strip())
    }
    return next((coding for coding in ("br", "gzip") if coding in accepted), "")


def taken_apart(said: str) -> tuple[str, str, str]:
    """Take `gzip; q=0.5` apart, with and without its space."""
    return said.lower().replace(" ", "").partition(";q=")
