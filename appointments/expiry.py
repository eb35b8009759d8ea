"""End what has run out: unanswered requests, unanswered proposals, holds."""

from datetime import datetime
from uuid import UUID

from django.db import models, transaction

from accounts.trail import Action, notify, record
from appointments.models import Appointment, Proposal
from config.rows import at_rest
from doctors.calendar import keep_next_free
from doctors.models import Claim, ClaimQuerySet

# How many holds end in one transaction; the rest wait for the next round.
MOST_HOLDS = 1000


def expire_request(appointment: Appointment, now: datetime) -> bool:
    """End one request past its deadline, and let its time be found again; False where someone was quicker, or is at
    it: what a deadline means is theirs to find out.
    """
    with transaction.atomic():
        expired = is_at_rest(appointment.pk) and appointment.expire(now)
        if expired:
            keep_next_free([appointment.doctor_id], now)
    return expired


def expire_proposal(proposal: Proposal, now: datetime) -> bool:
    """End one proposal that nobody answered; the visit keeps its time. False as for a request."""
    with transaction.atomic():
        # The visit before what hangs on it, as everybody locks them.
        closed = is_at_rest(proposal.appointment_id) and proposal.close(Proposal.Answer.EXPIRED, now)
        if closed:
            visit = proposal.appointment
            record("proposal.expired", Action.UPDATE, "appointment", visit.pk, by=None)
            notify("proposal.expired", "proposal", proposal.pk, [visit.patient_id, visit.doctor_id])
            keep_next_free([visit.doctor_id], now)
    return closed


def is_at_rest(visit_id: UUID) -> bool:
    """Lock a visit, and what hangs on it with it; False where somebody else has."""
    return at_rest(Appointment.objects.filter(pk=visit_id)).first() is not None


def let_go(claims: ClaimQuerySet, now: datetime) -> int:
    """Give the times of these holds back, so that they can be found again; answers how many.

    What a booking has turned into a visit meanwhile is a hold no more and is left alone.
    """
    return give_back(claims.filter(kind=Claim.Kind.HOLD).locked_in_order(), now)


def give_back(locked: models.QuerySet[Claim], now: datetime) -> int:
    """Delete holds that this query locks; answers how many."""
    with transaction.atomic():
        doctors = {claim.pk: claim.doctor_id for claim in locked.only("doctor_id")}
        if doctors:
            Claim.objects.filter(pk__in=doctors).delete()
            keep_next_free(set(doctors.values()), now)
    return len(doctors)


def sweep(claims: models.QuerySet[Claim], now: datetime) -> int:
    """End what hangs on claims that have run out, each in its own way; answers how many claims went.

    What somebody else is at stays as it is: whoever sweeps has locks of their own, in whatever order.
    """
    swept = 0
    for claim in claims.filter(expires_at__lte=now).order_by("starts_at", "pk"):
        if claim.kind == Claim.Kind.VISIT:
            visit = Appointment.objects.filter(claim=claim).first()
            swept += bool(visit and expire_request(visit, now))
        elif claim.kind == Claim.Kind.PROPOSAL:
            proposal = Proposal.objects.select_related("appointment").filter(claim=claim).first()
            swept += bool(proposal and expire_proposal(proposal, now))
        else:
            swept += let_go_run_out(Claim.objects.filter(pk=claim.pk), now)
    return swept


def sweep_all(now: datetime, batch: int = 200) -> dict[str, int]:
    """End all that has run out; answers how many of each. Each ends in a transaction of its own."""
    ended = {"requests": 0, "proposals": 0, "holds": 0}
    for visit in Appointment.objects.overdue(now).order_by("respond_by")[:batch]:
        ended["requests"] += expire_request(visit, now)
    open_proposals = Proposal.objects.filter(answer=Proposal.Answer.OPEN, expires_at__lte=now)
    for proposal in open_proposals.select_related("appointment").order_by("expires_at")[:batch]:
        ended["proposals"] += expire_proposal(proposal, now)
    ended["holds"] = let_go_run_out(Claim.objects.order_by(), now)
    return ended


def let_go_run_out(claims: models.QuerySet[Claim], now: datetime) -> int:
    """Give back what these holds have kept for too long, but for those that somebody is just using."""
    run_out = claims.filter(kind=Claim.Kind.HOLD, expires_at__lte=now)
    return give_back(at_rest(run_out)[:MOST_HOLDS], now)
