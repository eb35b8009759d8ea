"""Weekly working hours in minutes of the day.

They are not `datetime.time`, because they may end at 24:00 or run past midnight.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from doctors.slot_engine import Interval, summarize_working_hours

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Span(NamedTuple):
    """An interval in minutes of the day; beyond 1440 on the next day."""

    start: int
    end: int


class Week(NamedTuple):
    """The specification's working days and hours: names of days, and the first start to the last end."""

    days: tuple[str, ...]
    hours: Span | None


@lru_cache(maxsize=1024)
def summarize_week(weekly: tuple[tuple[int, tuple[Interval, ...]], ...]) -> Week:
    """Return the working days and hours of weekly hours, cached because many doctors have the same."""
    days, span = summarize_working_hours(dict(weekly))
    return Week(tuple(WEEKDAYS[day] for day in days), Span(*span) if span else None)


def list_hours_by_day(weekly: Mapping[int, Sequence[Interval]]) -> dict[str, list[Span]]:
    """Return the hours of each weekday by its name, none for a day off."""
    return {name: [Span(*span) for span in sorted(weekly.get(day, ()))] for day, name in enumerate(WEEKDAYS)}


def parse_minute(text: str) -> int:
    """Parse `HH:MM`."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


@lru_cache(maxsize=2881)
def format_minute(minute: int) -> str:
    """Return a minute of the day as `HH:MM`; beyond 1440, as the time of the next day."""
    minute = minute - 1440 if minute > 1440 else minute
    return f"{minute // 60:02d}:{minute % 60:02d}"
