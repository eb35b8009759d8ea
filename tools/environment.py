"""The environment variables with which each child process is started."""

import contextlib
import os
import re
import secrets
import socket
from pathlib import Path

from tools.paths import ROOT, STATIC_ROOT, VAR

Env = dict[str, str]

WORKER_THREADS = 16
# As the settings read them (`config/env/types.py`).
TRUE_WORDS = {"true", "on", "yes", "1"}
WILDCARD_HOSTS = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound


def read_env_file(path: Path) -> Env:
    """Return the NAME=value lines of a file in the format of .env."""
    variables: Env = {}
    if path.is_file():
        for name, value in re.findall(r"^(?:export )?(\w+)=(.*)$", path.read_text(), re.MULTILINE):
            variables[name] = value.strip().strip("\"'")
    return variables


def base_environment() -> Env:
    """Return our own environment without variables that would mislead another Python or Node."""
    excluded = {"VIRTUAL_ENV", "PYTHONHOME", "PYTHONPATH", "NODE_ENV", "DJANGO_SETTINGS_MODULE"}
    return {name: value for name, value in os.environ.items() if name not in excluded}


def test_environment() -> Env:
    """Return the environment of tests, which no setting of the shell or of .env reaches."""
    settings = re.findall(r"^#? ?([A-Z][A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    # Tests start hundreds of processes; without bytecode each compiles the application again.
    excluded = {*settings, "PYTHONDONTWRITEBYTECODE"}
    env = {name: value for name, value in base_environment().items() if name not in excluded}
    return env | {
        "ENVIRONMENT": "test",
        "DATABASE_URL": f"sqlite:///{VAR / 'db.sqlite3'}",
        "STATIC_ROOT": str(STATIC_ROOT),
    }


def server_environment(host: str, port: int, **overrides: str) -> Env:
    """Return the environment of the server, with defaults for what neither the shell nor .env sets."""
    env = base_environment()
    # An empty variable counts as unset.
    configured = {name: value for name, value in (read_env_file(ROOT / ".env") | env).items() if value}
    defaults = {"SECRET_KEY": load_secret_key(), "BASE_URL": base_url(host, port), "STATIC_ROOT": str(STATIC_ROOT)}
    # Both the server and the settings read it.
    defaults["WORKER_THREADS"] = str(WORKER_THREADS)
    if configured.get("ENVIRONMENT") != "production":
        defaults["DEMO"] = "true"
        if host not in ("127.0.0.1", "localhost"):
            allowed = {"127.0.0.1", "localhost", "[::1]", socket.gethostname(), *resolve_addresses(host)}
            defaults["ALLOWED_HOSTS"] = ",".join(sorted(allowed))
    return env | {name: configured.get(name, default) for name, default in defaults.items()} | overrides


def load_secret_key() -> str:
    """Return this machine's own key, which is created once and readable by its owner only."""
    path = VAR / "secret-key"
    if not path.exists():
        path.touch(0o600)
        path.write_text(secrets.token_urlsafe(50))
    return path.read_text().strip()


def resolve_addresses(host: str) -> set[str]:
    """Return the addresses at which a server bound to this host is reached, IPv6 ones in brackets."""
    with contextlib.suppress(OSError):
        entries = socket.getaddrinfo(socket.gethostname() if host in WILDCARD_HOSTS else host, None)
        addresses = {str(entry[4][0]) for entry in entries}
        return {f"[{address}]" if ":" in address else address for address in addresses}
    return set()


def base_url(host: str, port: int) -> str:
    if host in WILDCARD_HOSTS:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
