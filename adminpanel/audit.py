"""Look into the audit trail."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

import orjson
from django.db import connection
from django.db.models import QuerySet

from accounts.models import AuditEvent, User
from adminpanel.dates import on_utc_dates
from config import streams
from config.spreadsheets import BATCH, lines
from config.wire import iso_utc


def find_events(query: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Answer the rows that match, newest first. Dates are UTC's, both ends included."""
    rows = AuditEvent.objects.order_by("-id")
    if query.get("event"):
        # A whole name, or all names that begin so: `appointment.`
        rows = rows.filter(event__in=event_names(query["event"]))
    for name, column in (
        ("agent", "agent_id"), ("entityType", "entity_type"), ("entity", "entity_id"), ("outcome", "outcome"),
        ("requestId", "request_id"),
    ):  # fmt: skip
        if query.get(name):
            rows = rows.filter(**{column: query[name]})
    if query.get("from") or query.get("to"):
        # Rows come in the order of time; said so that the index of dates can be walked, not the whole trail backwards.
        rows = rows.order_by("-recorded_at", "-id")
    return on_utc_dates(rows, "recorded_at", query.get("from"), query.get("to"))


# From one name to the next above it, each step one look into the index: some sixty rows, however long the trail is.
NAMES = """
    WITH RECURSIVE names(event) AS (
        SELECT MIN(event) FROM accounts_auditevent
        UNION ALL
        SELECT (SELECT MIN(event) FROM accounts_auditevent WHERE event > names.event)
        FROM names WHERE names.event IS NOT NULL
    )
    SELECT event FROM names WHERE event IS NOT NULL
"""


def event_names(beginning: str = "") -> list[str]:
    """Answer the names on the trail that begin so, in one statement.

    A LIKE could not use an index that orders by the language's rules, nor SQLite's one that minds the case.
    """
    with connection.cursor() as cursor:
        cursor.execute(NAMES)
        return sorted(name for (name,) in cursor.fetchall() if name.startswith(beginning))


def names_of(rows: Iterable[AuditEvent]) -> dict[UUID, str]:
    """Answer the names of those who acted, in one statement; the trail itself holds none."""
    ids = {row.agent_id for row in rows if row.agent_id}
    return dict(User.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


COLUMNS = (
    *("Id", "Recorded at", "Event", "Action", "Outcome", "Who", "Name", "Role", "From address"),
    *("What", "Its id", "Request id", "Detail"),
)


def trail_csv(rows: QuerySet[AuditEvent]) -> Iterator[str]:
    """Write rows of the trail as CSV, one line each, in the order that they come in. Moments are UTC's."""
    return lines(COLUMNS, cells(rows))


def cells(rows: QuerySet[AuditEvent]) -> Iterator[Iterable[object]]:
    """Answer the cells of each row, reading a batch at a time."""
    reading = streams.read(rows, BATCH)
    while batch := list(islice(reading, BATCH)):
        names = names_of(batch)
        for row in batch:
            yield (
                row.pk,
                iso_utc(row.recorded_at),
                row.event,
                row.get_action_display(),
                row.get_outcome_display(),
                row.agent_id or "",
                names.get(row.agent_id, "") if row.agent_id else "",
                row.agent_role,
                row.source_address,
                row.entity_type,
                row.entity_id,
                row.request_id,
                orjson.dumps(row.detail).decode(),
            )
