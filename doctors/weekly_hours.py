"""Weekly working hours and wall-clock minutes, as the specification writes them."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from doctors.slot_engine import Interval, working_hours_of

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Span(NamedTuple):
    """From when to when, as `HH:MM`."""

    start: str
    end: str


class Week(NamedTuple):
    """The specification's working days and hours: names of days, and from the first start to the last end of all."""

    days: tuple[str, ...]
    hours: Span | None


@lru_cache(maxsize=1024)
def week_of(weekly: tuple[tuple[int, tuple[Interval, ...]], ...]) -> Week:
    """Return what weekly hours come to; many doctors have the same."""
    days, span = working_hours_of(dict(weekly))
    return Week(tuple(WEEKDAYS[day] for day in days), Span(clock(span[0]), clock(span[1])) if span else None)


def hours_of_days(weekly: Mapping[int, Sequence[Interval]]) -> dict[str, list[Span]]:
    """Return the hours of each weekday by its name, none for a day off."""
    return {
        name: [Span(clock(start), clock(end)) for start, end in sorted(weekly.get(day, ()))]
        for day, name in enumerate(WEEKDAYS)
    }


def minute_of(text: str) -> int:
    """Return the minute of the day of `HH:MM`."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def clock(minute: int) -> str:
    """Return a minute of the day as `HH:MM`; one of the next day (past 1440) as that day's clock shows it."""
    minute = minute - 1440 if minute > 1440 else minute
    return f"{minute // 60:02d}:{minute % 60:02d}"
