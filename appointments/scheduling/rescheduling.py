"""Reschedule an appointment: at once if the rules allow it, otherwise by a proposal to the other side."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from accounts.notifications.outbox import notify_users
from appointments.models import LIVE, Appointment, Cause, NewTime, Proposal, Status, TimeChange
from appointments.scheduling import expiry, network_quota
from appointments.scheduling.booking import build_slot_error, create_sweep
from appointments.scheduling.booking_by_doctor import (
    find_slot_for_doctor,
    is_outside_hours,
    is_overlapping,
    reword_for_doctor,
)
from appointments.scheduling.deadlines import compute_reply_deadline, extend_deadline
from config.api.errors import DomainError
from doctors.availability import reservations
from doctors.availability.calendar import Calendar, lock_doctor, schedule_next_free_refresh
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Slot


def reschedule_appointment(appointment: Appointment, day: date, time: time, *, actor: User, now: datetime) -> bool:
    """Move the patient's appointment to another free time at once; return whether that changed anything.

    It keeps its status and its history, and its own time does not block it. Raises `illegal_transition` where
    the patient can only propose (see `Appointment.reschedule_until`), `doctor_unavailable`, and what booking raises
    for a time that is not free.
    """
    with transaction.atomic():
        doctor = lock_appointment(appointment)
        until = appointment.reschedule_until(now)
        if until is None or until <= now:
            raise DomainError("illegal_transition")
        if (appointment.date, appointment.time) == (day, time):
            return False
        if not doctor.is_bookable:
            raise DomainError("doctor_unavailable")
        network = lock_patient_network(actor)
        withdraw_proposals(appointment, now)
        slot = find_free_slot(appointment, doctor, day, time, now, network)
        apply_new_time(
            appointment, doctor, slot, requester_role=Role.PATIENT, event="appointment.moved", actor=actor, now=now
        )
    return True


def move_appointment(
    appointment: Appointment,
    day: date,
    time: time,
    *,
    actor: User,
    now: datetime,
    outside_hours: bool = False,
    reason: str = "",
    in_bulk: bool = False,
) -> bool:
    """Move an appointment as its doctor, as agreed with the patient; return whether that changed anything.

    A request is confirmed by it. With `outside_hours` it can go where patients are not offered a time, as when the
    desk books. Open proposals are withdrawn, and what the patient holds there is released. Raises
    `illegal_transition` for an appointment that is not live or is over, and what booking raises for a time that is
    not free.
    """
    with transaction.atomic():
        doctor = lock_appointment(appointment)
        if appointment.status not in LIVE or appointment.is_overdue(now) or appointment.ends_at <= now:
            raise DomainError("illegal_transition")
        if (appointment.date, appointment.time) == (day, time):
            return False
        withdraw_proposals(appointment, now)
        holds = list(Reservation.objects.holds_of(appointment.patient).standing(now).locked_in_order())
        ignored = [reservation.pk for reservation in holds] + (
            [appointment.reservation_id] if appointment.reservation_id else []
        )
        slot, is_outside = find_slot_for_doctor(Calendar.read(doctor, now, ignored=ignored), day, time, outside_hours)
        if not isinstance(slot, Slot):
            raise reword_for_doctor(
                build_slot_error(slot, doctor, appointment.patient, day, time, now, ignored=ignored)
            )
        if in_the_way := [reservation.pk for reservation in holds if is_overlapping(reservation, slot, doctor)]:
            expiry.release_holds(Reservation.objects.filter(pk__in=in_the_way), now)
        try:
            apply_new_time(
                appointment, doctor, slot, requester_role=Role.DOCTOR, event="appointment.moved", actor=actor, now=now,
                confirm=True, is_outside=is_outside, reason=reason, in_bulk=in_bulk,
            )  # fmt: skip
        except DomainError as refusal:
            raise reword_for_doctor(refusal) from refusal
    return True


def propose_time(
    appointment: Appointment, day: date, time: time, reason: str, *, actor: User, now: datetime
) -> Proposal:
    """Propose another time to the other side; it is reserved until they reply or the deadline passes.

    A doctor proposes while an appointment is pending or confirmed, a patient while it is confirmed. A request does not
    expire before the doctor's proposal does. Raises `illegal_transition`, `proposal_open`, and what booking raises for
    a time that is not free.
    """
    with transaction.atomic():
        doctor = lock_appointment(appointment)
        network = lock_patient_network(actor)
        allowed = LIVE if actor.role == Role.DOCTOR else (Status.CONFIRMED,)
        if appointment.status not in allowed or appointment.is_overdue(now) or appointment.starts_at <= now:
            raise DomainError("illegal_transition")
        for earlier in appointment.proposals.filter(answer=Proposal.Answer.OPEN):
            if earlier.is_open(now):
                raise DomainError("proposal_open")
            expiry.expire_proposal(earlier, now)
        slot = find_free_slot(appointment, doctor, day, time, now, network)
        first = min(appointment.starts_at, slot.starts_at_utc)
        until = compute_reply_deadline(first, doctor.time_zone, now, settings.PROPOSAL_ANSWER_HOURS)
        reservation = reservations.reserve_slot(
            Reservation.Kind.PROPOSAL,
            doctor,
            appointment.patient_id,
            slot,
            now,
            expires_at=until,
            moves=appointment.reservation_id,
            network=network,
            sweep=create_sweep(now),
        )
        if reservation is None:
            raise build_slot_error(slot, doctor, appointment.patient, day, time, now)
        proposal = Proposal.objects.create(
            appointment=appointment,
            reservation=reservation,
            proposed_by=actor.role,
            reason=reason,
            date=slot.date,
            time=slot.time,
            time_zone=doctor.time_zone,
            starts_at=reservation.starts_at,
            ends_at=reservation.ends_at,
            created_at=now,
            expires_at=until,
            respond_by_before=appointment.respond_by,
        )
        if appointment.respond_by is not None:
            # As if nobody answered it: an earlier answer takes back what is too much.
            extended = extend_deadline(appointment.respond_by, until - now, appointment.starts_at)
            set_deadline(appointment, max(extended, until), now)
        record_event(
            "proposal.made",
            Action.CREATE,
            "appointment",
            appointment.pk,
            actor=actor,
            detail={"proposal": str(proposal.pk)},
        )
        notify_users(
            "proposal.made", "proposal", proposal.pk, list_recipients(appointment, actor), detail={"by": actor.role}
        )
        schedule_next_free_refresh([doctor.pk], now)
    return proposal


def answer_proposal(appointment: Appointment, accept: bool, *, actor: User, now: datetime) -> Proposal:
    """Accept or decline the open proposal; the side that made it withdraws it by declining.

    Accepted, the appointment moves and is confirmed: a doctor's proposal is the doctor's confirmation. It is marked
    where the hours have changed since and no longer reach there. Otherwise it
    stays as it was, and a request gets its own deadline back, extended by the time that the proposal was open.
    Answering again in the same way changes nothing. Raises `proposal_closed` where there is nothing to answer.
    """
    with transaction.atomic():
        doctor = lock_appointment(appointment)
        proposals = appointment.proposals.select_related("reservation")
        # The newest is the open one, unless the clock was set back.
        proposal = proposals.filter(answer=Proposal.Answer.OPEN).first() or proposals.first()
        if proposal is None:
            raise DomainError("proposal_closed")
        is_own_proposal = proposal.proposed_by == actor.role
        answer = (
            Proposal.Answer.ACCEPTED
            if accept
            else Proposal.Answer.WITHDRAWN
            if is_own_proposal
            else Proposal.Answer.DECLINED
        )
        if proposal.answer == answer:
            return proposal
        is_live = appointment.status in LIVE and not appointment.is_overdue(now)
        if not proposal.is_open(now) or not is_live or (accept and is_own_proposal):
            raise DomainError("proposal_closed")
        slot = reservations.get_reserved_slot(proposal.reservation, proposal.date, proposal.time)
        if not proposal.close(answer, now):
            # Housekeeping, which does not lock the doctor, was faster.
            raise DomainError("proposal_closed")
        if accept:
            # The doctor is locked and the kept time was released in this very transaction: nobody can step in.
            apply_new_time(
                appointment, doctor, slot,
                requester_role=proposal.proposed_by, event="proposal.accepted", actor=actor, now=now, confirm=True,
                is_outside=is_outside_hours(Calendar.read(doctor, now), slot),
            )  # fmt: skip
        else:
            restore_deadline(appointment, proposal, now)
            record_event(f"proposal.{answer}", Action.UPDATE, "appointment", appointment.pk, actor=actor)
            notify_users(
                f"proposal.{answer}",
                "proposal",
                proposal.pk,
                list_recipients(appointment, actor),
                detail={"by": actor.role},
            )
            schedule_next_free_refresh([doctor.pk], now)
    return proposal


def withdraw_proposals(appointment: Appointment, now: datetime) -> None:
    """Withdraw all open proposals of an appointment that moves, and release their times."""
    for proposal in appointment.proposals.filter(answer=Proposal.Answer.OPEN):
        proposal.close(Proposal.Answer.WITHDRAWN, now)


def restore_deadline(appointment: Appointment, proposal: Proposal, now: datetime) -> None:
    """Restore a request's deadline before a proposal, extended by the time that the proposal was open."""
    if appointment.status == Status.PENDING and proposal.respond_by_before is not None:
        pause = now - proposal.created_at
        set_deadline(appointment, extend_deadline(proposal.respond_by_before, pause, appointment.starts_at), now)


def set_deadline(appointment: Appointment, respond_by: datetime, now: datetime) -> None:
    """Set the deadline of a locked request.

    The version stays, because decisions don't depend on the deadline.
    """
    if not appointment.compare_and_update({"respond_by": respond_by, "updated_at": now}):
        raise DomainError("illegal_transition")


def request_cancellation(appointment: Appointment, reason: str, *, actor: User, now: datetime) -> bool:
    """Cancel a confirmed appointment as its patient, or ask the doctor to; return whether it is cancelled.

    Within the doctor's limit (`Appointment.cancel_until`) it is cancelled at once; after that the doctor sees the
    request first and cancels with one press. Saying it again changes nothing. Raises `illegal_transition` unless the
    appointment is confirmed and still to come.
    """
    with transaction.atomic():
        if appointment.is_already(Status.CANCELLED, actor, now):
            return True
        if appointment.status != Status.CONFIRMED or appointment.starts_at <= now:
            raise DomainError("illegal_transition")
        if appointment.cancel_until(now) is not None:
            appointment.transition_to(Status.CANCELLED, actor=actor, now=now, cause=Cause.DEDICATED, reason=reason)
            return True
        if appointment.cancel_requested_at is not None:
            return False
        changes = {
            "cancel_requested_at": now,
            "cancel_request_reason": reason,
            "updated_at": now,
            "version": appointment.version + 1,
        }
        if not appointment.compare_and_update(changes):
            if appointment.is_already(Status.CANCELLED, actor, now):
                return True
            raise DomainError("illegal_transition")
        record_event("appointment.cancel_requested", Action.UPDATE, "appointment", appointment.pk, actor=actor)
        appointment.notify_both_sides(
            "appointment.cancel_requested", actor.role, before=Status.CONFIRMED, without=appointment.patient_id
        )
    return False


def withdraw_cancel_request(appointment: Appointment, *, actor: User, now: datetime) -> bool:
    """Withdraw "I can't make it" before the doctor replies; return whether there was a request.

    Raises `illegal_transition` for an appointment that is not confirmed, as after the doctor's answer.
    """
    if appointment.status != Status.CONFIRMED:
        raise DomainError("illegal_transition")
    if appointment.cancel_requested_at is None:
        return False
    with transaction.atomic():
        changes = {
            "cancel_requested_at": None,
            "cancel_request_reason": "",
            "updated_at": now,
            "version": appointment.version + 1,
        }
        if not appointment.compare_and_update(changes):
            raise DomainError("illegal_transition")
        record_event("appointment.cancel_request_withdrawn", Action.UPDATE, "appointment", appointment.pk, actor=actor)
        appointment.notify_both_sides(
            "appointment.cancel_request_withdrawn", actor.role, before=Status.CONFIRMED, without=appointment.patient_id
        )
    return True


def lock_appointment(appointment: Appointment) -> DoctorProfile:
    """Lock the rows of doctor, patient and appointment, in this order, and reload the appointment.

    This serializes all changes of either participant's time. Transactions that only end the appointment don't lock the
    doctor, and wait or were first.
    """
    doctor = lock_doctor(appointment.doctor_id)
    assert doctor is not None  # noqa: S101 - the appointment's foreign key protects the row
    User.objects.locked().filter(pk=appointment.patient_id).first()
    appointment.refresh_from_db(from_queryset=Appointment.objects.select_for_update(no_key=True))
    appointment.doctor = doctor
    return doctor


def lock_patient_network(actor: User) -> str:
    """Return the locked network for which a patient's move or proposal is counted; empty for none."""
    network = network_quota.get_counted_network(actor) if actor.role == Role.PATIENT else ""
    if network:
        network_quota.lock_network(network)
    return network


def find_free_slot(
    appointment: Appointment, doctor: DoctorProfile, day: date, time: time, now: datetime, network: str
) -> Slot:
    """Return the slot at a free time for this appointment.

    Raises what booking raises for one that is not free, and where `network` has its share of that week.
    """
    ignored: list[UUID] = [appointment.reservation_id] if appointment.reservation_id else []
    calendar = Calendar.read(doctor, now, ignored=ignored)
    outcome = calendar.find_slot(day, time)
    if isinstance(outcome, Slot):
        if network:
            week = network_quota.read_week(doctor, outcome, calendar, ignored)
            network_quota.refuse_request(week, network, now)
        return outcome
    raise build_slot_error(outcome, doctor, appointment.patient, day, time, now, ignored=ignored)


def apply_new_time(
    appointment: Appointment,
    doctor: DoctorProfile,
    slot: Slot,
    *,
    requester_role: str,
    event: str,
    actor: User,
    now: datetime,
    confirm: bool = False,
    is_outside: bool = False,
    reason: str = "",
    in_bulk: bool = False,
) -> None:
    """Move an appointment to `slot`: reservation, row, history, audit event and notices.

    `requester_role` is the role that asked for the time, `actor` the person who acts now. With `confirm` a request is
    confirmed, otherwise it gets a new deadline. What the patient asked about the old time is settled by it. Raises
    `slot_taken` or `patient_busy` where a constraint refuses, `illegal_transition` where the appointment changed.
    """
    reservation = appointment.reservation
    assert reservation is not None  # noqa: S101 - a constraint gives every live appointment a reservation
    status = Status.CONFIRMED if confirm else appointment.status
    respond_by = None
    if status == Status.PENDING:
        respond_by = compute_reply_deadline(slot.starts_at_utc, doctor.time_zone, now, settings.REQUEST_ANSWER_HOURS)
    if not reservations.move_reservation(reservation, slot, expires_at=respond_by):
        deleted = create_sweep(now)(reservations.find_overlapping(reservation).filter(expires_at__lte=now))
        if not deleted or not reservations.move_reservation(reservation, slot, expires_at=respond_by):
            raise build_slot_error(
                slot, doctor, appointment.patient, slot.date, slot.time, now, ignored=[reservation.pk]
            )
    change = TimeChange.objects.create(
        appointment=appointment,
        changed_at=now,
        changed_by=requester_role,
        reason=reason,
        from_date=appointment.date,
        from_time=appointment.time,
        from_time_zone=appointment.time_zone,
        to_date=slot.date,
        to_time=slot.time,
        to_time_zone=doctor.time_zone,
    )
    fields: dict[str, Any] = {
        "date": slot.date,
        "time": slot.time,
        "time_zone": doctor.time_zone,
        "starts_at": slot.starts_at_utc,
        "ends_at": slot.ends_at_utc,
        "cancel_requested_at": None,
        "cancel_request_reason": "",
        "outside_hours": is_outside,
    }
    if status != appointment.status:
        new_time = NewTime(fields, event, change.pk)
        appointment.transition_to(
            status, actor=actor, now=now, cause=Cause.RESCHEDULING, is_bulk=in_bulk, new_time=new_time
        )
    else:
        fields |= {"respond_by": respond_by, "updated_at": now, "version": appointment.version + 1}
        if not appointment.compare_and_update(fields):
            raise DomainError("illegal_transition")
        record_event(event, Action.UPDATE, "appointment", appointment.pk, actor=actor)
        appointment.notify_both_sides(
            event, actor.role, before=status, without=actor.pk if in_bulk else None, is_bulk=in_bulk, change=change.pk
        )
    schedule_next_free_refresh([doctor.pk], now)


def list_recipients(appointment: Appointment, actor: User) -> list[UUID]:
    """Return the ids of the other participants."""
    return [person for person in (appointment.patient_id, appointment.doctor_id) if person != actor.pk]
