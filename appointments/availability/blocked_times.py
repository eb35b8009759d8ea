"""Block one stretch of a day, and open it again, without saving the whole schedule."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import User
from appointments.availability.serializers import MOST_DAYS, MOST_INTERVALS
from appointments.availability.services import change_hours
from config.api.errors import DomainError
from doctors.availability.calendar import local_date, lock_doctor
from doctors.models import BlockedTime, DoctorProfile


def block_time(
    doctor_user: User,
    stretch: Mapping[str, Any],
    decisions: Mapping[UUID, Any],
    reason: str,
    *,
    now: datetime,
) -> tuple[BlockedTime, bool]:
    """Block `stretch` (date, start and end in minutes of the clinic's day, reason); return it and whether it is new.

    The same stretch again is the one that exists, with a new reason if there is one. Appointments inside are decided by
    `decisions`, as with a schedule; `reason` is what their patients are told. Raises a field error for a day that is
    over, for a stretch that overlaps another and for one too many, and what `change_hours` raises.
    """
    blocked = BlockedTime(
        doctor_id=doctor_user.pk,
        date=stretch["date"],
        start_minute=stretch["start"],
        end_minute=stretch["end"],
        reason=stretch["reason"],
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
    """Open a blocked stretch again; raises `not_found` for another doctor's, and for one of a day that is over.

    What explains an earlier day's calendar stays.
    """
    with transaction.atomic():
        doctor = lock_doctor(doctor_user.pk)
        assert doctor is not None  # noqa: S101 - the caller is a doctor
        own = doctor.blocked_times.filter(pk=pk, date__gte=local_date(now, doctor.time_zone))
        if not own.exists():
            raise DomainError("not_found")
        change_hours(doctor_user, lambda _: own.delete(), {}, "", event="schedule.unblocked", now=now)


def refuse_conflicting_block(doctor: DoctorProfile, blocked: BlockedTime, now: datetime) -> None:
    """Raise a field error for a stretch that could not be saved together with those that stand."""
    today = local_date(now, doctor.time_zone)
    if blocked.date < today:
        raise DomainError("invalid", errors={"date": ["Choose today or a later day."]})
    standing = doctor.blocked_times.filter(date__gte=today)
    of_day = standing.filter(date=blocked.date)
    if of_day.filter(start_minute__lt=blocked.end_minute, end_minute__gt=blocked.start_minute).exists():
        raise DomainError("invalid", errors={"start": ["These hours overlap others that are blocked."]})
    if of_day.count() >= MOST_INTERVALS:
        raise DomainError("invalid", errors={"date": [f"At most {MOST_INTERVALS} intervals a day."]})
    if standing.count() >= MOST_DAYS:
        raise DomainError("invalid", errors={"date": [f"At most {MOST_DAYS} blocked intervals in all."]})
