"""Detect a database server that accepts connections but no longer replies.

`statement_timeout` stands still in a paused server, and TCP keepalives and `tcp_user_timeout` see nothing because its
kernel keeps acknowledging. With those settings alone, each statement in flight hung for as long as PostgreSQL was
paused (45 s measured), and its worker thread and pooled connection with it; with the probe it fails after 2.5 s.
"""

import socket
import struct
import threading
import time

# Silence on a connection before the server is probed, in seconds, and how long the probe waits for a reply.
SILENCE_BEFORE_PROBE = 1.5
PROBE_TIMEOUT = 1.0
# Least time between two probes of a server that is down.
PROBE_INTERVAL = 0.5

# PostgreSQL's SSLRequest: the server, or PgBouncer, replies with one byte before authentication, however busy it is.
SSL_REQUEST = struct.pack("!ii", 8, 80877103)


class Liveness:
    """What this process knows about one server: a circuit breaker shared by all its connections."""

    def __init__(self) -> None:
        self.address: tuple[str, int] | None = None
        self.is_down = False
        # A connection was lost, or held plans of changed tables: the idle ones in the pool are no better.
        self.is_pool_stale = False
        self._probing = threading.Lock()
        self._next_probe = 0.0

    def probe(self) -> bool:
        """Return whether the server replies, and remember it; True while its address is unknown."""
        self.is_down = self.address is not None and not server_replies(*self.address)
        self._next_probe = time.monotonic() + PROBE_INTERVAL
        return not self.is_down

    def is_back(self) -> bool:
        """Return whether a server that was down replies again; one caller at a time probes."""
        if time.monotonic() < self._next_probe or not self._probing.acquire(blocking=False):
            return not self.is_down
        try:
            return self.probe()
        finally:
            self._probing.release()


def server_replies(host: str, port: int) -> bool:
    """Return whether the server at a TCP address or in a Unix socket directory replies to an SSLRequest."""
    is_unix = host.startswith(("/", "@"))
    try:
        with (
            socket.socket(socket.AF_UNIX) if is_unix else socket.create_connection((host, port), PROBE_TIMEOUT) as probe
        ):
            probe.settimeout(PROBE_TIMEOUT)
            if is_unix:
                probe.connect(f"{host}/.s.PGSQL.{port}")
            probe.sendall(SSL_REQUEST)
            return bool(probe.recv(1))
    except OSError:
        return False
