"""Serve the site for development: Django reloads itself, and Vite reloads the page."""

import argparse
import contextlib
import time

from tools import build
from tools.environment import server_environment
from tools.errors import CommandError, Interrupted
from tools.packages import install_node_packages, node_environment, prepare_python
from tools.paths import FRONTEND, PYTHON
from tools.process import start_process
from tools.server import add_address_arguments, print_ready, require_free_port
from tools.steps import setup_lock

HELP = "serve it with hot reload"
VITE_PORT = 5173


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_address_arguments(parser)


def run(host: str, port: int) -> int:
    require_free_port(host, port)
    require_free_port("127.0.0.1", VITE_PORT)
    print("Setting up", flush=True)
    with setup_lock():
        prepare_python(development=True)
        env = server_environment(host, port, DEBUG="true", VITE_DEV="true")
        install_node_packages(development=True)
        build.generate_api_client()
        build.compile_messages()
        accounts = build.prepare_database(env)
    print_ready(host, port, accounts)
    with contextlib.suppress(Interrupted), contextlib.ExitStack() as stack:
        django = stack.enter_context(start_process([PYTHON, "manage.py", "runserver", f"{host}:{port}"], env))
        vite = stack.enter_context(start_process(["npm", "run", "dev"], node_environment(), FRONTEND))
        while django.poll() is None and vite.poll() is None:
            time.sleep(0.5)
        raise CommandError("One of the two servers stopped; its output is above.", 1)
    return 0
