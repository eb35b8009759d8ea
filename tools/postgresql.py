"""Find or start a PostgreSQL for tests."""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator

from tools.environment import Env, read_env_file
from tools.errors import CommandError
from tools.paths import PYTHON, ROOT
from tools.process import capture_output, start_process
from tools.steps import fingerprint

URL_VARIABLE = "DATABASE_URL_TEST_POSTGRES"

# Exits with 0 if the server is recent, has btree_gist, and lets us create databases.
CHECK_SERVER = """
import psycopg, sys
with psycopg.connect(sys.argv[1], connect_timeout=3) as connection:
    (may,) = connection.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    gist = connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'btree_gist'").fetchone()
    sys.exit(0 if may and gist and connection.info.server_version >= 140000 else 1)
"""
# Drops the database with the given name and those that tests have named after it, then creates it if asked to.
RESET_DATABASE = """
import psycopg, sys
url, name, *create = sys.argv[1:]
with psycopg.connect(url, autocommit=True) as connection:
    found = connection.execute("SELECT datname FROM pg_database WHERE strpos(datname, %s) > 0", [name]).fetchall()
    for (old,) in found:
        connection.execute(f'DROP DATABASE "{old}" WITH (FORCE)')
    if create:
        connection.execute(f'CREATE DATABASE "{name}"')
"""
# Stops, and deletes the server and its data, on SIGTERM or when the program that started it is gone.
RUN_BUNDLED_SERVER = """
import pgserver, signal, sys
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
print(pgserver.get_server(sys.argv[1], cleanup_mode="delete").get_uri(), flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def provide_postgresql(env: Env) -> Iterator[str]:
    """Yield the URL of a PostgreSQL on which tests may create databases.

    It is the one that DATABASE_URL_TEST_POSTGRES names, or the system's, or one started from a Python wheel.
    """
    configured_url = os.environ.get(URL_VARIABLE) or read_env_file(ROOT / ".env").get(URL_VARIABLE)
    if configured_url:
        if capture_output([PYTHON, "-c", CHECK_SERVER, configured_url], env) is None:
            raise CommandError(
                f"{URL_VARIABLE} is not a PostgreSQL 14 or newer with btree_gist where we may create databases"
            )
        yield configured_url
        return
    for user in dict.fromkeys((os.environ.get("USER") or "root", "root", "postgres")):
        url = f"postgresql://{user}@127.0.0.1:5432/postgres"
        if capture_output([PYTHON, "-c", CHECK_SERVER, url], env) is not None:
            with create_database(url, env) as database_url:
                yield database_url
            return
    with start_bundled_server(env) as url:
        yield url


@contextlib.contextmanager
def create_database(url: str, env: Env) -> Iterator[str]:
    """Create a database for this checkout, so that two checkouts don't drop each other's test databases."""
    name = f"wellhour_{fingerprint(str(ROOT))[:8]}"
    capture_output([PYTHON, "-c", RESET_DATABASE, url, name, "create"], env)
    try:
        yield url.removesuffix("postgres") + name
    finally:
        capture_output([PYTHON, "-c", RESET_DATABASE, url, name], env)


@contextlib.contextmanager
def start_bundled_server(env: Env) -> Iterator[str]:
    """Start the PostgreSQL of a Python wheel on a temporary folder; yield its URL."""
    argv = [PYTHON, "-W", "ignore", "-c", RUN_BUNDLED_SERVER]
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="wellhour-pg-", ignore_cleanup_errors=True))
        server = stack.enter_context(start_process([*argv, folder], env, stdin=subprocess.PIPE, output=subprocess.PIPE))
        output = ""
        for line in server.stdout or ():
            output += line
            if line.startswith("postgresql://"):
                yield line.strip()
                return
        raise CommandError(f"{output}No PostgreSQL is running, and the bundled one did not start.")


def hide_password(url: str) -> str:
    return re.sub(r":[^:@/]*@", ":***@", url)
