"""The command line of `dev.py`."""

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from tools.commands import (
    audit,
    bench,
    check,
    dev,
    fix,
    lock,
    messages,
    mutate,
    openapi,
    run,
    sbom,
    settings,
    soak,
    test,
)
from tools.errors import CommandError, Interrupted
from tools.paths import VAR
from tools.process import install_signal_handlers

COMMANDS: dict[str, ModuleType] = {
    "run": run,
    "dev": dev,
    "test": test,
    "check": check,
    "fix": fix,
    "soak": soak,
    "bench": bench,
    "mutate": mutate,
    "audit": audit,
    "sbom": sbom,
    "openapi": openapi,
    "messages": messages,
    "settings": settings,
    "lock": lock,
}


def main(argv: Sequence[str]) -> int:
    """Run a command; return the exit code, which after a signal is 128 and its number, as in a shell."""
    try:
        return run_command(**vars(parse_arguments(argv)))
    except CommandError as error:
        print(error, file=sys.stderr)
        return error.code
    except Interrupted as interrupted:
        return 128 + interrupted.signal_number


def parse_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py", description="Set up, run and check Wellhour.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, module in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=module.HELP, description=module.__doc__)
        if hasattr(module, "add_arguments"):
            module.add_arguments(subparser)
    return parser.parse_args(argv)


def run_command(command: str, **options: object) -> int:
    install_signal_handlers()
    try:
        VAR.mkdir(exist_ok=True)
        code: int = COMMANDS[command].run(**options)
    except PermissionError as error:
        raise CommandError(f"No permission to write {error.filename}.") from None
    return code
