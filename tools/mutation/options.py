"""The options of `dev.py mutate`, and how they are handed on to the runner."""

import argparse
import os
from collections.abc import Sequence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--only", action="append", default=[], help="a word of the kind or key; may be repeated")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2), help="mutants at a time")
    parser.add_argument("--list", action="store_true", dest="list_only", help="list the mutants and run nothing")
    parser.add_argument("--rest", action="store_true", help="only those that earlier runs did not kill")
    parser.add_argument("--tests", action="append", default=[], help="a test file to run alone; may be repeated")


def format_arguments(only: Sequence[str], jobs: int, tests: Sequence[str], *, list_only: bool, rest: bool) -> list[str]:
    """Return the arguments from which `add_arguments` reads these values."""
    arguments = [f"--only={word}" for word in only] + [f"--tests={file}" for file in tests]
    arguments += ["--list"] if list_only else []
    arguments += ["--rest"] if rest else []
    return [*arguments, f"--jobs={jobs}"]
