"""Absences of a doctor, from one date and time to another."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import User
from appointments.availability.serializers import MAX_ABSENCES
from appointments.availability.services import change_hours
from config.api.errors import DomainError
from doctors.availability.calendar import lock_doctor
from doctors.models import Absence, DoctorProfile
from doctors.models.schedule import LocalMoment
from doctors.slot_engine import get_zone


def add_absence(
    doctor_user: User, data: Mapping[str, Any], *, preview: bool, now: datetime
) -> tuple[Absence | None, list[dict[str, Any]], bool]:
    """Add an absence; return it, what it affects, and whether it is new.

    `data` holds `from` and `to` (date, and minute of that date), `reason`, and the decisions about what is inside.
    Adding the same time again returns the existing absence, with a new reason if there is one.
    A preview changes nothing and returns no absence. Raises field errors, and what `change_hours` raises.
    """
    with transaction.atomic():
        doctor = lock_own_profile(doctor_user)
        absence = Absence(doctor=doctor, **build_columns(data))
        same = doctor.absences.filter(
            from_date=absence.from_date,
            from_minute=absence.from_minute,
            to_date=absence.to_date,
            to_minute=absence.to_minute,
        ).first()
        if same:
            if absence.reason and absence.reason != same.reason and not preview:
                same.reason = absence.reason
                same.save(update_fields=["reason"])
                record_event("schedule.absence_changed", Action.UPDATE, "doctor", doctor.pk, actor=doctor_user)
            return same, [], False
        refuse_past_absence(doctor, absence, None, now)
        if doctor.absences.filter(to_date__gte=get_local_now(doctor, now).date()).count() >= MAX_ABSENCES:
            raise DomainError("invalid", errors={"from": [f"At most {MAX_ABSENCES} times off ahead."]})
        affected = save_absence(doctor_user, absence, data, "schedule.absence_added", preview=preview, now=now)
    return None if preview else absence, affected, True


def change_absence(
    doctor_user: User, pk: UUID, data: Mapping[str, Any], *, preview: bool, now: datetime
) -> tuple[Absence | None, list[dict[str, Any]]]:
    """Change an absence as one; return it, and what the change affects. Raises `not_found` and what adding raises."""
    with transaction.atomic():
        doctor = lock_own_profile(doctor_user)
        absence = get_own_absence(doctor, pk, now)
        before = absence.start
        for name, value in build_columns(data).items():
            setattr(absence, name, value)
        refuse_past_absence(doctor, absence, before, now)
        affected = save_absence(doctor_user, absence, data, "schedule.absence_changed", preview=preview, now=now)
    return None if preview else absence, affected


def remove_absence(doctor_user: User, pk: UUID, *, now: datetime) -> None:
    """Remove an absence; its effects on appointments stay. Raise `not_found`."""
    with transaction.atomic():
        absence = get_own_absence(lock_own_profile(doctor_user), pk, now)
        change_hours(doctor_user, lambda _: absence.delete(), {}, "", event="schedule.absence_removed", now=now)


def save_absence(
    doctor_user: User, absence: Absence, data: Mapping[str, Any], event: str, *, preview: bool, now: datetime
) -> list[dict[str, Any]]:
    """Save an absence if everything that it affects is decided; return what it affects."""
    _, affected = change_hours(
        doctor_user,
        lambda _: absence.save(),
        data["visits"],
        data["visitsReason"],
        event=event,
        preview=preview,
        now=now,
    )
    return affected


def lock_own_profile(doctor_user: User) -> DoctorProfile:
    """Lock and return the current doctor."""
    doctor = lock_doctor(doctor_user.pk)
    assert doctor is not None  # noqa: S101 - the caller is a doctor
    return doctor


def get_own_absence(doctor: DoctorProfile, pk: UUID, now: datetime) -> Absence:
    """Return an absence of this doctor; raise `not_found` for another doctor's and for one of an earlier date."""
    absence = doctor.absences.filter(pk=pk, to_date__gte=get_local_now(doctor, now).date()).first()
    if absence is None:
        raise DomainError("not_found")
    return absence


def build_columns(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of an absence from validated data."""
    return {
        "from_date": data["from"]["date"],
        "from_minute": data["from"]["time"],
        "to_date": data["to"]["date"],
        "to_minute": data["to"]["time"],
        "reason": data["reason"],
    }


def refuse_past_absence(doctor: DoctorProfile, absence: Absence, before: LocalMoment | None, now: datetime) -> None:
    """Raise a field error if an absence begins before today, unless it did so already, or has ended."""
    local = get_local_now(doctor, now)
    if absence.from_date < local.date() and absence.start != before:
        raise DomainError("invalid", errors={"from.date": ["Choose today or a later day."]})
    if absence.end <= (local.date(), local.hour * 60 + local.minute):
        raise DomainError("invalid", errors={"to.time": ["Choose an end that has not passed."]})


def get_local_now(doctor: DoctorProfile, now: datetime) -> datetime:
    """Return the local time at the clinic."""
    return now.astimezone(get_zone(doctor.time_zone))
