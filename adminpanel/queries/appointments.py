"""Which appointments staff see: narrowed as the figures are counted, so that each figure leads to its rows."""

from datetime import date, datetime
from typing import Any

from accounts.text.substring_search import match_words
from adminpanel.queries.utc_ranges import Rows, filter_by_utc_dates
from appointments.models import Appointment, AppointmentQuerySet, Status
from config.api.pagination import ConcatenatedRows

# Confirmed, over and never completed: no state of its own, but one that staff look for.
UNFINISHED = "unfinished"
# What was between two dates, and when that was.
DATE_COLUMNS = {"booked": "created_at", "cancelled": "updated_at"}
DATES = ("visit", *DATE_COLUMNS)


def find_appointments(query: dict[str, Any], now: datetime) -> ConcatenatedRows:
    """Return the appointments that a checked query asks for: upcoming ones soonest first, then others newest first."""
    appointments = Appointment.objects.with_people().filter(match_words(query.get("search", ""), "people_text"))
    appointments = filter_by_dates(appointments, query["dates"], query.get("from"), query.get("to"))
    if query.get("status") == UNFINISHED:
        appointments = appointments.awaiting_completion(now)
    elif query.get("status"):
        appointments = appointments.with_status(query["status"], now)
    if query["attended"] is not None:
        # Only what is completed is one or the other; said so that an index leads there.
        appointments = appointments.filter(status=Status.COMPLETED, attended=query["attended"])
    appointments = filter_by_place(
        appointments, query.get("specialization", ""), query.get("city", ""), "hospital_city"
    )
    upcoming = appointments.filter(starts_at__gt=now).order_by("starts_at", "pk")
    return ConcatenatedRows(
        appointments, upcoming, appointments.filter(starts_at__lte=now).order_by("-starts_at", "pk")
    )


def filter_by_dates(
    appointments: AppointmentQuerySet, what: str, first: date | None, last: date | None
) -> AppointmentQuerySet:
    """Keep the appointments that were on these dates of the clinic's, or were booked or cancelled on these of UTC's."""
    if what not in DATE_COLUMNS:
        return appointments.on_dates(first, last)
    if what == "cancelled":
        # Nothing changes in a cancelled appointment afterwards.
        appointments = appointments.filter(status=Status.CANCELLED)
    return filter_by_utc_dates(appointments, DATE_COLUMNS[what], first, last)


def filter_by_place(rows: Rows, specialization: str, city: str, column: str) -> Rows:
    """Keep the rows of a specialization and a city, as far as one is named; the city stands in `column`."""
    if specialization:
        rows = rows.filter(specialization=specialization)
    return rows.filter(**{f"{column}__iexact": city}) if city else rows
