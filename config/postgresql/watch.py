"""Whether the database server is there at all.

A server that is paused, or whose machine is gone, keeps no deadline of its own: its limits on statements stand still
with it, and TCP goes on acknowledging what nobody reads. So whoever has waited for a while knocks at the door: a server
that lives answers at once (PostgreSQL's SSLRequest, which PgBouncer answers too), however long a statement takes. When
nobody answers, everyone is turned away until somebody does.
"""

import socket
import struct
import threading
import time

# How long an answer may take before somebody knocks, and how long the door may take.
PATIENCE = 1.5
KNOCK_SECONDS = 1.0
# While nobody is there, so much time lies between two knocks.
PAUSE = 0.5

KNOCK = struct.pack("!ii", 8, 80877103)


class Watch:
    """What this process knows of the server."""

    def __init__(self) -> None:
        self.address: tuple[str, int] | None = None
        self.is_away = False
        # One was cut off, or held plans of tables that have changed: those that wait in the pool are no better.
        self.is_pool_stale = False
        self._knocking = threading.Lock()
        self._next = 0.0

    def knock(self) -> bool:
        """Tell whether somebody answers at the door, and remember it; True while no door is known."""
        self.is_away = bool(self.address) and not answers(*self.address)  # type: ignore[misc]  # known, as just seen
        self._next = time.monotonic() + PAUSE
        return not self.is_away

    def is_back(self) -> bool:
        """While the server is away: let one caller knock from time to time, and tell all others at once."""
        if time.monotonic() < self._next or not self._knocking.acquire(blocking=False):
            return not self.is_away
        try:
            return self.knock()
        finally:
            self._knocking.release()


def answers(host: str, port: int) -> bool:
    """Knock once: ask for TLS, which every server answers with a letter before anybody has signed in."""
    is_file = host.startswith(("/", "@"))
    try:
        if is_file:
            door = socket.socket(socket.AF_UNIX)
            door.settimeout(KNOCK_SECONDS)
        else:
            door = socket.create_connection((host, port), KNOCK_SECONDS)
        with door:
            if is_file:
                door.connect(f"{host}/.s.PGSQL.{port}")
            door.sendall(KNOCK)
            return bool(door.recv(1))
    except OSError:
        return False


watch = Watch()
