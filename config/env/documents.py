"""The documents about settings, made from the options: `.env.example` and `docs/settings.md`."""

import textwrap
from collections.abc import Iterator
from typing import Any

from config.env.options import Options
from config.env.types import ENVIRONMENTS, Choice, Option, WholeNumber, join_words

WIDTH = 118

ENV_HEAD = """\
# Every setting with its default, made by `dev.py settings` from `config/env/options.py`. Copy this file to `.env`,
# readable by its owner only, and uncomment what you want to change; environment variables override the file.
"""
# Read by a command or by tests, not by the settings.
ENV_TAIL = """
# --- Commands ---
# Values for `manage.py create_admin`; it is safer to let it ask.
# ADMIN_EMAIL=
# ADMIN_NAME=
# ADMIN_PASSWORD=
# The PostgreSQL that `dev.py test` uses, the only line of this file that it reads; its user must be allowed to create
# databases.
# DATABASE_URL_TEST_POSTGRES=
"""
PAGE_HEAD = """\
# Settings

Settings are environment variables, or lines in a file `.env` beside `manage.py` that nobody but the site's user can
read; a variable overrides the file. The server, and each `manage.py` command, checks all of them when it starts: it
names each one that can't be used and exits with status 1. A variable that is empty counts as not set, except for
lists. A line of `.env` that is no setting is reported by `manage.py check` and in the log.

`python3 dev.py settings` makes this page and `.env.example` from `config/env/options.py`.
"""


def render_env_example() -> str:
    """Return the text of `.env.example`."""
    parts = [ENV_HEAD]
    for title, options in Options.list_topics():
        parts.append(f"\n# --- {title} ---\n")
        for option in options:
            parts.append(
                textwrap.fill(option.help.replace("`", ""), WIDTH, initial_indent="# ", subsequent_indent="# ")
            )
            parts.append(f"\n# {option.name}={format_default(option)}\n")
    return "".join([*parts, ENV_TAIL])


def render_settings_page() -> str:
    """Return the text of `docs/settings.md`."""
    parts = [PAGE_HEAD]
    for title, options in Options.list_topics():
        parts.append(f"\n## {title}\n\n| Variable | Default | What it does |\n|---|---|---|\n")
        parts += [
            f"| `{option.name}` | {describe_default(option)} | {describe_option(option)} |\n" for option in options
        ]
    return "".join(parts)


def format_default(option: Option[Any]) -> str:
    return option.format(option.defaults["development"]) if option.shown is None else option.shown


def describe_default(option: Option[Any]) -> str:
    """Return the default of development, and that of production where they differ."""
    default = format_default(option)
    text = f"`{default}`" if default else "–"
    if option.required:
        return f"{text}; required in production"
    development, production, _ = (option.defaults[environment] for environment in ENVIRONMENTS)
    if production != development and option.name != "ENVIRONMENT":
        shown = option.format(production)
        return f"{text}; in production {f'`{shown}`' if shown else 'empty'}"
    return text


def describe_option(option: Option[Any]) -> str:
    return " ".join([option.help, *describe_values(option)])


def describe_values(option: Option[Any]) -> Iterator[str]:
    """Yield what is accepted, where the help does not say so."""
    if isinstance(option, WholeNumber):
        yield f"From {option.minimum}" + (f" to {option.maximum:,}." if option.maximum is not None else " on.")
    elif isinstance(option, Choice) and not callable(option.choices) and len(option.choices) < 10:
        yield join_words([f"`{choice}`" for choice in option.choices]) + "."
