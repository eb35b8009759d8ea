"""Hold a time while the booking form is filled in."""

import secrets
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction

from accounts.auth.account_status import lock_if_active
from accounts.models import User
from appointments.scheduling import network_quota
from appointments.scheduling.booking import (
    build_slot_error,
    create_sweep,
    find_existing_appointment,
    get_bookable_doctor,
)
from appointments.scheduling.expiry import release_holds
from config.api.errors import DomainError
from doctors.availability.calendar import Calendar, schedule_next_free_refresh, share_lock_doctor
from doctors.availability.reservations import reserve_slot
from doctors.models import DoctorProfile, Reservation
from doctors.models.reservation import hash_secret
from doctors.slot_engine import Slot


def hold_slot(
    patient: User | None, secret: str, doctor_id: UUID, day: date, time: time, now: datetime
) -> tuple[str, Reservation]:
    """Hold a free time for a patient or a visitor with `secret`; return the secret and the reservation.

    Asking again for the time that one holds keeps it longer, up to `MAX_HOLD_MINUTES` in all. Another hold of the
    same person is released. Raises what booking raises, `already_booked` where the patient has this very appointment,
    `hold_paused` after a long hold of the same time, and for unverified people `too_many` and `network_share_taken`
    where their network holds as much as it may, in all or of this doctor's week.
    """
    with transaction.atomic():
        share_lock_doctor(doctor_id)
        if patient and not lock_if_active(patient, is_exclusive=True):
            raise DomainError("session_ended")
        network = network_quota.get_counted_network(patient)
        if network:
            network_quota.lock_network(network)
        doctor = get_bookable_doctor(doctor_id)
        holds = list(Reservation.objects.holds_of(patient, secret).standing(now).locked_in_order())
        ignored = [reservation.pk for reservation in holds]
        calendar = Calendar.read(doctor, now, ignored=ignored)
        outcome = calendar.find_slot(day, time)
        if not isinstance(outcome, Slot):
            refuse_own_appointment(patient, doctor, day, time, now)
            raise build_slot_error(outcome, doctor, patient, day, time, now, ignored=ignored)
        for reservation in holds:
            if reservation.doctor_id == doctor.pk and reservation.starts_at == outcome.starts_at_utc:
                reservation.doctor = doctor
                return renew_hold(reservation, secret, now)
        week = network_quota.read_week(doctor, outcome, calendar, ignored)
        holder = network_quota.get_holder(network, patient.pk if patient else None)
        renewable_until = network_quota.compute_renewable_until(week, doctor, outcome, holder, now)
        if network:
            network_quota.refuse_too_many_holds(network, ignored, now)
            network_quota.refuse_hold(week, network, now)
        if holds:
            release_holds(Reservation.objects.filter(pk__in=ignored), now)
        new_secret = secrets.token_urlsafe(24)
        new_reservation = reserve_slot(
            Reservation.Kind.HOLD,
            doctor,
            patient.pk if patient else None,
            outcome,
            now,
            expires_at=min(now + timedelta(minutes=settings.HOLD_MINUTES), renewable_until),
            renewable_until=renewable_until,
            secret_hash=hash_secret(new_secret),
            network=network,
            sweep=create_sweep(now),
        )
        if new_reservation is None:
            raise build_slot_error(outcome, doctor, patient, day, time, now)
        if network:
            network_quota.alert_when_crowded(doctor, week, network, now)
        schedule_next_free_refresh([doctor.pk], now)
    return new_secret, new_reservation


def refuse_own_appointment(patient: User | None, doctor: DoctorProfile, day: date, time: time, now: datetime) -> None:
    """Raise `already_booked` if the patient has an appointment with this doctor at this time."""
    existing = find_existing_appointment(patient, doctor, day, time, now) if patient else None
    if existing:
        raise DomainError("already_booked", data={"appointmentId": existing.pk})


def renew_hold(reservation: Reservation, secret: str, now: datetime) -> tuple[str, Reservation]:
    """Extend a hold, under a new secret if the old one is not given."""
    longest = reservation.renewable_until or reservation.created_at + network_quota.get_max_hold_duration()
    expires_at = min(now + timedelta(minutes=settings.HOLD_MINUTES), longest)
    reservation.expires_at = max(reservation.expires_at or now, expires_at)
    if reservation.secret_hash != hash_secret(secret):
        secret = secrets.token_urlsafe(24)
        reservation.secret_hash = hash_secret(secret)
    reservation.save(update_fields=["expires_at", "secret_hash"])
    return secret, reservation


def release_hold(secret: str, now: datetime) -> None:
    """Release a hold; raise `not_found` for an unknown secret."""
    with transaction.atomic():
        if not release_holds(Reservation.objects.holds_of(None, secret), now):
            raise DomainError("not_found")
