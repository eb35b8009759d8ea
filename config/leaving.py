"""End without dropping what was taken: first let nobody new in, then answer who is here, then go.

The server (granian) closes its door and every connection that says nothing at the same moment, and with them those
whose request is on its way. So a worker that is asked to end first refuses new connections in the kernel (Linux
alone: a filter that drops what opens a connection; a client tries again a second later, and finds the next
server or none), and asks those who are connected not to come again over the same connection. A moment later the
server ends.
"""

import asyncio
import ctypes
import multiprocessing
import os
import signal
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

# So long those who are connected may still ask.
SECONDS = 1.0

SO_ATTACH_FILTER = 26
# Load the byte with TCP's flags; let pass what carries ACK, drop what does not.
ONLY_KNOWN = [(0x30, 0, 0, 13), (0x45, 0, 1, 0x10), (0x06, 0, 0, 0xFFFFFFFF), (0x06, 0, 0, 0)]

is_leaving = threading.Event()


def close_door() -> None:
    """Let no new connection into any socket of this process that listens."""
    steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in ONLY_KNOWN))
    program = struct.pack("HL", len(ONLY_KNOWN), ctypes.addressof(steps))
    for one in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if not str(one.readlink()).startswith("socket:"):
                continue
            with socket.socket(fileno=os.dup(int(one.name))) as door:
                if door.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    door.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


def leave_politely() -> None:
    """Have this worker of the server close its door first when it is asked to end; does nothing in other processes."""
    if multiprocessing.parent_process() is None or sys.platform != "linux":
        return
    try:
        from granian import _signals
    except ImportError:
        return
    install = _signals.set_loop_signals

    def set_loop_signals(loop: asyncio.AbstractEventLoop) -> Any:
        stop = install(loop)  # type: ignore[no-untyped-call]  # the server's own, without types

        def on_signal() -> None:
            if not is_leaving.is_set():
                is_leaving.set()
                close_door()
                loop.call_later(SECONDS, stop.set)

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, on_signal)
        return stop

    _signals.set_loop_signals = set_loop_signals


def with_farewell(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application: while this worker leaves, each answer asks for a new connection next time."""

    def call(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            return start_response(
                status, [*headers, ("Connection", "close")] if is_leaving.is_set() else headers, *more
            )

        return application(environ, start)

    return call
