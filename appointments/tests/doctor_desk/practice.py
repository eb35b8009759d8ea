"""A practice with many patients and appointments, inserted in bulk."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from accounts.models.identifiers import new_id
from adminpanel.operations.seeding import bulk_insert
from appointments.models import Appointment
from doctors.models import DoctorProfile, Reservation
from doctors.tests.factories import DoctorFactory

APPOINTMENTS_EACH = 10
CHUNK = 5_000
# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
ZONE = ZoneInfo("America/New_York")
LENGTH = timedelta(minutes=30)
GENDERS = ("female", "male", "female", "male", "other")

PERSON = ("id", "name", "email", "phone", "gender", "date_of_birth", "role", "created_at", "password")
RESERVATION = ("id", "kind", "doctor", "patient", "starts_at", "ends_at", "busy_until", "expires_at", "created_at")
APPOINTMENT = (
    *("id", "doctor", "patient", "reservation", "status", "date", "time", "time_zone", "starts_at", "ends_at"),
    *("symptoms", "diagnosis", "prescription_notes", "prescription_items", "record_version", "recorded_at"),
    *("doctor_name", "patient_name", "specialization", "hospital_name", "consultation_fee", "currency"),
    *("respond_by", "created_at", "cancel_requested_at", "attended"),
)


class Practice:
    """One doctor with patients and appointments, written row by row into what is inserted in bulk."""

    def __init__(self, number: int, patients: int) -> None:
        self.doctor: DoctorProfile = DoctorFactory.create(appointment_minutes=30)
        self.people = [(new_id(), f"Person {index} of {number}") for index in range(patients)]
        self.appointments = patients * APPOINTMENTS_EACH
        # All but a fiftieth lies behind.
        self.first = NOW - LENGTH * (self.appointments - self.appointments // 50)

    def rows_of_people(self) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...]]]:
        """Return each patient's account and row beside the doctor."""
        for index, (pk, name) in enumerate(self.people):
            person = account(pk, name, GENDERS[index % 5])
            yield person, (self.doctor.pk, pk, NOW, NOW - timedelta(minutes=index), name, *person[2:5:2])

    def row_of_appointment(self, index: int) -> tuple[tuple[Any, ...], tuple[Any, ...] | None]:
        """Return one appointment and, while it is live, the reservation on its time."""
        starts_at = self.first + LENGTH * index
        patient, name = self.people[index * 7 % len(self.people)]
        over, kind = starts_at + LENGTH <= NOW, index % 100
        if over:
            status = "completed" if kind < 86 else "cancelled" if kind < 98 else "confirmed"
        else:
            status = "confirmed" if kind % 3 else "pending"
        pk, local = new_id(), starts_at.astimezone(ZONE)
        reservation = None
        respond_by = starts_at if status == "pending" else None
        if status in {"pending", "confirmed"}:
            ends_at = starts_at + LENGTH
            reservation = (
                new_id(),
                "appointment",
                self.doctor.pk,
                patient,
                starts_at,
                ends_at,
                ends_at,
                respond_by,
                NOW,
            )
        written = status == "completed" and kind % 10 != 9
        items = [{"medicine": "Ibuprofen", "dose": "400 mg", "frequency": "at night", "days": 3}] if written else []
        appointment = (
            *(
                pk,
                self.doctor.pk,
                patient,
                reservation and reservation[0],
                status,
                local.date(),
                local.time(),
                "America/New_York",
            ),
            *(starts_at, starts_at + LENGTH, "A cough that does not go away.", "A cold, once more." if written else ""),
            *("Rest, tea and patience." if written else "", items, int(written), starts_at if written else None),
            *(self.doctor.user.name, name, "Cardiology", "Example General", Decimal("80.00"), "USD"),
            *(respond_by, starts_at - timedelta(days=9)),
            *(
                NOW if status == "confirmed" and kind % 9 == 0 else None,
                kind % 20 != 3 if status == "completed" else None,
            ),
        )
        return appointment, reservation


def account(pk: UUID, name: str, gender: str) -> tuple[Any, ...]:
    """Return the row of a patient's account."""
    return (pk, name, f"{pk}@example.com", "", gender, date(1980, 1, 1), "patient", NOW, "!")


def write(appointments: list[tuple[Any, ...]], reservations: list[tuple[Any, ...]]) -> None:
    """Insert and empty both lists."""
    bulk_insert.insert_rows(Reservation, RESERVATION, reservations)
    bulk_insert.insert_rows(Appointment, APPOINTMENT, appointments)
    appointments.clear()
    reservations.clear()
