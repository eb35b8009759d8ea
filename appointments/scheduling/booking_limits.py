"""Limits on the number of open requests and bookings."""

from datetime import datetime, timedelta
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from accounts.models import Role, User
from appointments.models import Appointment
from config.api.errors import DomainError
from config.db.raw_sql import to_db_value
from doctors.models import DoctorProfile

ONE_HOUR = timedelta(hours=1)


# The counts of a patient's appointments, with the values of `build_count_parameters`. Only appointments that start
# later than an hour ago can count, so past ones are not read.
COUNTS_SQL = (
    "SELECT COUNT(*) FILTER (WHERE status = 'pending' AND respond_by > %s) AS waiting,"
    " COUNT(*) FILTER (WHERE booked_by = 'patient' AND created_at > %s) AS recent,"
    # Booked by the patient with a doctor who confirms instantly.
    " COUNT(*) FILTER (WHERE status = 'confirmed' AND booked_by = 'patient' AND confirmed_at IS NULL"
    " AND starts_at > %s) AS instant"
    " FROM appointments_appointment WHERE patient_id = %s AND starts_at > %s"
)


class Counts(NamedTuple):
    """The result of `COUNTS_SQL`: open requests, bookings within the last hour, upcoming instant bookings."""

    waiting: int
    recent: int
    instant: int


def build_count_parameters(patient: User, now: datetime) -> list[Any]:
    """Return the parameters of `COUNTS_SQL`."""
    return [to_db_value(value) for value in (now, now - ONE_HOUR, now, patient.pk, now - ONE_HOUR)]


def refuse_too_many_of_patient(patient: User, counts: Counts, now: datetime) -> None:
    """Raise `requests_full` for too many open requests, or `booked_too_often` after too many bookings.

    The counts must be read with the patient's row locked, so that they are still correct on insert.
    """
    limit = settings.MAX_OPEN_REQUESTS_PER_PATIENT
    if counts.waiting >= limit:
        raise DomainError(
            "requests_full",
            f"You have {counts.waiting} requests waiting for an answer, and may have {limit}. "
            "Cancel one, or book again when a doctor has answered.",
            data={"limit": limit},
        )
    if counts.recent >= settings.MAX_BOOKINGS_PER_HOUR:
        recent = Appointment.objects.filter(patient=patient, booked_by=Role.PATIENT, created_at__gt=now - ONE_HOUR)
        raise build_booked_too_often_error("You have", recent, settings.MAX_BOOKINGS_PER_HOUR, now)


def refuse_too_many_of_doctor(doctor: DoctorProfile, now: datetime) -> None:
    """Raise `booked_too_often` if a doctor has booked too many appointments for patients within an hour."""
    if connection.vendor == "postgresql":
        # Serializes bookings by this doctor, without blocking those by patients.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"desk {doctor.pk}"])
    recent = Appointment.objects.filter(doctor=doctor, booked_by=Role.DOCTOR, created_at__gt=now - ONE_HOUR)
    if recent.count() >= settings.MAX_DESK_BOOKINGS_PER_HOUR:
        raise build_booked_too_often_error("This desk has", recent, settings.MAX_DESK_BOOKINGS_PER_HOUR, now)


def build_booked_too_often_error(who: str, recent: QuerySet[Appointment], limit: int, now: datetime) -> DomainError:
    """Return the error with the time of the next booking: when the oldest of the latest `limit` is an hour old."""
    oldest = recent.order_by("-created_at").values_list("created_at", flat=True)[limit - 1]
    seconds = max(1, ceil((oldest + ONE_HOUR - now).total_seconds()))
    minutes = ceil(seconds / 60)
    return DomainError(
        "booked_too_often",
        f"{who} booked {limit} appointments within an hour, which is the most. "
        f"Please try again in {minutes} {'minute' if minutes == 1 else 'minutes'}.",
        data={"limit": limit},
        retry_after=seconds,
    )
