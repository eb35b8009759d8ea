"""Take each body whole and within a size, before anything of ours begins with the request.

The server hands a request over when its headers are there, and the thread that reads its body waits for whoever sends
it, however long that takes. A few clients that send nothing more would hold all threads, so only so many may wait at
once; what has arrived already is read in no time and hardly counts.
"""

import io
import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings

# Why a body was not taken, for `config.requests` to answer; a code of the registry of errors.
REFUSED = "wellhour.body_refused"

# How many seconds one waits for a place while some body may be read any moment, and how old a slow one is.
WAIT_FOR_PLACE = 0.5
SLOW_AFTER = 1.0


class Places:
    """So many bodies are read at once. Who comes when all the places are held by slow ones is refused at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.since: dict[int, float] = {}
        self.change = threading.Condition()

    def enter(self) -> bool:
        """Take a place, waiting a little where it will soon be free; answers whether there was one."""
        with self.change:
            deadline = time.monotonic() + WAIT_FOR_PLACE
            while len(self.since) >= self.most:
                now = time.monotonic()
                if now >= deadline or all(now - began > SLOW_AFTER for began in self.since.values()):
                    return False
                self.change.wait(deadline - now)
            self.since[threading.get_ident()] = time.monotonic()
            return True

    def leave(self) -> None:
        """Give the place back."""
        with self.change:
            del self.since[threading.get_ident()]
            self.change.notify()


places = Places(settings.BODIES_AT_ONCE)


def with_bounded_body(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application: it finds the body in memory, or the reason why there is none."""

    def call(environ: dict[str, Any], start_response: Any) -> Any:
        body, refused = taken(environ)
        if refused:
            environ[REFUSED], environ["CONTENT_LENGTH"] = refused, ""
        environ["wsgi.input"] = io.BytesIO(body)
        return application(environ, start_response)

    return call


def taken(environ: dict[str, Any]) -> tuple[bytes, str]:
    """Answer a request's body, or no bytes and the reason."""
    declared = environ.get("CONTENT_LENGTH") or ""
    if not declared:
        # Chunks of any number, with no end in sight.
        return b"", "length_required" if environ.get("HTTP_TRANSFER_ENCODING") else ""
    if not (declared.isascii() and declared.isdecimal() and len(declared) < 20):
        return b"", "malformed"
    length = int(declared)
    if length > longest(environ.get("CONTENT_TYPE", "")):
        return b"", "too_large"
    if not length or environ.get("REQUEST_METHOD") in {"GET", "HEAD", "OPTIONS"}:
        return b"", ""
    if not places.enter():
        return b"", "unavailable"
    try:
        body = read(environ["wsgi.input"], length)
    finally:
        places.leave()
    # Who hung up half-way did not say what was meant.
    return (body, "") if len(body) == length else (b"", "malformed")


def longest(content_type: str) -> int:
    """Answer how many bytes a body may have: a form may carry a file, everything else is text."""
    is_form = content_type.strip().lower().startswith("multipart/form-data")
    return int(settings.MAX_BODY_BYTES if is_form else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def read(stream: Any, length: int) -> bytes:
    """Read `length` bytes; fewer where the sender hangs up."""
    parts = []
    left = length
    while left:
        try:
            part = stream.read(left)
        except OSError:
            break
        if not part:
            break
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
