"""Moments in words of the language that is spoken.

Weekday and zone are written out, since a mail does not know its reader's clock.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date, get_timezone_location, get_timezone_name
from django.conf import settings

from accounts.languages import say, spoken

# How a day is written within a sentence where that differs from the language's long form (CLDR).
DAYS = {"en": "EEEE d MMMM y", "es": "EEEE d 'de' MMMM 'de' y"}


def day_words(day: date) -> str:
    """Answer "Tuesday 8 December 2026"."""
    return format_date(day, DAYS.get(spoken(), "full"), locale=spoken())


def zone_words(moment: datetime, time_zone: str) -> str:
    """Answer "New York time (EST, UTC−5)", as the clocks there stand at that moment."""
    if time_zone == "UTC":
        return "UTC"
    local = moment.astimezone(ZoneInfo(time_zone))
    offset = local.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    utc = f"UTC{'−' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else "UTC"
    # What the language calls the zone in short (MEZ), else what everybody does (EST).
    names = (get_timezone_name(local, "short", locale=spoken()), local.tzname() or "")
    short = next((name for name in names if name.isalpha() and name != "UTC"), "")
    # Zones without a name of their own are called by their offset.
    named = f"{short}, {utc}" if short else utc
    place = get_timezone_location(ZoneInfo(time_zone), locale=spoken(), return_city=True).rsplit("/", 1)[-1]
    return say("{place} time ({zone})", place=place, zone=named)


def moment_words(moment: datetime, time_zone: str = "") -> str:
    """Answer "Tuesday 8 December 2026, 14:00, New York time (EST, UTC−5)"; without a zone, in the site's own."""
    time_zone = time_zone or settings.DEFAULT_TIME_ZONE
    local = moment.astimezone(ZoneInfo(time_zone))
    return say(
        "{day}, {time}, {zone}",
        day=day_words(local.date()),
        time=f"{local:%H:%M}",
        zone=zone_words(moment, time_zone),
    )
