"""Keep a time for somebody while the booking form is filled."""

import secrets
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.auth.account_status import hold_active
from accounts.models import User
from appointments.scheduling import network_quota
from appointments.scheduling.booking import appointment_that_stands, bookable_doctor, slot_error, sweeper
from appointments.scheduling.expiry import let_go
from config.api.errors import DomainError
from doctors.availability.calendar import Calendar, schedule_next_free_refresh, share_lock
from doctors.availability.reservations import take
from doctors.models import DoctorProfile, Reservation
from doctors.models.reservation import hashed
from doctors.slot_engine import Slot


def hold(
    patient: User | None, secret: str, doctor_id: UUID, day: date, time: time, now: datetime
) -> tuple[str, Reservation]:
    """Keep a free time for a patient, or for the visitor who knows `secret`; return the secret and the reservation.

    Asking again for the time that one holds keeps it longer, up to `HOLD_LONGEST_MINUTES` in all. Another hold of
    the same person is let go. Raises what booking raises, `already_booked` where the patient has this very appointment,
    `hold_paused` after a long hold of the same time, and for unverified people `too_many` and `network_share_taken`
    where their network holds as much as it may, in all or of this doctor's week.
    """
    with transaction.atomic():
        share_lock(doctor_id)
        if patient and not hold_active(patient, alone=True):
            raise DomainError("session_ended")
        network = network_quota.network_counted(patient)
        if network:
            network_quota.lock(network)
        doctor = bookable_doctor(doctor_id)
        own = list(Reservation.objects.holds_of(patient, secret).standing(now).locked_in_order())
        ignoring = [reservation.pk for reservation in own]
        calendar = Calendar.of(doctor, now, ignoring=ignoring)
        found = calendar.find(day, time)
        if not isinstance(found, Slot):
            refuse_own_appointment(patient, doctor, day, time, now)
            raise slot_error(found, doctor, patient, day, time, now, ignoring=ignoring)
        for reservation in own:
            if reservation.doctor_id == doctor.pk and reservation.starts_at == found.starts_at_utc:
                reservation.doctor = doctor
                return renewed(reservation, secret, now)
        week = network_quota.read_week(doctor, found, calendar, ignoring)
        holder = network_quota.holder_of(network, patient.pk if patient else None)
        renewable_until = network_quota.renewable_until(week, doctor, found, holder, now)
        if network:
            network_quota.refuse_too_many_holds(network, ignoring, now)
            network_quota.refuse_hold(week, network, now)
        if own:
            let_go(Reservation.objects.filter(pk__in=ignoring), now)
        new_secret = secrets.token_urlsafe(24)
        new_reservation = take(
            Reservation.Kind.HOLD,
            doctor,
            patient.pk if patient else None,
            found,
            now,
            expires_at=min(now + timedelta(minutes=settings.HOLD_MINUTES), renewable_until),
            renewable_until=renewable_until,
            secret_hash=hashed(new_secret),
            network=network,
            sweep=sweeper(now),
        )
        if new_reservation is None:
            raise slot_error(found, doctor, patient, day, time, now)
        if network:
            network_quota.alert_when_crowded(doctor, week, network, now)
        schedule_next_free_refresh([doctor.pk], now)
    return new_secret, new_reservation


def refuse_own_appointment(patient: User | None, doctor: DoctorProfile, day: date, time: time, now: datetime) -> None:
    """Raise `already_booked` where the time is taken by the patient's own appointment with this doctor."""
    standing = appointment_that_stands(patient, doctor, day, time, now) if patient else None
    if standing:
        raise DomainError("already_booked", data={"appointmentId": standing.pk})


def renewed(reservation: Reservation, secret: str, now: datetime) -> tuple[str, Reservation]:
    """Keep a hold longer, under a new secret when the old one is not at hand."""
    longest = reservation.renewable_until or reservation.created_at + network_quota.longest_hold()
    wanted = min(now + timedelta(minutes=settings.HOLD_MINUTES), longest)
    reservation.expires_at = max(reservation.expires_at or now, wanted)
    if reservation.secret_hash != hashed(secret):
        secret = secrets.token_urlsafe(24)
        reservation.secret_hash = hashed(secret)
    reservation.save(update_fields=["expires_at", "secret_hash"])
    return secret, reservation


def release(secret: str, now: datetime) -> None:
    """Give a held time back; raises `not_found` for a secret that stands for nothing."""
    with transaction.atomic():
        if not let_go(Reservation.objects.holds_of(None, secret), now):
            raise DomainError("not_found")
