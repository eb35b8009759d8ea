"""Test that the query of free times matches the models and scans no table, on both engines."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import AccountStatus
from accounts.tests.factories import PatientFactory
from doctors.availability.calendar import Calendar, Unread, list_next_slots, to_epoch
from doctors.availability.queries import (
    FOREVER,
    NO_HOLD_OWNER,
    HoldOwner,
    read_calendars,
    read_merged_busy,
    read_rules,
    read_taken,
)
from doctors.directory.listings import list_cards, list_offer
from doctors.models import BlockedTime, DayOverride, DoctorProfile, Reservation, WeeklyHours
from doctors.models.reservation import hash_secret
from doctors.slot_engine import Busy, _merge_busy
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

NOW = datetime(2030, 1, 7, 15, 0, 30, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SECRET = "a secret of nobody's"


def reservationed(doctor: DoctorProfile, chance: Random, patients: list[Any], count: int) -> None:
    """Take a doctor's time in stretches of every kind, one after the other, from long ago to far ahead."""
    starts_at = NOW - 40 * DAY
    reservations = []
    for number in range(count):
        starts_at += chance.choice([5 * MINUTE, HOUR, 7 * HOUR, DAY, 2 * DAY])
        # Some lie across the moment of asking.
        if starts_at < NOW < starts_at + DAY and number % 2:
            starts_at = NOW - chance.choice([10 * MINUTE, 30 * MINUTE])
        ends_at = starts_at + chance.choice([5 * MINUTE, 30 * MINUTE, 4 * HOUR])
        kind = chance.choice(Reservation.Kind.values)
        reservations.append(
            Reservation(
                kind=kind,
                doctor=doctor,
                patient=chance.choice([None, None, *patients]),
                starts_at=starts_at,
                ends_at=ends_at,
                busy_until=ends_at + chance.choice([timedelta(0), 15 * MINUTE, 4 * HOUR]),
                expires_at=chance.choice([None, None, NOW, NOW - MINUTE, NOW + MINUTE, NOW + timedelta(microseconds=1)])
                # Every hold runs out.
                or (NOW + DAY if kind == "hold" else None),
                secret_hash=chance.choice(["", hash_secret(SECRET), hash_secret("another")]) if kind == "hold" else "",
            )
        )
        starts_at = reservations[-1].busy_until
    # A patient may be in one place only, which is not what is looked at here.
    for reservation in reservations:
        reservation.patient_id = reservation.patient_id if reservation.kind == "hold" else None
    Reservation.objects.bulk_create(reservations)


@pytest.fixture
def people() -> list[Any]:
    return [PatientFactory.create() for _ in range(2)]


@pytest.fixture
def doctors(people: list[Any]) -> list[DoctorProfile]:
    """Doctors with hours, overrides, blocked time and reservations before and after today."""
    chance, absent = Random(8), Random(9)
    made = []
    for number in range(4):
        doctor = DoctorFactory.create(
            appointment_minutes=chance.choice([5, 30, 60]), buffer_minutes=number * 10, min_notice_minutes=number * 60
        )
        for day in range(-3, 12):
            on = NOW.date() + timedelta(days=day)
            if chance.random() < 0.4:
                hours = chance.choice([[], [[600, 660]], [[0, 1440]], [[900, 960], [540, 600]]])
                DayOverride.objects.create(doctor=doctor, date=on, hours=hours, reason="Zoë's “day”")
            if absent.random() < 0.2:
                doctor.absences.create(
                    from_date=on, from_minute=900, to_date=on + timedelta(days=absent.choice([0, 2])), to_minute=1000
                )
            for start in chance.sample([540, 600, 660, 1435], 2):
                BlockedTime.objects.create(doctor=doctor, date=on, start_minute=start, end_minute=start + 5)
        reservationed(doctor, chance, people[number % 2 :], 80)
        made.append(doctor)
    WeeklyHours.objects.filter(doctor=made[3]).delete()
    return made


def by_the_models(doctor: DoctorProfile, until: datetime, ignored: list[Any], own: HoldOwner) -> list[Busy]:
    """Return what stands in the way as the models' own rules have it."""
    reservations = Reservation.objects.standing(NOW).filter(doctor=doctor, busy_until__gt=NOW, starts_at__lt=until)
    reservations = reservations.exclude(pk__in=ignored).exclude(pk__in=Reservation.objects.holds_of(*own).values("pk"))
    return sorted(
        Busy(to_epoch(one.starts_at), to_epoch(one.busy_until), one.kind != "appointment") for one in reservations
    )


def ways(people: list[Any]) -> Iterator[tuple[datetime, list[Any], HoldOwner]]:
    """Return ways of asking."""
    some = list(Reservation.objects.order_by("pk").values_list("pk", flat=True)[::3])
    for until in (FOREVER, NOW + 3 * DAY, NOW):
        for ignored in ([], some):
            for own in (NO_HOLD_OWNER, HoldOwner(people[1]), HoldOwner(None, SECRET), HoldOwner(people[0], SECRET)):
                yield until, ignored, own


def test_query_returns_what_the_models_return(doctors, people):
    ids = [doctor.pk for doctor in doctors]
    seen = 0
    for until, ignored, own in ways(people):
        expected = {doctor.pk: by_the_models(doctor, until, ignored, own) for doctor in doctors}
        for asked in (ids, ids[:1]):
            calendars = read_calendars(asked, NOW, until=until, ignored=ignored, hold_owner=own)
            found = {one.doctor_id: one for one in calendars}
            assert {pk: sorted(one.busy) for pk, one in found.items()} == {pk: expected[pk] for pk in asked}
            taken = read_taken(asked, NOW, until=until, ignored=ignored, hold_owner=own)
            assert {pk: sorted(busy) for pk, busy in taken.items()} == {pk: expected[pk] for pk in asked}
        seen += sum(map(len, expected.values()))
    assert seen > 500
    rules = read_rules(ids, NOW)
    since = NOW.date() - 2 * DAY
    for doctor in doctors:
        one = rules[doctor.pk]
        assert (
            one.time_zone,
            one.appointment_minutes,
            one.buffer_minutes,
            one.min_notice_minutes,
            one.max_days_ahead,
        ) == (
            *(doctor.time_zone, doctor.appointment_minutes, doctor.buffer_minutes, doctor.min_notice_minutes),
            doctor.max_days_ahead,
        )
        weekly: dict[int, list[Any]] = {}
        for row in doctor.weekly_hours.order_by("start_minute"):
            weekly.setdefault(row.weekday, []).append((row.start_minute, row.end_minute))
        assert one.weekly == {day: tuple(spans) for day, spans in weekly.items()}
        assert one.overrides == {
            row.date: tuple(sorted((start, end) for start, end in row.hours))
            for row in doctor.overrides.filter(date__gte=since)
        }
        blocked: dict[date, list[Any]] = {}
        for row in doctor.blocked_times.filter(date__gte=since).order_by("start_minute"):
            blocked.setdefault(row.date, []).append((row.start_minute, row.end_minute))
        for row in doctor.absences.filter(to_date__gte=since):
            day = row.from_date
            while day <= row.to_date:
                start, end = 900 if day == row.from_date else 0, 1000 if day == row.to_date else 1440
                blocked.setdefault(day, []).append((start, end))
                day += DAY
        assert one.blocked == {day: tuple(sorted(spans)) for day, spans in blocked.items()}
        assert one.instant_confirmation == doctor.instant_confirmation
        assert one == Calendar.read(doctor, NOW).rules


def test_two_partial_reads_equal_one_full_read(doctors):
    ids = [doctor.pk for doctor in doctors]
    for cut in (NOW, NOW + HOUR, NOW + 5 * DAY):
        near, far = read_taken(ids, NOW, until=cut), read_taken(ids, NOW, since=cut)
        whole = read_taken(ids, NOW)
        # What began before the moment of asking is in neither part twice.
        assert {pk: sorted(near[pk] + far[pk]) for pk in ids} == {pk: sorted(whole[pk]) for pk in ids}


def test_busy_ranges_cover_exactly_the_taken_times(doctors):
    ids = [doctor.pk for doctor in doctors]
    taken, stretches = read_taken(ids, NOW, since=NOW), read_merged_busy(ids, NOW, NOW)
    for pk in ids:
        assert taken[pk]
        assert _merge_busy(stretches[pk]) == _merge_busy(taken[pk])
        if connection.vendor == "postgresql":
            assert len(stretches[pk]) == len(_merge_busy(taken[pk])[0])


def test_only_listed_doctors_are_read():
    listed = DoctorFactory.create(license_expires_on=NOW.date())
    hidden = [
        DoctorFactory.create(license_expires_on=NOW.date() - DAY),
        DoctorFactory.create(approval="revoked"),
        DoctorFactory.create(user__status=AccountStatus.INACTIVE),
        DoctorFactory.create(user__ended_at=NOW),
    ]
    ids = [doctor.pk for doctor in (*hidden, listed)]
    assert [one.doctor_id for one in read_calendars(ids, NOW, only_listed=True)] == [listed.pk]
    assert [card.user_id for card in list_cards(ids, NOW, only_listed=True)] == [listed.pk]
    assert {one.doctor_id for one in read_calendars(ids, NOW)} == set(ids)
    assert [card.user_id for card in list_cards(ids, NOW)] == ids
    for doctor in hidden:
        assert list_offer(doctor.pk, NOW, None, 7, NO_HOLD_OWNER) is None


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin"])
@pytest.mark.parametrize("buffer", [0, 240])
def test_offered_slots_match_the_whole_calendar(zone, buffer, people):
    doctor = DoctorFactory.create(time_zone=zone, appointment_minutes=240, buffer_minutes=buffer, max_days_ahead=60)
    WeeklyHours.objects.filter(doctor=doctor).delete()
    WeeklyHours.objects.bulk_create(
        WeeklyHours(doctor=doctor, weekday=day, start_minute=0, end_minute=1440) for day in range(7)
    )
    reservationed(doctor, Random(f"{zone} {buffer}"), people, 120)
    for own in (NO_HOLD_OWNER, HoldOwner(people[0], SECRET)):
        passed = list(Reservation.objects.holds_of(*own).values_list("pk", flat=True))
        whole = Calendar.read(doctor, NOW, ignored=passed)
        soonest = whole.list_next_free()
        for first in (None, *(NOW.date() + timedelta(days=day) for day in (-2, 0, 1, 13, 14, 15, 16, 17, 30, 58))):
            for days in (1, 7, 62):
                offered = list_offer(doctor.pk, NOW, first, days, own)
                listed = whole.list_free_slots(first or whole.today(), days)
                assert offered.days == [(day, [slot.time for slot in slots]) for day, slots in listed]
                assert ([offered.next_free] if offered.next_free else []) == soonest
    for ask in (lambda one: one.list_free_slots(NOW.date() + 16 * DAY, 3), lambda one: one.list_next_free(90)):
        for until in (NOW + DAY, NOW + 17 * DAY):
            (part,) = read_calendars([doctor.pk], NOW, until=until)
            known = Calendar(part.rules, part.busy, NOW, Unread(doctor.pk, until))
            assert ask(known) == ask(Calendar.read(doctor, NOW))


def booked_out(doctor: DoctorProfile, days: int) -> None:
    """Take every time that a doctor offers in so many days."""
    free = [slot for _, slots in Calendar.read(doctor, NOW).list_free_slots(NOW.date(), days) for slot in slots]
    Reservation.objects.bulk_create(
        Reservation(
            kind="appointment", doctor=doctor,
            starts_at=slot.starts_at_utc, ends_at=slot.ends_at_utc, busy_until=slot.busy_until_utc,
        )
        for slot in free
    )  # fmt: skip


def test_fully_booked_doctors_take_one_more_query_in_total():
    full = [DoctorFactory.create(max_days_ahead=40) for _ in range(3)]
    for doctor, days in zip(full, (60, 25, 3), strict=True):
        booked_out(doctor, days)
    for some, statements in ((full, 2), (full[:1], 2), (full[2:], 1)):
        with CaptureQueriesContext(connection) as captured:
            found = list_next_slots(some, NOW)
        assert len(captured) == statements
        assert found == {doctor.pk: Calendar.read(doctor, NOW).list_next_free(6) for doctor in some}
    assert list_next_slots(full[:1], NOW)[full[0].pk] == []
    with CaptureQueriesContext(connection) as captured:
        assert list_offer(full[0].pk, NOW, None, 7, NO_HOLD_OWNER).next_free is None
    assert len(captured) == 2


def explained(ids: list[Any], **asked: Any) -> str:
    """Return the plan of a read; on PostgreSQL as if no table were small enough to be read whole."""
    with CaptureQueriesContext(connection) as captured:
        list(read_calendars(ids, NOW, **asked))
    (statement,) = (each["sql"] for each in captured.captured_queries)
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
            cursor.execute(f"EXPLAIN {statement}")
            return "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        return "\n".join(row[3] for row in cursor.fetchall())


def fill_past(doctors: list[DoctorProfile], count: int) -> None:
    """Give each doctor so many past reservations, and the planner its statistics: so few rows need no index."""
    Reservation.objects.bulk_create(
        Reservation(
            kind="appointment", doctor=doctor,
            starts_at=start, ends_at=start + timedelta(minutes=30), busy_until=start + timedelta(minutes=30),
        )
        for doctor in doctors
        for start in (NOW - timedelta(days=100, hours=number) for number in range(count))
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


@pytest.mark.parametrize("many", [False, True])
def test_query_plan_uses_indexes_and_limits_the_past(many, doctors, people):
    fill_past(doctors, 200)
    ids = [doctor.pk for doctor in doctors[: 4 if many else 1]]
    plan = explained(ids, only_listed=True, person=("name",), ignored=ids, hold_owner=HoldOwner(people[0], SECRET))
    assert re.findall(r"Seq Scan|SCAN (?!json_each)\w+", plan) == []
    if connection.vendor == "postgresql":
        reservations = plan[plan.index("on doctors_reservation") :]
        assert re.search(r"Index Cond: \(\(doctor_id = .*starts_at >= .*starts_at < ", reservations)
    else:
        assert re.search(
            r"doctors_reservation USING INDEX \w+ \(doctor_id=\? AND starts_at>\? AND starts_at<\?\)", plan
        )
