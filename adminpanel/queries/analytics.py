"""Analytics of a period: bookings, cancellations, no-shows, offered time, and searches without a result.

Events (booking, cancelling, confirming, searching) are counted by UTC dates; appointments and offered time by local
dates. There are no personal data.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any

from django.db.models import Count, DateField, DateTimeField, F, Q, QuerySet, Sum, Value, Window
from django.db.models.functions import RowNumber, TruncDate, TruncDay, TruncWeek

from adminpanel.queries.appointments import filter_by_dates, filter_by_place
from adminpanel.queries.utc_ranges import Rows, filter_by_utc_dates
from appointments.models import SYSTEM, Appointment, AppointmentQuerySet, Status
from doctors.models import MissedSearch, OfferedTime

# A later cancellation leaves little time to fill the slot.
LATE_CANCELLATION = timedelta(hours=24)
MAX_GROUPS = 20


@dataclass(frozen=True)
class Period:
    """A range of dates, both included, its steps, and filters."""

    first: date
    last: date
    by: str = "day"
    specialization: str = ""
    city: str = ""

    def filter_rows(self, rows: Rows, city: str) -> Rows:
        """Return the rows of the period's specialization and city; `city` is the column."""
        return filter_by_place(rows, self.specialization, self.city, city)

    def get_step(self, day: date) -> date:
        """Return the first date of the step that contains `day`; weeks begin on Monday."""
        return day if self.by == "day" else day - timedelta(days=day.weekday())

    def list_steps(self) -> list[date]:
        """Return the first dates of the steps."""
        days = (self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1))
        return list(dict.fromkeys(map(self.get_step, days)))


COUNT_NAMES = (
    "bookings",
    "cancelledByPatient",
    "cancelledByDoctor",
    "cancelledByAdmin",
    "expired",
    "cancelledLate",
    "completed",
    "noShows",
    "searchesWithoutTime",
)
CANCELLERS = {
    "patient": "cancelledByPatient",
    "doctor": "cancelledByDoctor",
    "admin": "cancelledByAdmin",
    SYSTEM: "expired",
}

TRUNCATE = {"day": TruncDay, "week": TruncWeek}

Row = dict[str, Any]


def get_analytics(period: Period) -> dict[str, Any]:
    """Return the figures of a period, in a constant number of queries."""
    rows: dict[date | None, Row] = {step: create_row(step) for step in period.list_steps()}

    def add(day: date, name: str, number: int) -> None:
        row = rows.get(period.get_step(day))
        if row is not None:
            row[name] = (row[name] or 0) + number

    appointments = period.filter_rows(Appointment.objects.order_by(), "hospital_city")
    booked = filter_by_dates(appointments, "booked", period.first, period.last)
    count_bookings(booked, add)
    count_cancellations(filter_by_dates(appointments, "cancelled", period.first, period.last), add)
    count_appointments(appointments, period, add)
    count_offers(period, add)
    for day, number in sum_by_date(period.filter_rows(MissedSearch.objects.order_by(), "city"), period, "times"):
        add(day, "searchesWithoutTime", number)
    answered = filter_by_utc_dates(appointments, "confirmed_at", period.first, period.last)
    for step, minutes in get_medians(answered, TRUNCATE[period.by]("confirmed_at", tzinfo=UTC)).items():
        if step in rows:
            rows[step]["medianMinutesToConfirm"] = minutes
    return {
        "from": period.first,
        "to": period.last,
        "by": period.by,
        "totals": sum_rows(rows.values(), get_medians(answered, Value(None, DateTimeField())).get(None)),
        "series": list(rows.values()),
        "bySpecialization": count_outcomes(booked, "specialization"),
        "byCity": count_outcomes(booked, "hospital_city"),
    }


def create_row(step: date | None) -> Row:
    """Return a row with zeros, and None for unknown figures."""
    row: Row = {"start": step} if step else {}
    unknown = dict.fromkeys(("medianMinutesToConfirm", "offeredMinutes", "usedMinutes"))
    return row | dict.fromkeys(COUNT_NAMES, 0) | unknown


def sum_rows(rows: Iterable[Row], median: int | None) -> Row:
    """Return the totals of the steps."""
    rows = list(rows)
    row = create_row(None)
    for name in COUNT_NAMES:
        row[name] = sum(each[name] for each in rows)
    for name in ("offeredMinutes", "usedMinutes"):
        known = [each[name] for each in rows if each[name] is not None]
        row[name] = sum(known) if known else None
    row["medianMinutesToConfirm"] = median
    return row


def truncate_to_date(moment: str) -> TruncDate:
    """Return the SQL expression of a column's UTC date."""
    return TruncDate(moment, tzinfo=UTC, output_field=DateField())


Add = Callable[[date, str, int], None]


def count_bookings(booked: AppointmentQuerySet, add: Add) -> None:
    """Count bookings by date."""
    for day, number in booked.values_list(truncate_to_date("created_at")).annotate(number=Count("pk")):
        add(day, "bookings", number)


def count_cancellations(cancelled: AppointmentQuerySet, add: Add) -> None:
    """Count cancellations by role and date."""
    late = Count("pk", filter=Q(updated_at__gt=F("starts_at") - LATE_CANCELLATION) & ~Q(cancelled_by=SYSTEM))
    for day, who, number, short in cancelled.values_list(truncate_to_date("updated_at"), "cancelled_by").annotate(
        number=Count("pk"), late=late
    ):
        add(day, CANCELLERS.get(who, "cancelledByAdmin"), number)
        add(day, "cancelledLate", short)


def count_appointments(appointments: AppointmentQuerySet, period: Period, add: Add) -> None:
    """Count completed appointments and no-shows by local date."""
    over = appointments.on_dates(period.first, period.last).filter(status=Status.COMPLETED)
    for day, came, number in over.values_list("date", "attended").annotate(number=Count("pk")):
        add(day, "completed" if came else "noShows", number)


def count_offers(period: Period, add: Add) -> None:
    """Add up offered and used time; dates without counts stay unknown."""
    offers = period.filter_rows(OfferedTime.objects.order_by(), "city")
    for column, name in (("offered_minutes", "offeredMinutes"), ("used_minutes", "usedMinutes")):
        for day, minutes in sum_by_date(offers, period, column):
            add(day, name, minutes)


def sum_by_date(rows: QuerySet[Any], period: Period, column: str) -> Iterable[tuple[date, int]]:
    """Return the sums of a column by date."""
    within = rows.filter(date__gte=period.first, date__lte=period.last)
    found: Iterable[tuple[date, int]] = within.values_list("date").annotate(number=Sum(column))
    return found


def get_medians(answered: AppointmentQuerySet, step: Any) -> dict[date | None, int]:
    """Return the median time to confirmation in minutes, by step; under None for the whole period.

    The database ranks the durations and returns the one or two in the middle of each step.
    """
    ranked = answered.annotate(step=step, wait=F("confirmed_at") - F("created_at")).annotate(
        rank=Window(RowNumber(), partition_by=F("step"), order_by="wait"),
        number=Window(Count("pk"), partition_by=F("step")),
    )
    middle = ranked.filter(Q(rank=(F("number") + 1) / 2) | Q(rank=F("number") / 2 + 1))
    found: dict[date | None, list[float]] = defaultdict(list)
    for start, wait in middle.values_list("step", "wait"):
        found[start.date() if start else None].append(wait.total_seconds() / 60)
    return {start: round(sum(waits) / len(waits)) for start, waits in found.items()}


def count_outcomes(booked: AppointmentQuerySet, column: str) -> list[Row]:
    """Count the outcomes of appointments booked in the period, by specialization or by city, the most booked first."""
    counted = (
        booked.values_list(column)
        .annotate(
            bookings=Count("pk"),
            completed=Count("pk", filter=Q(status=Status.COMPLETED, attended=True)),
            cancelled=Count("pk", filter=Q(status=Status.CANCELLED)),
            missed=Count("pk", filter=Q(status=Status.COMPLETED, attended=False)),
        )
        .order_by("-bookings", column)[:MAX_GROUPS]
    )
    names = ("name", "bookings", "completed", "cancelled", "noShows")
    return [dict(zip(names, row, strict=True)) for row in counted]
