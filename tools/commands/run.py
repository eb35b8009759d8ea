"""Set up what is missing and serve the site as in production."""

import argparse
import contextlib
import time

from tools import build
from tools.environment import base_url, server_environment
from tools.errors import CommandError, Interrupted
from tools.packages import install_node_packages, prepare_python
from tools.paths import PYTHON
from tools.process import start_process
from tools.server import add_address_arguments, is_serving, print_ready, require_free_port
from tools.steps import setup_lock

HELP = "set up what is missing and serve the site"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_address_arguments(parser)


def run(host: str, port: int) -> int:
    require_free_port(host, port)
    print("Setting up", flush=True)
    with setup_lock():
        prepare_python(development=False)
        env = server_environment(host, port)
        install_node_packages(development=False)
        build.build_site(env)
        accounts = build.prepare_database(env)
    address = require_free_port(host, port)  # again, since minutes may have passed
    granian = [
        PYTHON,
        "-m",
        "granian",
        "--interface",
        "asginl",
        "--http",
        "1",
        "--no-ws",
        "--host",
        address,
        "--port",
        str(port),
    ]
    granian += ["--workers", "1", "--respawn-failed-workers", "--log-level", "error", "config.asgi:application"]
    with start_process(granian, env) as server:
        while not is_serving(base_url(host, port)):
            if server.poll() is not None:
                raise CommandError("The server did not start; its output is above.", 1)
            time.sleep(0.1)
        print_ready(host, port, accounts)
        with contextlib.suppress(Interrupted):
            raise CommandError(f"The server stopped by itself (exit code {server.wait()}).", 1)
    print("\nStopped.")
    return 0
