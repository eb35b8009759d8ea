"""Recognize databases and backups of earlier versions, whose migrations no longer exist (ADR 0155)."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connections

# All of those versions made this table, and none since.
FORMER_TABLE = "doctors_claim"
ORIGIN = "was made by an earlier version of Wellhour and can't be migrated"


def has_former_schema(tables: Collection[str]) -> bool:
    """Return whether tables were made by a version whose migrations no longer exist."""
    return FORMER_TABLE in tables


def describe_former_schema(using: str = "default") -> str:
    """Return one sentence for the operator about a database with a former schema; "" for any other database."""
    connection = connections[using]
    if not has_former_schema(connection.introspection.table_names()):
        return ""
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite":
        return f"The database {name} {ORIGIN}: set DATABASE_URL to an empty one."
    file = Path(name)
    file = file.relative_to(settings.BASE_DIR) if file.is_relative_to(settings.BASE_DIR) else file
    return f"The database {file} {ORIGIN}: delete or move the file to start with an empty one."


@register(Tags.database)
def check_former_schema(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a database with a former schema, at `migrate` and `check --database`."""
    messages: list[CheckMessage] = []
    for using in databases or ():
        try:
            problem = describe_former_schema(using)
        except DatabaseError:
            continue  # the command itself says that the database does not answer
        if problem:
            messages.append(Error(problem, id="config.E001"))
    return messages
