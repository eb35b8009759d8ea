"""Bring a doctor's rules and taken time from the database to the free-time engine.

The one road to free times: the directory, the slots, the booking and every later act ask here, so that
they can't disagree.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Self
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from config.wire import iso_utc
from doctors import free_times as engine
from doctors.free_times import Busy, Refusal, Rules, Slot
from doctors.models import BlockedTime, Claim, DayOverride, DoctorProfile, WeeklyHours, minute_of

# How far the first look for free times reaches; only doctors who are full until then cost a second one.
FIRST_LOOK = timedelta(days=15)


def epoch(moment: datetime) -> int:
    """Answer an instant as whole seconds since 1970 in UTC."""
    return int(moment.timestamp())


def rules_of(doctors: Sequence[DoctorProfile], now: datetime) -> dict[UUID, Rules]:
    """Read the rules of these doctors, from yesterday on, in three statements however many they are."""
    ids = [doctor.pk for doctor in doctors]
    since = now.date() - timedelta(days=1)
    weekly: dict[UUID, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for row in WeeklyHours.objects.filter(doctor__in=ids).values_list(
        "doctor_id", "weekday", "start_minute", "end_minute"
    ):
        weekly[row[0]][row[1]].append((row[2], row[3]))
    overrides: dict[UUID, dict[date, tuple[tuple[int, int], ...]]] = defaultdict(dict)
    for doctor_id, day, hours in DayOverride.objects.filter(doctor__in=ids, date__gte=since).values_list(
        "doctor_id", "date", "hours"
    ):
        overrides[doctor_id][day] = tuple((start, end) for start, end in hours)
    blocked: dict[UUID, dict[date, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for doctor_id, day, start, end in BlockedTime.objects.filter(doctor__in=ids, date__gte=since).values_list(
        "doctor_id", "date", "start_minute", "end_minute"
    ):
        blocked[doctor_id][day].append((start, end))
    return {
        doctor.pk: Rules(
            time_zone=doctor.time_zone,
            visit_minutes=doctor.visit_minutes,
            buffer_minutes=doctor.buffer_minutes,
            min_notice_minutes=doctor.min_notice_minutes,
            max_days_ahead=doctor.max_days_ahead,
            weekly={day: tuple(hours) for day, hours in weekly[doctor.pk].items()},
            overrides=overrides[doctor.pk],
            blocked={day: tuple(spans) for day, spans in blocked[doctor.pk].items()},
        )
        for doctor in doctors
    }


def busy_times(
    doctor_ids: Collection[UUID], now: datetime, until: datetime | None = None, *, ignoring: Collection[UUID] = ()
) -> dict[UUID, list[Busy]]:
    """Read what is taken of these doctors' time from `now` on, in one statement.

    `ignoring` names claims that do not stand in the way: the asker's own hold, the visit that is being moved.
    """
    claims = Claim.objects.standing(now).filter(doctor__in=doctor_ids, busy_until__gt=now).exclude(pk__in=ignoring)
    if until is not None:
        claims = claims.filter(starts_at__lt=until)
    busy: dict[UUID, list[Busy]] = {doctor_id: [] for doctor_id in doctor_ids}
    for doctor_id, kind, start, end in claims.order_by().values_list("doctor_id", "kind", "starts_at", "busy_until"):
        busy[doctor_id].append(Busy(epoch(start), epoch(end), held=kind != Claim.Kind.VISIT))
    return busy


@dataclass(frozen=True, slots=True)
class Calendar:
    """One doctor's rules and taken time at one moment; answers with the engine."""

    rules: Rules
    busy: list[Busy]
    now: datetime

    @classmethod
    def of(
        cls, doctor: DoctorProfile, now: datetime, *, ignoring: Collection[UUID] = (), until: datetime | None = None
    ) -> Self:
        """Read the calendar of one doctor."""
        rules = rules_of([doctor], now)[doctor.pk]
        return cls(rules, busy_times([doctor.pk], now, until, ignoring=ignoring)[doctor.pk], now)

    def free_times(self, first: date, days: int) -> list[tuple[date, list[Slot]]]:
        """List the free times of `days` days from `first` on."""
        return engine.free_times(self.rules, self.busy, epoch(self.now), first, days)

    def find(self, day: date, clock: str) -> Slot | Refusal:
        """Answer the slot at that local date and time, or why it can't be had."""
        return engine.find_slot(self.rules, self.busy, epoch(self.now), day, clock)

    def next_free(self, count: int = 1) -> list[Slot]:
        """Answer the first free times from now on."""
        return engine.next_free(self.rules, self.busy, epoch(self.now), count)

    def today(self) -> date:
        """Answer the clinic's own date."""
        return local_date(self.now, self.rules.time_zone)

    def alternatives(self, day: date, clock: str, patient: User | None = None, count: int = 3) -> list[Slot]:
        """Answer the free times nearest to a local date and time, leaving out what `patient` has already."""
        busy = [*self.busy, *(patient_busy(patient, self.now) if patient else [])]
        wanted = engine.slot_at(self.rules, day, minute_of(clock))
        around = wanted.starts_at if wanted else epoch(self.now)
        return engine.nearest_free(self.rules, busy, epoch(self.now), around, count)


def local_date(moment: datetime, time_zone: str) -> date:
    """Answer the date that a zone's calendar shows at an instant."""
    return timezone.localtime(moment, ZoneInfo(time_zone)).date()


def patient_busy(patient: User, now: datetime) -> list[Busy]:
    """Read the visits that a patient has from `now` on."""
    claims = Claim.objects.standing(now).filter(patient=patient, ends_at__gt=now).order_by()
    return [Busy(epoch(start), epoch(end)) for start, end in claims.values_list("starts_at", "ends_at")]


def upcoming(doctors: Sequence[DoctorProfile], now: datetime, count: int = 6) -> dict[UUID, list[Slot]]:
    """Answer the first `count` free times of each doctor, in as many statements for one as for a page of them."""
    rules = rules_of(doctors, now)
    look_until = now + FIRST_LOOK
    busy = busy_times(list(rules), now, look_until)
    found: dict[UUID, list[Slot]] = {}
    short: list[UUID] = []
    for doctor_id, one in rules.items():
        # A day less than was read, so that no slot found reaches past what is known.
        slots = engine.next_free(one, busy[doctor_id], epoch(now), count, FIRST_LOOK.days - 2)
        found[doctor_id] = slots
        if len(slots) < count and one.max_days_ahead > FIRST_LOOK.days - 2:
            short.append(doctor_id)
    if short:
        busy = busy_times(short, now)
        for doctor_id in short:
            found[doctor_id] = engine.next_free(rules[doctor_id], busy[doctor_id], epoch(now), count)
    return found


def slot_on_wire(slot: Slot) -> dict[str, Any]:
    """Write a free time as `{date, time, startsAt}`."""
    return {"date": slot.date.isoformat(), "time": slot.time, "startsAt": iso_utc(slot.starts_at_utc)}


def keep_next_free(doctor_ids: Iterable[UUID], now: datetime | None = None) -> None:
    """Bring `next_free_at` up to date after this transaction; call it from every act that can change it."""
    ids = list(doctor_ids)
    transaction.on_commit(lambda: refresh_next_free(ids, now or timezone.now()), robust=True)


def refresh_next_free(doctor_ids: Collection[UUID], now: datetime) -> None:
    """Compute and store the next free time of these doctors.

    The rows are locked before anything is read: of two refreshes the later one sees what the earlier one saw, and more.
    """
    with transaction.atomic():
        doctors = list(DoctorProfile.objects.filter(pk__in=doctor_ids).select_for_update().order_by("pk"))
        slots = upcoming(doctors, now, count=1)
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
    """Put the first of `slots` beside the rules; answer whether that changed anything.

    A doctor who is full is looked at again when a new day comes within reach, at the clinic's midnight.
    """
    before = (doctor.next_free_at, doctor.next_free_date, doctor.next_free_until)
    if slots:
        start = slots[0].starts_at_utc
        doctor.next_free_at, doctor.next_free_date = start, slots[0].date
        doctor.next_free_until = start - timedelta(minutes=doctor.min_notice_minutes)
    else:
        zone = ZoneInfo(doctor.time_zone)
        tomorrow = local_date(now, doctor.time_zone) + timedelta(days=1)
        doctor.next_free_at, doctor.next_free_date = None, None
        doctor.next_free_until = datetime.combine(tomorrow, time.min, zone).astimezone(UTC)
    return before != (doctor.next_free_at, doctor.next_free_date, doctor.next_free_until)


def refresh_due(now: datetime, batch: int = 500) -> int:
    """Look again for the next free time of every doctor whose kept one can no longer be booked; answers how many.

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


def lock(doctor_id: UUID) -> DoctorProfile | None:
    """Lock the doctor's row until this transaction ends, for an act that moves time or changes the rules."""
    return DoctorProfile.objects.select_for_update(of=("self",)).select_related("user").filter(pk=doctor_id).first()


def share_lock(doctor_id: UUID) -> None:
    """Keep the doctor's rules, approval and activity as they are until this transaction ends.

    FOR SHARE: bookings do not wait for one another, only for whoever changes the doctor (FOR UPDATE). SQLite has one
    writer at a time and needs none.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM doctors_doctorprofile WHERE user_id = %s FOR SHARE", [doctor_id])
