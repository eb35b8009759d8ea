"""Read a doctor's rules and reserved time from the database, for the slot engine.

The directory, free slots and booking all use this module, so that they agree.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple, Self
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from config.db.raw_sql import Columns, to_db_value
from doctors import slot_engine as engine
from doctors.availability import queries
from doctors.availability.queries import FOREVER, NO_HOLD_OWNER, CalendarRow, HoldOwner
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Busy, Refusal, Rules, Slot

# The range that is read first; only doctors who are fully booked in it need a second query.
FIRST_RANGE = timedelta(days=17)

_DAY = 24 * 60 * 60
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()


def to_epoch(moment: datetime) -> int:
    """Return a datetime as whole seconds since 1970 in UTC."""
    return int(moment.timestamp())


def read_rules(doctors: Sequence[DoctorProfile], now: datetime) -> dict[UUID, Rules]:
    """Return the rules of these doctors from the day before yesterday on, in one query."""
    rules = queries.read_rules([doctor.pk for doctor in doctors], now)
    return {doctor.pk: rules[doctor.pk] for doctor in doctors}


def read_busy_times(
    doctor_ids: Collection[UUID],
    now: datetime,
    until: datetime | None = None,
    *,
    since: datetime | None = None,
    ignored: Collection[UUID] = (),
    hold_owner: HoldOwner = NO_HOLD_OWNER,
) -> dict[UUID, list[Busy]]:
    """Return the reserved times of these doctors from `now` on, in one query.

    Args:
        since: Leave out what starts earlier.
        until: Leave out what starts later.
        ignored: Ids of reservations to leave out, such as that of an appointment being rescheduled.
        hold_owner: Whose holds to leave out.
    """
    taken = queries.read_taken(
        doctor_ids, now, since=since, until=until or FOREVER, ignored=ignored, hold_owner=hold_owner
    )
    return {doctor_id: taken.get(doctor_id, []) for doctor_id in doctor_ids}


class Unread(NamedTuple):
    """The reservations of a doctor that were not read: those that start from `since` on."""

    doctor_id: UUID
    since: datetime
    hold_owner: HoldOwner = NO_HOLD_OWNER
    ignored: Collection[UUID] = ()


@dataclass(slots=True)
class Calendar:
    """One doctor's rules and reserved time at one moment; `unread` is read when a result depends on it."""

    rules: Rules
    busy: list[Busy]
    now: datetime
    unread: Unread | None = None

    @classmethod
    def read(
        cls,
        doctor: DoctorProfile,
        now: datetime,
        *,
        ignored: Collection[UUID] = (),
        hold_owner: HoldOwner = NO_HOLD_OWNER,
        until: datetime | None = None,
    ) -> Self:
        """Read the calendar of one doctor in one query; at first only what starts before `until`.

        `ignored` and `hold_owner` are passed over, as in `read_busy_times`.
        """
        (found,) = queries.read_calendars(
            [doctor.pk], now, ignored=ignored, hold_owner=hold_owner, until=until or FOREVER
        )
        return cls(found.rules, found.busy, now, Unread(doctor.pk, until, hold_owner, ignored) if until else None)

    def list_free_slots(self, first: date, days: int) -> list[tuple[date, list[Slot]]]:
        """List the free times of `days` days from `first` on."""
        self.read_until(first.toordinal() + days - 1)
        return engine.list_free_slots(self.rules, self.busy, to_epoch(self.now), first, days)

    def find_slot(self, day: date, time: time) -> Slot | Refusal:
        """Return the slot at that local date and time, or why it is not available."""
        self.read_until(day.toordinal())
        return engine.find_slot(self.rules, self.busy, to_epoch(self.now), day, time)

    def list_next_free(self, count: int = 1) -> list[Slot]:
        """Return the first free times from now on."""
        slots = self.list_known_next_free(count)
        if self.is_short(slots, count):
            self.read_rest()
            return self.list_known_next_free(count)
        return slots

    def list_known_next_free(self, count: int) -> list[Slot]:
        """Return the first free times on days that were read completely."""
        return engine.list_next_free(self.rules, self.busy, to_epoch(self.now), count, self.known_days())

    def is_short(self, slots: list[Slot], count: int) -> bool:
        """Return whether days that were not read may have more free times."""
        known = self.known_days()
        return known is not None and len(slots) < count and self.rules.max_days_ahead > known

    def known_days(self) -> int | None:
        """Return how many days after today were read completely, or None for all."""
        return count_known_days(self.rules, self.now, self.unread.since) if self.unread else None

    def read_until(self, ordinal: int) -> None:
        """Read the days up to this ordinal, if they are unread."""
        if self.unread and ordinal > find_last_known_day(self.rules, self.unread.since):
            self.read_rest()

    def read_rest(self) -> None:
        if self.unread:
            doctor_id, since, hold_owner, ignored = self.unread
            self.busy += read_busy_times([doctor_id], self.now, since=since, hold_owner=hold_owner, ignored=ignored)[
                doctor_id
            ]
            self.unread = None

    def today(self) -> date:
        """Return today's date at the clinic."""
        return local_date(self.now, self.rules.time_zone)

    def list_alternatives(self, day: date, time: time, patient: User | None = None, count: int = 3) -> list[Slot]:
        """Return the free times nearest to a local date and time at which `patient` has no appointment."""
        patient_busy = read_patient_busy(patient, self.now) if patient else []
        requested = engine.build_slot(self.rules, day, time)
        target = requested.starts_at if requested else to_epoch(self.now)
        known = self.known_days()
        if known is not None and self.unread:
            # Unread days can't contain anything nearer than their beginning, in any time zone.
            known_until = (find_last_known_day(self.rules, self.unread.since) - _EPOCH_ORDINAL) * _DAY
            rules = replace(self.rules, max_days_ahead=max(0, min(known, self.rules.max_days_ahead)))
            nearest = engine.list_nearest_free(rules, [*self.busy, *patient_busy], to_epoch(self.now), target, count)
            if len(nearest) == count and all(abs(slot.starts_at - target) < known_until - target for slot in nearest):
                return nearest
            self.read_rest()
        return engine.list_nearest_free(self.rules, [*self.busy, *patient_busy], to_epoch(self.now), target, count)

    def is_taken(self, slot: Slot) -> bool:
        """Return whether a slot overlaps the busy times that were read."""
        return any(slot.starts_at < other.end and other.start < slot.busy_until for other in self.busy)


def find_last_known_day(rules: Rules, since: datetime) -> int:
    """Return the ordinal of the last day whose appointments and buffers end before `since`.

    No time zone is a whole day from UTC, so a local day ends at most one day after UTC's.
    """
    whole = (rules.appointment_minutes + rules.buffer_minutes) * 60
    return (to_epoch(since) - whole) // _DAY - 2 + _EPOCH_ORDINAL


def count_known_days(rules: Rules, now: datetime, since: datetime) -> int:
    """Return how many days after today `find_last_known_day` is; today may be one day ahead of UTC."""
    return find_last_known_day(rules, since) - to_epoch(now) // _DAY - _EPOCH_ORDINAL - 1


def local_date(moment: datetime, time_zone: str) -> date:
    """Return the date in a time zone."""
    return moment.astimezone(engine.get_zone(time_zone)).date()


def read_busy_by_patient(patient_ids: Iterable[UUID], now: datetime) -> dict[UUID, list[Busy]]:
    """Return the reserved times of these patients from `now` on, in one query."""
    standing = Reservation.objects.filter(patient__in=set(patient_ids), ends_at__gt=now).standing(now)
    busy: dict[UUID, list[Busy]] = defaultdict(list)
    for patient_id, starts_at, ends_at in standing.values_list("patient_id", "starts_at", "ends_at"):
        busy[patient_id].append(Busy(to_epoch(starts_at), to_epoch(ends_at)))
    return busy


def read_patient_busy(patient: User, now: datetime) -> list[Busy]:
    """Return the reserved times of a patient from `now` on."""
    with connection.cursor() as cursor:
        cursor.execute(PATIENT_RESERVATIONS_SQL, [to_db_value(patient.pk), to_db_value(now), to_db_value(now)])
        reservations = [RESERVATION_COLUMNS.build_instance(row) for row in cursor.fetchall()]
    return [Busy(to_epoch(reservation.starts_at), to_epoch(reservation.ends_at)) for reservation in reservations]


RESERVATION_COLUMNS = Columns(Reservation)
PATIENT_RESERVATIONS_SQL = (
    f"SELECT {RESERVATION_COLUMNS.select_list('c')} FROM doctors_reservation c"  # noqa: S608 - names of our own columns
    " WHERE c.patient_id = %s AND c.ends_at > %s AND (c.expires_at IS NULL OR c.expires_at > %s)"
)


def list_next_slots(doctors: Sequence[DoctorProfile], now: datetime, count: int = 6) -> dict[UUID, list[Slot]]:
    """Return the first `count` free times of each doctor, in a constant number of queries."""
    rows = list(queries.read_calendars([doctor.pk for doctor in doctors], now, until=now + FIRST_RANGE))
    return {row.doctor_id: slots for row, slots in zip(rows, list_first_free(rows, now, count), strict=True)}


def list_first_free(rows: Sequence[CalendarRow], now: datetime, count: int = 6) -> list[list[Slot]]:
    """Return the first `count` free times of doctors whose busy times were read for `FIRST_RANGE`.

    Those who are fully booked in it need one more query together.
    """
    moment, until = to_epoch(now), now + FIRST_RANGE
    found: list[list[Slot]] = []
    short: list[tuple[CalendarRow, int, list[Slot]]] = []
    for row in rows:
        known = count_known_days(row.rules, now, until)
        slots = engine.list_next_free(row.rules, row.stretches, moment, count, known)
        if len(slots) < count and row.rules.max_days_ahead > known:
            short.append((row, known, slots))
        found.append(slots)
    if short:
        rest = queries.read_merged_busy([row.doctor_id for row, _, _ in short], now, until)
        for row, known, slots in short:
            taken = row.stretches + rest[row.doctor_id]
            slots.extend(engine.list_next_free(row.rules, taken, moment, count - len(slots), skipped_days=known + 1))
    return found


def schedule_next_free_refresh(doctor_ids: Iterable[UUID], now: datetime | None = None) -> None:
    """Update `next_free_at` after the commit; call this after every change that may affect it."""
    ids = list(doctor_ids)
    transaction.on_commit(lambda: refresh_next_free(ids, now or timezone.now()), robust=True)


def refresh_next_free(doctor_ids: Collection[UUID], now: datetime) -> None:
    """Compute and store the next free time of these doctors.

    The rows are locked before anything is read, so that the later of two updates has the newer data.
    """
    with transaction.atomic():
        doctors = list(DoctorProfile.objects.filter(pk__in=doctor_ids).select_for_update(no_key=True).order_by("pk"))
        slots = list_next_slots(doctors, now, count=1)
        changed = [doctor for doctor in doctors if set_next_free(doctor, slots[doctor.pk], now)]
        store_next_free(changed)


def store_next_free(doctors: Sequence[DoctorProfile]) -> None:
    """Save what `set_next_free` has set.

    One prepared statement, because building Django's costs more than running it.
    """
    names = ("next_free_at", "next_free_date", "next_free_until")
    fields = [field for field in DoctorProfile._meta.concrete_fields if field.name in names]
    rows = [
        [field.get_db_prep_save(getattr(doctor, field.attname), connection) for field in [*fields, doctor._meta.pk]]
        for doctor in doctors
    ]
    columns = ", ".join(f"{field.column} = %s" for field in fields)
    with connection.cursor() as cursor:
        cursor.executemany(f"UPDATE doctors_doctorprofile SET {columns} WHERE user_id = %s", rows)  # noqa: S608 - our own columns


def set_next_free(doctor: DoctorProfile, slots: list[Slot], now: datetime) -> bool:
    """Set the doctor's next free time to the first of `slots`; return whether it changed.

    A fully booked doctor is checked again at the clinic's midnight, when a new day becomes bookable.
    """
    before = (doctor.next_free_at, doctor.next_free_date, doctor.next_free_until)
    if slots:
        start = slots[0].starts_at_utc
        notice = doctor.min_notice_minutes
        if not doctor.instant_confirmation:
            notice = max(notice, engine.REQUEST_NOTICE_MINUTES)
        doctor.next_free_at, doctor.next_free_date = start, slots[0].date
        doctor.next_free_until = start - timedelta(minutes=notice)
    else:
        zone = engine.get_zone(doctor.time_zone)
        tomorrow = local_date(now, doctor.time_zone) + timedelta(days=1)
        doctor.next_free_at, doctor.next_free_date = None, None
        doctor.next_free_until = datetime.combine(tomorrow, time.min, zone).astimezone(UTC)
    return before != (doctor.next_free_at, doctor.next_free_date, doctor.next_free_until)


def refresh_due_doctors(now: datetime, batch: int = 500) -> int:
    """Update the next free time of all doctors whose stored one can no longer be booked; return how many.

    Each doctor is updated once: one who is still due in this very second waits for the next round.
    """
    done = 0
    due = DoctorProfile.objects.filter(Q(next_free_until__lt=now) | Q(next_free_until=None)).order_by("pk")
    ids = list(due.values_list("pk", flat=True)[:batch])
    while ids:
        refresh_next_free(ids, now)
        done += len(ids)
        ids = list(due.filter(pk__gt=ids[-1]).values_list("pk", flat=True)[:batch])
    return done


def lock_doctor(doctor_id: UUID) -> DoctorProfile | None:
    """Lock the doctor's row until this transaction ends, to move an appointment or to change the rules.

    To avoid deadlocks, all code locks in one order: doctors, users (by id), appointments (the earliest first), their
    proposals, then reservations (ADR 0102). None of these locks is FOR UPDATE, which blocks inserts of rows that
    reference the locked row.
    """
    return (
        DoctorProfile.objects.select_for_update(of=("self",), no_key=True)
        .select_related("user")
        .filter(pk=doctor_id)
        .first()
    )


def share_lock_doctor(doctor_id: UUID) -> None:
    """Lock the doctor's rules, approval and activity against changes until this transaction ends.

    FOR SHARE, so that bookings don't wait for each other, only for changes of the doctor (`lock_doctor`). SQLite has
    one writer at a time and needs no lock.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM doctors_doctorprofile WHERE user_id = %s FOR SHARE", [doctor_id])
