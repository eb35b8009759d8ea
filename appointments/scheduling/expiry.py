"""Expire unanswered requests, unanswered proposals and holds."""

from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from accounts.audit.log import Action, record_event
from accounts.notifications.outbox import notify_users
from appointments.models import SYSTEM, Appointment, Cause, Proposal, Status
from appointments.scheduling import network_quota
from config.db.raw_sql import skip_locked
from doctors.availability.calendar import schedule_next_free_refresh
from doctors.models import Reservation, ReservationQuerySet

# The maximum of one transaction; the rest wait for the next round.
MAX_HOLDS = 1000


def expire_request(appointment: Appointment, now: datetime) -> bool:
    """Cancel one request past its deadline; return False if another transaction has changed or locked the row."""
    with transaction.atomic():
        return lock_if_free(appointment.pk) and appointment.transition_to(
            Status.CANCELLED, actor=None, now=now, cause=Cause.EXPIRY
        )


def expire_proposal(proposal: Proposal, now: datetime) -> bool:
    """Expire one unanswered proposal; the appointment keeps its time. Return False as for a request."""
    with transaction.atomic():
        # In the order of ADR 0102.
        closed = lock_if_free(proposal.appointment_id) and proposal.close(Proposal.Answer.EXPIRED, now)
        if closed:
            appointment = proposal.appointment
            record_event("proposal.expired", Action.UPDATE, "appointment", appointment.pk, actor=None)
            notify_users(
                "proposal.expired",
                "proposal",
                proposal.pk,
                [appointment.patient_id, appointment.doctor_id],
                detail={"by": SYSTEM},
            )  # fmt: skip
            schedule_next_free_refresh([appointment.doctor_id], now)
    return closed


def lock_if_free(appointment_id: UUID) -> bool:
    """Lock an appointment; return False if another transaction has locked it."""
    return skip_locked(Appointment.objects.filter(pk=appointment_id)).first() is not None


def release_holds(reservations: ReservationQuerySet, now: datetime) -> int:
    """Release these holds; return how many.

    Holds that a booking has converted into appointments meanwhile are ignored.
    """
    return delete_holds(reservations.filter(kind=Reservation.Kind.HOLD).locked_in_order(), now)


def delete_holds(locked: models.QuerySet[Reservation], now: datetime) -> int:
    """Delete the holds that this query locks; return how many."""
    with transaction.atomic():
        holds = list(locked)
        if holds:
            network_quota.record_held_times(holds, now)
            Reservation.objects.filter(pk__in=[hold.pk for hold in holds]).delete()
            schedule_next_free_refresh({hold.doctor_id for hold in holds}, now)
    return len(holds)


def sweep_reservations(reservations: models.QuerySet[Reservation], now: datetime) -> int:
    """Expire the appointments, proposals and holds of expired reservations; return how many.

    Locked rows are skipped to avoid deadlocks, because the caller holds locks in any order.
    """
    swept = 0
    for reservation in reservations.filter(expires_at__lte=now).order_by("starts_at", "pk"):
        if reservation.kind == Reservation.Kind.APPOINTMENT:
            appointment = Appointment.objects.filter(reservation=reservation).first()
            swept += bool(appointment and expire_request(appointment, now))
        elif reservation.kind == Reservation.Kind.PROPOSAL:
            proposal = Proposal.objects.select_related("appointment").filter(reservation=reservation).first()
            swept += bool(proposal and expire_proposal(proposal, now))
        else:
            swept += release_expired_holds(Reservation.objects.filter(pk=reservation.pk), now)
    return swept


def sweep_expired(now: datetime, batch: int = 200) -> dict[str, int]:
    """Expire requests, proposals and holds, each in its own transaction; return the number of each."""
    ended = {"requests": 0, "proposals": 0, "holds": 0}
    for appointment in Appointment.objects.overdue(now).order_by("respond_by")[:batch]:
        ended["requests"] += expire_request(appointment, now)
    open_proposals = Proposal.objects.filter(answer=Proposal.Answer.OPEN, expires_at__lte=now)
    for proposal in open_proposals.select_related("appointment").order_by("expires_at")[:batch]:
        ended["proposals"] += expire_proposal(proposal, now)
    ended["holds"] = release_expired_holds(Reservation.objects.order_by(), now)
    return ended


def release_expired_holds(reservations: models.QuerySet[Reservation], now: datetime) -> int:
    """Release the expired ones of these holds, except those that are locked."""
    run_out = reservations.filter(kind=Reservation.Kind.HOLD, expires_at__lte=now)
    return delete_holds(skip_locked(run_out)[:MAX_HOLDS], now)
