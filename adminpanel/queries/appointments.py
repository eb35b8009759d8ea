"""The list of appointments for staff, with the filters of analytics."""

from datetime import date, datetime
from typing import Any

from accounts.text.substring_search import match_words
from adminpanel.queries.utc_ranges import Rows, filter_by_utc_dates
from appointments.models import Appointment, AppointmentQuerySet, Status
from config.api.pagination import ConcatenatedRows

# Confirmed, ended and not completed; not a status, but a filter.
UNFINISHED = "unfinished"
# The columns of dates by which appointments are filtered.
DATE_COLUMNS = {"booked": "created_at", "cancelled": "updated_at"}
DATES = ("visit", *DATE_COLUMNS)


def find_appointments(query: dict[str, Any], now: datetime) -> ConcatenatedRows:
    """Return the appointments of a validated query: upcoming ones soonest first, then others newest first."""
    appointments = Appointment.objects.with_people().filter(match_words(query.get("search", ""), "people_text"))
    appointments = filter_by_dates(appointments, query["dates"], query.get("from"), query.get("to"))
    if query.get("status") == UNFINISHED:
        appointments = appointments.awaiting_completion(now)
    elif query.get("status"):
        appointments = appointments.with_status(query["status"], now)
    if query["attended"] is not None:
        # Redundant, but selects an index.
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
    """Return the appointments on these local dates, or booked or cancelled on these UTC dates."""
    if what not in DATE_COLUMNS:
        return appointments.on_dates(first, last)
    if what == "cancelled":
        # A cancelled appointment never changes afterwards.
        appointments = appointments.filter(status=Status.CANCELLED)
    return filter_by_utc_dates(appointments, DATE_COLUMNS[what], first, last)


def filter_by_place(rows: Rows, specialization: str, city: str, column: str) -> Rows:
    """Return the rows of a specialization and a city, unless empty; `column` is that of the city."""
    if specialization:
        rows = rows.filter(specialization=specialization)
    return rows.filter(**{f"{column}__iexact": city}) if city else rows
