"""Block and unblock an interval of a day, without saving the whole schedule."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import User
from appointments.availability.serializers import MAX_DATES, MAX_INTERVALS
from appointments.availability.services import change_hours
from config.api.errors import DomainError
from doctors.availability.calendar import local_date, lock_doctor
from doctors.models import BlockedTime, DoctorProfile


def block_time(
    doctor_user: User,
    interval: Mapping[str, Any],
    decisions: Mapping[UUID, Any],
    reason: str,
    *,
    now: datetime,
) -> tuple[BlockedTime, bool]:
    """Block `interval` (local date, start and end minutes, reason); return it and whether it is new.

    Blocking the same interval again returns the existing one, with a new reason if there is one. `decisions` cover the
    appointments inside, as with a schedule; their patients read `reason`. Raise a field error for a past day, for an
    overlap with another interval and for too many, or as `change_hours`.
    """
    blocked = BlockedTime(
        doctor_id=doctor_user.pk,
        date=interval["date"],
        start_minute=interval["start"],
        end_minute=interval["end"],
        reason=interval["reason"],
    )
    with transaction.atomic():
        doctor = lock_doctor(doctor_user.pk)
        assert doctor is not None  # noqa: S101 - the caller is a doctor
        same = doctor.blocked_times.filter(
            date=blocked.date, start_minute=blocked.start_minute, end_minute=blocked.end_minute
        ).first()
        if same:
            if blocked.reason and blocked.reason != same.reason:
                same.reason = blocked.reason
                same.save(update_fields=["reason"])
                record_event("schedule.blocked", Action.UPDATE, "doctor", doctor.pk, actor=doctor_user)
            return same, False
        refuse_conflicting_block(doctor, blocked, now)
        change_hours(doctor_user, lambda _: blocked.save(), decisions, reason, event="schedule.blocked", now=now)
    return blocked, True


def unblock_time(doctor_user: User, pk: int, *, now: datetime) -> None:
    """Unblock an interval; raise `not_found` for another doctor's, and for one of a past day.

    Past intervals stay, because they explain the calendar of their day.
    """
    with transaction.atomic():
        doctor = lock_doctor(doctor_user.pk)
        assert doctor is not None  # noqa: S101 - the caller is a doctor
        own = doctor.blocked_times.filter(pk=pk, date__gte=local_date(now, doctor.time_zone))
        if not own.exists():
            raise DomainError("not_found")
        change_hours(doctor_user, lambda _: own.delete(), {}, "", event="schedule.unblocked", now=now)


def refuse_conflicting_block(doctor: DoctorProfile, blocked: BlockedTime, now: datetime) -> None:
    """Raise a field error for an interval that conflicts with existing ones."""
    today = local_date(now, doctor.time_zone)
    if blocked.date < today:
        raise DomainError("invalid", errors={"date": ["Choose today or a later day."]})
    standing = doctor.blocked_times.filter(date__gte=today)
    of_day = standing.filter(date=blocked.date)
    if of_day.filter(start_minute__lt=blocked.end_minute, end_minute__gt=blocked.start_minute).exists():
        raise DomainError("invalid", errors={"start": ["These hours overlap others that are blocked."]})
    if of_day.count() >= MAX_INTERVALS:
        raise DomainError("invalid", errors={"date": [f"At most {MAX_INTERVALS} intervals a day."]})
    if standing.count() >= MAX_DATES:
        raise DomainError("invalid", errors={"date": [f"At most {MAX_DATES} blocked intervals in all."]})
