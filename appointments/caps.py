"""How many visits one person may ask for: who asks for more takes other people's times away, and doctors' too."""

from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.db import connection
from django.db.models import Count, Q, QuerySet

from accounts.models import Role, User
from appointments.models import Appointment, Status
from config.errors import RuleBroken
from doctors.models import DoctorProfile

AN_HOUR = timedelta(hours=1)


def refuse_too_many_of_patient(patient: User, now: datetime) -> None:
    """Raise `requests_full` while too many of a patient's requests wait, `booked_too_often` after too many bookings.

    To be called with the patient's row locked, so that the count still stands when the visit is written.
    """
    own = Appointment.objects.filter(patient=patient)
    lately = Q(booked_by=Role.PATIENT, created_at__gt=now - AN_HOUR)
    counted = own.aggregate(
        waiting=Count("pk", filter=Q(status=Status.PENDING, respond_by__gt=now)), lately=Count("pk", filter=lately)
    )
    most = settings.OPEN_REQUESTS_PER_PATIENT
    if counted["waiting"] >= most:
        raise RuleBroken(
            "requests_full",
            f"You have {counted['waiting']} requests waiting for an answer, and may have {most}. "
            "Cancel one, or book again when a doctor has answered.",
            data={"most": most},
        )
    if counted["lately"] >= settings.BOOKINGS_PER_HOUR:
        raise too_often("You have", own.filter(lately), settings.BOOKINGS_PER_HOUR, now)


def refuse_too_many_of_doctor(doctor: DoctorProfile, now: datetime) -> None:
    """Raise `booked_too_often` when a doctor has booked too many visits for patients within an hour."""
    if connection.vendor == "postgresql":
        # Bookings at this desk one after the other, without keeping patients' own from going on.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"desk {doctor.pk}"])
    own = Appointment.objects.filter(doctor=doctor, booked_by=Role.DOCTOR, created_at__gt=now - AN_HOUR)
    if own.count() >= settings.DESK_BOOKINGS_PER_HOUR:
        raise too_often("This desk has", own, settings.DESK_BOOKINGS_PER_HOUR, now)


def too_often(who: str, lately: QuerySet[Appointment], most: int, now: datetime) -> RuleBroken:
    """Say when there is room again: once the oldest of the latest `most` bookings is an hour old."""
    oldest = lately.order_by("-created_at").values_list("created_at", flat=True)[most - 1]
    seconds = max(1, ceil((oldest + AN_HOUR - now).total_seconds()))
    minutes = ceil(seconds / 60)
    return RuleBroken(
        "booked_too_often",
        f"{who} booked {most} visits within an hour, which is the most. "
        f"Please try again in {minutes} {'minute' if minutes == 1 else 'minutes'}.",
        data={"most": most},
        retry_after=seconds,
    )
