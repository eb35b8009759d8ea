"""Reserve a doctor's and a patient's time; the database refuses overlaps."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import TypeAlias
from uuid import UUID

from django.db import IntegrityError, models, transaction

from accounts.models.identifiers import new_id
from config.db.raw_sql import Insert, insert_together, is_postgresql
from doctors.availability.constraints import DOCTOR_BUSY, PATIENT_BUSY
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Slot

Sweep: TypeAlias = Callable[[models.QuerySet[Reservation]], int]
"""Ends what hangs on reservations that have run out, and deletes them; return how many."""


def build_no_rows(reservation: Reservation) -> Sequence[Insert]:
    """Return no rows to insert with a reservation."""
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
    """Reserve the slot's time inside the caller's transaction; return None when the database refuses it as taken.

    `build_rows` returns what else is inserted, in the same statement where the engine can. Overlapping reservations
    that have expired are deleted first, by `sweep` where other rows depend on them. The two constraints decide, not
    what was read before: of racing callers exactly one gets the reservation.
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
    run_out = find_overlapping(reservation).filter(expires_at__lte=now)
    swept = sweep(run_out) if sweep else run_out.delete()[0]
    return reservation if swept and insert_reservation(reservation, rows) else None


def move_reservation(reservation: Reservation, slot: Slot, *, expires_at: datetime | None = None) -> bool:
    """Move a reservation to another time; return False where it is taken. Its own time does not count."""
    reservation.starts_at, reservation.ends_at, reservation.busy_until = (
        slot.starts_at_utc,
        slot.ends_at_utc,
        slot.busy_until_utc,
    )
    reservation.expires_at = expires_at
    return save_reservation(reservation, ["starts_at", "ends_at", "busy_until", "expires_at"])


# Later than anybody can book.
ASIDE = timedelta(days=100 * 365)


def set_aside(reservations: Iterable[Reservation]) -> None:
    """Take reservations out of each other's way until each is moved, in this transaction: so two can trade places.

    The caller moves every one of them, or rolls back.
    """
    for reservation in reservations:
        for name in ("starts_at", "ends_at", "busy_until"):
            setattr(reservation, name, getattr(reservation, name) + ASIDE)
        reservation.save(update_fields=["starts_at", "ends_at", "busy_until"])


def get_reserved_slot(reservation: Reservation | None, day: date, time: time) -> Slot:
    """Return the slot that a standing reservation keeps."""
    assert reservation is not None  # noqa: S101 - an open one has a reservation
    starts, ends, busy = (
        int(moment.timestamp()) for moment in (reservation.starts_at, reservation.ends_at, reservation.busy_until)
    )
    return Slot(day, time, starts, ends, busy)


def save_reservation(reservation: Reservation, fields: list[str]) -> bool:
    """Save a standing reservation; False when an overlap constraint refuses it."""
    try:
        with transaction.atomic():
            reservation.save(update_fields=fields)
    except IntegrityError as refusal:
        if is_overlap(refusal):
            return False
        raise
    return True


def is_overlap(refusal: IntegrityError) -> bool:
    """Return whether it was one of the two overlap constraints that refused."""
    return DOCTOR_BUSY in str(refusal) or PATIENT_BUSY in str(refusal)


def find_overlapping(reservation: Reservation) -> models.QuerySet[Reservation]:
    """Find the reservations that overlap this one, for its doctor or for its patient."""
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
    """Insert a reservation and `rows`; return False when an overlap constraint refuses the reservation.

    ON CONFLICT DO NOTHING matters on PostgreSQL: an ordinary INSERT under an exclusion constraint deadlocks when
    many race for one slot. SQLite's refusal comes from a trigger, which no such clause reaches, and undoes the one
    statement alone.
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
