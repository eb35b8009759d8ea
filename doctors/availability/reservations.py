"""Reserve a doctor's and a patient's time; the database refuses overlaps."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TypeAlias
from uuid import UUID

from django.db import IntegrityError, models, transaction

from accounts.models.identifiers import new_id
from config.db.raw_sql import Insert, insert_together, is_postgresql
from doctors.availability.constraints import DOCTOR_CONSTRAINT, PATIENT_CONSTRAINT
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Slot

Sweep: TypeAlias = Callable[[models.QuerySet[Reservation]], int]
"""Ends what hangs on reservations that have run out, and deletes them; return how many."""


def build_no_rows(reservation: Reservation) -> Sequence[Insert]:
    """Return no further rows."""
    return ()


def reserve_slot(
    kind: str,
    doctor: DoctorProfile,
    patient_id: UUID | None,
    slot: Slot,
    now: datetime,
    *,
    expires_at: datetime | None = None,
    moves: UUID | None = None,
    secret_hash: str = "",
    network: str = "",
    renewable_until: datetime | None = None,
    sweep: Sweep | None = None,
    build_rows: Callable[[Reservation], Sequence[Insert]] = build_no_rows,
) -> Reservation | None:
    """Reserve a slot in the caller's transaction; return None if the database rejects it as taken.

    `build_rows` returns further rows to insert, if possible in the same statement. Overlapping expired reservations are
    deleted first, by `sweep` if other rows depend on them. The database constraints decide, so that exactly one of
    several concurrent callers gets the reservation.
    """
    reservation = Reservation(
        id=new_id(),
        kind=kind,
        doctor=doctor,
        patient_id=patient_id,
        starts_at=slot.starts_at_utc,
        ends_at=slot.ends_at_utc,
        busy_until=slot.busy_until_utc,
        expires_at=expires_at,
        moves=moves,
        secret_hash=secret_hash,
        network=network,
        renewable_until=renewable_until,
        created_at=now,
    )
    rows = build_rows(reservation)
    if insert_reservation(reservation, rows):
        return reservation
    expired = find_overlapping(reservation).filter(expires_at__lte=now)
    deleted = sweep(expired) if sweep else expired.delete()[0]
    return reservation if deleted and insert_reservation(reservation, rows) else None


def move_reservation(reservation: Reservation, slot: Slot, *, expires_at: datetime | None = None) -> bool:
    """Move a reservation to another time; return False if that is taken by another one."""
    reservation.starts_at, reservation.ends_at, reservation.busy_until = (
        slot.starts_at_utc,
        slot.ends_at_utc,
        slot.busy_until_utc,
    )
    reservation.expires_at = expires_at
    return save_reservation(reservation, ["starts_at", "ends_at", "busy_until", "expires_at"])


# Beyond all bookable times.
SET_ASIDE_OFFSET = timedelta(days=100 * 365)


def set_aside(reservations: Iterable[Reservation]) -> None:
    """Move reservations to unused times, so that they can then be moved to each other's times in this transaction.

    The caller must move all of them, or roll back.
    """
    for reservation in reservations:
        for name in ("starts_at", "ends_at", "busy_until"):
            setattr(reservation, name, getattr(reservation, name) + SET_ASIDE_OFFSET)
        reservation.save(update_fields=["starts_at", "ends_at", "busy_until"])


def get_reserved_slot(reservation: Reservation | None, day: date, time: time) -> Slot:
    """Return the slot of a reservation."""
    assert reservation is not None  # noqa: S101 - an open one has a reservation
    starts, ends, busy = (
        int(moment.timestamp()) for moment in (reservation.starts_at, reservation.ends_at, reservation.busy_until)
    )
    return Slot(day, time, starts, ends, busy)


def save_reservation(reservation: Reservation, fields: list[str]) -> bool:
    """Save a reservation; return False if an overlap constraint rejects it."""
    try:
        with transaction.atomic():
            reservation.save(update_fields=fields)
    except IntegrityError as refusal:
        if is_overlap(refusal):
            return False
        raise
    return True


def is_overlap(refusal: IntegrityError) -> bool:
    """Return whether one of the two overlap constraints was violated."""
    return DOCTOR_CONSTRAINT in str(refusal) or PATIENT_CONSTRAINT in str(refusal)


def find_overlapping(reservation: Reservation) -> models.QuerySet[Reservation]:
    """Return the reservations that overlap this one, for its doctor or its patient."""
    doctors = models.Q(
        doctor=reservation.doctor_id, starts_at__lt=reservation.busy_until, busy_until__gt=reservation.starts_at
    )
    others = Reservation.objects.exclude(pk=reservation.moves or reservation.pk)
    if reservation.patient_id is None:
        return others.filter(doctors)
    patients = models.Q(
        patient=reservation.patient_id, starts_at__lt=reservation.ends_at, ends_at__gt=reservation.starts_at
    )
    return others.filter(doctors | patients)


def insert_reservation(reservation: Reservation, rows: Sequence[Insert] = ()) -> bool:
    """Insert a reservation and `rows`; return False if an overlap constraint rejects the reservation.

    On PostgreSQL, concurrent INSERTs for one slot would deadlock on the exclusion constraint without ON CONFLICT DO
    NOTHING. SQLite's triggers ignore that clause, and abort only the statement.
    """
    on_conflict = "ON CONFLICT DO NOTHING" if is_postgresql() else ""
    try:
        inserted = insert_together(Insert([reservation], on_conflict), rows)
    except IntegrityError as refusal:
        if not is_postgresql() and is_overlap(refusal):
            return False
        raise
    reservation._state.adding = not inserted
    return inserted
