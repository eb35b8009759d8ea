"""Save a doctor's schedule, with a decision for each appointment that it would leave outside the hours."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.audit.log import Action, record_event
from accounts.models import User
from accounts.models.identifiers import new_id
from accounts.notifications.outbox import notify_users
from accounts.text.phone_numbers import format_phone
from appointments.availability.serializers import AffectedAppointmentSerializer
from appointments.models import Appointment, Proposal, Status
from appointments.scheduling.rescheduling import answer_proposal, move_appointment, propose_time
from appointments.transitions import change_status
from config.api.access_log import add_subjects
from config.api.errors import DomainError
from doctors import slot_engine as engine
from doctors.availability import reservations
from doctors.availability.calendar import (
    Calendar,
    local_date,
    lock_doctor,
    read_busy_by_patient,
    read_rules,
    schedule_next_free_refresh,
    to_epoch,
)
from doctors.models import Absence, BlockedTime, DayOverride, DoctorProfile, WeeklyHours
from doctors.slot_engine import Busy, Cause, Rules

SETTING_FIELDS = (
    "time_zone",
    "appointment_minutes",
    "buffer_minutes",
    "min_notice_minutes",
    "max_days_ahead",
    "instant_confirmation",
    "cancel_cutoff_hours",
)


def save_schedule(
    doctor_user: User, changes: Mapping[str, Any], *, preview: bool, now: datetime
) -> tuple[DoctorProfile, list[dict[str, Any]]]:
    """Save a schedule; return the doctor and what it leaves outside the hours.

    `changes["appointments"]` holds a decision for each affected appointment and proposal. With `preview` everything is
    rolled back. Absent fields stay. Raise as `change_hours`.
    """
    return change_hours(
        doctor_user,
        lambda doctor: write_schedule(doctor, changes, now),
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
    """Change a doctor's hours, with a decision for each appointment and proposal that they leave outside.

    `write_hours` runs with the doctor locked. Returns the doctor and what is affected, which `decisions` must cover;
    `reason` is what their patients read. Raises `visits_affected` with the list while a decision is missing, and what
    cancelling, moving or proposing raises.
    """
    with transaction.atomic():
        doctor = lock_doctor(doctor_user.pk)
        assert doctor is not None  # noqa: S101 - the caller is a doctor
        before = read_rules([doctor], now)[doctor.pk]
        write_hours(doctor)
        calendar = Calendar.read(doctor, now)
        outside, inside = find_appointments_outside(doctor, before, calendar.rules, now)
        proposals = find_proposals_outside(doctor, before, calendar.rules, now)
        affected = list_affected(outside, proposals, calendar, now)
        if preview:
            transaction.set_rollback(True)
            return doctor, affected
        refuse_wrong_decisions(outside, proposals, decisions)
        if any(one.pk not in decisions for one in (*outside, *proposals)):
            raise DomainError("visits_affected", data={"affected": affected})
        Appointment.objects.filter(pk__in=[appointment.pk for appointment in inside]).update(outside_hours=False)
        record_event(event, Action.UPDATE, "doctor", doctor.pk, actor=doctor_user)
        apply_decisions(outside, proposals, decisions, reason, actor=doctor_user, now=now)
        schedule_next_free_refresh([doctor.pk], now)
    return doctor, affected


def refuse_wrong_decisions(
    outside: Sequence[Appointment], proposals: Sequence[Proposal], decisions: Mapping[UUID, Any]
) -> None:
    """Raise a field error for each decision about something else, or that is not possible there."""
    appointment_ids, proposal_ids = {one.pk for one in outside}, {one.pk for one in proposals}
    errors = {}
    for pk, decision in decisions.items():
        if pk in proposal_ids:
            if decision not in ("keep", "withdraw"):
                errors[f"visits.{pk}"] = ["Choose whether to keep or withdraw the proposed time."]
        elif pk not in appointment_ids:
            errors[f"visits.{pk}"] = ["This appointment is not affected by the change."]
        elif decision == "withdraw":
            errors[f"visits.{pk}"] = ["Only a proposed time can be withdrawn."]
    if errors:
        raise DomainError("invalid", errors=errors)


def write_schedule(doctor: DoctorProfile, changes: Mapping[str, Any], now: datetime) -> None:
    """Save the given settings, weekly hours, and overrides and blocked times from today on."""
    for name in SETTING_FIELDS:
        if name in changes:
            setattr(doctor, name, changes[name])
    doctor.save(update_fields=list(SETTING_FIELDS))
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


def find_appointments_outside(
    doctor: DoctorProfile, before: Rules, rules: Rules, now: datetime
) -> tuple[list[Appointment], list[Appointment]]:
    """Return the live appointments to decide about, and those marked as outside that are inside again.

    One that is outside already is asked about again only where the new rules close more of it than the old ones.
    """
    appointments = (
        Appointment.objects.live(now)
        .filter(doctor=doctor, ends_at__gt=now)
        .select_related("doctor__user", "patient", "reservation")
        .locked_in_order()
    )
    outside, inside = [], []
    for appointment in appointments:
        closed = find_closed_minutes(appointment, rules)
        if closed and (not appointment.outside_hours or is_closing_more(appointment, closed, before)):
            outside.append(appointment)
        elif appointment.outside_hours and not closed:
            inside.append(appointment)
    return outside, inside


def find_proposals_outside(doctor: DoctorProfile, before: Rules, rules: Rules, now: datetime) -> list[Proposal]:
    """Return the open proposals whose time the new rules close, and the old ones did not, or less of it."""
    proposals = (
        Proposal.objects.filter(
            appointment__doctor=doctor, answer=Proposal.Answer.OPEN, expires_at__gt=now, ends_at__gt=now
        )
        .filter(appointment__in=Appointment.objects.live(now).filter(doctor=doctor))
        .select_related("appointment__patient")
        .order_by("starts_at", "pk")
    )
    return [one for one in proposals if is_closing_more(one, find_closed_minutes(one, rules), before)]


def find_closed_minutes(timed: Appointment | Proposal, rules: Rules) -> frozenset[tuple[Cause, int]]:
    """Return which minutes of an appointment or a proposal, with its own length, these rules close, and why."""
    minutes = int((timed.ends_at - timed.starts_at).total_seconds() // 60)
    return engine.find_closed_minutes(rules, to_epoch(timed.starts_at), minutes)


def is_closing_more(timed: Appointment | Proposal, closed: frozenset[tuple[Cause, int]], before: Rules) -> bool:
    """Return whether more of it is closed now than the earlier rules closed."""
    return bool(closed) and not closed <= find_closed_minutes(timed, before)


def apply_decisions(
    outside: Sequence[Appointment],
    proposals: Sequence[Proposal],
    decisions: Mapping[UUID, Any],
    reason: str,
    *,
    actor: User,
    now: datetime,
) -> None:
    """Apply the doctor's decisions, and notify the doctor with a summary.

    Decisions that free time are applied first, so that others can use it; appointments may swap times.
    """
    summary: dict[str, list[str]] = {"cancelled": [], "moved": [], "proposed": []}
    for proposal in proposals:
        if decisions[proposal.pk] == "withdraw":
            answer_proposal(proposal.appointment, accept=False, actor=actor, now=now)
    cancelled = [appointment for appointment in outside if decisions[appointment.pk] == "cancel"]
    others = [appointment for appointment in outside if decisions[appointment.pk] != "cancel"]
    moving = [appointment.reservation for appointment in others if is_moving(appointment, decisions[appointment.pk])]
    for place, appointment in enumerate((*cancelled, *others)):
        if place == len(cancelled):
            reservations.set_aside([reservation for reservation in moving if reservation])
        decision = decisions[appointment.pk]
        try:
            outcome = apply_decision(appointment, decision, reason, actor=actor, now=now)
        except DomainError as refusal:
            # Beside the row that it is about; the page shows many.
            field = f"visits.{appointment.pk}" if isinstance(decision, str) else f"visits.{appointment.pk}.time"
            if not (isinstance(decision, str) and "reason" in refusal.errors):
                message = explain_taken(refusal, decision, others) or refusal.message
                refusal.errors = {field: [f"{appointment.patient_name}: {message}"]}
            raise
        if outcome:
            summary[outcome].append(str(appointment.pk))
    if any(summary.values()):
        notify_users("appointments.bulk_changed", "schedule", new_id(), [actor], detail=summary)


def is_moving(appointment: Appointment, decision: Any) -> bool:
    """Return whether an appointment is moved at once."""
    if isinstance(decision, str) or not decision["move"]:
        return False
    return (appointment.date, appointment.time) != (decision["date"], decision["time"])


def explain_taken(refusal: DomainError, decision: Any, others: Iterable[Appointment]) -> str:
    """Return a message naming whose appointment has the requested time, if it is one of the others."""
    if refusal.code != "slot_taken" or isinstance(decision, str):
        return ""
    wanted = decision["date"], decision["time"]
    holder = next((one for one in others if (one.date, one.time) == wanted), None)
    if holder is None:
        return ""
    return f"{holder.patient_name} has an appointment at this time, which is not moved or cancelled here."


def apply_decision(appointment: Appointment, decision: Any, reason: str, *, actor: User, now: datetime) -> str:
    """Apply one decision; return its group in the doctor's summary, or ""."""
    if decision == "cancel":
        change_status(appointment, Status.CANCELLED, actor=actor, now=now, reason=reason, is_bulk=True)
        return "cancelled"
    if decision == "keep":
        mark_outside(appointment)
        return ""
    day, time = decision["date"], decision["time"]
    if decision["move"]:
        move_appointment(appointment, day, time, actor=actor, now=now, reason=reason, in_bulk=True)
        return "moved"
    if appointment.proposals.filter(answer=Proposal.Answer.OPEN, expires_at__gt=now).exists():
        # One appointment has one open proposal: the new time takes its place.
        answer_proposal(appointment, accept=False, actor=actor, now=now)
        appointment.refresh_from_db()
    mark_outside(appointment)
    propose_time(appointment, day, time, reason, actor=actor, now=now)
    return "proposed"


def mark_outside(appointment: Appointment) -> None:
    """Mark an appointment that stays outside the hours."""
    Appointment.objects.filter(pk=appointment.pk).update(outside_hours=True)
    appointment.outside_hours = True


def guard_hours(doctor: DoctorProfile, now: datetime) -> Callable[[], None]:
    """Return a check to call after hours were changed elsewhere than in the schedule.

    The check raises `visits_affected` where the change would leave appointments or proposals outside; each can be
    decided about in the schedule.
    """
    before = read_rules([doctor], now)[doctor.pk]

    def check() -> None:
        calendar = Calendar.read(doctor, now)
        outside, inside = find_appointments_outside(doctor, before, calendar.rules, now)
        proposals = find_proposals_outside(doctor, before, calendar.rules, now)
        if outside or proposals:
            sentence = "These hours would leave appointments outside. Please change them in your schedule."
            raise DomainError(
                "visits_affected",
                errors={"workingHours": [sentence]},
                data={"affected": list_affected(outside, proposals, calendar, now)},
            )
        Appointment.objects.filter(pk__in=[appointment.pk for appointment in inside]).update(outside_hours=False)

    return check


def list_affected(
    outside: Sequence[Appointment], proposals: Sequence[Proposal], calendar: Calendar, now: datetime
) -> list[dict[str, Any]]:
    """Return the affected appointments and proposals for the API, in chronological order.

    Each appointment comes with the nearest free times, and with the next one that no other one here is offered.
    """
    add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in outside))
    add_subjects("appointment", ((one.appointment_id, one.appointment.patient_id) for one in proposals))
    rows = []
    suggested_busy: list[Busy] = []
    busy_of = read_busy_by_patient((appointment.patient_id for appointment in outside), now)
    open_proposals = Proposal.objects.filter(answer=Proposal.Answer.OPEN, expires_at__gt=now, appointment__in=outside)
    has_proposal = set(open_proposals.values_list("appointment_id", flat=True))
    for appointment in outside:
        theirs = busy_of.get(appointment.patient_id, [])
        start = to_epoch(appointment.starts_at)
        busy = [*calendar.busy, *theirs]
        nearest = engine.list_nearest_free(calendar.rules, busy, to_epoch(now), start)
        suggested = engine.find_next_free(calendar.rules, [*busy, *suggested_busy], to_epoch(now), start)
        if suggested:
            suggested_busy.append(Busy(suggested.starts_at, suggested.busy_until))
        rows.append(
            {
                **describe_affected(appointment, appointment),
                "kind": "appointment",
                "mayCancel": appointment.can_transition_to(Status.CANCELLED, appointment.doctor.user, now),
                "hasProposal": appointment.pk in has_proposal,
                "suggested": suggested,
                "alternatives": nearest,
            }
        )
    rows += [
        {
            **describe_affected(proposal, proposal.appointment),
            "kind": "proposal",
            "mayCancel": False,
            "hasProposal": True,
            "suggested": None,
            "alternatives": [],
        }
        for proposal in proposals
    ]
    rows.sort(key=lambda row: (row["startsAt"], row["kind"], row["_id"]))
    return list(AffectedAppointmentSerializer(rows, many=True).data)


def describe_affected(timed: Appointment | Proposal, appointment: Appointment) -> dict[str, Any]:
    """Return the patient, their phone number, and the affected time."""
    return {
        "_id": timed.pk,
        "appointmentId": appointment.pk,
        "patientName": appointment.patient_name,
        "phone": "" if appointment.patient.ended_at else format_phone(appointment.patient.phone),
        "appointmentDate": timed.date,
        "appointmentTime": timed.time,
        "startsAt": timed.starts_at,
        "status": appointment.status,
    }


class Schedule(NamedTuple):
    """A doctor with overrides, blocked times and absences."""

    doctor: DoctorProfile
    overrides: QuerySet[DayOverride]
    blocked: QuerySet[BlockedTime]
    absences: QuerySet[Absence]


def read_schedule(doctor: DoctorProfile, now: datetime) -> Schedule:
    """Return a doctor's schedule, with single dates from today on."""
    today = local_date(now, doctor.time_zone)
    return Schedule(
        doctor,
        doctor.overrides.filter(date__gte=today).order_by("date"),
        doctor.blocked_times.filter(date__gte=today).order_by("date", "start_minute"),
        doctor.absences.filter(to_date__gte=today).order_by("from_date", "pk"),
    )
