"""Save a doctor's schedule, and let no visit be stranded silently."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import transaction

from accounts.models import User
from accounts.trail import Action, record
from appointments.models import Appointment, Status
from appointments.moving import propose
from appointments.states import move
from config.errors import RuleBroken
from config.wire import iso_utc
from doctors import free_times as engine
from doctors.calendar import Calendar, epoch, keep_next_free, local_date, lock, slot_on_wire
from doctors.free_times import Reason, Refusal, Rules
from doctors.hours import weekly_of
from doctors.models import WEEKDAYS, BlockedTime, DayOverride, DoctorProfile, WeeklyHours, clock

SETTINGS = (
    "time_zone",
    "visit_minutes",
    "buffer_minutes",
    "min_notice_minutes",
    "max_days_ahead",
    "instant_confirmation",
)
OUTSIDE = {Reason.DAY_OFF, Reason.OUTSIDE_HOURS}
FAR = 100_000


def save_schedule(
    doctor_user: User, changes: Mapping[str, Any], *, preview: bool, now: datetime
) -> tuple[DoctorProfile, list[dict[str, Any]]]:
    """Write a new schedule; answers the doctor and the live visits that it would leave outside the hours.

    `changes["visits"]` says for each of these whether to keep it (it is marked), to cancel it, or which time to
    propose. With `preview` everything is rolled back. What is absent stays. Raises what `change_hours` raises.
    """
    return change_hours(
        doctor_user,
        lambda doctor: write(doctor, changes, now),
        changes.get("visits") or {},
        changes.get("reason") or "",
        event="schedule.saved",
        preview=preview,
        now=now,
    )


def change_hours(
    doctor_user: User,
    write_hours: Callable[[DoctorProfile], object],
    decisions: Mapping[UUID, Any],
    reason: str,
    *,
    event: str,
    preview: bool = False,
    now: datetime,
) -> tuple[DoctorProfile, list[dict[str, Any]]]:
    """Let `write_hours` change when a doctor, who is locked meanwhile, can be booked, and strand no visit silently.

    Answers the doctor and the live visits that end up outside the hours, each decided by `decisions`; `reason` is what
    their patients are told. Raises `visits_affected` with the list while one is undecided, and what cancelling or
    proposing raises.
    """
    with transaction.atomic():
        doctor = lock(doctor_user.pk)
        assert doctor is not None  # noqa: S101 - the caller is a doctor
        write_hours(doctor)
        calendar = Calendar.of(doctor, now)
        stranded, back = sort_out(doctor, calendar.rules, now)
        affected = [on_wire(visit, calendar, now) for visit in stranded]
        if preview:
            transaction.set_rollback(True)
            return doctor, affected
        unknown = set(decisions) - {visit.pk for visit in stranded}
        if unknown:
            raise RuleBroken(
                "invalid",
                errors={
                    f"visits.{pk}": ["This visit is not affected by the change."] for pk in sorted(map(str, unknown))
                },
            )
        if any(visit.pk not in decisions for visit in stranded):
            raise RuleBroken("visits_affected", data={"affected": affected})
        Appointment.objects.filter(pk__in=[visit.pk for visit in back]).update(outside_hours=False)
        record(event, Action.UPDATE, "doctor", doctor.pk, by=doctor_user)
        for visit in stranded:
            decide(visit, decisions[visit.pk], reason, by=doctor_user, now=now)
        keep_next_free([doctor.pk], now)
    return doctor, affected


def write(doctor: DoctorProfile, changes: Mapping[str, Any], now: datetime) -> None:
    """Replace what is sent: settings, the weekly hours, and the overrides and blocked hours from today on."""
    for name in SETTINGS:
        if name in changes:
            setattr(doctor, name, changes[name])
    doctor.save(update_fields=list(SETTINGS))
    today = local_date(now, doctor.time_zone)
    if "weekly_hours" in changes:
        WeeklyHours.objects.filter(doctor=doctor).delete()
        WeeklyHours.objects.bulk_create(
            WeeklyHours(doctor=doctor, weekday=day, start_minute=start, end_minute=end)
            for day, spans in changes["weekly_hours"].items()
            for start, end in spans
        )
    if "overrides" in changes:
        DayOverride.objects.filter(doctor=doctor, date__gte=today).delete()
        DayOverride.objects.bulk_create(
            DayOverride(
                doctor=doctor, date=one["date"], hours=[list(span) for span in one["hours"]], reason=one["reason"]
            )
            for one in changes["overrides"]
            if one["date"] >= today
        )
    if "blocked" in changes:
        BlockedTime.objects.filter(doctor=doctor, date__gte=today).delete()
        BlockedTime.objects.bulk_create(
            BlockedTime(
                doctor=doctor, date=one["date"], start_minute=one["start"], end_minute=one["end"], reason=one["reason"]
            )
            for one in changes["blocked"]
            if one["date"] >= today
        )


def sort_out(doctor: DoctorProfile, rules: Rules, now: datetime) -> tuple[list[Appointment], list[Appointment]]:
    """Answer the live visits that these rules newly leave outside, and those marked outside that are inside again."""
    visits = (
        Appointment.objects.live(now)
        .filter(doctor=doctor, ends_at__gt=now)
        .select_related("doctor__user", "patient", "claim")
        .locked_in_order()
    )
    stranded, back = [], []
    for visit in visits:
        outside = is_outside(visit, rules, now)
        if outside and not visit.outside_hours:
            stranded.append(visit)
        elif visit.outside_hours and not outside:
            back.append(visit)
    return stranded, back


def is_outside(visit: Appointment, rules: Rules, now: datetime) -> bool:
    """Tell whether a visit, with its own length, leaves the hours of these rules."""
    local = visit.starts_at.astimezone(ZoneInfo(rules.time_zone))
    minutes = int((visit.ends_at - visit.starts_at).total_seconds() // 60)
    asked = replace(rules, visit_minutes=minutes, buffer_minutes=0, min_notice_minutes=0, max_days_ahead=FAR)
    before = min(epoch(now), epoch(visit.starts_at) - 1)
    found = engine.find_slot(asked, [], before, local.date(), f"{local:%H:%M}")
    return isinstance(found, Refusal) and found.reason in OUTSIDE


def decide(visit: Appointment, decision: Any, reason: str, *, by: User, now: datetime) -> None:
    """Do with a stranded visit what the doctor decided."""
    if decision == "cancel":
        move(visit, Status.CANCELLED, by=by, now=now, reason=reason)
        return
    Appointment.objects.filter(pk=visit.pk).update(outside_hours=True)
    visit.outside_hours = True
    if decision != "keep":
        propose(visit, decision["date"], f"{decision['time']:%H:%M}", reason, by=by, now=now)


def refuse_stranding(doctor: DoctorProfile, now: datetime) -> None:
    """Refuse a change of hours made elsewhere than in the schedule when it would strand visits.

    Raises `visits_affected`; the schedule is where each visit's fate can be decided.
    """
    calendar = Calendar.of(doctor, now)
    stranded, back = sort_out(doctor, calendar.rules, now)
    if stranded:
        raise RuleBroken(
            "visits_affected",
            errors={"workingHours": ["These hours would leave visits outside. Please change them in your schedule."]},
            data={"affected": [on_wire(visit, calendar, now) for visit in stranded]},
        )
    Appointment.objects.filter(pk__in=[visit.pk for visit in back]).update(outside_hours=False)


def on_wire(visit: Appointment, calendar: Calendar, now: datetime) -> dict[str, Any]:
    """Write a stranded visit with the nearest free times under the new rules."""
    return {
        "_id": str(visit.pk),
        "patientName": visit.patient_name,
        "appointmentDate": visit.date.isoformat(),
        "appointmentTime": f"{visit.time:%H:%M}",
        "startsAt": iso_utc(visit.starts_at),
        "status": visit.status,
        "mayCancel": visit.may_move(Status.CANCELLED, visit.doctor.user, now),
        "alternatives": [
            slot_on_wire(slot) for slot in calendar.alternatives(visit.date, f"{visit.time:%H:%M}", visit.patient)
        ],
    }


def schedule_of(doctor: DoctorProfile, now: datetime) -> dict[str, Any]:
    """Write a doctor's schedule as the call takes it; overrides and blocked hours from today on."""

    def spans(pairs: Iterable[Collection[int]]) -> list[dict[str, str]]:
        return [{"start": clock(start), "end": clock(end)} for start, end in pairs]

    since = local_date(now, doctor.time_zone)
    weekly = weekly_of(doctor.weekly_hours.all())
    return {
        "timeZone": doctor.time_zone,
        "visitMinutes": doctor.visit_minutes,
        "bufferMinutes": doctor.buffer_minutes,
        "minNoticeMinutes": doctor.min_notice_minutes,
        "maxDaysAhead": doctor.max_days_ahead,
        "instantConfirmation": doctor.instant_confirmation,
        "weeklyHours": {name: spans(weekly.get(day, ())) for day, name in enumerate(WEEKDAYS)},
        "overrides": [
            {"date": one.date.isoformat(), "hours": spans(one.hours), "reason": one.reason}
            for one in doctor.overrides.filter(date__gte=since).order_by("date")
        ],
        "blocked": [
            {"date": one.date.isoformat(), **spans([[one.start_minute, one.end_minute]])[0], "reason": one.reason}
            for one in doctor.blocked_times.filter(date__gte=since).order_by("date", "start_minute")
        ],
    }
