"""Test which times are free and why others are not."""

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doctors.slot_engine import (
    Busy,
    Cause,
    Interval,
    Reason,
    Refusal,
    Rules,
    Slot,
    build_slot,
    expand_working_hours,
    find_closed_minutes,
    find_slot,
    list_free_slots,
    list_nearest_free,
    list_next_free,
    summarize_working_hours,
)
from doctors.tests import minute_model as naive_model

pytestmark = pytest.mark.either_engine

MONDAY = date(2026, 6, 1)
TUESDAY = date(2026, 6, 2)
SATURDAY = date(2026, 6, 6)
SUNDAY = date(2026, 6, 7)


def instant(text: str) -> int:
    """Read an ISO 8601 instant, offset included, as whole epoch seconds."""
    return int(datetime.fromisoformat(text).timestamp())


# The week before the users' Monday, so that nothing of it is past.
NOW = instant("2026-05-28T08:00:00Z")
EVERY_DAY = range(7)


def every_day(*hours: Interval) -> dict[int, tuple[Interval, ...]]:
    return dict.fromkeys(EVERY_DAY, hours)


def texts(slots: Iterable[Slot]) -> list[str]:
    return [slot.time.isoformat("minutes") for slot in slots]


def at_minute(minute: int) -> time:
    return time(minute // 60, minute % 60)


def times(rules: Rules, day: date, *busy: Busy, now: int = NOW) -> list[str]:
    [(listed, slots)] = list_free_slots(rules, busy, now, day, 1)
    assert listed == day
    return texts(slots)


def reason(rules: Rules, day: date, text: str, *busy: Busy, now: int = NOW) -> Reason | None:
    answer = find_slot(rules, busy, now, day, time.fromisoformat(text))
    return answer.reason if isinstance(answer, Refusal) else None


# The grid


def test_default_rules_give_the_specified_times() -> None:
    assert times(Rules("Europe/London"), MONDAY) == [
        "09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00",
    ]  # fmt: skip


def test_each_day_has_an_entry_even_without_times() -> None:
    days = list_free_slots(Rules("Europe/London"), [], NOW, SATURDAY, 3)
    assert [(day, len(slots)) for day, slots in days] == [
        (SATURDAY, 0),
        (SUNDAY, 0),
        (date(2026, 6, 8), 8),
    ]


def test_slot_has_local_time_and_instants() -> None:
    rules = Rules("America/New_York", appointment_minutes=45, buffer_minutes=15)
    found = find_slot(rules, [], NOW, MONDAY, time(9))
    start = instant("2026-06-01T09:00:00-04:00")
    assert found == Slot(MONDAY, time(9), start, start + 45 * 60, start + 60 * 60)
    assert found.starts_at_utc == datetime(2026, 6, 1, 13, 0, tzinfo=UTC)
    assert found.ends_at_utc == datetime(2026, 6, 1, 13, 45, tzinfo=UTC)
    assert found.busy_until_utc == datetime(2026, 6, 1, 14, 0, tzinfo=UTC)


def test_times_start_at_each_interval_and_step_by_appointment_and_buffer() -> None:
    rules = Rules("Europe/London", 40, buffer_minutes=10, weekly=every_day((540, 720), (845, 950)))
    assert times(rules, MONDAY) == ["09:00", "09:50", "10:40", "14:05", "14:55"]


def test_the_buffer_may_run_over_the_end_of_the_interval_but_the_appointment_may_not() -> None:
    assert times(Rules("Europe/London", 60, 30, weekly=every_day((540, 690))), MONDAY) == ["09:00", "10:30"]
    assert times(Rules("Europe/London", 60, 30, weekly=every_day((540, 689))), MONDAY) == ["09:00"]


def test_an_appointment_may_end_at_midnight_and_its_buffer_after_it() -> None:
    rules = Rules("Europe/London", 60, 15, weekly=every_day((1305, 1440)))
    assert times(rules, MONDAY) == ["21:45", "23:00"]


def test_buffer_after_the_last_appointment_blocks_the_next_day() -> None:
    rules = Rules("Europe/London", 60, 30, weekly=every_day((0, 60), (1380, 1440)))
    last = build_slot(rules, MONDAY, time(23))
    assert last is not None
    assert times(rules, TUESDAY, Busy(last.starts_at, last.busy_until)) == ["23:00"]
    assert times(rules, TUESDAY, Busy(last.starts_at, last.ends_at)) == ["00:00", "23:00"]


def test_unordered_and_overlapping_hours_offer_each_time_once() -> None:
    rules = Rules("Europe/London", 60, weekly=every_day((660, 780), (540, 720)))
    assert times(rules, MONDAY) == ["09:00", "10:00", "11:00", "12:00"]


def test_an_override_replaces_the_day() -> None:
    rules = Rules("Europe/London", overrides={MONDAY: (), SATURDAY: ((600, 720),)})
    assert times(rules, MONDAY) == []
    assert times(rules, SATURDAY) == ["10:00", "11:00"]


def test_blocked_time_removes_overlapping_slots() -> None:
    rules = Rules("Europe/London", blocked={MONDAY: ((11 * 60 + 30, 12 * 60), (16 * 60, 18 * 60))})
    assert times(rules, MONDAY) == ["09:00", "10:00", "12:00", "14:00", "15:00"]


def test_buffer_may_overlap_blocked_time() -> None:
    rules = Rules("Europe/London", 60, 60, blocked={MONDAY: ((600, 660),)})
    assert times(rules, MONDAY) == ["09:00", "11:00", "14:00", "16:00"]


def test_a_doctor_who_is_not_accepting_offers_nothing() -> None:
    rules = Rules("Europe/London", accepting=False)
    assert times(rules, MONDAY) == []
    assert list_next_free(rules, [], NOW) == []
    assert list_nearest_free(rules, [], NOW, NOW) == []


# Hours past midnight and the next hour


def test_hours_that_run_past_midnight_offer_times_on_both_dates() -> None:
    rules = Rules("Europe/Berlin", 90, weekly={0: ((20 * 60, 27 * 60),)})
    assert times(rules, MONDAY) == ["20:00", "21:30", "23:00"]
    assert times(rules, TUESDAY) == ["00:30"]
    late = find_slot(rules, [], NOW, MONDAY, time(23))
    assert isinstance(late, Slot)
    assert (late.starts_at, late.ends_at) == (
        instant("2026-06-01T23:00:00+02:00"),
        instant("2026-06-02T00:30:00+02:00"),
    )
    # 02:00 is on the grid, but would end after 03:00.
    assert reason(rules, TUESDAY, "02:00") == Reason.OUTSIDE_HOURS
    assert reason(rules, TUESDAY, "01:00") == Reason.OFF_GRID
    assert reason(rules, TUESDAY, "03:00") == Reason.OUTSIDE_HOURS
    assert texts(list_next_free(rules, [], NOW, 4)) == ["20:00", "21:30", "23:00", "00:30"]


def test_a_dated_night_replaces_the_hours_that_begin_on_its_date() -> None:
    rules = Rules("Europe/London", 60, weekly=every_day((1320, 1500)), overrides={TUESDAY: ()})
    assert times(rules, MONDAY) == ["00:00", "22:00", "23:00"]
    assert times(rules, TUESDAY) == ["00:00"]
    assert times(rules, date(2026, 6, 3)) == ["22:00", "23:00"]


def test_blocked_time_after_midnight_removes_slots_of_the_night_before() -> None:
    rules = Rules("Europe/London", 60, weekly={0: ((1290, 1560),)}, blocked={TUESDAY: ((0, 30),)})
    assert times(rules, MONDAY) == ["21:30", "22:30"]
    assert times(rules, TUESDAY) == ["00:30"]


def test_an_appointment_over_midnight_takes_time_on_the_next_date() -> None:
    rules = Rules("Europe/London", 60, weekly={0: ((1410, 1560),)})
    night = build_slot(rules, MONDAY, time(23, 30))
    assert night is not None
    assert times(rules, TUESDAY, Busy(night.starts_at, night.busy_until)) == ["00:30"]
    assert times(rules, MONDAY, Busy(night.ends_at - 60, night.ends_at)) == []


def test_only_a_doctor_who_confirms_instantly_offers_the_next_hour() -> None:
    nine = instant("2026-06-01T09:00:00+01:00")
    asking, instantly = (Rules("Europe/London", instant_confirmation=each) for each in (False, True))
    assert reason(instantly, MONDAY, "09:00", now=nine - 1) is None
    assert reason(asking, MONDAY, "09:00", now=nine - 3600) is None
    assert reason(asking, MONDAY, "09:00", now=nine - 3599) == Reason.TOO_SOON
    assert texts(list_next_free(asking, [], nine - 3599)) == ["10:00"]
    longer = replace(asking, min_notice_minutes=120)
    assert reason(longer, MONDAY, "09:00", now=nine - 7199) == Reason.TOO_SOON


# What a change of the rules takes away


def test_closed_minutes_have_a_reason() -> None:
    nine = instant("2026-06-01T09:00:00+01:00")
    rules = Rules("Europe/London", weekly={0: ((540, 570),)})
    assert find_closed_minutes(rules, nine, 30) == frozenset()
    assert find_closed_minutes(rules, nine, 32) == {(Cause.HOURS, 30), (Cause.HOURS, 31)}
    dated = replace(rules, overrides={MONDAY: ()})
    assert find_closed_minutes(dated, nine, 1) == {(Cause.HOURS, 0), (Cause.DATED_HOURS, 0)}
    blocked = replace(rules, blocked={MONDAY: ((541, 542),)})
    assert find_closed_minutes(blocked, nine, 3) == {(Cause.BLOCKED, 1)}
    night = Rules("Europe/London", weekly={6: ((1320, 1500),)})
    assert find_closed_minutes(night, instant("2026-06-01T00:30:00+01:00"), 31) == {(Cause.HOURS, 30)}


# The reasons


@pytest.mark.parametrize(
    ("day", "time", "expected"),
    [
        (date(2026, 5, 28), "09:00", Reason.PAST),
        (date(2026, 5, 27), "03:00", Reason.PAST),
        (date(2026, 7, 30), "09:00", Reason.TOO_FAR),
        (date(2026, 7, 29), "09:00", None),
        (SATURDAY, "09:00", Reason.DAY_OFF),
        (MONDAY, "08:00", Reason.OUTSIDE_HOURS),
        (MONDAY, "08:59", Reason.OUTSIDE_HOURS),
        (MONDAY, "12:30", Reason.OUTSIDE_HOURS),
        (MONDAY, "13:00", Reason.OUTSIDE_HOURS),
        (MONDAY, "18:00", Reason.OUTSIDE_HOURS),
        (MONDAY, "09:01", Reason.OFF_GRID),
        (MONDAY, "14:30", Reason.OFF_GRID),
        (MONDAY, "09:00", None),
        (MONDAY, "17:00", None),
    ],
)
def test_every_reason_is_returned(day: date, time: str, expected: Reason | None) -> None:
    assert reason(Rules("Europe/London"), day, time) == expected


def test_start_in_the_current_second_is_past() -> None:
    nine = instant("2026-06-01T09:00:00+01:00")
    assert reason(Rules("Europe/London"), MONDAY, "09:00", now=nine) == Reason.PAST
    assert reason(Rules("Europe/London"), MONDAY, "09:00", now=nine - 1) is None


def test_notice_is_counted_to_the_second() -> None:
    rules = Rules("Europe/London", min_notice_minutes=120)
    nine = instant("2026-06-01T09:00:00+01:00")
    assert reason(rules, MONDAY, "09:00", now=nine - 7200) is None
    assert reason(rules, MONDAY, "09:00", now=nine - 7199) == Reason.TOO_SOON
    assert times(rules, MONDAY, now=nine - 7199)[0] == "10:00"


def test_today_is_in_the_time_zone_of_the_doctor() -> None:
    # 23:30 on Sunday in London is already Monday in Kiritimati, 14 hours ahead.
    now = instant("2026-05-31T23:30:00+01:00")
    assert reason(Rules("Europe/London", max_days_ahead=1), TUESDAY, "09:00", now=now) == Reason.TOO_FAR
    assert reason(Rules("Pacific/Kiritimati", max_days_ahead=1), TUESDAY, "09:00", now=now) is None


def test_fully_blocked_day_is_a_day_off_and_partly_blocked_is_not() -> None:
    assert reason(Rules("UTC", blocked={MONDAY: ((0, 1440),)}), MONDAY, "09:00") == Reason.DAY_OFF
    assert reason(Rules("UTC", blocked={MONDAY: ((0, 780),)}), MONDAY, "09:00") == Reason.OUTSIDE_HOURS


@pytest.mark.parametrize(
    ("busy", "expected"),
    [
        ([("09:30", "09:31", False)], Reason.TAKEN),
        ([("08:00", "09:01", False)], Reason.TAKEN),
        ([("10:09", "12:00", True)], Reason.HELD),
        ([("08:00", "20:00", True)], Reason.HELD),
        ([("09:00", "09:10", True), ("09:10", "09:20", False)], Reason.TAKEN),
        ([("08:00", "09:00", False), ("10:10", "11:00", True)], None),
        ([("09:30", "09:30", False)], None),
    ],
)
def test_overlap_includes_the_buffer_and_appointments_take_precedence_over_holds(
    busy: list[tuple[str, str, bool]], expected: Reason | None
) -> None:
    rules = Rules("UTC", appointment_minutes=60, buffer_minutes=10)
    taken = [
        Busy(instant(f"2026-06-01T{start}:00Z"), instant(f"2026-06-01T{end}:00Z"), held) for start, end, held in busy
    ]
    assert reason(rules, MONDAY, "09:00", *taken) == expected
    assert ("09:00" in times(rules, MONDAY, *taken)) == (expected is None)


def test_the_patients_own_appointments_count_without_the_doctors_buffer() -> None:
    rules = Rules("UTC", appointment_minutes=60, buffer_minutes=30)
    nine = instant("2026-06-01T09:00:00Z")
    after = [Busy(nine + 3600, nine + 7200)]
    during = [Busy(nine + 3599, nine + 7200)]
    assert find_slot(rules, [], NOW, MONDAY, time(9), after) == build_slot(rules, MONDAY, time(9))
    assert find_slot(rules, [], NOW, MONDAY, time(9), during) == Refusal(Reason.PATIENT_BUSY)
    # What concerns the doctor comes first.
    assert find_slot(rules, during, NOW, MONDAY, time(9), during) == Refusal(Reason.TAKEN)


def test_reasons_have_a_fixed_precedence() -> None:
    """Mend one thing after another: each time the next reason of the enumeration appears."""
    nine = instant("2026-06-01T09:20:00Z")
    held = Busy(nine, nine + 600, held=True)
    hours: dict[int, tuple[Interval, ...]] = {0: ((540, 720),)}
    later = nine - 3600
    long_ago = nine - 9 * 86400

    def ask(rules: Rules, now: int, *busy: Busy) -> Reason | None:
        answer = find_slot(rules, busy, now, MONDAY, time(9, 20), patient_busy=[held])
        return answer.reason if isinstance(answer, Refusal) else None

    asked = [
        ask(Rules("UTC", max_days_ahead=3, weekly={}, accepting=False), nine),
        ask(Rules("UTC", max_days_ahead=3, weekly={}), nine),
        ask(Rules("UTC", max_days_ahead=3, weekly={}), long_ago),
        ask(Rules("UTC", weekly={}), long_ago),
        ask(Rules("UTC", weekly={0: ((600, 720),)}), long_ago),
        ask(Rules("UTC", 60, min_notice_minutes=120, weekly=hours), later, held, held._replace(held=False)),
        ask(Rules("UTC", 20, min_notice_minutes=120, weekly=hours), later, held, held._replace(held=False)),
        ask(Rules("UTC", 20, weekly=hours), later, held, held._replace(held=False)),
        ask(Rules("UTC", 20, weekly=hours), later, held),
        ask(Rules("UTC", 20, weekly=hours), later),
    ]
    assert asked == list(Reason)


@pytest.mark.parametrize("seconds", [time(9, 0, 30), time(9, 0, 0, 1)])
def test_time_with_seconds_raises_an_error(seconds: time) -> None:
    with pytest.raises(ValueError, match="whole minute"):
        find_slot(Rules("UTC"), [], NOW, MONDAY, seconds)
    with pytest.raises(ValueError, match="whole minute"):
        build_slot(Rules("UTC"), MONDAY, seconds)


# Clock changes


def test_time_skipped_by_dst_is_not_offered() -> None:
    rules = Rules("America/New_York", appointment_minutes=30, weekly=every_day((60, 240)), max_days_ahead=400)
    spring = date(2026, 3, 8)
    now = instant("2026-03-01T00:00:00Z")
    assert times(rules, spring, now=now) == ["01:00", "01:30", "03:00", "03:30"]
    assert reason(rules, spring, "02:30", now=now) == Reason.OFF_GRID
    assert build_slot(rules, spring, time(2, 30)) is None


def test_repeated_dst_time_is_offered_once_at_its_first_occurrence() -> None:
    rules = Rules("America/New_York", appointment_minutes=30, weekly=every_day((60, 150)), max_days_ahead=400)
    autumn = date(2026, 11, 1)
    now = instant("2026-10-25T00:00:00Z")
    assert times(rules, autumn, now=now) == ["01:00", "01:30", "02:00"]
    first = find_slot(rules, [], now, autumn, time(1, 30))
    assert isinstance(first, Slot)
    assert first.starts_at == instant("2026-11-01T01:30:00-04:00")
    # Once the first 01:30 has gone by, the second is not offered in its place.
    assert reason(rules, autumn, "01:30", now=instant("2026-11-01T01:31:00-04:00")) == Reason.PAST


def test_appointment_lasts_elapsed_minutes_across_a_dst_change() -> None:
    rules = Rules("America/New_York", appointment_minutes=60, weekly=every_day((90, 210)), max_days_ahead=400)
    # Half past one to half past three on the wall is one hour when the clock jumps at two.
    assert times(rules, date(2026, 3, 8), now=NOW - 100 * 86400) == ["01:30"]
    slot = build_slot(rules, date(2026, 3, 8), time(1, 30))
    assert slot is not None
    assert slot.ends_at == instant("2026-03-08T03:30:00-04:00")


def test_appointment_ending_at_a_dst_change_fits_hours_ending_there() -> None:
    # The wall shows 03:00 at its end, yet no minute of it is after 02:00.
    rules = Rules("America/New_York", appointment_minutes=60, weekly=every_day((60, 120)), max_days_ahead=400)
    assert times(rules, date(2026, 3, 8), now=NOW - 100 * 86400) == ["01:00"]


def test_appointment_cannot_leave_and_reenter_the_hours_across_a_dst_change() -> None:
    # From 00:30, 90 minutes end at the second 01:00, but the first 01:00 to 02:00 lies outside the hours.
    now = instant("2026-10-25T00:00:00Z")
    rules = Rules("America/New_York", appointment_minutes=90, weekly=every_day((30, 60)), max_days_ahead=400)
    assert times(rules, date(2026, 11, 1), now=now) == []
    assert reason(rules, date(2026, 11, 1), "00:30", now=now) == Reason.OUTSIDE_HOURS


def test_times_keep_their_wall_clock_across_a_dst_change() -> None:
    rules = Rules("Europe/London", max_days_ahead=400)
    before, after = build_slot(rules, date(2026, 10, 23), time(9)), build_slot(rules, date(2026, 10, 26), time(9))
    assert before is not None
    assert after is not None
    assert after.starts_at - before.starts_at == 3 * 86400 + 3600
    assert times(rules, date(2026, 10, 23)) == times(rules, date(2026, 10, 26))


def test_half_hour_dst_change_on_lord_howe_is_handled() -> None:
    rules = Rules("Australia/Lord_Howe", appointment_minutes=15, weekly=every_day((105, 165)), max_days_ahead=400)
    now = instant("2026-04-01T00:00:00Z")
    # Forwards from 02:00 to 02:30 in October, back from 02:00 to 01:30 in April.
    assert times(rules, date(2026, 10, 4), now=now) == ["01:45", "02:30"]
    assert times(rules, date(2026, 4, 5), now=now) == ["01:45", "02:00", "02:15", "02:30"]
    first, second = build_slot(rules, date(2026, 4, 5), time(1, 45)), build_slot(rules, date(2026, 4, 5), time(2))
    assert first is not None
    assert second is not None
    assert second.starts_at - first.starts_at == 45 * 60


def test_skipped_day_has_no_times() -> None:
    rules = Rules("Pacific/Apia", weekly=every_day((540, 660)))
    now = instant("2011-12-28T00:00:00Z")
    days = list_free_slots(rules, [], now, date(2011, 12, 29), 3)
    assert [texts(slots) for _, slots in days] == [
        ["09:00", "10:00"],
        [],
        ["09:00", "10:00"],
    ]
    assert reason(rules, date(2011, 12, 30), "09:00", now=now) == Reason.OFF_GRID
    assert reason(rules, date(2011, 12, 30), "11:00", now=now) == Reason.OUTSIDE_HOURS
    assert days[2][1][0].starts_at - days[0][1][0].starts_at == 86400


def test_day_that_begins_at_one_am_is_handled() -> None:
    rules = Rules("America/Sao_Paulo", appointment_minutes=30, weekly=every_day((0, 90)))
    now = instant("2018-11-01T00:00:00Z")
    assert times(rules, date(2018, 11, 4), now=now) == ["01:00"]


# The next and the nearest


def test_next_free_searches_from_now_across_days_off() -> None:
    friday_evening = instant("2026-06-05T16:30:00+01:00")
    rules = Rules("Europe/London")
    found = list_next_free(rules, [], friday_evening, count=3)
    assert [(slot.date, *texts([slot])) for slot in found] == [
        (date(2026, 6, 5), "17:00"),
        (date(2026, 6, 8), "09:00"),
        (date(2026, 6, 8), "10:00"),
    ]
    assert list_next_free(rules, [], friday_evening, count=3, horizon_days=2) == found[:1]
    assert list_next_free(rules, [], friday_evening, count=0) == []
    # A horizon beyond what the doctor allows widens nothing.
    near = Rules("Europe/London", max_days_ahead=2)
    assert list_next_free(near, [], friday_evening, count=3, horizon_days=30) == found[:1]


def test_a_fully_booked_doctor_has_no_next_free() -> None:
    rules = Rules("Europe/London")
    everything = [slot for _, slots in list_free_slots(rules, [], NOW, MONDAY, 70) for slot in slots]
    busy = [Busy(slot.starts_at, slot.busy_until) for slot in everything]
    assert list_next_free(rules, [Busy(NOW, NOW + 90 * 86400)], NOW) == []
    assert list_next_free(rules, busy[:-1], instant("2026-06-01T00:00:00Z")) == everything[-1:]


def test_nearest_free_is_by_distance_and_sorted_by_time() -> None:
    rules = Rules("UTC", weekly=every_day((540, 1080)))
    noon = instant("2026-06-01T12:00:00Z")
    busy = [Busy(noon - 3600, noon + 3600)]

    def nearest(around: int, count: int) -> list[str]:
        return texts(list_nearest_free(rules, busy, NOW, around, count))

    assert nearest(noon, 3) == ["10:00", "13:00", "14:00"]
    assert nearest(noon, 1) == ["13:00"]
    assert nearest(noon - 1800, 1) == ["10:00"]
    assert nearest(noon + 1800, 0) == []


def test_nearest_free_prefers_the_earlier_of_two_equally_far() -> None:
    rules = Rules("UTC", weekly=every_day((540, 1080)))
    noon = instant("2026-06-01T12:00:00Z")
    found = list_nearest_free(rules, [Busy(noon, noon + 60)], NOW, noon, count=1)
    assert texts(found) == ["11:00"]


def test_nearest_free_excludes_past_and_distant_times() -> None:
    rules = Rules("UTC", max_days_ahead=1, weekly=every_day((540, 660)))
    now = instant("2026-06-01T09:30:00Z")
    for around in (now - 90 * 86400, now, now + 90 * 86400, instant("9999-12-31T00:00:00Z")):
        found = list_nearest_free(rules, [], now, around, count=9)
        assert [(slot.date, *texts([slot])) for slot in found] == [
            (MONDAY, "10:00"),
            (TUESDAY, "09:00"),
            (TUESDAY, "10:00"),
        ]


# The specification's working days and hours


def test_working_hours_exclude_lunch() -> None:
    assert expand_working_hours([4, 0, 0], 540, 1080) == {
        0: ((540, 780), (840, 1080)),
        4: ((540, 780), (840, 1080)),
    }
    assert expand_working_hours([2], 600, 720) == {2: ((600, 720),)}
    assert expand_working_hours([2], 780, 840) == {}
    assert expand_working_hours([], 540, 1080) == {}
    with pytest.raises(ValueError, match="interval"):
        expand_working_hours([2], 720, 720)


def test_working_hours_of_hours_that_differ_span_them_all() -> None:
    assert summarize_working_hours({0: ((540, 720),), 2: (), 5: ((600, 660), (900, 1200))}) == ([0, 5], (540, 1200))
    assert summarize_working_hours({3: ()}) == ([], None)


@given(st.sets(st.integers(0, 6)), st.integers(0, 1439), st.integers(1, 1440))
def test_working_hours_round_trip(days: set[int], start: int, end: int) -> None:
    if start >= end:
        start, end = end - 1, start + 1
    weekly = expand_working_hours(days, start, end)
    found_days, span = summarize_working_hours(weekly)
    if span is None:
        assert weekly == {}
    else:
        assert expand_working_hours(found_days, *span) == weekly
        assert set(found_days) == days
        # Only a start or an end inside lunch is moved to its edge, where it means the same.
        assert span == (840 if 780 <= start < 840 else start, 780 if 780 < end <= 840 else end)


# What is refused as rules, and the edges of the calendar


@pytest.mark.parametrize(
    "make",
    [
        lambda: Rules("Mars/Olympus"),
        lambda: Rules(""),
        lambda: Rules("Europe"),
        lambda: Rules("../etc/passwd"),
        lambda: Rules("/etc/localtime"),
        lambda: Rules("Europe/\0"),
        lambda: Rules("Europe/\ud800"),
        lambda: Rules("A" * 5000),
        lambda: Rules("UTC", appointment_minutes=0),
        lambda: Rules("UTC", appointment_minutes=1441),
        lambda: Rules("UTC", buffer_minutes=-1),
        lambda: Rules("UTC", min_notice_minutes=-1),
        lambda: Rules("UTC", max_days_ahead=-1),
        lambda: Rules("UTC", weekly={7: ((540, 600),)}),
        lambda: Rules("UTC", weekly={0: ((600, 540),)}),
        lambda: Rules("UTC", weekly={0: ((600, 600),)}),
        lambda: Rules("UTC", overrides={MONDAY: ((0, 1441),)}),
        lambda: Rules("UTC", weekly={0: ((600, 600 + 1441),)}),
        lambda: Rules("UTC", weekly={0: ((1440, 1500),)}),
        lambda: Rules("UTC", blocked={MONDAY: ((1200, 1500),)}),
        lambda: Rules("UTC", blocked={MONDAY: ((-1, 60),)}),
    ],
)
def test_invalid_rules_are_rejected(make: Callable[[], Rules]) -> None:
    with pytest.raises(ValueError, match=r"."):
        make()


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"])
def test_first_and_last_dates_raise_no_error(zone: str) -> None:
    rules = Rules(zone, weekly=every_day((0, 1440)), max_days_ahead=10**6)
    first, last = date.min, date.max
    for now in (instant("0001-01-01T00:00:00Z"), NOW, instant("9999-12-31T23:59:59Z")):
        for day in (first, first + timedelta(1), last - timedelta(1), last):
            for minute in (0, 719, 1439):
                slot = build_slot(rules, day, at_minute(minute))
                assert slot is None or slot.starts_at_utc < slot.busy_until_utc
                find_slot(rules, [], now, day, at_minute(minute))
        assert [day for day, _ in list_free_slots(rules, [], now, first, 2)] == [first, date(1, 1, 2)]
        assert [day for day, _ in list_free_slots(rules, [], now, last, 62)] == [last]
        list_next_free(rules, [], now, 2, horizon_days=10**9)
        list_nearest_free(rules, [], now, instant("9999-12-31T23:59:59Z"))
        list_nearest_free(rules, [], now, instant("0001-01-01T00:00:00Z"))
    assert reason(Rules(zone), last, "09:00") == Reason.TOO_FAR
    assert reason(rules, first, "09:00") == Reason.PAST


# Against the naive model

ZONES = [
    "America/New_York",
    "Europe/London",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Pacific/Apia",
    "America/Sao_Paulo",
    "Pacific/Kiritimati",
]
ONE_DAY = timedelta(days=1)

thorough = settings(max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "300")), deadline=None)


@lru_cache
def days_of(zone: str) -> st.SearchStrategy[date]:
    """Choose mostly days around a clock change: that is where the mistakes live."""
    changes = naive_model.clock_changes(zone, 1985, 2037)
    near = [day + nearness * ONE_DAY for day in changes for nearness in (-1, 0, 1)]
    return st.one_of(st.sampled_from(near), st.sampled_from(near), st.dates(date(1985, 1, 3), date(2037, 12, 1)))


@st.composite
def spans(draw: st.DrawFn, most: int) -> tuple[Interval, ...]:
    """Draw separate intervals of a day, often round, often at night when the clocks change."""
    minutes = st.one_of(st.integers(0, 96).map(lambda n: n * 15), st.integers(0, 300), st.integers(0, 1440))
    cuts = sorted(draw(st.sets(minutes, max_size=2 * most)))
    return tuple(zip(cuts[::2], cuts[1::2], strict=False))


@st.composite
def nights(draw: st.DrawFn) -> tuple[Interval, ...]:
    """Draw hours that run past midnight, sometimes after some of the day's."""
    start, length = draw(st.integers(0, 1439)), draw(st.integers(1, 1440))
    day = tuple(span for span in draw(spans(most=1)) if span[1] <= start)
    return (*day, (start, start + length))


@st.composite
def questions(draw: st.DrawFn) -> tuple[Rules, list[Busy], int, date, int]:
    """Draw the rules of a doctor, what is taken, a moment of asking, and the days asked about."""
    zone = draw(st.sampled_from(ZONES))
    first = draw(days_of(zone))
    days = draw(st.integers(1, 3))
    asked = [first + n * ONE_DAY for n in range(days)]
    # What begins the day before may reach into the first of them.
    around = [first - ONE_DAY, *asked, first + days * ONE_DAY]
    hours = st.one_of(
        spans(most=3), nights(), st.just(((0, 1440),)), st.just(((1200, 1620),)), st.just(((540, 780), (840, 1080)))
    )
    rules = Rules(
        zone,
        appointment_minutes=draw(st.one_of(st.integers(5, 240), st.sampled_from([5, 15, 20, 30, 45, 60, 90, 240]))),
        buffer_minutes=draw(st.one_of(st.just(0), st.integers(0, 120))),
        min_notice_minutes=draw(st.one_of(st.just(0), st.integers(0, 3000))),
        max_days_ahead=draw(st.one_of(st.just(62), st.integers(0, 4))),
        weekly=draw(st.dictionaries(st.sampled_from([day.weekday() for day in around]), hours)),
        overrides=draw(st.dictionaries(st.sampled_from(around), hours, max_size=1)),
        blocked=draw(st.dictionaries(st.sampled_from(around), spans(most=2), max_size=2)),
        accepting=draw(st.integers(0, 19)) > 0,
        instant_confirmation=draw(st.booleans()),
    )
    midnight = instant(f"{first}T00:00:00Z")
    seconds = st.one_of(st.integers(-30 * 60, 100 * 60).map(lambda minute: minute * 60), st.integers(-108_000, 360_000))
    lengths = st.one_of(st.integers(1, 72).map(lambda n: n * 300), st.integers(0, 20_000))
    busy = [
        Busy(midnight + start, midnight + start + length, held)
        for start, length, held in draw(st.lists(st.tuples(seconds, lengths, st.booleans()), max_size=5))
    ]
    now = midnight + draw(
        st.one_of(st.just(-86_400), seconds, st.integers(-64 * 86_400, 86_400)),
    )

    # Chance seldom puts two things edge to edge, so some are put there: appointments and blocked stretches where
    # appointments may stand, and a moment of asking just when the notice for one of them ends.
    grid = [
        slot
        for day in asked
        for start, end in rules.hours_on(day)
        for minute in range(start, end, rules.appointment_minutes + rules.buffer_minutes)
        if (slot := build_slot(rules, day + minute // 1440 * ONE_DAY, at_minute(minute % 1440)))
    ]
    if grid:
        one_of_grid, nearly = st.sampled_from(grid), st.sampled_from([0, 0, 0, -1, 1])
        for slot, spill, held in draw(st.lists(st.tuples(one_of_grid, nearly, st.booleans()), max_size=5)):
            busy.append(Busy(slot.starts_at - spill, slot.busy_until + spill, held))
        if draw(st.booleans()):
            notice = draw(st.sampled_from([rules.min_notice_minutes, rules.notice_minutes]))
            now = draw(one_of_grid).starts_at - notice * 60 + draw(nearly)
        if draw(st.booleans()):
            slot = draw(one_of_grid)
            start = slot.time.hour * 60 + slot.time.minute
            end = min(start + rules.appointment_minutes, 1440)
            rules = replace(rules, blocked={**rules.blocked, slot.date: ((start, end),)})
    return rules, busy, now, first, days


@thorough
@given(questions(), st.data())
def test_the_engine_agrees_with_the_naive_model(
    question: tuple[Rules, list[Busy], int, date, int], data: st.DataObject
) -> None:
    rules, busy, now, first, days = question
    listed = list_free_slots(rules, busy, now, first, days)
    assert [day for day, _ in listed] == [first + n * ONE_DAY for n in range(days)]
    for day, slots in listed:
        free = naive_model.free_minutes(rules, busy, now, day)
        assert [slot.time for slot in slots] == list(map(at_minute, free))

        # The patient has appointments that touch what is free: at its end, in its buffer, or in its last second.
        late = data.draw(st.integers(-1, 1))
        patient_busy = [Busy(slot.ends_at + late, slot.ends_at + late + 60) for slot in slots[::2]]
        showings = naive_model.first_showings(rules.time_zone, day)
        offered = {
            minute
            for start, end in rules.hours_touching(day)
            for minute in range(start, end, rules.appointment_minutes + rules.buffer_minutes)
            if 0 <= minute < 1440
        }
        drawn = data.draw(st.lists(st.integers(0, 1439), max_size=10))
        edges = {
            minute for start, end in rules.hours_touching(day) for minute in (start, end - 1) if 0 <= minute < 1440
        }
        for minute in sorted(edges | set(drawn) | set(sorted(offered)[:: max(1, len(offered) // 24)])):
            expected = naive_model.why_not(rules, busy, now, day, minute, patient_busy)
            answer = find_slot(rules, busy, now, day, at_minute(minute), patient_busy)
            assert (answer.reason if isinstance(answer, Refusal) else None) == expected
            possible = build_slot(rules, day, at_minute(minute))
            assert (possible and possible.starts_at) == showings.get(minute)
            if isinstance(answer, Slot):
                assert answer == possible
                assert answer in slots


@pytest.mark.parametrize("zone", ZONES)
def test_every_dst_change_agrees_with_the_naive_model(zone: str) -> None:
    """Take each day around each change, with appointments and buffers in turn, the whole day open."""
    appointments = [(60, 0), (30, 10), (45, 15), (20, 5), (240, 0), (90, 30), (25, 0), (120, 45)]
    changes = naive_model.clock_changes(zone, 2004, 2030) or naive_model.clock_changes(zone, 1985, 2003)
    assert changes or zone == "UTC"
    for number, change in enumerate(changes):
        appointment, buffer = appointments[number % len(appointments)]
        weekly = every_day((0, 1440)) if number % 2 else every_day((0, 90), (110, 475), (1290, 1440))
        rules = Rules(zone, appointment, buffer, weekly=weekly)
        now = instant(f"{change}T00:00:00Z") - 4 * 86_400
        for day in (change - ONE_DAY, change, change + ONE_DAY):
            expected = naive_model.free_minutes(rules, [], now, day)
            assert times(rules, day, now=now) == [f"{at_minute(minute):%H:%M}" for minute in expected]


@thorough
@given(questions(), st.integers(-5 * 86_400, 8 * 86_400), st.integers(0, 12))
def test_next_and_nearest_agree_with_the_list(
    question: tuple[Rules, list[Busy], int, date, int], distance: int, count: int
) -> None:
    rules, busy, now, _, _ = question
    today = datetime.fromtimestamp(now, ZoneInfo(rules.time_zone)).date()
    listed = list_free_slots(rules, busy, now, today - 2 * ONE_DAY, rules.max_days_ahead + 5)
    everything = [slot for _, slots in listed for slot in slots]
    assert everything == sorted(everything, key=lambda slot: slot.starts_at)
    assert list_next_free(rules, busy, now, count) == everything[:count]
    around = now + distance
    by_distance = sorted(everything, key=lambda slot: (abs(slot.starts_at - around), slot.starts_at))
    nearest = sorted(by_distance[:count], key=lambda slot: slot.starts_at)
    assert list_nearest_free(rules, busy, now, around, count) == nearest


@thorough
@given(
    st.sampled_from(sorted(available_timezones())),
    st.dates(date(1850, 1, 1), date(2150, 1, 1)),
    st.integers(0, 1439),
)
def test_any_zone_at_any_time_reads_as_zoneinfo_does(zone: str, day: date, minute: int) -> None:
    """Offsets of odd seconds, as before the railways, included."""
    wall = datetime(day.year, day.month, day.day, minute // 60, minute % 60, tzinfo=ZoneInfo(zone))
    slot = build_slot(Rules(zone), day, at_minute(minute))
    there_and_back = wall.astimezone(UTC).astimezone(wall.tzinfo)
    if there_and_back.replace(fold=0, tzinfo=None) == wall.replace(tzinfo=None):
        assert slot is not None
        assert slot.starts_at_utc == wall.astimezone(UTC)
    else:
        assert slot is None
