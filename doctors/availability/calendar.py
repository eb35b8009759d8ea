"""Read a doctor's rules and reserved time from the database, and ask the slot engine about them.

The directory, free slots, booking and everything after it read free times here, so that they can't disagree.
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
from doctors.availability.queries import FOREVER, NOBODY, CalendarRow, HoldOwner
from doctors.models import DoctorProfile, Reservation
from doctors.slot_engine import Busy, Refusal, Rules, Slot

# How far the first look for free times reaches; only doctors who are full until then cost a second one.
FIRST_LOOK = timedelta(days=17)

_DAY = 24 * 60 * 60
_EPOCH_ORDINAL = date(1970, 1, 1).toordinal()


def epoch(moment: datetime) -> int:
    """Return an instant as whole seconds since 1970 in UTC."""
    return int(moment.timestamp())


def read_rules(doctors: Sequence[DoctorProfile], now: datetime) -> dict[UUID, Rules]:
    """Read the rules of these doctors, from the day before yesterday on, in one statement however many they are."""
    rules = queries.read_rules([doctor.pk for doctor in doctors], now)
    return {doctor.pk: rules[doctor.pk] for doctor in doctors}


def read_busy_times(
    doctor_ids: Collection[UUID],
    now: datetime,
    until: datetime | None = None,
    *,
    since: datetime | None = None,
    ignoring: Collection[UUID] = (),
    own: HoldOwner = NOBODY,
) -> dict[UUID, list[Busy]]:
    """Read what is taken of these doctors' time from `now` on, in one statement.

    `since` and `until` leave out what starts before and after. `ignoring` names reservations that do not stand in the
    way, like the appointment that is being moved; `own` says whose holds don't.
    """
    taken = queries.read_taken(doctor_ids, now, since=since, until=until or FOREVER, ignoring=ignoring, own=own)
    return {doctor_id: taken.get(doctor_id, []) for doctor_id in doctor_ids}


class Unread(NamedTuple):
    """What has not been read of a doctor's taken time: all that starts from `since` on."""

    doctor_id: UUID
    since: datetime
    own: HoldOwner = NOBODY
    ignoring: Collection[UUID] = ()


@dataclass(slots=True)
class Calendar:
    """One doctor's rules and reserved time at one moment.

    What is `unread` is read when a result depends on it.
    """

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
        ignoring: Collection[UUID] = (),
        own: HoldOwner = NOBODY,
        until: datetime | None = None,
    ) -> Self:
        """Read the calendar of one doctor in one statement; of what is taken, at first what starts before `until`.

        `ignoring` and `own` are passed over, as in `read_busy_times`.
        """
        (found,) = queries.read_calendars([doctor.pk], now, ignoring=ignoring, own=own, until=until or FOREVER)
        return cls(found.rules, found.busy, now, Unread(doctor.pk, until, own, ignoring) if until else None)

    def list_free_slots(self, first: date, days: int) -> list[tuple[date, list[Slot]]]:
        """List the free times of `days` days from `first` on."""
        self.read_until(first.toordinal() + days - 1)
        return engine.list_free_slots(self.rules, self.busy, epoch(self.now), first, days)

    def find_slot(self, day: date, time: time) -> Slot | Refusal:
        """Return the slot at that local date and time, or why it can't be had."""
        self.read_until(day.toordinal())
        return engine.find_slot(self.rules, self.busy, epoch(self.now), day, time)

    def list_next_free(self, count: int = 1) -> list[Slot]:
        """Return the first free times from now on."""
        found = self.list_known_next_free(count)
        if self.is_short(found, count):
            self.read_rest()
            return self.list_known_next_free(count)
        return found

    def list_known_next_free(self, count: int) -> list[Slot]:
        """Return the first free times on days of which all is known."""
        return engine.list_next_free(self.rules, self.busy, epoch(self.now), count, self.known_days())

    def is_short(self, found: list[Slot], count: int) -> bool:
        """Return whether there may be more free times on days that are not known yet."""
        known = self.known_days()
        return known is not None and len(found) < count and self.rules.max_days_ahead > known

    def known_days(self) -> int | None:
        """Return how many days after today all is known, or None where that is for ever."""
        return count_known_days(self.rules, self.now, self.unread.since) if self.unread else None

    def read_until(self, ordinal: int) -> None:
        """Read what is still unread of the days up to this one, given by its ordinal."""
        if self.unread and ordinal > find_last_known_day(self.rules, self.unread.since):
            self.read_rest()

    def read_rest(self) -> None:
        """Read what has not been read yet."""
        if self.unread:
            doctor_id, since, own, ignoring = self.unread
            self.busy += read_busy_times([doctor_id], self.now, since=since, own=own, ignoring=ignoring)[doctor_id]
            self.unread = None

    def today(self) -> date:
        """Return the clinic's own date."""
        return local_date(self.now, self.rules.time_zone)

    def list_alternatives(self, day: date, time: time, patient: User | None = None, count: int = 3) -> list[Slot]:
        """Return the free times nearest to a local date and time, leaving out what `patient` has already."""
        theirs = read_patient_busy(patient, self.now) if patient else []
        wanted = engine.build_slot(self.rules, day, time)
        around = wanted.starts_at if wanted else epoch(self.now)
        known = self.known_days()
        if known is not None and self.unread:
            # What begins on days that are not known yet is no nearer than their first, wherever on earth it begins.
            edge = (find_last_known_day(self.rules, self.unread.since) - _EPOCH_ORDINAL) * _DAY
            rules = replace(self.rules, max_days_ahead=max(0, min(known, self.rules.max_days_ahead)))
            found = engine.list_nearest_free(rules, [*self.busy, *theirs], epoch(self.now), around, count)
            if len(found) == count and all(abs(slot.starts_at - around) < edge - around for slot in found):
                return found
            self.read_rest()
        return engine.list_nearest_free(self.rules, [*self.busy, *theirs], epoch(self.now), around, count)

    def is_taken(self, slot: Slot) -> bool:
        """Return whether a slot overlaps what was read as busy."""
        return any(slot.starts_at < other.end and other.start < slot.busy_until for other in self.busy)


def find_last_known_day(rules: Rules, since: datetime) -> int:
    """Return the number of the last day whose appointments and buffers end before `since`, so that nothing is read.

    No clock is a whole day from UTC, so that a local day is over one day after UTC's.
    """
    whole = (rules.appointment_minutes + rules.buffer_minutes) * 60
    return (epoch(since) - whole) // _DAY - 2 + _EPOCH_ORDINAL


def count_known_days(rules: Rules, now: datetime, since: datetime) -> int:
    """Return how many days after today that is; today's date may be one day ahead of UTC's."""
    return find_last_known_day(rules, since) - epoch(now) // _DAY - _EPOCH_ORDINAL - 1


def local_date(moment: datetime, time_zone: str) -> date:
    """Return the date that a zone's calendar shows at an instant."""
    return moment.astimezone(engine.zone(time_zone)).date()


def read_busy_by_patient(patient_ids: Iterable[UUID], now: datetime) -> dict[UUID, list[Busy]]:
    """Return what each of several patients has from `now` on, in one statement."""
    standing = Reservation.objects.filter(patient__in=set(patient_ids), ends_at__gt=now).standing(now)
    busy: dict[UUID, list[Busy]] = defaultdict(list)
    for patient_id, starts_at, ends_at in standing.values_list("patient_id", "starts_at", "ends_at"):
        busy[patient_id].append(Busy(epoch(starts_at), epoch(ends_at)))
    return busy


def read_patient_busy(patient: User, now: datetime) -> list[Busy]:
    """Read the appointments that a patient has from `now` on."""
    with connection.cursor() as cursor:
        cursor.execute(OF_PATIENT, [to_db_value(patient.pk), to_db_value(now), to_db_value(now)])
        reservations = [RESERVATION.build_instance(row) for row in cursor.fetchall()]
    return [Busy(epoch(reservation.starts_at), epoch(reservation.ends_at)) for reservation in reservations]


RESERVATION = Columns(Reservation)
OF_PATIENT = (
    f"SELECT {RESERVATION.select_list('c')} FROM doctors_reservation c"  # noqa: S608 - names of our own columns
    " WHERE c.patient_id = %s AND c.ends_at > %s AND (c.expires_at IS NULL OR c.expires_at > %s)"
)


def list_next_slots(doctors: Sequence[DoctorProfile], now: datetime, count: int = 6) -> dict[UUID, list[Slot]]:
    """Return the first `count` free times of each doctor, in as many statements for one as for a page of them."""
    read = list(queries.read_calendars([doctor.pk for doctor in doctors], now, until=now + FIRST_LOOK))
    return {one.doctor_id: slots for one, slots in zip(read, list_first_free(read, now, count), strict=True)}


def list_first_free(read: Sequence[CalendarRow], now: datetime, count: int = 6) -> list[list[Slot]]:
    """Return the first `count` free times of doctors of whom what is taken was read as far as `FIRST_LOOK`.

    Those who are full until then cost all together one more statement.
    """
    moment, until = epoch(now), now + FIRST_LOOK
    found: list[list[Slot]] = []
    short: list[tuple[CalendarRow, int, list[Slot]]] = []
    for one in read:
        known = count_known_days(one.rules, now, until)
        slots = engine.list_next_free(one.rules, one.stretches, moment, count, known)
        if len(slots) < count and one.rules.max_days_ahead > known:
            short.append((one, known, slots))
        found.append(slots)
    if short:
        rest = queries.read_stretches([one.doctor_id for one, _, _ in short], now, until)
        for one, known, slots in short:
            taken = one.stretches + rest[one.doctor_id]
            slots.extend(engine.list_next_free(one.rules, taken, moment, count - len(slots), skipped_days=known + 1))
    return found


def schedule_next_free_refresh(doctor_ids: Iterable[UUID], now: datetime | None = None) -> None:
    """Bring `next_free_at` up to date after this transaction; call it from every act that can change it."""
    ids = list(doctor_ids)
    transaction.on_commit(lambda: refresh_next_free(ids, now or timezone.now()), robust=True)


def refresh_next_free(doctor_ids: Collection[UUID], now: datetime) -> None:
    """Compute and store the next free time of these doctors.

    The rows are locked before anything is read: of two refreshes the later one sees what the earlier one saw, and more.
    """
    with transaction.atomic():
        doctors = list(DoctorProfile.objects.filter(pk__in=doctor_ids).select_for_update(no_key=True).order_by("pk"))
        slots = list_next_slots(doctors, now, count=1)
        changed = [doctor for doctor in doctors if set_next_free(doctor, slots[doctor.pk], now)]
        store_next_free(changed)


def store_next_free(doctors: Sequence[DoctorProfile]) -> None:
    """Write what `set_next_free` has put; one prepared statement for all, since building Django's costs more than both
    engines need to run it.
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
    """Set the doctor's next free time to the first of `slots`; return whether that changed anything.

    A doctor who is full is looked at again when a new day comes within reach, at the clinic's midnight.
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
        zone = engine.zone(doctor.time_zone)
        tomorrow = local_date(now, doctor.time_zone) + timedelta(days=1)
        doctor.next_free_at, doctor.next_free_date = None, None
        doctor.next_free_until = datetime.combine(tomorrow, time.min, zone).astimezone(UTC)
    return before != (doctor.next_free_at, doctor.next_free_date, doctor.next_free_until)


def refresh_due_doctors(now: datetime, batch: int = 500) -> int:
    """Look again for the next free time of every doctor whose kept one can no longer be booked; return how many.

    Each doctor is looked at once: one who stays due, since this very second is the last for booking, waits for the
    next round.
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

    All code locks in one order, so that no deadlock arises: doctors, users (by id), appointments (the earliest first),
    their proposals, then reservations. None of these locks is FOR UPDATE, which a row that only refers to the locked
    one would wait for.
    """
    return (
        DoctorProfile.objects.select_for_update(of=("self",), no_key=True)
        .select_related("user")
        .filter(pk=doctor_id)
        .first()
    )


def share_lock_doctor(doctor_id: UUID) -> None:
    """Lock the doctor's rules, approval and activity against changes until this transaction ends.

    FOR SHARE: bookings do not wait for one another, only for changes of the doctor (`lock_doctor`). SQLite has one
    writer at a time and needs none.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM doctors_doctorprofile WHERE user_id = %s FOR SHARE", [doctor_id])
