"""Which appointments staff see: narrowed as the figures are counted, so that each figure leads to its rows."""

from datetime import date, datetime
from typing import Any

from accounts.text.substring_search import match_words
from adminpanel.queries.utc_ranges import Rows, on_utc_dates
from appointments.models import Appointment, AppointmentQuerySet, Status
from config.api.pagination import InTurn

# Confirmed, over and never completed: no state of its own, but one that staff look for.
UNFINISHED = "unfinished"
# What was between two dates, and when that was.
MOMENTS = {"booked": "created_at", "cancelled": "updated_at"}
DATES = ("visit", *MOMENTS)


def find_appointments(query: dict[str, Any], now: datetime) -> InTurn:
    """Return the appointments that a checked query asks for: upcoming ones soonest first, then others newest first."""
    appointments = Appointment.objects.with_people().filter(match_words(query.get("search", ""), "people_text"))
    appointments = between(appointments, query["dates"], query.get("from"), query.get("to"))
    if query.get("status") == UNFINISHED:
        appointments = appointments.unfinished(now)
    elif query.get("status"):
        appointments = appointments.with_status(query["status"], now)
    if query["attended"] is not None:
        # Only what is completed is one or the other; said so that an index leads there.
        appointments = appointments.filter(status=Status.COMPLETED, attended=query["attended"])
    appointments = of_places(appointments, query.get("specialization", ""), query.get("city", ""), "hospital_city")
    upcoming = appointments.filter(starts_at__gt=now).order_by("starts_at", "pk")
    return InTurn(appointments, upcoming, appointments.filter(starts_at__lte=now).order_by("-starts_at", "pk"))


def between(appointments: AppointmentQuerySet, what: str, first: date | None, last: date | None) -> AppointmentQuerySet:
    """Keep the appointments that were on these dates of the clinic's, or were booked or cancelled on these of UTC's."""
    if what not in MOMENTS:
        return appointments.on_dates(first, last)
    if what == "cancelled":
        # Nothing changes in a cancelled appointment afterwards.
        appointments = appointments.filter(status=Status.CANCELLED)
    return on_utc_dates(appointments, MOMENTS[what], first, last)


def of_places(rows: Rows, specialization: str, city: str, column: str) -> Rows:
    """Keep the rows of a specialization and a city, as far as one is named; the city stands in `column`."""
    if specialization:
        rows = rows.filter(specialization=specialization)
    return rows.filter(**{f"{column}__iexact": city}) if city else rows
