"""Dates and times in the active language."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_skeleton, format_time, get_timezone_location, get_timezone_name
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

# Full dates within a sentence, for languages in which they differ from CLDR's full format.
FULL_DATE_PATTERNS = {"es": "EEEE d 'de' MMMM 'de' y"}


def format_full_date(day: date) -> str:
    """Return "Tuesday, December 8, 2026"."""
    return format_date(day, FULL_DATE_PATTERNS.get(get_language(), "full"), locale=get_language())


def format_short_date(day: date) -> str:
    """Return "Tue, Dec 8"."""
    return format_skeleton("MMMEd", day, locale=get_language())


def format_clock_time(clock: time) -> str:
    """Return "2:00 PM", or "14:00" in a language with a 24-hour clock."""
    # Many mail programs show the narrow space before AM and PM as a box.
    return format_time(clock, "short", locale=get_language()).replace("\u202f", " ")


def format_time_zone(moment: datetime, time_zone: str) -> str:
    """Return "New York time (EST, UTC−5)", with the offset that applies at that moment."""
    if time_zone == "UTC":
        return "UTC"
    local = moment.astimezone(ZoneInfo(time_zone))
    offset = local.utcoffset()
    minutes = int(offset.total_seconds()) // 60 if offset else 0
    hours, rest = divmod(abs(minutes), 60)
    utc = f"UTC{'−' if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}" if minutes else "UTC"
    # The abbreviation in the language (MEZ), else the common one (EST).
    names = (get_timezone_name(local, "short", locale=get_language()), local.tzname() or "")
    short = next((name for name in names if name.isalpha() and name != "UTC"), "")
    # Zones without an abbreviation show only their offset.
    zone = f"{short}, {utc}" if short else utc
    place = get_timezone_location(ZoneInfo(time_zone), locale=get_language(), return_city=True).rsplit("/", 1)[-1]
    return _("{place} time ({zone})").format(place=place, zone=zone)


def format_datetime(moment: datetime, time_zone: str = "") -> str:
    """Return "Tuesday, December 8, 2026, 2:00 PM, New York time (EST, UTC−5)"; without a zone, in the default zone."""
    time_zone = time_zone or settings.DEFAULT_TIME_ZONE
    local = moment.astimezone(ZoneInfo(time_zone))
    return _("{day}, {time}, {zone}").format(
        day=format_full_date(local.date()),
        time=format_clock_time(local.time()),
        zone=format_time_zone(moment, time_zone),
    )


def format_short_datetime(moment: datetime, time_zone: str) -> str:
    """Return "Tue, Dec 8 at 2:00 PM", for sentences beside a time with its zone and year."""
    local = moment.astimezone(ZoneInfo(time_zone))
    return format_short_date_and_time(local.date(), local.time())


def format_short_date_and_time(day: date, clock: time) -> str:
    """Return "Tue, Dec 8 at 2:00 PM" for a date and time of the clinic."""
    return _("{day} at {time}").format(day=format_short_date(day), time=format_clock_time(clock))
