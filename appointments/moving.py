"""Move a visit: by the patient while it waits, otherwise by a proposal that the other side answers."""

from datetime import date, datetime, timedelta
from datetime import time as clock_time
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.models import Role, User
from accounts.trail import Action, notify, record
from appointments import expiry
from appointments.booking import answer_by, sweeper, why_refused
from appointments.models import LIVE, Appointment, Proposal, Status, TimeChange
from config.errors import RuleBroken
from doctors import claims
from doctors.calendar import Calendar, keep_next_free, lock
from doctors.free_times import Slot
from doctors.models import Claim, DoctorProfile


def reschedule(appointment: Appointment, day: date, time: str, *, by: User, now: datetime) -> None:
    """Move a waiting visit of the patient's own to another free time: same visit, same status, history kept.

    Its own time does not stand in its way. Raises `illegal_transition` unless the visit waits, `doctor_unavailable`,
    and what booking raises for a time that can't be had. Asking for the time it has changes nothing.
    """
    with transaction.atomic():
        doctor = locked_doctor(appointment)
        if appointment.status != Status.PENDING or appointment.is_overdue(now):
            raise RuleBroken("illegal_transition")
        if (appointment.date, f"{appointment.time:%H:%M}") == (day, time):
            return
        if not doctor.is_bookable:
            raise RuleBroken("doctor_unavailable")
        # Whoever proposed did so for the time that is now left, and what was kept for it is free again.
        for proposal in appointment.proposals.filter(answer=Proposal.Answer.OPEN):
            proposal.close(Proposal.Answer.WITHDRAWN, now)
        slot = free_slot(appointment, doctor, day, time, now)
        put(
            appointment,
            doctor,
            slot,
            answer_by(slot, now),
            by=Role.PATIENT,
            event="appointment.moved",
            actor=by,
            now=now,
        )


def propose(appointment: Appointment, day: date, time: str, reason: str, *, by: User, now: datetime) -> Proposal:
    """Offer the other side another time, kept free until they answer, 48 hours pass, or the earlier start comes.

    A doctor proposes while a visit waits or is confirmed, a patient while it is confirmed. Raises
    `illegal_transition`, `proposal_open`, and what booking raises for a time that can't be had.
    """
    with transaction.atomic():
        doctor = locked_doctor(appointment)
        allowed = LIVE if by.role == Role.DOCTOR else (Status.CONFIRMED,)
        if appointment.status not in allowed or appointment.is_overdue(now) or appointment.starts_at <= now:
            raise RuleBroken("illegal_transition")
        for standing in appointment.proposals.filter(answer=Proposal.Answer.OPEN):
            if standing.is_open(now):
                raise RuleBroken("proposal_open")
            expiry.expire_proposal(standing, now)
        slot = free_slot(appointment, doctor, day, time, now)
        until = min(now + timedelta(hours=settings.PROPOSAL_ANSWER_HOURS), appointment.starts_at, slot.starts_at_utc)
        claim = claims.take(
            Claim.Kind.PROPOSAL,
            doctor,
            appointment.patient_id,
            slot,
            now,
            expires_at=until,
            moves=appointment.claim_id,
            sweep=sweeper(now),
        )
        if claim is None:
            raise why_refused(slot, doctor, appointment.patient, day, time, now)
        proposal = Proposal.objects.create(
            appointment=appointment,
            claim=claim,
            proposed_by=by.role,
            reason=reason,
            date=slot.date,
            time=clock_time.fromisoformat(slot.time),
            time_zone=doctor.time_zone,
            starts_at=claim.starts_at,
            ends_at=claim.ends_at,
            created_at=now,
            expires_at=until,
        )
        record(
            "proposal.made", Action.CREATE, "appointment", appointment.pk, by=by, detail={"proposal": str(proposal.pk)}
        )
        notify("proposal.made", "proposal", proposal.pk, other_side(appointment, by))
        keep_next_free([doctor.pk], now)
    return proposal


def answer_proposal(appointment: Appointment, accept: bool, *, by: User, now: datetime) -> Proposal:
    """Accept or decline the open proposal: accepted, the visit moves; its status stays. Whoever proposed withdraws
    it by declining.

    Answering again in the same way changes nothing. Raises `proposal_closed` where there is nothing to answer.
    """
    with transaction.atomic():
        doctor = locked_doctor(appointment)
        proposals = appointment.proposals.select_related("claim")
        # The newest is the open one, unless the clock was set back between two of them.
        proposal = proposals.filter(answer=Proposal.Answer.OPEN).first() or proposals.first()
        if proposal is None:
            raise RuleBroken("proposal_closed")
        own = proposal.proposed_by == by.role
        wanted = Proposal.Answer.ACCEPTED if accept else Proposal.Answer.WITHDRAWN if own else Proposal.Answer.DECLINED
        if proposal.answer == wanted:
            return proposal
        live = appointment.status in LIVE and not appointment.is_overdue(now)
        if not proposal.is_open(now) or not live or (accept and own):
            raise RuleBroken("proposal_closed")
        slot = claims.slot_of(proposal.claim, proposal.date, proposal.time)
        if not proposal.close(wanted, now):
            # The housekeeping, which locks no doctor, was quicker.
            raise RuleBroken("proposal_closed")
        if accept:
            # The doctor is locked and the kept time was let go in this very transaction: nobody can step in.
            respond_by = appointment.respond_by and min(appointment.respond_by, slot.starts_at_utc)
            put(
                appointment, doctor, slot, respond_by,
                by=proposal.proposed_by, event="proposal.accepted", actor=by, now=now,
            )  # fmt: skip
        else:
            record(f"proposal.{wanted}", Action.UPDATE, "appointment", appointment.pk, by=by)
            notify(f"proposal.{wanted}", "proposal", proposal.pk, other_side(appointment, by))
            keep_next_free([doctor.pk], now)
    return proposal


def ask_to_cancel(appointment: Appointment, reason: str, *, by: User, now: datetime) -> None:
    """Say "I cannot come" to a confirmed visit: the doctor sees it first on the desk and cancels with one press.

    Saying it again changes nothing. Raises `illegal_transition` unless the visit is confirmed and still to come.
    """
    if appointment.status == Status.CONFIRMED and appointment.cancel_requested_at is not None:
        return
    if appointment.status != Status.CONFIRMED or appointment.starts_at <= now:
        raise RuleBroken("illegal_transition")
    with transaction.atomic():
        changes = {
            "cancel_requested_at": now,
            "cancel_request_reason": reason,
            "updated_at": now,
            "version": appointment.version + 1,
        }
        if not appointment.change(changes):
            raise RuleBroken("illegal_transition")
        record("appointment.cancel_requested", Action.UPDATE, "appointment", appointment.pk, by=by)
        notify(
            "appointment.cancel_requested", "appointment", appointment.pk, [appointment.doctor_id],
            version=appointment.version,
        )  # fmt: skip


def locked_doctor(appointment: Appointment) -> DoctorProfile:
    """Lock the doctor's row, the patient's and the visit's, and read it anew: what moves time of either person goes one
    after the other, and whoever ends the visit, which takes no doctor's lock, waits or has been first.
    """
    doctor = lock(appointment.doctor_id)
    assert doctor is not None  # noqa: S101 - the visit's foreign key protects the row
    User.objects.locked().filter(pk=appointment.patient_id).first()
    appointment.refresh_from_db(from_queryset=Appointment.objects.select_for_update(no_key=True))
    return doctor


def free_slot(appointment: Appointment, doctor: DoctorProfile, day: date, time: str, now: datetime) -> Slot:
    """Answer the slot at a free time for this visit; raises what booking raises for one that can't be had."""
    ignoring: list[UUID] = [appointment.claim_id] if appointment.claim_id else []
    found = Calendar.of(doctor, now, ignoring=ignoring).find(day, time)
    if isinstance(found, Slot):
        return found
    raise why_refused(found, doctor, appointment.patient, day, time, now, ignoring=ignoring)


def put(
    appointment: Appointment,
    doctor: DoctorProfile,
    slot: Slot,
    respond_by: datetime | None,
    *,
    by: str,
    event: str,
    actor: User,
    now: datetime,
) -> None:
    """Put the visit at `slot`: claim, row, history, trail and notice together.

    Raises `slot_taken` or `patient_busy` where a constraint refuses, `illegal_transition` where the visit changed.
    """
    claim = appointment.claim
    assert claim is not None  # noqa: S101 - a constraint gives every live visit a claim
    doctors_claims = claims.move(claim, slot, expires_at=respond_by)
    if not doctors_claims:
        swept = sweeper(now)(claims.in_the_way(claim).filter(expires_at__lte=now))
        if not swept or not claims.move(claim, slot, expires_at=respond_by):
            raise why_refused(slot, doctor, appointment.patient, slot.date, slot.time, now, ignoring=[claim.pk])
    before = (appointment.date, appointment.time, appointment.time_zone)
    changes = {
        "date": slot.date,
        "time": clock_time.fromisoformat(slot.time),
        "time_zone": doctor.time_zone,
        "starts_at": slot.starts_at_utc,
        "ends_at": slot.ends_at_utc,
        "respond_by": respond_by,
        "outside_hours": False,
        "updated_at": now,
        "version": appointment.version + 1,
    }
    if not appointment.change(changes):
        raise RuleBroken("illegal_transition")
    TimeChange.objects.create(
        appointment=appointment,
        changed_at=now,
        changed_by=by,
        from_date=before[0],
        from_time=before[1],
        from_time_zone=before[2],
        to_date=appointment.date,
        to_time=appointment.time,
        to_time_zone=appointment.time_zone,
    )
    record(event, Action.UPDATE, "appointment", appointment.pk, by=actor)
    notify(
        event,
        "appointment",
        appointment.pk,
        [appointment.patient_id, appointment.doctor_id],
        version=appointment.version,
    )
    keep_next_free([doctor.pk], now)


def other_side(appointment: Appointment, by: User) -> list[UUID]:
    """Answer who is to be told of an act of `by`."""
    return [person for person in (appointment.patient_id, appointment.doctor_id) if person != by.pk]
