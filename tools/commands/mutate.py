"""Remove the checks of who may do what, one at a time; each time a test must fail. See `tools/mutation/`."""

import argparse
from collections.abc import Sequence

from tools.build import compile_messages
from tools.environment import test_environment
from tools.mutation import options
from tools.packages import prepare_python
from tools.paths import PYTHON
from tools.process import run_program

HELP = "remove each check of who may do what in turn; a test must fail"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    options.add_arguments(parser)


def run(only: Sequence[str], jobs: int, tests: Sequence[str], *, list_only: bool, rest: bool) -> int:
    prepare_python(development=True)
    compile_messages()  # the copies have no virtual environment to do it with
    arguments = options.format_arguments(only, jobs, tests, list_only=list_only, rest=rest)
    return run_program([PYTHON, "-m", "tools.mutation", *arguments], test_environment())
