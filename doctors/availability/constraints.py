"""The database's own refusal of overlapping reservations, on both engines.

Two reservations of one doctor, or of one patient, may not overlap, but for a proposal and the very reservation that it
moves.

PostgreSQL: two exclusion constraints over ranges, with btree_gist for the equality of ids.
SQLite: triggers before INSERT and UPDATE. A migration that alters the table drops SQLite's triggers silently,
so they are put up after every migrate, and `/readyz` looks whether they stand.
"""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

from config.api.errors import register_constraint

DOCTOR_BUSY = "reservations_of_doctor_apart"
PATIENT_BUSY = "reservations_of_patient_apart"

register_constraint("slot_taken", DOCTOR_BUSY, field="appointmentTime")
register_constraint("patient_busy", PATIENT_BUSY, field="appointmentTime")

# What each constraint keeps apart, on PostgreSQL.
EXCLUSIONS = {
    DOCTOR_BUSY: "doctor_id WITH =, tstzrange(starts_at, busy_until) WITH &&, (COALESCE(moves, id)) WITH <>",
    PATIENT_BUSY: "patient_id WITH =, tstzrange(starts_at, ends_at) WITH &&, (COALESCE(moves, id)) WITH <>",
}


def sqlite_triggers() -> dict[str, str]:
    """Return the triggers by name. Times are stored as UTC text of one form, so text order is time order."""
    checks = {
        DOCTOR_BUSY: "doctor_id = NEW.doctor_id AND starts_at < NEW.busy_until AND busy_until > NEW.starts_at",
        PATIENT_BUSY: "patient_id = NEW.patient_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at",
    }
    template = (
        "CREATE TRIGGER IF NOT EXISTS {name}_{when} BEFORE {act} ON doctors_reservation"
        " WHEN EXISTS (SELECT 1 FROM doctors_reservation WHERE {check} AND id <> NEW.id"
        " AND COALESCE(moves, id) <> COALESCE(NEW.moves, NEW.id))"
        " BEGIN SELECT RAISE(ABORT, '{name}'); END"
    )
    return {
        f"{name}_{act.lower()}": template.format(name=name, when=act.lower(), act=act, check=check)
        for name, check in checks.items()
        for act in ("INSERT", "UPDATE")
    }


def create_constraints(sender: AppConfig, using: str, **kwargs: Any) -> None:
    """Put the constraints up where they are missing; runs after every migrate."""
    connection = connections[using]
    if "doctors_reservation" not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in sqlite_triggers().values():
                cursor.execute(statement)
        else:
            standing = list_constraints(connection)
            cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
            for name, apart in EXCLUSIONS.items():
                if name not in standing:
                    cursor.execute(
                        f"ALTER TABLE doctors_reservation ADD CONSTRAINT {name} EXCLUDE USING gist ({apart})"
                    )


def list_constraints(connection: Any) -> set[str]:
    """Return the names of the overlap constraints or triggers that stand in the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'doctors_reservation'")
        else:
            cursor.execute("SELECT conname FROM pg_constraint WHERE conrelid = 'doctors_reservation'::regclass")
        return {row[0] for row in cursor.fetchall()}


def list_missing(connection: Any) -> set[str]:
    """Return what should stand and does not."""
    wanted = set(sqlite_triggers()) if connection.vendor == "sqlite" else {DOCTOR_BUSY, PATIENT_BUSY}
    return wanted - list_constraints(connection)


def connect_migrate_signal(app: AppConfig) -> None:
    """Put the constraints up after every migrate of the doctors app."""
    post_migrate.connect(create_constraints, sender=app, dispatch_uid="doctors.availability.constraints")
