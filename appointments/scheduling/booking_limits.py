"""How many appointments one person may ask for: who asks for more takes other people's times away, and doctors' too."""

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

AN_HOUR = timedelta(hours=1)


# What counts of a patient's appointments, with the values of `count_parameters`. No appointment begins before its
# request runs out, nor an hour before it was booked: past ones are not even looked at.
COUNTS = (
    "SELECT COUNT(*) FILTER (WHERE status = 'pending' AND respond_by > %s) AS waiting,"
    " COUNT(*) FILTER (WHERE booked_by = 'patient' AND created_at > %s) AS lately,"
    # Booked by the patient with a doctor who confirms instantly.
    " COUNT(*) FILTER (WHERE status = 'confirmed' AND booked_by = 'patient' AND confirmed_at IS NULL"
    " AND starts_at > %s) AS unasked"
    " FROM appointments_appointment WHERE patient_id = %s AND starts_at > %s"
)


class Counts(NamedTuple):
    """What `COUNTS` returns: requests waiting, appointments booked within the hour, instant bookings still to come."""

    waiting: int
    lately: int
    unasked: int


def count_parameters(patient: User, now: datetime) -> list[Any]:
    """Return the values that `COUNTS` asks for."""
    return [to_db_value(value) for value in (now, now - AN_HOUR, now, patient.pk, now - AN_HOUR)]


def refuse_too_many_of_patient(patient: User, counts: Counts, now: datetime) -> None:
    """Raise `requests_full` while too many of a patient's requests wait, `booked_too_often` after too many bookings.

    To be counted with the patient's row locked, so that the count still stands when the appointment is written.
    """
    most = settings.MAX_OPEN_REQUESTS_PER_PATIENT
    if counts.waiting >= most:
        raise DomainError(
            "requests_full",
            f"You have {counts.waiting} requests waiting for an answer, and may have {most}. "
            "Cancel one, or book again when a doctor has answered.",
            data={"most": most},
        )
    if counts.lately >= settings.MAX_BOOKINGS_PER_HOUR:
        own = Appointment.objects.filter(patient=patient, booked_by=Role.PATIENT, created_at__gt=now - AN_HOUR)
        raise booked_too_often_error("You have", own, settings.MAX_BOOKINGS_PER_HOUR, now)


def refuse_too_many_of_doctor(doctor: DoctorProfile, now: datetime) -> None:
    """Raise `booked_too_often` when a doctor has booked too many appointments for patients within an hour."""
    if connection.vendor == "postgresql":
        # Bookings at this desk one after the other, without keeping patients' own from going on.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"desk {doctor.pk}"])
    own = Appointment.objects.filter(doctor=doctor, booked_by=Role.DOCTOR, created_at__gt=now - AN_HOUR)
    if own.count() >= settings.MAX_DESK_BOOKINGS_PER_HOUR:
        raise booked_too_often_error("This desk has", own, settings.MAX_DESK_BOOKINGS_PER_HOUR, now)


def booked_too_often_error(who: str, lately: QuerySet[Appointment], most: int, now: datetime) -> DomainError:
    """Return the error with the time of the next booking: when the oldest of the latest `most` is an hour old."""
    oldest = lately.order_by("-created_at").values_list("created_at", flat=True)[most - 1]
    seconds = max(1, ceil((oldest + AN_HOUR - now).total_seconds()))
    minutes = ceil(seconds / 60)
    return DomainError(
        "booked_too_often",
        f"{who} booked {most} appointments within an hour, which is the most. "
        f"Please try again in {minutes} {'minute' if minutes == 1 else 'minutes'}.",
        data={"most": most},
        retry_after=seconds,
    )
