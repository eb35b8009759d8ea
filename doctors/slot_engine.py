"""List the free times of a doctor, and say why a time is not free.

Pure functions over plain values: the doctor's rules, what is taken, and the moment of asking. Nothing here
reads a clock, a database or a setting. Instants are whole seconds since 1970 in UTC. Dates and times are those of
the doctor's own clock. Hours are intervals of minutes of the day, since they may end at 24:00 or run past midnight;
they are half-open, so what ends at 10:00 leaves 10:00 free.

What the rules mean:

- Hours belong to the date on which they begin, and may run into the next one: 20:00 to 03:00 ends at minute 1620.
- Times start at each interval's start and step by appointment length plus buffer.
- An appointment starts at its wall-clock time and lasts its minutes of real time. It fits when every minute of it
  reads, on the doctor's clock, inside one interval and outside every blocked stretch. The buffer
  after it may run over the end of both.
- A doctor who answers requests needs time to do so: only one who confirms instantly offers the next 60 minutes.
- A local time that a clock change skips is not offered; one that comes twice is offered once, the first time.
- An appointment with its buffer must overlap nothing that is taken. Intervals are compared, never starts.

Listing times and judging one time are one code path: a time is free when the list of its day has it.
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

# The least time between now and the start for which a doctor who doesn't confirm instantly can be asked.
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
# Half the cost of calling the class, which counts where there are hundreds.
_new = tuple.__new__


class Reason(StrEnum):
    """Why a time is not free. When several hold, the first in this order is given."""

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


# The two that exist by the hundred are named tuples: made three times as fast as frozen dataclasses, and put
# in order as they are.


class Busy(NamedTuple):
    """Time that is taken: instants, the end with that appointment's own buffer included."""

    start: int
    end: int
    held: bool = False


class Slot(NamedTuple):
    """An appointment that could be: its local date and time, and its instants."""

    date: date
    time: time
    starts_at: int
    ends_at: int
    busy_until: int

    @property
    def starts_at_utc(self) -> datetime:
        """Return the start as an aware UTC datetime."""
        return _utc(self.starts_at)

    @property
    def ends_at_utc(self) -> datetime:
        """Return the end, buffer left out, as an aware UTC datetime."""
        return _utc(self.ends_at)

    @property
    def busy_until_utc(self) -> datetime:
        """Return the end, buffer included, as an aware UTC datetime."""
        return _utc(self.busy_until)


def expand_working_hours(days: Iterable[int], start: int, end: int) -> dict[int, tuple[Interval, ...]]:
    """Return the weekly hours of a doctor who set only working days and one span of hours: lunch is cut out.

    Raises ValueError for a span that is empty, inverted or outside the day.
    """
    hours = _without(_tidy([(start, end)]), (LUNCH,))
    return dict.fromkeys(sorted(set(days)), hours) if hours else {}


def summarize_working_hours(weekly: Mapping[int, tuple[Interval, ...]]) -> tuple[list[int], Interval | None]:
    """Return the days that have hours, and the span from the earliest start to the latest end among them.

    What `expand_working_hours` makes of the answer is what it was made from, when it was made so.
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
    """What a doctor offers. An override replaces the hours that begin on its date, and none means a day off.

    Intervals may come in any order. Raises ValueError for an unknown zone, for minutes out of range, and for
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
    # Whether any hours run past midnight: then a date also has what the date before leaves it.
    is_overnight: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        try:
            zone(self.time_zone)
        except (KeyError, OSError, ValueError) as error:
            raise ValueError(f"unknown time zone: {self.time_zone!r}") from error
        if not 1 <= self.appointment_minutes <= _MINUTES_OF_DAY:
            raise ValueError("appointment_minutes must be 1 to 1440")
        if min(self.buffer_minutes, self.min_notice_minutes, self.max_days_ahead) < 0:
            raise ValueError("buffer, notice and days ahead cannot be negative")
        if not all(0 <= day <= 6 for day in self.weekly):
            raise ValueError("weekdays are 0 (Monday) to 6")
        weekly = {day: _tidy(hours, may_run_over=True) for day, hours in self.weekly.items()}
        overrides = {day: _tidy(hours, may_run_over=True) for day, hours in self.overrides.items()}
        object.__setattr__(self, "weekly", weekly)
        object.__setattr__(self, "overrides", overrides)
        blocked = {day: _tidy(spans) for day, spans in self.blocked.items()}
        object.__setattr__(self, "blocked", blocked)
        spans = (span for hours in (*weekly.values(), *overrides.values()) for span in hours)
        object.__setattr__(self, "is_overnight", any(end > _MINUTES_OF_DAY for _, end in spans))

    @property
    def notice_minutes(self) -> int:
        """Return the least time before a start, in minutes."""
        return (
            self.min_notice_minutes
            if self.instant_confirmation
            else max(self.min_notice_minutes, REQUEST_NOTICE_MINUTES)
        )

    def hours_on(self, day: date) -> tuple[Interval, ...]:
        """Return the hours that begin on a date; blocked stretches are not cut out."""
        override = self.overrides.get(day)
        return self.weekly.get(day.weekday(), ()) if override is None else override

    def hours_touching(self, day: date) -> tuple[Interval, ...]:
        """Return the hours that a date shares in, in minutes from its midnight: some may begin before it."""
        hours = self.hours_on(day)
        if not self.is_overnight or day == date.min:
            return hours
        before = self.hours_on(day - _ONE_DAY)
        return (
            *((start - _MINUTES_OF_DAY, end - _MINUTES_OF_DAY) for start, end in before if end > _MINUTES_OF_DAY),
            *hours,
        )

    def blocked_around(self, day: date) -> tuple[Interval, ...]:
        """Return what is blocked of a date and, where hours run past midnight, of its neighbors."""
        blocked = self.blocked.get(day, ())
        if not self.is_overnight or not self.blocked:
            return blocked
        # The edges of the calendar have one neighbor.
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
        return _without(tuple(clipped), self.blocked.get(day, ()))

    def starts_on(self, day: date) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return a base instant, and the grid of that date as (seconds after the base, minute of the day)."""
        hours = self.hours_touching(day)
        if not hours:
            return 0, ()
        midnight = _midnight(day)
        clock = _clock(self.time_zone, day.toordinal())
        blocked = self.blocked_around(day)
        step = self.appointment_minutes + self.buffer_minutes
        if len(clock) == 1:
            # Every day without a clock change looks the same from its own midnight, so one grid serves all.
            return midnight - clock[0][2], _grid(_STEADY, 0, hours, blocked, self.appointment_minutes, step)
        return 0, _grid(clock, midnight, hours, blocked, self.appointment_minutes, step)


def list_free_slots(
    rules: Rules, busy: Sequence[Busy], now: int, first: date, days: int
) -> list[tuple[date, list[Slot]]]:
    """List the free times of `days` days from `first` on, one entry a day, in order of time.

    Days after the last date that exists (9999-12-31) are left out.
    """
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

    `skipped_days` are left out, today first: the caller has looked at them already.
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
    """Return the slot at that local date and time if it can be had, and otherwise the reason.

    `patient_busy` is what the patient already has; the appointment itself, without the doctor's buffer, must not
    overlap it. A caller that may ignore a busy interval (the owner of a hold, the appointment that is being moved)
    leaves it out of what is given here. Raises ValueError for a time with seconds.
    """
    minute = minute_of(time)
    calendar = _Calendar(rules, busy, now)
    for slot in calendar.free_on(day):
        if slot.time == time:
            if any(_overlap(slot.starts_at, slot.ends_at, other) for other in patient_busy):
                return Refusal(Reason.PATIENT_BUSY)
            return slot
    return Refusal(calendar.why_not(day, minute))


def find_next_free(rules: Rules, busy: Sequence[Busy], now: int, after: int) -> Slot | None:
    """Return the first free time from the instant `after` on, or None."""
    calendar = _Calendar(rules, busy, now)
    for ordinal in range(max(_local_ordinal(rules.time_zone, after) - 1, calendar.today), calendar.last + 1):
        for slot in calendar.free_on(date.fromordinal(ordinal)):
            if slot.starts_at >= after:
                return slot
    return None


def list_nearest_free(rules: Rules, busy: Sequence[Busy], now: int, around: int, count: int = 3) -> list[Slot]:
    """Return the `count` free times nearest to the instant `around`, in order of time.

    Of two that are equally far, the earlier one is nearer.
    """
    calendar = _Calendar(rules, busy, now)
    # A day to spare on both sides: a clock change can put an instant on the neighbouring date.
    day = _local_ordinal(rules.time_zone, around)
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
    """Return the appointment that would start at that local date and time, free or not, offered or not.

    None when the doctor's clock never shows that time that day.
    """
    minute = minute_of(time)
    clock = _clock(rules.time_zone, day.toordinal())
    start, exists = _instant(clock, _midnight(day) + minute * _MINUTE)
    slot = _slot(rules, day, minute, start)
    # The edges of the calendar: an instant that no datetime can hold is of no use to anyone.
    return slot if exists and start >= _FIRST_INSTANT and slot.busy_until < _END_OF_INSTANTS else None


class Cause(StrEnum):
    """Why a minute of an appointment is closed. Hours are those of the weekday or of the date."""

    HOURS = "hours"
    DATED_HOURS = "dated_hours"
    BLOCKED = "blocked"


def find_closed_minutes(rules: Rules, start: int, minutes: int) -> frozenset[tuple[Cause, int]]:
    """Return which minutes of an appointment these rules close, and why, counted from its start.

    Empty for one inside the hours. What one set holds beyond another is what a change of the rules takes away.
    """
    zone_info = zone(rules.time_zone)
    closed = set()
    for number in range(minutes):
        shown = _utc(start + number * _MINUTE).astimezone(zone_info)
        day, minute = shown.date(), shown.hour * 60 + shown.minute
        if not any(opens <= minute < closes for opens, closes in rules.hours_touching(day)):
            closed.add((Cause.HOURS, number))
            if day in rules.overrides:
                closed.add((Cause.DATED_HOURS, number))
        if any(opens <= minute < closes for opens, closes in rules.blocked.get(day, ())):
            closed.add((Cause.BLOCKED, number))
    return frozenset(closed)


class _Calendar:
    """One question about one doctor: the rules, the moment of asking, and what is taken, sorted once."""

    def __init__(self, rules: Rules, busy: Sequence[Busy], now: int) -> None:
        self.rules = rules
        self.busy = busy
        self.now = now
        self.earliest = max(now + 1, now + rules.notice_minutes * _MINUTE)
        self.today = min(max(_local_ordinal(rules.time_zone, now), 1), _LAST_ORDINAL)
        self.last = min(self.today + rules.max_days_ahead, _LAST_ORDINAL)
        self.taken_from, self.taken_until = _merged(busy)

    def free_on(self, day: date, limit: int = _MINUTES_OF_DAY) -> list[Slot]:
        """List the free slots of a day, or the first so many of them, in order of time."""
        rules = self.rules
        if not rules.accepting or day.toordinal() > self.last:
            return []
        base, starts = rules.starts_on(day)
        if not starts:
            return []
        appointment = rules.appointment_minutes * _MINUTE
        whole = appointment + rules.buffer_minutes * _MINUTE
        taken_from, taken_until = self.taken_from, self.taken_until
        # Most days lie whole ahead.
        after = self.earliest - base
        index = bisect_left(starts, (after, -1)) if after > starts[0][0] else 0
        last = bisect_left(taken_from, base + starts[-1][0] + whole) - 1
        if last < 0 or (index < len(starts) and taken_until[last] <= base + starts[index][0]):
            # Nothing that is taken reaches into what is left of this day.
            return [
                _new(Slot, (day, _TIMES[minute], base + s, base + s + appointment, base + s + whole))
                for s, minute in starts[index : index + limit]
            ]
        free: list[Slot] = []
        while index < len(starts) and len(free) < limit:
            after_base, minute = starts[index]
            start = base + after_base
            # The last stretch that begins before this slot is over is the only one that can stand in its way.
            before = bisect_left(taken_from, start + whole) - 1
            if before >= 0 and taken_until[before] > start:
                # A day booked from end to end is one stretch, passed over in one step.
                index = bisect_left(starts, (taken_until[before] - base, -1), index + 1)
                continue
            free.append(_new(Slot, (day, _TIMES[minute], start, start + appointment, start + whole)))
            index += 1
        return free

    def why_not(self, day: date, minute: int) -> Reason:
        """Return why the list of that day lacks a time: the first of the reasons that hold."""
        rules = self.rules
        if not rules.accepting:
            return Reason.NOT_ACCEPTING
        clock = _clock(rules.time_zone, day.toordinal())
        midnight = _midnight(day)
        start, exists = _instant(clock, midnight + minute * _MINUTE)
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
        slot = _slot(rules, day, minute, start)
        in_the_way = [other for other in self.busy if _overlap(start, slot.busy_until, other)]
        return Reason.HELD if all(other.held for other in in_the_way) else Reason.TAKEN


def _slot(rules: Rules, day: date, minute: int, start: int) -> Slot:
    end = start + rules.appointment_minutes * _MINUTE
    return Slot(day, _TIMES[minute], start, end, end + rules.buffer_minutes * _MINUTE)


def _overlap(start: int, end: int, other: Busy) -> bool:
    # Written so that an empty interval overlaps nothing, wherever it lies.
    return max(start, other.start) < min(end, other.end)


def _merged(busy: Sequence[Busy]) -> tuple[list[int], list[int]]:
    """Return the starts and ends of what is taken as few, sorted, separate stretches."""
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


def minute_of(time: time) -> int:
    """Return a time as a minute of the day. Raises ValueError for a time with seconds, which no slot has."""
    if time.second or time.microsecond:
        raise ValueError(f"not a whole minute: {time}")
    return time.hour * 60 + time.minute


def _tidy(spans: Iterable[Interval], *, may_run_over: bool = False) -> tuple[Interval, ...]:
    """Sort the intervals of one day; raise ValueError for what is not one.

    With `may_run_over` one that begins on the day may end up to 24 hours later.
    """
    tidy = tuple(sorted((start, end) for start, end in spans))
    for start, end in tidy:
        most = start + _MINUTES_OF_DAY if may_run_over else _MINUTES_OF_DAY
        if not 0 <= start < min(end, _MINUTES_OF_DAY) or end > most:
            raise ValueError(f"not an interval of a day: {start} to {end}")
    return tidy


def _without(hours: tuple[Interval, ...], blocked: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Cut the blocked stretches out of the hours."""
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
    """Return whether all of an appointment reads, on this clock, inside the hours and outside what is blocked."""
    end = start + appointment_minutes * _MINUTE
    opens, closes = hours
    for since, until, offset in clock:
        # What the clock shows from the first to the last moment of this part of the appointment, in minutes.
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
def _grid(
    clock: Clock,
    midnight: int,
    hours: tuple[Interval, ...],
    blocked: tuple[Interval, ...],
    appointment_minutes: int,
    step: int,
) -> tuple[tuple[int, int], ...]:
    """Return the (instant, minute of the day) of every time that the hours offer, in order of time."""
    offered = []
    for span in hours:
        opens, closes = span
        # Of hours that began the day before, the starts that fall on this date.
        first = opens if opens >= 0 else opens % step
        for minute in range(first, min(closes, _MINUTES_OF_DAY), step):
            start, exists = _instant(clock, midnight + minute * _MINUTE)
            if exists and _fits(clock, midnight, start, appointment_minutes, span, blocked):
                offered.append((start, minute))
    return tuple(sorted(set(offered)))


_STEADY: Clock = ((-_FOREVER, _FOREVER, 0),)


@lru_cache(maxsize=16384)
def _clock(time_zone: str, ordinal: int) -> Clock:
    """Return what the zone's clocks show around a date: one stretch, or two when they change near it.

    Looking a day beyond both ends is enough, since no zone is a whole day from UTC, and looking at the ends
    alone is enough, since no zone has ever changed its clocks twice within a week.
    """
    midnight = (ordinal - _EPOCH_ORDINAL) * _DAY
    before_change, after_change = midnight - _DAY, midnight + 2 * _DAY
    old, new = _offset(time_zone, before_change), _offset(time_zone, after_change)
    if old == new:
        return ((-_FOREVER, _FOREVER, old),)
    while after_change - before_change > 1:
        middle = (before_change + after_change) // 2
        if _offset(time_zone, middle) == old:
            before_change = middle
        else:
            after_change = middle
    return ((-_FOREVER, after_change, old), (after_change, _FOREVER, new))


def _instant(clock: Clock, wall: int) -> tuple[int, bool]:
    """Return the first instant at which the clock shows a wall time (local seconds since 1970), and True.

    Return the instant of the jump, and False, for a time that the clock jumps over.
    """
    for since, until, offset in clock:
        if wall < until + offset:
            return max(wall - offset, since), wall - offset >= since
    raise AssertionError("the last stretch of a clock has no end")


@lru_cache(maxsize=1024)
def zone(time_zone: str) -> ZoneInfo:
    """Return a zone; Python itself keeps only the last eight and reads the others from their files each time."""
    return ZoneInfo(time_zone)


def _offset(time_zone: str, instant: int) -> int:
    """Return the seconds that the zone's clocks are ahead of UTC at an instant."""
    # Kept a day away from the ends of the calendar, where the local date would fall off it.
    held = min(max(instant, _FIRST_INSTANT + _DAY), _END_OF_INSTANTS - 2 * _DAY)
    local = _utc(held).astimezone(zone(time_zone))
    return round((local.replace(tzinfo=UTC) - _EPOCH).total_seconds()) - held


def _local_ordinal(time_zone: str, instant: int) -> int:
    """Return the day number of the date that the zone's calendar shows at an instant."""
    # Read off the clock around the date that UTC shows, which is known from one question to the next.
    for _, until, offset in _clock(time_zone, instant // _DAY + _EPOCH_ORDINAL):
        if instant < until:
            return (instant + offset) // _DAY + _EPOCH_ORDINAL
    raise AssertionError("the last stretch of a clock has no end")


def _midnight(day: date) -> int:
    """Return the wall time of a date's midnight, in local seconds since 1970."""
    return (day.toordinal() - _EPOCH_ORDINAL) * _DAY


def _utc(instant: int) -> datetime:
    return _EPOCH + timedelta(seconds=instant)
