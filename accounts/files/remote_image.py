"""Fetch a picture from a URL that a user entered, protected against server-side request forgery (SSRF)."""

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

from accounts.files.avatars import TOO_LARGE_MESSAGE, ImageRejectedError
from accounts.throttling.expensive_requests import acquire_place
from config.http.concurrency_limit import Bulkhead

TIMEOUT_SECONDS = 5.0
NOT_HTTPS_MESSAGE = "Enter an address that begins with https://."
# One message for every failure, so that it reveals nothing about the internal network.
NOT_FETCHED_MESSAGE = "No picture could be fetched from this address."

# NAT64, 6to4 and Teredo embed an IPv4 address that may be private (RFC 6052, 3056, 4380).
TRANSLATED_NETWORKS = [
    ipaddress.ip_network(net) for net in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")
]

resolver = ThreadPoolExecutor(max_workers=2, thread_name_prefix="picture-link-resolver")
# Less important than uploads: without a reserved share, it yields to other work.
bulkhead = Bulkhead("links", 2, 0, TIMEOUT_SECONDS, share=0)


def fetch_image(url: str) -> bytes:
    """Fetch an https URL; raise ImageRejectedError, or as `Bulkhead.acquire`.

    All addresses of the host must be public, and the connection goes to the address that was checked, so DNS rebinding
    has no effect. Redirects are not followed; the whole request may take 5 s.
    """
    with acquire_place(bulkhead):
        deadline = time.monotonic() + TIMEOUT_SECONDS
        parts = parse_url(url)
        host = parts.hostname or ""
        address = resolve_public_address(host, deadline)
        connection = CheckedConnection(host, address, timeout=TIMEOUT_SECONDS)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return download(connection, target, deadline)


def parse_url(url: str) -> SplitResult:
    """Parse an https URL; raise ImageRejectedError for other schemes, credentials and ports."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ImageRejectedError(NOT_HTTPS_MESSAGE) from error
    if parts.scheme != "https" or not parts.hostname or not url.isascii() or " " in url:
        raise ImageRejectedError(NOT_HTTPS_MESSAGE)
    if parts.username is not None or parts.password is not None or port not in {None, 443}:
        raise ImageRejectedError(NOT_FETCHED_MESSAGE)
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
        if any(parsed in net for net in TRANSLATED_NETWORKS) or parsed.scope_id:
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


def resolve_public_address(host: str, deadline: float) -> str:
    """Resolve a host and return one of its addresses; raise ImageRejectedError unless all of them are public."""
    lookup = resolver.submit(socket.getaddrinfo, host, 443, type=socket.SOCK_STREAM)
    try:
        entries = lookup.result(timeout=max(0.0, deadline - time.monotonic()))
    except (OSError, UnicodeError, FutureTimeoutError) as error:
        lookup.cancel()
        raise ImageRejectedError(NOT_FETCHED_MESSAGE) from error
    addresses = [str(entry[4][0]) for entry in entries]
    if not addresses or not all(is_public(address) for address in addresses):
        raise ImageRejectedError(NOT_FETCHED_MESSAGE)
    return addresses[0]


class CheckedConnection(http.client.HTTPSConnection):
    """HTTPS to a given IP address, with the certificate checked against the host name."""

    def __init__(self, host: str, address: str, timeout: float) -> None:
        self.tls = ssl.create_default_context()
        super().__init__(host, 443, timeout=timeout, context=self.tls)
        self.address = address

    def connect(self) -> None:
        plain = socket.create_connection((self.address, self.port), self.timeout)
        # Assign the socket before the handshake, so that the watchdog can interrupt it.
        self.sock = self.tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        self.sock.do_handshake()


def download(connection: http.client.HTTPConnection, target: str, deadline: float) -> bytes:
    """Return the body of a 200 response; raise ImageRejectedError if it is too large or misses the deadline."""
    used: list[socket.socket] = []

    def hang_up() -> None:
        for sock in {connection.sock, *used} - {None}:
            with suppress(OSError):
                # The plain socket's shutdown; that of TLS would wait for the peer.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)

    # A socket timeout applies to a single read, which a server that sends byte by byte never exceeds.
    watchdog = threading.Timer(max(0.0, deadline - time.monotonic()), hang_up)
    watchdog.daemon = True
    watchdog.start()
    try:
        connection.connect()
        # `connection.sock` becomes None once the response is the connection's last.
        used.append(connection.sock)
        connection.request("GET", target, headers={"Accept": "image/*", "Accept-Encoding": "identity"})
        with connection.getresponse() as response:
            if response.status != http.HTTPStatus.OK:
                raise ImageRejectedError(NOT_FETCHED_MESSAGE)
            content = response.read(settings.MAX_PICTURE_BYTES + 1)
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise ImageRejectedError(NOT_FETCHED_MESSAGE) from error
    finally:
        watchdog.cancel()
        connection.close()
    if time.monotonic() > deadline:
        raise ImageRejectedError(NOT_FETCHED_MESSAGE)
    if len(content) > settings.MAX_PICTURE_BYTES:
        raise ImageRejectedError(TOO_LARGE_MESSAGE)
    return content
