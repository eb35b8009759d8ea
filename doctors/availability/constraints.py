"""Database constraints against overlapping reservations, on both engines.

Two reservations of one doctor, or of one patient, may not overlap, except a proposal and the reservation that it moves.

PostgreSQL has two exclusion constraints over ranges, with btree_gist for the equality of ids. SQLite has triggers
before INSERT and UPDATE. A migration that alters the table silently drops SQLite's triggers, so they are created after
every migrate, and `/readyz` checks that they exist.
"""

from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

from config.api.errors import register_constraint

DOCTOR_CONSTRAINT = "reservations_of_doctor_apart"
PATIENT_CONSTRAINT = "reservations_of_patient_apart"

register_constraint("slot_taken", DOCTOR_CONSTRAINT, field="appointmentTime")
register_constraint("patient_busy", PATIENT_CONSTRAINT, field="appointmentTime")

# The elements of each exclusion constraint on PostgreSQL.
EXCLUSION_CONDITIONS = {
    DOCTOR_CONSTRAINT: "doctor_id WITH =, tstzrange(starts_at, busy_until) WITH &&, (COALESCE(moves, id)) WITH <>",
    PATIENT_CONSTRAINT: "patient_id WITH =, tstzrange(starts_at, ends_at) WITH &&, (COALESCE(moves, id)) WITH <>",
}


def build_sqlite_triggers() -> dict[str, str]:
    """Return the triggers by name. Times are stored as UTC text of one form, so they can be compared as text."""
    checks = {
        DOCTOR_CONSTRAINT: "doctor_id = NEW.doctor_id AND starts_at < NEW.busy_until AND busy_until > NEW.starts_at",
        PATIENT_CONSTRAINT: "patient_id = NEW.patient_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at",
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
    """Create the constraints that are missing; runs after every migrate."""
    connection = connections[using]
    if "doctors_reservation" not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for statement in build_sqlite_triggers().values():
                cursor.execute(statement)
        else:
            existing = list_constraints(connection)
            cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
            for name, elements in EXCLUSION_CONDITIONS.items():
                if name not in existing:
                    cursor.execute(
                        f"ALTER TABLE doctors_reservation ADD CONSTRAINT {name} EXCLUDE USING gist ({elements})"
                    )


def list_constraints(connection: Any) -> set[str]:
    """Return the names of the overlap constraints or triggers in the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'doctors_reservation'")
        else:
            cursor.execute("SELECT conname FROM pg_constraint WHERE conrelid = 'doctors_reservation'::regclass")
        return {row[0] for row in cursor.fetchall()}


def list_missing_constraints(connection: Any) -> set[str]:
    expected = (
        set(build_sqlite_triggers()) if connection.vendor == "sqlite" else {DOCTOR_CONSTRAINT, PATIENT_CONSTRAINT}
    )
    return expected - list_constraints(connection)


def connect_migrate_signal(app: AppConfig) -> None:
    """Create the constraints after every migrate of the doctors app."""
    post_migrate.connect(create_constraints, sender=app, dispatch_uid="doctors.availability.constraints")
