"""Dates and times in words, in the language that is spoken."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton, format_time, get_timezone_location, get_timezone_name
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

# How a full date is written within a sentence where that differs from the language's full form (CLDR).
DAYS = {"es": "EEEE d 'de' MMMM 'de' y"}


def day_words(day: date) -> str:
    """Return "Tuesday, December 8, 2026"."""
    return format_date(day, DAYS.get(get_language(), "full"), locale=get_language())


def short_day_words(day: date) -> str:
    """Return "Tue, Dec 8"."""
    return format_skeleton("MMMEd", day, locale=get_language())


def clock_words(clock: time) -> str:
    """Return "2:00 PM", or "14:00" where the language counts 24 hours."""
    # CLDR puts a narrow space before AM and PM that many mail programs show as a box.
    return format_time(clock, "short", locale=get_language()).replace("\u202f", " ")


def zone_words(moment: datetime, time_zone: str) -> str:
    """Return "New York time (EST, UTC−5)", with the offset that applies at that moment."""
    if time_zone == "UTC":
        return "UTC"
    local = moment.astimezone(ZoneInfo(time_zone))
    offset = local.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    utc = f"UTC{'−' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else "UTC"
    # The language's own abbreviation (MEZ), else the common one (EST).
    names = (get_timezone_name(local, "short", locale=get_language()), local.tzname() or "")
    short = next((name for name in names if name.isalpha() and name != "UTC"), "")
    # Zones without an abbreviation are named by their offset.
    named = f"{short}, {utc}" if short else utc
    place = get_timezone_location(ZoneInfo(time_zone), locale=get_language(), return_city=True).rsplit("/", 1)[-1]
    return _("{place} time ({zone})").format(place=place, zone=named)


def moment_words(moment: datetime, time_zone: str = "") -> str:
    """Return "Tuesday, December 8, 2026, 2:00 PM, New York time (EST, UTC−5)"; without a zone, in the site's own."""
    time_zone = time_zone or settings.DEFAULT_TIME_ZONE
    local = moment.astimezone(ZoneInfo(time_zone))
    return _("{day}, {time}, {zone}").format(
        day=day_words(local.date()),
        time=clock_words(local.time()),
        zone=zone_words(moment, time_zone),
    )


def short_moment_words(moment: datetime, time_zone: str) -> str:
    """Return "Tue, Dec 8 at 2:00 PM", for sentences beside a time with its zone and year."""
    local = moment.astimezone(ZoneInfo(time_zone))
    return short_time_words(local.date(), local.time())


def short_time_words(day: date, clock: time) -> str:
    """Return "Tue, Dec 8 at 2:00 PM" for a date and time of the clinic."""
    return _("{day} at {time}").format(day=short_day_words(day), time=clock_words(clock))
