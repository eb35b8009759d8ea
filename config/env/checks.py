"""What is checked beyond single settings, by `manage.py check` and when the server starts."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register  # noqa: A004 - Django's own name

# The server runs the checks with this tag; it runs no others.
CONFIGURATION = "configuration"


@register(CONFIGURATION)
def check_names(**kwargs: Any) -> list[CheckMessage]:
    """Warn of variables that are probably misspelt settings."""
    return [Warning(problem, id="config.W001") for problem in settings.CONFIGURATION_WARNINGS]


@register(Tags.security, deploy=True)
def check_environment(**kwargs: Any) -> list[CheckMessage]:
    """Refuse to deploy a site that is not in production, where unsafe settings are accepted."""
    if settings.IS_PRODUCTION:
        return []
    return [
        Error(
            f"ENVIRONMENT is {settings.ENVIRONMENT}: a site for real people needs ENVIRONMENT=production.",
            id="config.E005",
        )
    ]


@register(Tags.security, deploy=True)
def check_backup_key(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a missing key for backups."""
    if settings.BACKUP_KEY:
        return []
    return [Warning("BACKUP_KEY is not set: no backup can be written.", id="config.W003")]


@register(CONFIGURATION)
def check_redirects(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a redirect to https that never ends: without a trusted proxy every request counts as http."""
    if not (settings.IS_PRODUCTION and settings.SECURE_SSL_REDIRECT and not settings.TRUSTED_PROXIES):
        return []
    return [
        Warning(
            "TRUSTED_PROXIES is 0: behind a proxy that terminates TLS, every request is redirected to itself.",
            hint="Set TRUSTED_PROXIES to the number of your proxies.",
            id="config.W002",
        )
    ]


@register(CONFIGURATION)
def check_workers(**kwargs: Any) -> list[CheckMessage]:
    """Refuse several workers without Redis in production: each would count attempts for itself."""
    workers = count_workers()
    if not settings.IS_PRODUCTION or settings.REDIS_URL or workers == 1:
        return []
    return [Error(f"REDIS_URL must be set with {workers} workers: limits are counted there.", id="config.E003")]


def count_workers() -> int:
    """Return how many workers Granian starts: its option if the parent process has it, otherwise its variable."""
    command = Path(f"/proc/{os.getppid()}/cmdline")
    words = command.read_text(errors="replace").replace("=", "\0").split("\0") if command.exists() else []
    given = words[words.index("--workers") + 1] if "--workers" in words[:-1] else os.environ.get("GRANIAN_WORKERS", "")
    return int(given) if given.isdecimal() else 1


@register(CONFIGURATION)
def check_folders(**kwargs: Any) -> list[CheckMessage]:
    """Refuse folders that this user can't write to."""
    return [
        Error(f"{problem}.", id="config.E002")
        for name, folder in [*list_upload_folders(), *list_metrics_folder()]
        if (problem := describe_folder_problem(name, folder))
    ]


@register(CONFIGURATION)
def check_sqlite_file(**kwargs: Any) -> list[CheckMessage]:
    """Refuse a SQLite database that can't be used."""
    database = settings.DATABASES["default"]
    file = Path(database["NAME"])
    problem = database["ENGINE"].endswith("sqlite3") and file.is_absolute() and describe_file_problem(file)
    return [Error(f"DATABASE_URL can't be used: {problem}.", id="config.E004")] if problem else []


def describe_file_problem(file: Path) -> str | None:
    """Return why a file can't be used as a SQLite database; None for one that can, or that may be created."""
    if not file.parent.is_dir():
        return f"the folder {file.parent} does not exist"
    if not os.access(file.parent, os.W_OK | os.X_OK):
        # SQLite keeps its log beside the database.
        return f"{describe_user()} may not write to {file.parent}"
    if file.exists() and not os.access(file, os.R_OK | os.W_OK):
        return f"{describe_user()} may not read and write {file}"
    if file.is_file() and file.stat().st_size and not has_sqlite_header(file):
        return f"{file} is not a SQLite database"
    return None


def has_sqlite_header(file: Path) -> bool:
    """Return whether a file begins as SQLite's do (sqlite.org/fileformat.html, 1.3)."""
    with file.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def list_upload_folders() -> Iterator[tuple[str, Path]]:
    """Yield each setting of a folder for uploads, with the folder or its nearest parent that exists."""
    if not settings.S3_BUCKET:
        yield "MEDIA_ROOT", find_existing(settings.MEDIA_ROOT)
        yield "RECORDS_ROOT", find_existing(settings.RECORDS_ROOT)


def list_metrics_folder() -> Iterator[tuple[str, Path]]:
    if settings.METRICS_TOKEN:
        yield "METRICS_ROOT", find_existing(settings.METRICS_ROOT)


def describe_folder_problem(name: str, folder: Path) -> str:
    """Return why the folder of a setting can't be used, or "" if it can."""
    if os.access(folder, os.W_OK | os.X_OK):
        return ""
    return f"{name} can't be used: {describe_user()} may not write to {folder}"


def find_existing(folder: str | Path) -> Path:
    """Return the folder, or the nearest folder above it that exists."""
    return next(each for each in (Path(folder), *Path(folder).parents) if each.is_dir())


def describe_user() -> str:
    return f"the user with the id {os.getuid()}"
