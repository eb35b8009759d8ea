"""Run the benchmarks, see `benchmarks/`; whatever they need of the built pages, and a browser, is made first."""

import argparse
import contextlib
from collections.abc import Sequence

from tools import build
from tools.environment import test_environment
from tools.errors import CommandError
from tools.packages import install_chromium, install_node_packages, prepare_python
from tools.paths import PYTHON
from tools.postgresql import provide_postgresql
from tools.process import run_program
from tools.steps import setup_lock

HELP = "measure, as ratios within one run; see benchmarks/"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="ceiling, race, search, flat, front, peers, login or memory")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="arguments of that benchmark")


def run(name: str | None, arguments: Sequence[str]) -> int:
    with setup_lock():
        prepare_python(development=True)
        env = test_environment()
        install_node_packages(development=True)
        build.build_site(env)
    if name == "front" and "weights" not in arguments:
        env = env | {"CHROMIUM": install_chromium(env)}
    elif name is None:
        # The other benchmarks need no browser; without one, the last says so in a line.
        with contextlib.suppress(CommandError):
            env = env | {"CHROMIUM": install_chromium(env)}
    with provide_postgresql(env) as url:
        argv = [PYTHON, "-m", "benchmarks", *([name] if name else []), *arguments]
        return run_program(argv, env | {"BENCHMARK_POSTGRESQL": url})
