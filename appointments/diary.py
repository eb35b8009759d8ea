"""A doctor's calendar for some days: hours, what is blocked, visits, and times that are kept."""

from collections import defaultdict
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef

from appointments.models import Appointment, AppointmentQuerySet, Proposal, Status
from appointments.models.appointment import utc_midnight
from config.wire import iso_utc
from doctors.calendar import local_date
from doctors.hours import weekly_of
from doctors.models import BlockedTime, Claim, DoctorProfile, clock

MOST_DAYS = 7
MOST_CANCELLED = 200

# A calendar shows no word of what a visit is about, so none is read.
SHOWN = (
    *("id", "patient_id", "patient_name", "date", "time", "starts_at", "ends_at", "status", "respond_by"),
    *("attended", "outside_hours", "booked_by", "cancel_requested_at"),
)


def diary_of(doctor: DoctorProfile, first: date | None, count: int, now: datetime) -> dict[str, Any]:
    """Write `count` days of a doctor's calendar from `first` on, the clinic's today unless it is given.

    Days after the last date that exists are left out.
    """
    today = local_date(now, doctor.time_zone)
    start = (first or today).toordinal()
    days = [date.fromordinal(one) for one in range(start, min(start + count, date.max.toordinal() + 1))]
    visits = Appointment.objects.filter(doctor=doctor).on_dates(days[0], days[-1])
    cancelled = visits.with_status(Status.CANCELLED, now)
    rows = [*read(visits.not_cancelled(now), now), *read(cancelled, now)[:MOST_CANCELLED]]
    return {
        "timeZone": doctor.time_zone,
        "today": today.isoformat(),
        "visitMinutes": doctor.visit_minutes,
        "days": days_of(doctor, days),
        "visits": [visit_on_wire(visit, now) for visit in sorted(rows, key=lambda visit: (visit.starts_at, visit.pk))],
        "kept": kept_of(doctor, days, now),
    }


def days_of(doctor: DoctorProfile, days: list[date]) -> list[dict[str, Any]]:
    """Write the hours of each day and what is blocked of them; a dated override replaces the weekday's hours."""
    weekly = weekly_of(doctor.weekly_hours.all())
    dated = {one.date: one for one in doctor.overrides.filter(date__range=(days[0], days[-1]))}
    blocked: dict[date, list[BlockedTime]] = defaultdict(list)
    for stretch in doctor.blocked_times.filter(date__range=(days[0], days[-1])).order_by("start_minute", "pk"):
        blocked[stretch.date].append(stretch)
    written = []
    for day in days:
        override = dated.get(day)
        hours = sorted(map(tuple, override.hours)) if override else weekly.get(day.weekday(), ())
        written.append(
            {
                "date": day.isoformat(),
                "hours": [{"start": clock(start), "end": clock(end)} for start, end in hours],
                "dayOff": override is not None and not hours,
                "reason": override.reason if override else "",
                "blocked": [blocked_on_wire(stretch) for stretch in blocked[day]],
            }
        )
    return written


def blocked_on_wire(stretch: BlockedTime) -> dict[str, Any]:
    """Write a blocked stretch."""
    return {
        "_id": str(stretch.pk),
        "date": stretch.date.isoformat(),
        "start": clock(stretch.start_minute),
        "end": clock(stretch.end_minute),
        "reason": stretch.reason,
    }


def read(visits: AppointmentQuerySet, now: datetime) -> AppointmentQuerySet:
    """Read what a calendar shows of visits, soonest first."""
    proposed = Proposal.objects.filter(appointment=OuterRef("pk"), answer=Proposal.Answer.OPEN, expires_at__gt=now)
    return visits.only(*SHOWN).annotate(is_proposed=Exists(proposed)).order_by("starts_at", "pk")


def visit_on_wire(visit: Appointment, now: datetime) -> dict[str, Any]:
    """Write what a calendar shows of one visit: no clinical text."""
    overdue = visit.is_overdue(now)
    return {
        "_id": str(visit.pk),
        "patient": {"_id": str(visit.patient_id), "name": visit.patient_name},
        "appointmentDate": visit.date.isoformat(),
        "appointmentTime": f"{visit.time:%H:%M}",
        "startsAt": iso_utc(visit.starts_at),
        "endsAt": iso_utc(visit.ends_at),
        "minutes": minutes(visit.starts_at, visit.ends_at),
        "status": Status.CANCELLED.value if overdue else visit.status,
        "attended": visit.attended,
        "outsideHours": visit.outside_hours,
        "bookedBy": visit.booked_by,
        "cancelRequest": visit.status == Status.CONFIRMED and visit.cancel_requested_at is not None,
        "proposal": bool(getattr(visit, "is_proposed", False)),
    }


def kept_of(doctor: DoctorProfile, days: list[date], now: datetime) -> list[dict[str, Any]]:
    """Write the times of these days that are kept for somebody: held, or proposed."""
    zone = ZoneInfo(doctor.time_zone)
    claims = (
        Claim.objects.standing(now)
        .filter(doctor=doctor, starts_at__gte=utc_midnight(days[0], -1), starts_at__lt=utc_midnight(days[-1], 2))
        .exclude(kind=Claim.Kind.VISIT)
        .order_by("starts_at", "pk")
    )
    written = []
    for claim in claims:
        local = claim.starts_at.astimezone(zone)
        if days[0] <= local.date() <= days[-1]:
            length = minutes(claim.starts_at, claim.ends_at)
            written.append(
                {"kind": claim.kind, "date": local.date().isoformat(), "time": f"{local:%H:%M}", "minutes": length}
            )
    return written


def minutes(start: datetime, end: datetime) -> int:
    """Answer how long something lasts."""
    return int((end - start).total_seconds() // 60)
