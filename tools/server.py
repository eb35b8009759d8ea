"""What `run` and `dev` share: the address to serve on and the message that the site is up."""

import argparse
import http.client
import socket
from collections.abc import Iterable

from tools.environment import base_url
from tools.errors import CommandError


def add_address_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="127.0.0.1 unless given; 0.0.0.0 for every address")
    parser.add_argument("--port", default=8000, type=parse_port, help="8000 unless given")


def parse_port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) < 65536):
        raise argparse.ArgumentTypeError("must be from 1 to 65535")
    return int(text)


def require_free_port(host: str, port: int) -> str:
    """Raise CommandError unless we can serve there; return the numeric address, which is all that granian takes."""
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise CommandError(f"{host} is not an address of this machine.") from None
    family, kind, _, _, target = min(entries, key=lambda entry: entry[0] != socket.AF_INET)
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(target)
        except OSError as error:
            raise CommandError(
                f"Port {port} on {host} can't be used ({error.strerror}). Choose another with --port."
            ) from None
    return str(target[0])


def is_serving(url: str) -> bool:
    """Return whether anything there speaks HTTP, with whatever status: that depends on ALLOWED_HOSTS."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        connection.request("GET", "/healthz")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def print_ready(host: str, port: int, accounts: Iterable[str]) -> None:
    """Print the address, and the demo accounts as `prepare_database` returns them."""
    print(f"\nWellhour is running at {base_url(host, port)} - press Ctrl-C to stop.", flush=True)
    for account in accounts:
        role, email, password = account.split("\t")
        print(f"  {role:<8} {email:<32} {password}", flush=True)
