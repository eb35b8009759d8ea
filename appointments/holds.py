"""Keep a time for somebody while the booking form is filled."""

import secrets
from datetime import date, datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.limits import network_of
from accounts.models import User
from accounts.standing import hold_active
from accounts.trail import current_address
from appointments.booking import bookable_doctor, sweeper, visit_that_stands, why_refused
from appointments.expiry import let_go
from config.errors import RuleBroken
from doctors.calendar import Calendar, keep_next_free, share_lock
from doctors.claims import take
from doctors.free_times import Slot
from doctors.models import Claim, DoctorProfile, hashed


def hold(patient: User | None, secret: str, doctor_id: UUID, day: date, time: str, now: datetime) -> tuple[str, Claim]:
    """Keep a free time for a patient, or for the visitor who knows `secret`; answers the secret and the claim.

    Asking again for the time that one holds keeps it longer, up to `HOLD_LONGEST_MINUTES` in all. Another hold of
    the same person is let go. Raises what booking raises, `already_booked` where the patient has this very visit, and
    `too_many` when one network holds too much.
    """
    with transaction.atomic():
        share_lock(doctor_id)
        if patient and not hold_active(patient, alone=True):
            raise RuleBroken("session_ended")
        doctor = bookable_doctor(doctor_id)
        own = list(Claim.objects.holds_of(patient, secret).standing(now).locked_in_order())
        ignoring = [claim.pk for claim in own]
        found = Calendar.of(doctor, now, ignoring=ignoring).find(day, time)
        if not isinstance(found, Slot):
            refuse_own_visit(patient, doctor, day, time, now)
            raise why_refused(found, doctor, patient, day, time, now, ignoring=ignoring)
        for claim in own:
            if claim.doctor_id == doctor.pk and claim.starts_at == found.starts_at_utc:
                return renewed(claim, secret, now)
        if own:
            let_go(Claim.objects.filter(pk__in=ignoring), now)
        network = network_of(current_address.get())
        kept = Claim.objects.filter(kind=Claim.Kind.HOLD, network=network, expires_at__gt=now).count()
        if kept >= settings.HOLDS_PER_ADDRESS:
            raise RuleBroken("too_many", retry_after=settings.HOLD_MINUTES * 60)
        new_secret = secrets.token_urlsafe(24)
        new_claim = take(
            Claim.Kind.HOLD,
            doctor,
            patient.pk if patient else None,
            found,
            now,
            expires_at=now + timedelta(minutes=settings.HOLD_MINUTES),
            secret_hash=hashed(new_secret),
            network=network,
            sweep=sweeper(now),
        )
        if new_claim is None:
            raise why_refused(found, doctor, patient, day, time, now)
        keep_next_free([doctor.pk], now)
    return new_secret, new_claim


def refuse_own_visit(patient: User | None, doctor: DoctorProfile, day: date, time: str, now: datetime) -> None:
    """Raise `already_booked` where the time is taken by the patient's own visit with this doctor."""
    standing = visit_that_stands(patient, doctor, day, time, now) if patient else None
    if standing:
        raise RuleBroken("already_booked", data={"appointmentId": standing.pk})


def renewed(claim: Claim, secret: str, now: datetime) -> tuple[str, Claim]:
    """Keep a hold longer, under a new secret when the old one is not at hand."""
    longest = claim.created_at + timedelta(minutes=settings.HOLD_LONGEST_MINUTES)
    wanted = min(now + timedelta(minutes=settings.HOLD_MINUTES), longest)
    claim.expires_at = max(claim.expires_at or now, wanted)
    if claim.secret_hash != hashed(secret):
        secret = secrets.token_urlsafe(24)
        claim.secret_hash = hashed(secret)
    claim.save(update_fields=["expires_at", "secret_hash"])
    return secret, claim


def release(secret: str, now: datetime) -> None:
    """Give a held time back; raises `not_found` for a secret that stands for nothing."""
    with transaction.atomic():
        if not let_go(Claim.objects.holds_of(None, secret), now):
            raise RuleBroken("not_found")
