"""End what has run out: unanswered requests, unanswered proposals, holds."""

from datetime import datetime

from django.db import connection, models, transaction

from accounts.trail import Action, notify, record
from appointments.models import Appointment, Proposal
from doctors.calendar import keep_next_free
from doctors.models import Claim

# How many holds end in one transaction; the rest wait for the next round.
MOST_HOLDS = 1000


def expire_request(appointment: Appointment, now: datetime) -> bool:
    """End one request past its deadline, and let its time be found again; False where someone was quicker."""
    with transaction.atomic():
        expired = appointment.expire(now)
        if expired:
            keep_next_free([appointment.doctor_id], now)
    return expired


def expire_proposal(proposal: Proposal, now: datetime) -> bool:
    """End one proposal that nobody answered; the visit keeps its time. False where someone was quicker."""
    with transaction.atomic():
        # The visit before what hangs on it, as everybody locks them.
        Appointment.objects.select_for_update(no_key=True).filter(pk=proposal.appointment_id).first()
        closed = proposal.close(Proposal.Answer.EXPIRED, now)
        if closed:
            visit = proposal.appointment
            record("proposal.expired", Action.UPDATE, "appointment", visit.pk, by=None)
            notify("proposal.expired", "proposal", proposal.pk, [visit.patient_id, visit.doctor_id])
            keep_next_free([visit.doctor_id], now)
    return closed


def let_go(claims: models.QuerySet[Claim], now: datetime) -> int:
    """Give the times of these holds back, so that they can be found again; answers how many.

    What a booking has turned into a visit meanwhile is a hold no more and is left alone.
    """
    holds = claims.filter(kind=Claim.Kind.HOLD)
    with transaction.atomic():
        doctors = set(holds.order_by().values_list("doctor_id", flat=True))
        gone = holds.delete()[0]
        if gone:
            keep_next_free(doctors, now)
    return gone


def sweep(claims: models.QuerySet[Claim], now: datetime) -> int:
    """End what hangs on claims that have run out, each in its own way; answers how many claims went."""
    swept = 0
    for claim in claims.filter(expires_at__lte=now).order_by("starts_at", "pk"):
        if claim.kind == Claim.Kind.VISIT:
            visit = Appointment.objects.filter(claim=claim).first()
            swept += bool(visit and expire_request(visit, now))
        elif claim.kind == Claim.Kind.PROPOSAL:
            proposal = Proposal.objects.select_related("appointment").filter(claim=claim).first()
            swept += bool(proposal and expire_proposal(proposal, now))
        else:
            swept += let_go(Claim.objects.filter(pk=claim.pk), now)
    return swept


def sweep_all(now: datetime, batch: int = 200) -> dict[str, int]:
    """End all that has run out; answers how many of each. Each ends in a transaction of its own."""
    ended = {"requests": 0, "proposals": 0, "holds": 0}
    for visit in Appointment.objects.overdue(now).order_by("respond_by")[:batch]:
        ended["requests"] += expire_request(visit, now)
    open_proposals = Proposal.objects.filter(answer=Proposal.Answer.OPEN, expires_at__lte=now)
    for proposal in open_proposals.select_related("appointment").order_by("expires_at")[:batch]:
        ended["proposals"] += expire_proposal(proposal, now)
    ended["holds"] = let_go_run_out(now)
    return ended


def let_go_run_out(now: datetime) -> int:
    """Give back what holds have kept for too long, but for those that somebody is just turning into something else."""
    with transaction.atomic():
        holds = Claim.objects.filter(kind=Claim.Kind.HOLD, expires_at__lte=now).order_by()
        if connection.features.has_select_for_update_skip_locked:
            holds = holds.select_for_update(skip_locked=True)
        return let_go(Claim.objects.filter(pk__in=list(holds.values_list("pk", flat=True)[:MOST_HOLDS])), now)
