"""Fill a database as the first release made it; run by `test_upgrade.py` in a process of its own.

The tables are those of each app's first migration, the overlap constraints those of that time.
"""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

FIRST = [("accounts", "0001_initial"), ("doctors", "0001_initial"), ("appointments", "0001_initial")]
PASSWORD = "seven-tall-herons"
MADE = datetime(2026, 11, 20, 8, 30, tzinfo=UTC)
PEOPLE = {
    "patient": UUID("01a00000-0000-7000-8000-000000000001"),
    "doctor": UUID("01a00000-0000-7000-8000-000000000002"),
    "admin": UUID("01a00000-0000-7000-8000-000000000003"),
    # Waits for approval.
    "doctor2": UUID("01a00000-0000-7000-8000-000000000004"),
}
# Status and days from now of each visit; all at 10:00 UTC.
VISITS = [("completed", -3), ("cancelled", -2), ("pending", 5), ("confirmed", 6)]

OLD_OVERLAP = {
    "claim_doctor_overlap": ("doctor_id", "busy_until"),
    "claim_patient_overlap": ("patient_id", "ends_at"),
}


def put_up_old_constraints() -> None:
    """Refuse overlaps as the first release did."""
    with connection.cursor() as cursor:
        for name, (who, until) in OLD_OVERLAP.items():
            if connection.vendor == "sqlite":
                for act in ("insert", "update"):
                    cursor.execute(
                        f"CREATE TRIGGER {name}_{act} BEFORE {act} ON doctors_claim WHEN EXISTS"
                        f" (SELECT 1 FROM doctors_claim WHERE {who} = NEW.{who} AND starts_at < NEW.{until} AND"
                        f" {until} > NEW.starts_at AND id <> NEW.id) BEGIN SELECT RAISE(ABORT, '{name}'); END"
                    )
            else:
                cursor.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
                cursor.execute(
                    f"ALTER TABLE doctors_claim ADD CONSTRAINT {name}"
                    f" EXCLUDE USING gist ({who} WITH =, tstzrange(starts_at, {until}) WITH &&)"
                )


def fill() -> None:
    """Make the tables and a row or more of each."""
    executor = MigrationExecutor(connection)
    apps = executor.migrate(FIRST).apps
    put_up_old_constraints()
    model = apps.get_model
    users = {
        name: model("accounts", "User").objects.create(
            id=key, email=f"{name}@example.com", name=f"{name.title()} Example", role=name.rstrip("2"),
            password=make_password(PASSWORD), created_at=MADE, phone="+1 202 555 0142", gender="female",
            is_staff=name == "admin", is_superuser=name == "admin",
        )
        for name, key in PEOPLE.items()
    }  # fmt: skip
    patient = users["patient"]
    model("accounts", "PatientDetails").objects.create(user=patient, city="Springfield", blood_group="O-")
    model("accounts", "Session").objects.create(
        user=patient, created_at=MADE, last_seen_at=MADE, expires_at=MADE + timedelta(hours=12)
    )
    for name in ("doctor", "doctor2"):
        doctor = model("doctors", "DoctorProfile").objects.create(
            user=users[name], specialization="Cardiology", experience=9, license_number=f"EX-{name}",
            consultation_fee="80.00", hospital_name="Example General", time_zone="UTC",
            approval="approved" if name == "doctor" else "pending",
        )  # fmt: skip
        for weekday in range(7):
            model("doctors", "WeeklyHours").objects.create(
                doctor=doctor, weekday=weekday, start_minute=9 * 60, end_minute=17 * 60
            )
    doctor = model("doctors", "DoctorProfile").objects.get(user=users["doctor"])
    today = datetime.now(UTC).date()
    model("doctors", "DayOverride").objects.create(doctor=doctor, date=today + timedelta(days=20), reason="Conference")
    model("doctors", "BlockedTime").objects.create(
        doctor=doctor, date=today + timedelta(days=5), start_minute=15 * 60, end_minute=16 * 60
    )
    for number, (status, days) in enumerate(VISITS):
        make_visit(model, doctor, patient, number, status, today + timedelta(days=days))


def make_visit(model, doctor, patient, number: int, status: str, day: date) -> None:
    """Make a visit, with what the first release wrote beside it."""
    starts_at = datetime.combine(day, time(10), UTC)
    ends_at = starts_at + timedelta(hours=1)
    claim = None
    if status != "cancelled":
        claim = model("doctors", "Claim").objects.create(
            kind="visit", doctor=doctor, patient=patient, starts_at=starts_at, ends_at=ends_at, busy_until=ends_at
        )
    visit = model("appointments", "Appointment").objects.create(
        id=UUID(f"01a00000-0000-7000-8000-00000000010{number}"), status=status, date=day, time=time(10),
        time_zone="UTC", starts_at=starts_at, ends_at=ends_at, symptoms="A cough.", claim=claim, doctor=doctor,
        patient=patient, doctor_name="Doctor Example", patient_name="Patient Example", specialization="Cardiology",
        hospital_name="Example General", consultation_fee="80.00", currency="USD", created_at=MADE, updated_at=MADE,
        diagnosis="A cold." if status == "completed" else "", cancelled_by="patient" if status == "cancelled" else "",
    )  # fmt: skip
    events = ["appointment.booked", *(["appointment.confirmed"] if status in {"confirmed", "completed"} else [])]
    for event in events:
        model("accounts", "AuditEvent").objects.create(
            recorded_at=MADE, event=event, action="C", entity_type="appointment", entity_id=str(visit.pk)
        )
        for recipient in (patient, doctor.user):
            model("accounts", "Notice").objects.create(
                event=event, subject_type="appointment", subject_id=str(visit.pk), recipient=recipient, created_at=MADE
            )
