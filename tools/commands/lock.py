"""Compile each requirements*.in into a list of exact versions with hashes that names no registry."""

import argparse

from tools import OLDEST_PYTHON
from tools.environment import base_environment
from tools.errors import CommandError
from tools.packages import prepare_python
from tools.paths import PYTHON, ROOT
from tools.process import run_download
from tools.steps import print_duration

HELP = "compile requirements*.in into hashed lists"
SOURCES = (
    "requirements.in",
    "requirements-dev.in",
    "requirements-uv.in",
    "requirements-node.in",
    "requirements-audit.in",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--upgrade", action="store_true", help="take newer versions where the pins allow")


def run(*, upgrade: bool) -> int:
    prepare_python(development=False)
    options = ["--quiet", "--generate-hashes", "--universal", "--python-version", "{}.{}".format(*OLDEST_PYTHON)]
    options += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    options += ["--upgrade"] if upgrade else []
    for source in SOURCES:
        target = source.replace(".in", ".txt")
        uv = [PYTHON, "-m", "uv", "pip", "compile", *options, source, "-o", target]
        with print_duration(target):
            run_download(source, uv, base_environment())
        if "://" in (ROOT / target).read_text():
            raise CommandError(f"{target} names the address of a registry; pin a released version instead.", 1)
    return 0
