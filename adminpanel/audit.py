"""Look into the audit trail."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet

from accounts.models import AuditEvent, User


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
    if query.get("from"):
        rows = rows.filter(recorded_at__gte=datetime.combine(query["from"], time.min, UTC))
    if query.get("to"):
        rows = rows.filter(recorded_at__lt=datetime.combine(query["to"] + timedelta(days=1), time.min, UTC))
    return rows


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
