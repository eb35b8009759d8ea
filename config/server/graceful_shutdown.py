"""Graceful shutdown of a worker: refuse new connections, finish the open ones, exit.

Granian closes its listening socket and all idle connections at once, also those whose next request is on its way.
A worker that gets SIGTERM therefore first drops new connections in the kernel (only on Linux: a socket filter drops SYN
packets, and the client retries a second later with the next server), and adds `Connection: close` to its responses.
After `DRAIN_SECONDS` Granian shuts down.
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

DRAIN_SECONDS = 1.0

SO_ATTACH_FILTER = 26
# A BPF program: load the byte with TCP's flags, accept packets with ACK, drop all others.
DROP_SYN_FILTER = [(0x30, 0, 0, 13), (0x45, 0, 1, 0x10), (0x06, 0, 0, 0xFFFFFFFF), (0x06, 0, 0, 0)]

is_stopping = threading.Event()


def refuse_connections() -> None:
    """Drop new connections to the listening sockets of this process."""
    steps = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in DROP_SYN_FILTER))
    program = struct.pack("HL", len(DROP_SYN_FILTER), ctypes.addressof(steps))
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if not str(entry.readlink()).startswith("socket:"):
                continue
            with socket.socket(fileno=os.dup(int(entry.name))) as listener:
                if listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    listener.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, program)


def handle_stop_signals() -> None:
    """Install the signal handlers in a worker of Granian; do nothing in other processes."""
    if multiprocessing.parent_process() is None or sys.platform != "linux":
        return
    try:
        from granian import _signals
    except ImportError:
        return
    set_signals = _signals.set_loop_signals

    def set_loop_signals(loop: asyncio.AbstractEventLoop) -> Any:
        stop = set_signals(loop)  # type: ignore[no-untyped-call]  # the server's own, without types

        def on_signal() -> None:
            if not is_stopping.is_set():
                is_stopping.set()
                refuse_connections()
                loop.call_later(DRAIN_SECONDS, stop.set)

        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, on_signal)
        return stop

    _signals.set_loop_signals = set_loop_signals


def close_connections(application: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a WSGI application to send `Connection: close` while this worker stops."""

    def call(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            return start_response(
                status, [*headers, ("Connection", "close")] if is_stopping.is_set() else headers, *more
            )

        return application(environ, start)

    return call
