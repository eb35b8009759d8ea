"""Moments in words: weekday and zone written out, since a mail does not know its reader's clock."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.conf import settings

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_words(day: date) -> str:
    """Answer "Tuesday 8 December 2026"."""
    return f"{DAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"


def zone_words(moment: datetime, time_zone: str) -> str:
    """Answer "New York time (EST, UTC−5)", as the clocks there stand at that moment."""
    if time_zone == "UTC":
        return "UTC"
    local = moment.astimezone(ZoneInfo(time_zone))
    offset = local.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    utc = f"UTC{'−' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else "UTC"
    short = local.tzname() or ""
    # Zones without a name of their own are called by their offset.
    named = f"{short}, {utc}" if short.isalpha() and short != "UTC" else utc
    return f"{time_zone.rsplit('/', 1)[-1].replace('_', ' ')} time ({named})"


def moment_words(moment: datetime, time_zone: str = "") -> str:
    """Answer "Tuesday 8 December 2026, 14:00, New York time (EST, UTC−5)"; without a zone, in the site's own."""
    time_zone = time_zone or settings.DEFAULT_TIME_ZONE
    local = moment.astimezone(ZoneInfo(time_zone))
    return f"{day_words(local.date())}, {local:%H:%M}, {zone_words(moment, time_zone)}"
