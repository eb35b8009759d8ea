"""The ASGI application that the server loads: it receives request bodies on the event loop, then calls
Django's WSGI application in a thread.

A WSGI server hands a request to a thread once its headers are there, and that thread waits for the body as long as the
client takes. Here a thread starts once the body has arrived, and hands a response of ordinary size back to the loop as
a whole. A client that sends or reads slowly therefore holds no thread.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext
from io import BytesIO
from typing import Any
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.http.response import HttpResponseBase

from config.http.client_address import get_client_ip
from config.request_body import (
    BODY_ERROR,
    CLOSES_CONNECTION,
    BodyError,
    BodyReceiver,
    Message,
    Receive,
    expected_length,
)
from config.wsgi import application as wsgi_application

Send = Callable[[Message], Awaitable[None]]

# Longer responses are sent in chunks from their thread. No portrait and no file of the frontend is longer.
MAX_BUFFERED_BYTES = 1024 * 1024
# How long a client may take to read one chunk.
CHUNK_TIMEOUT_SECONDS = 60

executor = ThreadPoolExecutor(settings.WORKER_THREADS, "request")
body_receiver = BodyReceiver()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Serve one HTTP request; the server starts with `--no-ws`, so no other kind arrives."""
    if scope["type"] != "http":
        raise NotImplementedError(scope["type"])
    environ = build_environ(scope)
    closes_connection = False
    try:
        length = expected_length(environ)
        if length:
            environ["wsgi.input"] = await body_receiver.receive(receive, length, get_client_ip(environ))
    except BodyError as error:
        environ[BODY_ERROR], environ["CONTENT_LENGTH"] = error.code, ""
        closes_connection = error.code in CLOSES_CONNECTION
    loop = asyncio.get_running_loop()
    with closing(environ["wsgi.input"]):
        start, body = await loop.run_in_executor(executor, respond, environ, ChunkSender(loop, receive, send))
    if start is not None:
        if closes_connection:
            start["headers"].append((b"connection", b"close"))
        await send(start)
        await send({"type": "http.response.body", "body": body})


def build_environ(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the WSGI environment (PEP 3333) of a request, with an empty body."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").upper().replace("-", "_")
        if name not in {"CONTENT_TYPE", "CONTENT_LENGTH"}:
            name = f"HTTP_{name}"
        value = raw_value.decode("latin-1")
        if name in environ:
            # RFC 9110, 5.3; cookies have a separator of their own (RFC 9113, 8.2.3).
            value = f"{environ[name]}{'; ' if name == 'HTTP_COOKIE' else ','}{value}"
        environ[name] = value
    return environ


class ChunkSender:
    """Sends a streamed response from its thread as fast as the client reads."""

    def __init__(self, loop: asyncio.AbstractEventLoop, receive: Receive, send: Send) -> None:
        self.loop = loop
        self.receive = receive
        self.send = send

    def send_all(self, start: Message, chunks: Iterable[bytes]) -> None:
        """Send a response until the client disconnects; raise TimeoutError when it reads too slowly."""
        client_left = asyncio.run_coroutine_threadsafe(self.wait_for_disconnect(), self.loop)
        try:
            self.send_message(start)
            for chunk in chunks:
                if client_left.done():
                    return
                self.send_message({"type": "http.response.body", "body": chunk, "more_body": True})
            self.send_message({"type": "http.response.body", "body": b""})
        finally:
            client_left.cancel()

    def send_message(self, message: Message) -> None:
        """Send one message and wait until the server has accepted it."""

        async def send() -> None:
            async with asyncio.timeout(CHUNK_TIMEOUT_SECONDS):
                await self.send(message)

        asyncio.run_coroutine_threadsafe(send(), self.loop).result()

    async def wait_for_disconnect(self) -> None:
        """Return when the client has closed its connection."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


def respond(environ: dict[str, Any], chunks: ChunkSender) -> tuple[Message | None, bytes]:
    """Return Django's response as a start message and its body; (None, b"") if it was streamed."""
    start: Message = {"type": "http.response.start"}

    def start_response(status: str, headers: list[tuple[str, str]], _: Any = None) -> None:
        start["status"] = int(status[:3])
        start["headers"] = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

    response = wsgi_application(environ, start_response)
    with closing(response) if hasattr(response, "close") else nullcontext():
        if not is_streamed(response):
            return start, b"".join(response)
        chunks.send_all(start, response)
        return None, b""


def is_streamed(response: Any) -> bool:
    """Return whether a response must be sent in chunks: it streams, and its length is large or unknown."""
    if not isinstance(response, HttpResponseBase) or not response.streaming:
        return False
    length = response.headers.get("Content-Length", "")
    return not (length.isdecimal() and int(length) <= MAX_BUFFERED_BYTES)
