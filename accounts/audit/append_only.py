"""Triggers that make the audit tables append-only, on both engines.

They refuse UPDATE and DELETE, and on PostgreSQL TRUNCATE. Because SQLite silently drops triggers when a migration
alters their table, they are created after every migrate, and `/readyz` checks that they exist.

Rows of the access log may only count up, and may be deleted once they are old.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig
from django.db import connection as default_connection
from django.db import connections
from django.db.models.signals import post_migrate

EVENT_TABLES = ("accounts_auditevent", "accounts_auditseal")
READINGS_TABLE = "accounts_reading"
# No setting keeps readings for a shorter time.
MIN_READING_RETENTION_DAYS = 90
FIXED_READING_COLUMNS = (
    "id",
    "day",
    "actor_id",
    "actor_role",
    "view",
    "subject_type",
    "subject_id",
    "person_id",
    "first_at",
)
REFUSAL = "audit_append_only"


def build_trigger_name(table: str, operation: str) -> str:
    return f"{table}_no_{operation.lower()}"


def build_triggers(vendor: str) -> dict[str, tuple[str, str]]:
    """Return, by trigger name, its table and the statement that creates it."""
    if vendor == "sqlite":
        operations: tuple[str, ...] = ("UPDATE", "DELETE")
        action = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    else:
        operations = ("UPDATE", "DELETE", "TRUNCATE")
        action = f"EXECUTE FUNCTION {REFUSAL}()"
    statements = {}
    for table in EVENT_TABLES:
        for operation in operations:
            name = build_trigger_name(table, operation)
            level = "" if vendor == "sqlite" else " FOR EACH STATEMENT" if operation == "TRUNCATE" else " FOR EACH ROW"
            statements[name] = (table, f"CREATE TRIGGER {name} BEFORE {operation} ON {table}{level} {action}")
    for operation in operations:
        name, level = build_trigger_name(READINGS_TABLE, operation), "STATEMENT" if operation == "TRUNCATE" else "ROW"
        condition = f" WHEN ({WRONG_READINGS[vendor][operation]})" if operation in WRONG_READINGS[vendor] else ""
        level = "" if vendor == "sqlite" else f" FOR EACH {level}"
        statements[name] = (
            READINGS_TABLE,
            f"CREATE TRIGGER {name} BEFORE {operation} ON {READINGS_TABLE}{level}{condition} {action}",
        )
    return statements


def build_wrong_update_condition(differ: str) -> str:
    """Return the SQL condition that an update of a reading does anything but count up."""
    changed = " OR ".join(f"NEW.{column} {differ} OLD.{column}" for column in FIXED_READING_COLUMNS)
    return f"NEW.times <= OLD.times OR NEW.last_at < OLD.last_at OR {changed}"


# Which changes of readings are refused, by engine and operation; TRUNCATE always is.
WRONG_READINGS = {
    "sqlite": {
        "UPDATE": build_wrong_update_condition("IS NOT"),
        "DELETE": f"OLD.day > date('now', '-{MIN_READING_RETENTION_DAYS} days')",
    },
    "postgresql": {
        "UPDATE": build_wrong_update_condition("IS DISTINCT FROM"),
        "DELETE": f"OLD.day > CURRENT_DATE - {MIN_READING_RETENTION_DAYS}",
    },
}


FUNCTION = (
    f"CREATE OR REPLACE FUNCTION {REFUSAL}() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$"
)


def create_triggers(sender: AppConfig | None = None, using: str = "default", **kwargs: Any) -> None:
    """Create the triggers that are missing; runs after every migrate."""
    connection = connections[using]
    tables = connection.introspection.table_names()
    missing = find_missing_triggers(connection)
    with connection.cursor() as cursor:
        if missing and connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for name, (table, statement) in build_triggers(connection.vendor).items():
            if name in missing and table in tables:
                cursor.execute(statement)


def find_missing_triggers(connection: Any) -> set[str]:
    """Return the triggers that don't exist or are disabled."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'")
        existing = {row[0] for row in cursor.fetchall()}
    return set(build_triggers(connection.vendor)) - existing


@contextmanager
def disable_triggers() -> Iterator[None]:
    """Drop the triggers within the block. Only tests use this, to empty their database."""
    connection = default_connection
    with connection.cursor() as cursor:
        for name, (table, _) in build_triggers(connection.vendor).items():
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}" + ("" if connection.vendor == "sqlite" else f" ON {table}"))
    try:
        yield
    finally:
        create_triggers()


def connect_signals(app: AppConfig) -> None:
    """Create the triggers after every migrate of the accounts app."""
    post_migrate.connect(create_triggers, sender=app, dispatch_uid="accounts.audit.append_only")
