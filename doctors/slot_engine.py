"""List the free times of a doctor, and explain why a time is not free.

Pure functions of the doctor's rules, the reserved times and the current time; nothing here reads a clock, a database or
a setting. Instants are whole seconds since 1970 in UTC. Dates and times are local to the doctor. Hours are intervals of
minutes of the day, since they may end at 24:00 or run past midnight; they are half-open, so an interval that ends at
10:00 leaves 10:00 free.

The rules:

- Hours belong to the date on which they begin, and may run into the next one: 20:00 to 03:00 ends at minute 1620.
- Times begin at each interval's start, in steps of appointment length plus buffer.
- An appointment starts at its local time and lasts its minutes of real time. It fits if each of its local minutes is
  inside one interval and outside every blocked interval. The buffer after it may exceed both.
- A doctor who confirms requests needs time to do so: only one who confirms instantly offers the next 60 minutes.
- A local time that a clock change skips is not offered; one that it repeats is offered once, for its first occurrence.
- An appointment with its buffer must not overlap any reserved interval.

Listing times and checking one time share their code: a time is free if the list of its day contains it.
"""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

Interval: TypeAlias = tuple[int, int]
"""Minutes of the local day, half-open, 0 to 1440; hours that run past midnight end after 1440."""

Clock: TypeAlias = tuple[tuple[int, int, int], ...]
"""What a zone's clocks show around a day: stretches of (from instant, until instant, offset in seconds)."""

LUNCH: Interval = (13 * 60, 14 * 60)

# The minimum notice of a doctor who doesn't confirm instantly.
REQUEST_NOTICE_MINUTES = 60

_MINUTE = 60
_DAY = 24 * 60 * _MINUTE
_ONE_DAY = timedelta(days=1)
_MINUTES_OF_DAY = 24 * 60
_FOREVER = 1 << 60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_ORDINAL = _EPOCH.toordinal()
_LAST_ORDINAL = date.max.toordinal()
_FIRST_INSTANT = (1 - _EPOCH_ORDINAL) * _DAY
_END_OF_INSTANTS = (_LAST_ORDINAL + 1 - _EPOCH_ORDINAL) * _DAY
_TIMES = tuple(time(*divmod(minute, 60)) for minute in range(_MINUTES_OF_DAY))
# Takes half the time of calling the class, which matters for hundreds of slots.
_new_tuple = tuple.__new__


class Reason(StrEnum):
    """Why a time is not free. If several reasons apply, the first in this order is returned."""

    NOT_ACCEPTING = "not_accepting"
    PAST = "past"
    TOO_FAR = "too_far"
    DAY_OFF = "day_off"
    OUTSIDE_HOURS = "outside_hours"
    OFF_GRID = "off_grid"
    TOO_SOON = "too_soon"
    TAKEN = "taken"
    HELD = "held"
    PATIENT_BUSY = "patient_busy"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a time cannot be booked."""

    reason: Reason


# Named tuples, because there are hundreds: they are created three times as fast as frozen dataclasses, and can be
# sorted.


class Busy(NamedTuple):
    """A reserved interval, including the buffer."""

    start: int
    end: int
    held: bool = False


class Slot(NamedTuple):
    """A possible appointment: its local date and time, and its instants."""

    date: date
    time: time
    starts_at: int
    ends_at: int
    busy_until: int

    @property
    def starts_at_utc(self) -> datetime:
        """Return the start as an aware UTC datetime."""
        return _to_datetime(self.starts_at)

    @property
    def ends_at_utc(self) -> datetime:
        """Return the end without the buffer as an aware UTC datetime."""
        return _to_datetime(self.ends_at)

    @property
    def busy_until_utc(self) -> datetime:
        """Return the end with the buffer as an aware UTC datetime."""
        return _to_datetime(self.busy_until)


def expand_working_hours(days: Iterable[int], start: int, end: int) -> dict[int, tuple[Interval, ...]]:
    """Return the weekly hours for working days with one span of hours, without the lunch break.

    Raise ValueError for a span that is empty, inverted or outside the day.
    """
    hours = _subtract(_sort_intervals([(start, end)]), (LUNCH,))
    return dict.fromkeys(sorted(set(days)), hours) if hours else {}


def summarize_working_hours(weekly: Mapping[int, tuple[Interval, ...]]) -> tuple[list[int], Interval | None]:
    """Return the days that have hours, and the span from their earliest start to their latest end.

    The inverse of `expand_working_hours`, for weekly hours that it has returned.
    """
    days = sorted(day for day, hours in weekly.items() if hours)
    spans = [span for day in days for span in weekly[day]]
    if not spans:
        return [], None
    return days, (min(start for start, _ in spans), max(end for _, end in spans))


def _default_weekly() -> dict[int, tuple[Interval, ...]]:
    return expand_working_hours(range(5), 9 * 60, 18 * 60)


@dataclass(frozen=True, slots=True)
class Rules:
    """The scheduling rules of a doctor.

    An override replaces the hours that begin on its date; without hours, it is a day off.
    Intervals may be in any order. Raise ValueError for an unknown time zone, for minutes out of range, and for
    intervals that are empty, inverted, longer than 24 hours or begin outside the day.
    """

    time_zone: str
    appointment_minutes: int = 60
    buffer_minutes: int = 0
    min_notice_minutes: int = 0
    max_days_ahead: int = 62
    weekly: Mapping[int, tuple[Interval, ...]] = field(default_factory=_default_weekly)
    overrides: Mapping[date, tuple[Interval, ...]] = field(default_factory=dict)
    blocked: Mapping[date, tuple[Interval, ...]] = field(default_factory=dict)
    accepting: bool = True
    instant_confirmation: bool = True
    # Whether any hours run past midnight into the next date.
    is_overnight: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        try:
            get_zone(self.time_zone)
        except (KeyError, OSError, ValueError) as error:
            raise ValueError(f"unknown time zone: {self.time_zone!r}") from error
        if not 1 <= self.appointment_minutes <= _MINUTES_OF_DAY:
            raise ValueError("appointment_minutes must be 1 to 1440")
        if min(self.buffer_minutes, self.min_notice_minutes, self.max_days_ahead) < 0:
            raise ValueError("buffer, notice and days ahead cannot be negative")
        if not all(0 <= day <= 6 for day in self.weekly):
            raise ValueError("weekdays are 0 (Monday) to 6")
        weekly = {day: _sort_intervals(hours, may_run_over=True) for day, hours in self.weekly.items()}
        overrides = {day: _sort_intervals(hours, may_run_over=True) for day, hours in self.overrides.items()}
        object.__setattr__(self, "weekly", weekly)
        object.__setattr__(self, "overrides", overrides)
        blocked = {day: _sort_intervals(spans) for day, spans in self.blocked.items()}
        object.__setattr__(self, "blocked", blocked)
        spans = (span for hours in (*weekly.values(), *overrides.values()) for span in hours)
        object.__setattr__(self, "is_overnight", any(end > _MINUTES_OF_DAY for _, end in spans))

    @property
    def notice_minutes(self) -> int:
        """Return the minimum notice, in minutes."""
        return (
            self.min_notice_minutes
            if self.instant_confirmation
            else max(self.min_notice_minutes, REQUEST_NOTICE_MINUTES)
        )

    def hours_on(self, day: date) -> tuple[Interval, ...]:
        """Return the hours that begin on a date, including blocked ones."""
        override = self.overrides.get(day)
        return self.weekly.get(day.weekday(), ()) if override is None else override

    def hours_touching(self, day: date) -> tuple[Interval, ...]:
        """Return the hours that overlap a date, in minutes from its midnight; negative if they begin before it."""
        hours = self.hours_on(day)
        if not self.is_overnight or day == date.min:
            return hours
        before = self.hours_on(day - _ONE_DAY)
        return (
            *((start - _MINUTES_OF_DAY, end - _MINUTES_OF_DAY) for start, end in before if end > _MINUTES_OF_DAY),
            *hours,
        )

    def blocked_around(self, day: date) -> tuple[Interval, ...]:
        """Return the blocked intervals of a date and, if hours run past midnight, of its neighbors."""
        blocked = self.blocked.get(day, ())
        if not self.is_overnight or not self.blocked:
            return blocked
        # The first and last dates have one neighbor.
        before = () if day == date.min else self.blocked.get(day - _ONE_DAY, ())
        after = () if day == date.max else self.blocked.get(day + _ONE_DAY, ())
        return (
            *((start - _MINUTES_OF_DAY, end - _MINUTES_OF_DAY) for start, end in before),
            *blocked,
            *((start + _MINUTES_OF_DAY, end + _MINUTES_OF_DAY) for start, end in after),
        )

    def open_on(self, day: date) -> tuple[Interval, ...]:
        """Return the minutes of a date that are inside the hours and not blocked."""
        clipped = ((max(start, 0), min(end, _MINUTES_OF_DAY)) for start, end in self.hours_touching(day))
        return _subtract(tuple(clipped), self.blocked.get(day, ()))

    def starts_on(self, day: date) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return a base instant, and the possible starts on a date as (seconds after the base, minute of the day)."""
        hours = self.hours_touching(day)
        if not hours:
            return 0, ()
        midnight = _get_midnight(day)
        clock = _build_clock(self.time_zone, day.toordinal())
        blocked = self.blocked_around(day)
        step = self.appointment_minutes + self.buffer_minutes
        if len(clock) == 1:
            # All days without a clock change have the same grid relative to their midnight.
            return midnight - clock[0][2], _build_grid(
                _CONSTANT_CLOCK, 0, hours, blocked, self.appointment_minutes, step
            )
        return 0, _build_grid(clock, midnight, hours, blocked, self.appointment_minutes, step)


def list_free_slots(
    rules: Rules, busy: Sequence[Busy], now: int, first: date, days: int
) -> list[tuple[date, list[Slot]]]:
    """Return the free times of `days` days from `first` on by day, in chronological order, up to `date.max`."""
    calendar = _Calendar(rules, busy, now)
    start = first.toordinal()
    dates = map(date.fromordinal, range(start, min(start + days, _LAST_ORDINAL + 1)))
    return [(day, calendar.free_on(day)) for day in dates]


def list_next_free(
    rules: Rules,
    busy: Sequence[Busy],
    now: int,
    count: int = 1,
    horizon_days: int | None = None,
    *,
    skipped_days: int = 0,
) -> list[Slot]:
    """Return the first `count` free times from now on, at most `horizon_days` days after today.

    The first `skipped_days`, from today on, are left out.
    """
    calendar = _Calendar(rules, busy, now)
    last = calendar.last if horizon_days is None else min(calendar.last, calendar.today + horizon_days)
    found: list[Slot] = []
    for ordinal in range(calendar.today + skipped_days, last + 1):
        found += calendar.free_on(date.fromordinal(ordinal), count - len(found))
        if len(found) >= count:
            break
    return found


def find_slot(
    rules: Rules, busy: Sequence[Busy], now: int, day: date, time: time, patient_busy: Sequence[Busy] = ()
) -> Slot | Refusal:
    """Return the slot at a local date and time if it is available, and otherwise the reason.

    The appointment, without the doctor's buffer, must not overlap `patient_busy`. Callers leave out intervals to be
    ignored (own holds, the appointment being rescheduled). Raise ValueError for a time with seconds.
    """
    minute = to_minute(time)
    calendar = _Calendar(rules, busy, now)
    for slot in calendar.free_on(day):
        if slot.time == time:
            if any(_overlaps(slot.starts_at, slot.ends_at, other) for other in patient_busy):
                return Refusal(Reason.PATIENT_BUSY)
            return slot
    return Refusal(calendar.why_not(day, minute))


def find_next_free(rules: Rules, busy: Sequence[Busy], now: int, after: int) -> Slot | None:
    """Return the first free time from the instant `after` on, or None."""
    calendar = _Calendar(rules, busy, now)
    for ordinal in range(max(_get_local_ordinal(rules.time_zone, after) - 1, calendar.today), calendar.last + 1):
        for slot in calendar.free_on(date.fromordinal(ordinal)):
            if slot.starts_at >= after:
                return slot
    return None


def list_nearest_free(rules: Rules, busy: Sequence[Busy], now: int, around: int, count: int = 3) -> list[Slot]:
    """Return the `count` free times nearest to the instant `around`, in chronological order; ties go to the earlier."""
    calendar = _Calendar(rules, busy, now)
    # One day more on both sides, since a clock change can move an instant to the neighboring date.
    day = _get_local_ordinal(rules.time_zone, around)
    later: list[Slot] = []
    for ordinal in range(max(day - 1, calendar.today), calendar.last + 1):
        later += [slot for slot in calendar.free_on(date.fromordinal(ordinal)) if slot.starts_at >= around]
        if len(later) >= count:
            break
    earlier: list[Slot] = []
    for ordinal in range(min(day + 1, calendar.last), calendar.today - 1, -1):
        earlier += [slot for slot in calendar.free_on(date.fromordinal(ordinal)) if slot.starts_at < around]
        if len(earlier) >= count:
            break
    nearest = heapq.nsmallest(count, earlier + later, key=lambda slot: (abs(slot.starts_at - around), slot.starts_at))
    return sorted(nearest, key=lambda slot: slot.starts_at)


def build_slot(rules: Rules, day: date, time: time) -> Slot | None:
    """Return the slot at a local date and time, free or not; None if a clock change skips it."""
    minute = to_minute(time)
    clock = _build_clock(rules.time_zone, day.toordinal())
    start, exists = _find_instant(clock, _get_midnight(day) + minute * _MINUTE)
    slot = _make_slot(rules, day, minute, start)
    # A datetime can't represent instants beyond the edges of the calendar.
    return slot if exists and start >= _FIRST_INSTANT and slot.busy_until < _END_OF_INSTANTS else None


class Cause(StrEnum):
    """Why a minute of an appointment is closed: by weekly hours, an override, or a blocked interval."""

    HOURS = "hours"
    DATED_HOURS = "dated_hours"
    BLOCKED = "blocked"


def find_closed_minutes(rules: Rules, start: int, minutes: int) -> frozenset[tuple[Cause, int]]:
    """Return the minutes of an appointment, counted from its start, that the rules close, and why.

    The difference of two results is what a change of the rules closes.
    """
    zone_info = get_zone(rules.time_zone)
    closed = set()
    for number in range(minutes):
        shown = _to_datetime(start + number * _MINUTE).astimezone(zone_info)
        day, minute = shown.date(), shown.hour * 60 + shown.minute
        if not any(opens <= minute < closes for opens, closes in rules.hours_touching(day)):
            closed.add((Cause.HOURS, number))
            if day in rules.overrides:
                closed.add((Cause.DATED_HOURS, number))
        if any(opens <= minute < closes for opens, closes in rules.blocked.get(day, ())):
            closed.add((Cause.BLOCKED, number))
    return frozenset(closed)


class _Calendar:
    """A doctor's rules and sorted busy times at one moment."""

    def __init__(self, rules: Rules, busy: Sequence[Busy], now: int) -> None:
        self.rules = rules
        self.busy = busy
        self.now = now
        self.earliest = max(now + 1, now + rules.notice_minutes * _MINUTE)
        self.today = min(max(_get_local_ordinal(rules.time_zone, now), 1), _LAST_ORDINAL)
        self.last = min(self.today + rules.max_days_ahead, _LAST_ORDINAL)
        self.taken_from, self.taken_until = _merge_busy(busy)

    def free_on(self, day: date, limit: int = _MINUTES_OF_DAY) -> list[Slot]:
        """Return the free slots of a day in chronological order, at most `limit`."""
        rules = self.rules
        if not rules.accepting or day.toordinal() > self.last:
            return []
        base, starts = rules.starts_on(day)
        if not starts:
            return []
        appointment = rules.appointment_minutes * _MINUTE
        whole = appointment + rules.buffer_minutes * _MINUTE
        taken_from, taken_until = self.taken_from, self.taken_until
        # Most days are entirely in the future.
        after = self.earliest - base
        index = bisect_left(starts, (after, -1)) if after > starts[0][0] else 0
        last = bisect_left(taken_from, base + starts[-1][0] + whole) - 1
        if last < 0 or (index < len(starts) and taken_until[last] <= base + starts[index][0]):
            # The rest of this day has no busy times.
            return [
                _new_tuple(Slot, (day, _TIMES[minute], base + s, base + s + appointment, base + s + whole))
                for s, minute in starts[index : index + limit]
            ]
        free: list[Slot] = []
        while index < len(starts) and len(free) < limit:
            after_base, minute = starts[index]
            start = base + after_base
            # Only the last busy interval that begins before this slot's end can overlap it.
            before = bisect_left(taken_from, start + whole) - 1
            if before >= 0 and taken_until[before] > start:
                # Skip the slots before its end; a fully booked day is a single interval.
                index = bisect_left(starts, (taken_until[before] - base, -1), index + 1)
                continue
            free.append(_new_tuple(Slot, (day, _TIMES[minute], start, start + appointment, start + whole)))
            index += 1
        return free

    def why_not(self, day: date, minute: int) -> Reason:
        """Return the first reason why a time is not in the list of its day."""
        rules = self.rules
        if not rules.accepting:
            return Reason.NOT_ACCEPTING
        clock = _build_clock(rules.time_zone, day.toordinal())
        midnight = _get_midnight(day)
        start, exists = _find_instant(clock, midnight + minute * _MINUTE)
        if start <= self.now:
            return Reason.PAST
        if day.toordinal() > self.last:
            return Reason.TOO_FAR
        hours, blocked = rules.hours_touching(day), rules.blocked_around(day)
        open_hours = rules.open_on(day)
        if not open_hours:
            return Reason.DAY_OFF
        if exists:
            within = any(_fits(clock, midnight, start, rules.appointment_minutes, span, blocked) for span in hours)
        else:
            within = any(opens <= minute < closes for opens, closes in open_hours)
        if not within:
            return Reason.OUTSIDE_HOURS
        base, starts = rules.starts_on(day)
        if not exists or (start - base, minute) not in starts:
            return Reason.OFF_GRID
        if start < self.earliest:
            return Reason.TOO_SOON
        slot = _make_slot(rules, day, minute, start)
        in_the_way = [other for other in self.busy if _overlaps(start, slot.busy_until, other)]
        return Reason.HELD if all(other.held for other in in_the_way) else Reason.TAKEN


def _make_slot(rules: Rules, day: date, minute: int, start: int) -> Slot:
    end = start + rules.appointment_minutes * _MINUTE
    return Slot(day, _TIMES[minute], start, end, end + rules.buffer_minutes * _MINUTE)


def _overlaps(start: int, end: int, other: Busy) -> bool:
    # An empty interval overlaps nothing.
    return max(start, other.start) < min(end, other.end)


def _merge_busy(busy: Sequence[Busy]) -> tuple[list[int], list[int]]:
    """Return the starts and ends of the merged busy intervals, sorted."""
    starts: list[int] = []
    ends: list[int] = []
    until = -_FOREVER
    for start, end, _ in sorted(busy):
        if start >= end:
            continue
        if start > until:
            starts.append(start)
            ends.append(end)
            until = end
        elif end > until:
            ends[-1] = until = end
    return starts, ends


# Hours and clocks


def to_minute(time: time) -> int:
    """Return a time as a minute of the day; raise ValueError for a time with seconds."""
    if time.second or time.microsecond:
        raise ValueError(f"not a whole minute: {time}")
    return time.hour * 60 + time.minute


def _sort_intervals(spans: Iterable[Interval], *, may_run_over: bool = False) -> tuple[Interval, ...]:
    """Sort the intervals of one day; raise ValueError for invalid ones.

    With `may_run_over`, an interval may end up to 24 hours after its start.
    """
    intervals = tuple(sorted((start, end) for start, end in spans))
    for start, end in intervals:
        latest_end = start + _MINUTES_OF_DAY if may_run_over else _MINUTES_OF_DAY
        if not 0 <= start < min(end, _MINUTES_OF_DAY) or end > latest_end:
            raise ValueError(f"not an interval of a day: {start} to {end}")
    return intervals


def _subtract(hours: tuple[Interval, ...], blocked: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Return the hours without the blocked intervals."""
    for block_start, block_end in blocked:
        pieces = [
            piece
            for start, end in hours
            for piece in ((start, min(end, block_start)), (max(start, block_end), end))
            if piece[0] < piece[1]
        ]
        hours = tuple(pieces)
    return hours


def _fits(
    clock: Clock,
    midnight: int,
    start: int,
    appointment_minutes: int,
    hours: Interval,
    blocked: tuple[Interval, ...],
) -> bool:
    """Return whether all local minutes of an appointment are inside the hours and outside blocked intervals."""
    end = start + appointment_minutes * _MINUTE
    opens, closes = hours
    for since, until, offset in clock:
        # The local time from the start to the end of this part of the appointment, in minutes.
        shown_from = (max(start, since) + offset - midnight) / _MINUTE
        shown_to = (min(end, until) + offset - midnight) / _MINUTE
        if shown_from >= shown_to:
            continue
        if shown_from < opens or shown_to > closes:
            return False
        if any(shown_from < block_end and block_start < shown_to for block_start, block_end in blocked):
            return False
    return True


@lru_cache(maxsize=8192)
def _build_grid(
    clock: Clock,
    midnight: int,
    hours: tuple[Interval, ...],
    blocked: tuple[Interval, ...],
    appointment_minutes: int,
    step: int,
) -> tuple[tuple[int, int], ...]:
    """Return the (instant, minute of the day) of every possible start, in chronological order."""
    offered = []
    for span in hours:
        opens, closes = span
        # For hours that began the day before, the first start on this date.
        first = opens if opens >= 0 else opens % step
        for minute in range(first, min(closes, _MINUTES_OF_DAY), step):
            start, exists = _find_instant(clock, midnight + minute * _MINUTE)
            if exists and _fits(clock, midnight, start, appointment_minutes, span, blocked):
                offered.append((start, minute))
    return tuple(sorted(set(offered)))


_CONSTANT_CLOCK: Clock = ((-_FOREVER, _FOREVER, 0),)


@lru_cache(maxsize=16384)
def _build_clock(time_zone: str, ordinal: int) -> Clock:
    """Return the zone's offsets around a date: one period, or two if the clocks change near it.

    One day before and after is enough, since no zone is a whole day from UTC. Comparing both ends is enough, since no
    zone has ever changed its clocks twice within a week.
    """
    midnight = (ordinal - _EPOCH_ORDINAL) * _DAY
    before_change, after_change = midnight - _DAY, midnight + 2 * _DAY
    old, new = _get_offset(time_zone, before_change), _get_offset(time_zone, after_change)
    if old == new:
        return ((-_FOREVER, _FOREVER, old),)
    while after_change - before_change > 1:
        middle = (before_change + after_change) // 2
        if _get_offset(time_zone, middle) == old:
            before_change = middle
        else:
            after_change = middle
    return ((-_FOREVER, after_change, old), (after_change, _FOREVER, new))


def _find_instant(clock: Clock, wall: int) -> tuple[int, bool]:
    """Return the first instant at which the clock shows a wall time (local seconds since 1970), and True.

    Return the instant of the jump, and False, for a time that the clock jumps over.
    """
    for since, until, offset in clock:
        if wall < until + offset:
            return max(wall - offset, since), wall - offset >= since
    raise AssertionError("the last period of a clock has no end")


@lru_cache(maxsize=1024)
def get_zone(time_zone: str) -> ZoneInfo:
    """Return a zone, cached because Python caches only the last eight."""
    return ZoneInfo(time_zone)


def _get_offset(time_zone: str, instant: int) -> int:
    """Return the seconds that the zone's clocks are ahead of UTC at an instant."""
    # One day away from the ends of the calendar, where the local date would be out of range.
    clamped = min(max(instant, _FIRST_INSTANT + _DAY), _END_OF_INSTANTS - 2 * _DAY)
    local = _to_datetime(clamped).astimezone(get_zone(time_zone))
    return round((local.replace(tzinfo=UTC) - _EPOCH).total_seconds()) - clamped


def _get_local_ordinal(time_zone: str, instant: int) -> int:
    """Return the day number of the date that the zone's calendar shows at an instant."""
    # From the cached clock around the UTC date.
    for _, until, offset in _build_clock(time_zone, instant // _DAY + _EPOCH_ORDINAL):
        if instant < until:
            return (instant + offset) // _DAY + _EPOCH_ORDINAL
    raise AssertionError("the last period of a clock has no end")


def _get_midnight(day: date) -> int:
    """Return the wall time of a date's midnight, in local seconds since 1970."""
    return (day.toordinal() - _EPOCH_ORDINAL) * _DAY


def _to_datetime(instant: int) -> datetime:
    return _EPOCH + timedelta(seconds=instant)
