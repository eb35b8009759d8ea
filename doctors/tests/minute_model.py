"""The rules of free times, told minute by minute, as slowly and as plainly as they can be told.

Shares no code with `doctors/slot_engine.py` except the values that go in and the names of the reasons: it
walks along real time and looks at the clock on the wall.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from doctors.slot_engine import Busy, Reason, Rules

Reading = tuple[date, int]


@lru_cache(maxsize=64)
def walk(time_zone: str, day: date) -> dict[int, Reading]:
    """Give what the clock on the wall shows at every minute of real time around a date."""
    zone = ZoneInfo(time_zone)
    noon = int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp())
    readings = {}
    for instant in range(noon - 32 * 3600, noon + 32 * 3600, 60):
        wall = datetime.fromtimestamp(instant, zone)
        readings[instant] = (wall.date(), wall.hour * 60 + wall.minute)
    return readings


@lru_cache(maxsize=64)
def first_showings(time_zone: str, day: date) -> dict[int, int]:
    """Give, for each minute of a local day that exists, the first instant at which the clock shows it."""
    showings: dict[int, int] = {}
    for instant, (shown_day, shown_minute) in walk(time_zone, day).items():
        if shown_day == day:
            showings.setdefault(shown_minute, instant)
    return showings


def hours_of(rules: Rules, day: date) -> Sequence[tuple[int, int]]:
    if day in rules.overrides:
        return rules.overrides[day]
    return rules.weekly.get(day.weekday(), ())


def shifts_of(rules: Rules, day: date) -> list[tuple[date, int, int]]:
    """Give the hours that may touch a date, each with the date on which it begins."""
    shifts = []
    for first in (day - timedelta(days=1), day):
        shifts += [(first, start, end) for start, end in hours_of(rules, first)]
    return shifts


def is_in(shift: tuple[date, int, int], day: date, minute: int) -> bool:
    """Say whether a reading of the clock lies in a shift, which may go on after midnight."""
    first, start, end = shift
    return start <= (day - first).days * 1440 + minute < end


def is_blocked(rules: Rules, day: date, minute: int) -> bool:
    return any(start <= minute < end for start, end in rules.blocked.get(day, ()))


def is_open(rules: Rules, day: date, minute: int) -> bool:
    in_hours = any(is_in(shift, day, minute) for shift in shifts_of(rules, day))
    return in_hours and not is_blocked(rules, day, minute)


def fits(rules: Rules, day: date, start: int, shift: tuple[date, int, int]) -> bool:
    """Walk through the appointment: each minute of it must read inside the hours and outside what is blocked."""
    readings = walk(rules.time_zone, day)
    for step in range(rules.appointment_minutes):
        shown_day, shown_minute = readings[start + step * 60]
        if not is_in(shift, shown_day, shown_minute) or is_blocked(rules, shown_day, shown_minute):
            return False
    return True


def stands_in_the_way(other: Busy, start: int, minutes: int) -> bool:
    """Walk through the minutes: does something else, unless it is nothing, touch one of them?"""
    if other.start >= other.end:
        return False
    return any(other.start < start + step * 60 + 60 and start + step * 60 < other.end for step in range(minutes))


def why_not(  # noqa: C901 (one list from top to bottom is the plainest way to tell an order)
    rules: Rules, busy: Sequence[Busy], now: int, day: date, minute: int, patient_busy: Sequence[Busy] = ()
) -> Reason | None:
    """Give the first reason why a time is not free, or None when it is."""
    if not rules.accepting:
        return Reason.NOT_ACCEPTING

    showings = first_showings(rules.time_zone, day)
    start = showings.get(minute)
    if start is None:
        # The clock jumps over it: what counts is the moment of the jump, when a later time is shown.
        jump = min(instant for instant, shown in walk(rules.time_zone, day).items() if shown > (day, minute))
        if jump <= now:
            return Reason.PAST
    elif start <= now:
        return Reason.PAST

    today = datetime.fromtimestamp(now, ZoneInfo(rules.time_zone)).date()
    if day > today + timedelta(days=rules.max_days_ahead):
        return Reason.TOO_FAR

    if not any(is_open(rules, day, shown) for shown in range(1440)):
        return Reason.DAY_OFF
    if start is None:
        return Reason.OFF_GRID if is_open(rules, day, minute) else Reason.OUTSIDE_HOURS

    fitting = [shift for shift in shifts_of(rules, day) if fits(rules, day, start, shift)]
    if not fitting:
        return Reason.OUTSIDE_HOURS
    step = rules.appointment_minutes + rules.buffer_minutes
    if not any(((day - first).days * 1440 + minute - opens) % step == 0 for first, opens, _ in fitting):
        return Reason.OFF_GRID
    if start < now + rules.min_notice_minutes * 60:
        return Reason.TOO_SOON
    if not rules.instant_confirmation and start - now < 60 * 60:
        # Nobody could answer a request in time.
        return Reason.TOO_SOON

    others = [other for other in busy if stands_in_the_way(other, start, step)]
    if any(not other.held for other in others):
        return Reason.TAKEN
    if others:
        return Reason.HELD
    if any(stands_in_the_way(other, start, rules.appointment_minutes) for other in patient_busy):
        return Reason.PATIENT_BUSY
    return None


def free_minutes(rules: Rules, busy: Sequence[Busy], now: int, day: date) -> list[int]:
    """Try every minute of a day."""
    showings = first_showings(rules.time_zone, day)
    step = rules.appointment_minutes + rules.buffer_minutes
    # Only to be quicker: a minute on nobody's grid is never free, so it is not walked through.
    candidates = {
        minute - (day - first).days * 1440
        for first, start, end in shifts_of(rules, day)
        for minute in range(start, end, step)
        if 0 <= minute - (day - first).days * 1440 < 1440
    }
    free = [minute for minute in candidates if why_not(rules, busy, now, day, minute) is None]
    return sorted(free, key=lambda minute: showings[minute])


@lru_cache(maxsize=32)
def clock_changes(time_zone: str, first_year: int, last_year: int) -> list[date]:
    """Give the dates between whose noon and the noon before it the clock was changed."""
    zone = ZoneInfo(time_zone)
    changes = []
    day = date(first_year, 1, 1)
    before = datetime(day.year, day.month, day.day, 12, tzinfo=zone).utcoffset()
    while day.year <= last_year:
        after = datetime(day.year, day.month, day.day, 12, tzinfo=zone).utcoffset()
        if after != before:
            changes.append(day)
        before = after
        day += timedelta(days=1)
    return changes
