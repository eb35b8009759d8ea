"""Filters by UTC dates."""

from datetime import date
from typing import Any, TypeVar

from django.db.models import QuerySet

from appointments.models.appointment import utc_midnight

Rows = TypeVar("Rows", bound=QuerySet[Any])


def filter_by_utc_dates(rows: Rows, moment: str, first: date | None, last: date | None) -> Rows:
    """Return the rows whose column `moment` is within these UTC dates, both included, unless None."""
    if first is not None:
        rows = rows.filter(**{f"{moment}__gte": utc_midnight(first, 0)})
    if last is not None:
        rows = rows.filter(**{f"{moment}__lt": utc_midnight(last, 1)})
    return rows
