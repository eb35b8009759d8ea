"""Fetch a picture from an address that a person typed, without becoming anybody's way into our network."""

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from accounts.files.avatars import TOO_LARGE, PictureRejectedError
from accounts.throttling.expensive_requests import acquire_place
from config.http.concurrency_limit import Bulkhead

SECONDS = 5.0
NOT_HTTPS = "Enter an address that begins with https://."
# One sentence for all failures: which machines answer behind our walls is nobody's business.
NOT_FETCHED = "No picture could be fetched from this address."

# Addresses that are other addresses in disguise, and may lead to ones that are not public (RFC 6052, 3056, 4380).
DISGUISES = [ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]

resolver = ThreadPoolExecutor(max_workers=2, thread_name_prefix="picture-link-resolver")
# A convenience beside uploading: it has no share of its own, and steps back while others are busy.
bulkhead = Bulkhead("links", 2, 0, SECONDS, share=0)


def fetch(link: str) -> bytes:
    """Fetch what lies behind an https link; raises PictureRejectedError, and as `Bulkhead.acquire`.

    The host is resolved here and every address of it must be public; the connection goes to the checked
    address itself, so that a second answer of the name server can't lead elsewhere. No redirects, one
    deadline of 5 s over all, 5 MB at most.
    """
    with acquire_place(bulkhead):
        deadline = time.monotonic() + SECONDS
        parts = checked_link(link)
        host = parts.hostname or ""
        address = public_address(host, deadline)
        connection = CheckedConnection(host, address, timeout=SECONDS)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return download(connection, target, deadline)


def checked_link(link: str) -> SplitResult:
    """Take an https link apart; raises PictureRejectedError for any other, and for names, passwords and ports in it."""
    try:
        parts = urlsplit(link)
        port = parts.port
    except ValueError as broken:
        raise PictureRejectedError(NOT_HTTPS) from broken
    if parts.scheme != "https" or not parts.hostname or not link.isascii() or " " in link:
        raise PictureRejectedError(NOT_HTTPS)
    if parts.username is not None or parts.password is not None or port not in {None, 443}:
        raise PictureRejectedError(NOT_FETCHED)
    return parts


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if any(parsed in net for net in DISGUISES) or parsed.scope_id:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def public_address(host: str, deadline: float) -> str:
    """Resolve a host; return an address of it, raises PictureRejectedError unless all of them are public."""
    asked = resolver.submit(socket.getaddrinfo, host, 443, type=socket.SOCK_STREAM)
    try:
        found = asked.result(timeout=max(0.0, deadline - time.monotonic()))
    except (OSError, UnicodeError, FutureTimeoutError) as unknown:
        asked.cancel()
        raise PictureRejectedError(NOT_FETCHED) from unknown
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses or not all(is_public(address) for address in addresses):
        raise PictureRejectedError(NOT_FETCHED)
    return addresses[0]


class CheckedConnection(http.client.HTTPSConnection):
    """HTTPS to a given address, with the certificate checked against the host's name."""

    def __init__(self, host: str, address: str, timeout: float) -> None:
        self.tls = ssl.create_default_context()
        super().__init__(host, 443, timeout=timeout, context=self.tls)
        self.address = address

    def connect(self) -> None:
        plain = socket.create_connection((self.address, self.port), self.timeout)
        # The handshake comes after the socket is known, so that the deadline can cut it short.
        self.sock = self.tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()


def download(connection: http.client.HTTPConnection, target: str, deadline: float) -> bytes:
    """Read a successful, direct, small enough answer before the deadline; raises PictureRejectedError."""
    used: list[socket.socket] = []

    def hang_up() -> None:
        for sock in {connection.sock, *used} - {None}:
            with suppress(OSError):
                # Below TLS, whose own shutdown would wait for the other side.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    # A timeout on a socket is for one read; a server that drips would never meet it. This ends all of it.
    watchdog = threading.Timer(max(0.0, deadline - time.monotonic()), hang_up)
    watchdog.daemon = True
    watchdog.start()
    try:
        connection.connect()
        # Kept, since the connection lets go of its socket when the answer is the last one.
        used.append(connection.sock)
        connection.request("GET", target, headers={"Accept": "image/*", "Accept-Encoding": "identity"})
        with connection.getresponse() as response:
            if response.status != http.HTTPStatus.OK:
                raise PictureRejectedError(NOT_FETCHED)
            content = response.read(settings.MAX_PICTURE_BYTES + 1)
    except (OSError, ValueError, http.client.HTTPException) as failed:
        raise PictureRejectedError(NOT_FETCHED) from failed
    finally:
        watchdog.cancel()
        connection.close()
    if time.monotonic() > deadline:
        raise PictureRejectedError(NOT_FETCHED)
    if len(content) > settings.MAX_PICTURE_BYTES:
        raise PictureRejectedError(TOO_LARGE)
    return content
