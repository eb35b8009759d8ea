"""Reading the options from the environment and `.env`."""

import difflib
import io
import os
import re
from collections.abc import Iterable, Iterator, MutableMapping
from pathlib import Path
from typing import ClassVar

from environ import Env

from config.env.former_names import FORMER_NAMES
from config.env.options import Options
from config.env.types import InvalidConfiguration

# Read by `dev.py`, by a command, by a test or by the server, not by the settings.
OTHER_VARIABLES = {"ADMIN_EMAIL", "ADMIN_NAME", "ADMIN_PASSWORD", "DATABASE_URL_TEST_POSTGRES"}
# As django-environ reads a line.
ASSIGNMENT = re.compile(r"(?:export )?\w+=(?P<value>.*)", re.ASCII)


def read_options(environment: MutableMapping[str, str], file: Path) -> tuple[Options, list[str]]:
    """Return the options, and a sentence for each name that is probably misspelt.

    Variables of the environment override those of the file, which are added to it, since commands read some of them. A
    test run reads no file, so that it is the same on every machine.
    """
    names = set(environment)
    in_file: dict[str, str] = {}
    if environment.get("ENVIRONMENT") != "test" and os.path.lexists(file):
        in_file = read_file(file)
        for name, value in in_file.items():
            environment.setdefault(name, value)
    return Options(environment), list(find_misspelt(names, in_file))


def read_file(file: Path) -> dict[str, str]:
    """Return the variables of a file in the format of `.env`."""

    class FileEnv(Env):  # type: ignore[misc]  # django-environ has no types
        ENVIRON: ClassVar[dict[str, str]] = {}

    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as error:
        # Without it this would be a site for development.
        raise InvalidConfiguration([f"The settings in {file} can't be read: {error}."]) from error
    if problems := list(find_unreadable_lines(file, text)):
        raise InvalidConfiguration(problems)
    FileEnv.read_env(io.StringIO(text))
    return FileEnv.ENVIRON


def find_unreadable_lines(file: Path, text: str) -> Iterator[str]:
    """Yield a sentence for each line that django-environ would skip, or whose quotation mark it would take literally.

    It would also print the line, which may contain a password.
    """
    for number, line in enumerate(text.splitlines(), 1):
        assignment = ASSIGNMENT.fullmatch(line)
        if assignment:
            value = assignment["value"]
            if value[:1] in {"'", '"'} and (len(value) == 1 or value[-1] != value[0]):
                yield f"Line {number} of {file} has a quotation mark that isn't closed at its end."
        elif line.strip() and not line.startswith("#"):
            yield f"Line {number} of {file} can't be read: write NAME=value, without spaces around the equals sign."


def find_misspelt(environment: Iterable[str], names_in_file: Iterable[str]) -> Iterable[str]:
    """Yield a warning for each variable that is not a setting, but looks like one.

    All of `.env` is ours; of the environment only what a setting was called, or what differs from one by a letter or
    two.
    """
    known = {option.name for option in Options.list_options()} | OTHER_VARIABLES
    in_file = set(names_in_file)
    for name in sorted((in_file | set(environment)) - known):
        if name in FORMER_NAMES:
            yield f"{name} is no longer a setting; its name is {FORMER_NAMES[name]} now."
            continue
        similar = difflib.get_close_matches(name, known, n=1, cutoff=0.7 if name in in_file else 0.88)
        if similar:
            yield f"{name} is not a setting; did you mean {similar[0]}?"
        elif name in in_file and not name.startswith("GRANIAN_"):
            yield f"{name} is not a setting; nothing reads it."
