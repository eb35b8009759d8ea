"""Receive request bodies within limits of size, time, number and memory, without holding a thread.

The event loop waits for each body (see `config/asgi.py`), so a slow client costs its own connection and the bytes that
it has sent so far. What remains to limit:

- Size: `body_limit`. A body must declare its length (411 otherwise), and a longer one is rejected unread (413).
- Time: each body has `BASE_SECONDS` plus one second for every `MIN_BYTES_PER_SECOND`, at most `MAX_SECONDS` (408).
- Number and memory: `MAX_PENDING_BODIES` bodies of `MAX_PENDING_BODY_BYTES` together. Beyond that, the network with the
  most pending bodies loses its oldest one (503), so that an attacker evicts itself first.
"""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from django.conf import settings

# The key under which the WSGI environment holds the error code for `config.http.middleware`.
BODY_ERROR = "wellhour.body_error"
# After these errors the rest of the body may still arrive, so the connection can't be reused.
CLOSES_CONNECTION = {"timeout", "unavailable"}

BASE_SECONDS = 10.0
MIN_BYTES_PER_SECOND = 20_000
MAX_SECONDS = 60.0
# Larger bodies wait in a temporary file.
MAX_BYTES_IN_MEMORY = 64 * 1024

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]


class BodyError(Exception):
    """A body that can't be used; `code` is one of the error registry."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def body_limit(content_type: str) -> int:
    """Return how many bytes a body may have: a form may carry a file, everything else is text."""
    is_form = content_type.strip().lower().startswith("multipart/form-data")
    return int(settings.MAX_BODY_BYTES if is_form else settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def compute_timeout(length: int) -> float:
    """Return the seconds within which a body of `length` bytes must arrive."""
    return min(BASE_SECONDS + length / MIN_BYTES_PER_SECOND, MAX_SECONDS)


def expected_length(environ: dict[str, Any]) -> int:
    """Return the number of bytes to receive for a request; 0 where its method has no body.

    Raises BodyError where the length is missing, not a number or over the limit.
    """
    declared = environ.get("CONTENT_LENGTH") or ""
    if not declared:
        if environ.get("HTTP_TRANSFER_ENCODING"):
            raise BodyError("length_required")
        return 0
    if not (declared.isascii() and declared.isdecimal() and len(declared) < 20):
        raise BodyError("malformed")
    if int(declared) > body_limit(environ.get("CONTENT_TYPE", "")):
        raise BodyError("too_large")
    return 0 if environ["REQUEST_METHOD"] in {"GET", "HEAD", "OPTIONS"} else int(declared)


def length_error(environ: dict[str, Any]) -> str:
    """Return the error code for a request's declared length, or ""; for servers other than `config.asgi`."""
    try:
        expected_length(environ)
    except BodyError as error:
        return error.code
    return ""


@dataclass(eq=False)
class PendingBody:
    """A body that is being received; `deadline` is what ends it."""

    network: str
    length: int
    deadline: asyncio.Timeout
    is_evicted: bool = False

    def evict(self) -> None:
        """Abort receiving the body."""
        self.is_evicted = True
        self.deadline.reschedule(0)


class BodyReceiver:
    """Receives the bodies of one process. All methods run on its event loop."""

    def __init__(self) -> None:
        # In order of age.
        self.pending: dict[PendingBody, None] = {}

    async def receive(self, receive: Receive, length: int, network: str) -> BinaryIO:
        """Return the body, rewound; raises BodyError when it is late, evicted or shorter than declared."""
        deadline = asyncio.timeout(compute_timeout(length))
        body = PendingBody(network, length, deadline)
        content = cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=MAX_BYTES_IN_MEMORY))  # noqa: SIM115 - returned
        try:
            async with deadline:
                self.pending[body] = None
                self.evict_surplus()
                await receive_into(content, receive, length)
        except BaseException as error:
            # Also when the request is cancelled.
            content.close()
            if isinstance(error, TimeoutError):
                raise BodyError("unavailable" if body.is_evicted else "timeout") from None
            raise
        finally:
            self.pending.pop(body, None)
        content.seek(0)
        return content

    def evict_surplus(self) -> None:
        """Evict bodies until the rest are within the limits of number and memory."""
        while (
            len(self.pending) > settings.MAX_PENDING_BODIES
            or sum(body.length for body in self.pending) > settings.MAX_PENDING_BODY_BYTES
        ):
            per_network = Counter(body.network for body in self.pending)
            # The first of the equal ones is the oldest.
            body = max(self.pending, key=lambda each: per_network[each.network])
            del self.pending[body]
            body.evict()


async def receive_into(content: BinaryIO, receive: Receive, length: int) -> None:
    """Write a body into a file; raises BodyError("malformed") when the client ends it early."""
    received = 0
    while received < length:
        message = await receive()
        if message["type"] != "http.request":
            raise BodyError("malformed")
        content.write(message.get("body", b""))
        received += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    if received != length:
        raise BodyError("malformed")
