"""The database's own refusal to change or forget what the audit trail says, on both engines.

Triggers before UPDATE and DELETE, and on PostgreSQL before TRUNCATE too. A migration that alters a table drops SQLite's
triggers silently, so they are put up after every migrate, and `/readyz` looks whether they stand.

Who read what is counted in rows that change: there a count may rise, and rows go once they are old.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import AppConfig
from django.db import connection as default_connection
from django.db import connections
from django.db.models.signals import post_migrate

TABLES = ("accounts_auditevent", "accounts_auditseal")
READINGS = "accounts_reading"
# No setting keeps readings for a shorter time.
READINGS_DAYS = 90
COUNTED = ("id", "day", "actor_id", "actor_role", "view", "subject_type", "subject_id", "person_id", "first_at")
REFUSAL = "audit_append_only"


def trigger_name(table: str, act: str) -> str:
    """Name the trigger that keeps `act` from a table."""
    return f"{table}_no_{act.lower()}"


def triggers(vendor: str) -> dict[str, tuple[str, str]]:
    """Return by name the table of each trigger and the statement that puts it up."""
    if vendor == "sqlite":
        acts: tuple[str, ...] = ("UPDATE", "DELETE")
        what = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    else:
        acts = ("UPDATE", "DELETE", "TRUNCATE")
        what = f"EXECUTE FUNCTION {REFUSAL}()"
    statements = {}
    for table in TABLES:
        for act in acts:
            name = trigger_name(table, act)
            each = "" if vendor == "sqlite" else " FOR EACH STATEMENT" if act == "TRUNCATE" else " FOR EACH ROW"
            statements[name] = (table, f"CREATE TRIGGER {name} BEFORE {act} ON {table}{each} {what}")
    for act in acts:
        name, each = trigger_name(READINGS, act), "STATEMENT" if act == "TRUNCATE" else "ROW"
        condition = f" WHEN ({WRONG_READINGS[vendor][act]})" if act in WRONG_READINGS[vendor] else ""
        each = "" if vendor == "sqlite" else f" FOR EACH {each}"
        statements[name] = (READINGS, f"CREATE TRIGGER {name} BEFORE {act} ON {READINGS}{each}{condition} {what}")
    return statements


def other_columns(differ: str) -> str:
    """Write the condition that an update of a reading does anything but count up."""
    changed = " OR ".join(f"NEW.{column} {differ} OLD.{column}" for column in COUNTED)
    return f"NEW.times <= OLD.times OR NEW.last_at < OLD.last_at OR {changed}"


# What is refused of readings, by engine and act; emptying the table always.
WRONG_READINGS = {
    "sqlite": {
        "UPDATE": other_columns("IS NOT"),
        "DELETE": f"OLD.day > date('now', '-{READINGS_DAYS} days')",
    },
    "postgresql": {
        "UPDATE": other_columns("IS DISTINCT FROM"),
        "DELETE": f"OLD.day > CURRENT_DATE - {READINGS_DAYS}",
    },
}


FUNCTION = (
    f"CREATE OR REPLACE FUNCTION {REFUSAL}() RETURNS trigger LANGUAGE plpgsql AS"
    f" $$ BEGIN RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation'; END $$"
)


def put_up(sender: AppConfig | None = None, using: str = "default", **kwargs: Any) -> None:
    """Put up the triggers that are missing; runs after every migrate."""
    connection = connections[using]
    tables = connection.introspection.table_names()
    gone = missing(connection)
    with connection.cursor() as cursor:
        if gone and connection.vendor == "postgresql":
            cursor.execute(FUNCTION)
        for name, (table, statement) in triggers(connection.vendor).items():
            if name in gone and table in tables:
                cursor.execute(statement)


def missing(connection: Any) -> set[str]:
    """Return which triggers should stand and do not, or are switched off."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'")
        standing = {row[0] for row in cursor.fetchall()}
    return set(triggers(connection.vendor)) - standing


@contextmanager
def lifted() -> Iterator[None]:
    """Take the triggers down for as long as the block runs: for the emptying of a test's database, and nothing else."""
    connection = default_connection
    with connection.cursor() as cursor:
        for name, (table, _) in triggers(connection.vendor).items():
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}" + ("" if connection.vendor == "sqlite" else f" ON {table}"))
    try:
        yield
    finally:
        put_up()


def keep_standing(app: AppConfig) -> None:
    """Put the triggers up after every migrate of the accounts app."""
    post_migrate.connect(put_up, sender=app, dispatch_uid="accounts.audit.append_only")
