"""Queries of the audit log."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

import orjson
from django.db import connection, models
from django.db.models import Q, QuerySet
from django.db.models.functions import Cast

from accounts.models import AuditEvent, User
from accounts.text.substring_search import SHORT_ID_LENGTH, ShortId, match_words
from adminpanel.queries.utc_ranges import filter_by_utc_dates
from appointments.models import Appointment
from config.api.access_log import add_people, add_subjects
from config.api.fields import format_utc
from config.db import chunked_iterator
from config.http.csv import BATCH, lines

# The maximum of a search by name, newest first.
MAX_PEOPLE = 50
MAX_APPOINTMENTS = 200
# Rows without a name show the end of an id.
SHORT_ID = re.compile(rf"[0-9a-f]{{{SHORT_ID_LENGTH}}}", re.IGNORECASE)


def parse_uuid(text: str) -> UUID | None:
    """Parse an id; return None if it is not one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def find_people(text: str) -> list[UUID]:
    """Return the ids of the people that a text names: by an id, the end of one, or words of a name."""
    if (pk := parse_uuid(text)) is not None:
        return [pk]
    if SHORT_ID.fullmatch(text) and (found := list(find_by_short_id(text).values_list("pk", flat=True)[:MAX_PEOPLE])):
        return found
    people = User.objects.get_queryset().order_by("-created_at", "-pk")
    return list(people.filter(match_words(text, "search_text")).values_list("pk", flat=True)[:MAX_PEOPLE])


def find_by_short_id(text: str) -> QuerySet[User]:
    """Return the users whose id has this end, unordered so that its index is used."""
    ends = User.objects.alias(short_id=ShortId(Cast("pk", models.CharField())))
    return ends.filter(short_id=text.lower()).order_by()


def match_entity(text: str) -> Q:
    """Return the condition that a row's entity matches a text: an id, the end of one, or words of a name."""
    if (pk := parse_uuid(text)) is not None:
        return Q(entity_id=str(pk))
    if SHORT_ID.fullmatch(text):
        return Q(short_entity_id=text.lower())
    appointments = Appointment.objects.filter(match_words(text, "people_text")).order_by("-starts_at", "pk")
    ids = [*find_people(text), *appointments.values_list("pk", flat=True)[:MAX_APPOINTMENTS]]
    return Q(entity_id__in=[text, *map(str, ids)])


def find_events(query: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Return the matching rows, newest first. Dates are in UTC, both ends included."""
    rows = AuditEvent.objects.order_by("-id")
    if query.get("event"):
        # A whole name, or all names that begin so: `appointment.`
        rows = rows.filter(event__in=list_event_names(query["event"]))
    for name, column in (
        ("entityType", "entity_type"), ("outcome", "outcome"), ("requestId", "request_id"),
    ):  # fmt: skip
        if query.get(name):
            rows = rows.filter(**{column: query[name]})
    if query.get("agent"):
        rows = rows.filter(agent_id__in=find_people(query["agent"]))
    if query.get("entity"):
        rows = rows.alias(short_entity_id=ShortId("entity_id")).filter(match_entity(query["entity"]))
    if query.get("from") or query.get("to"):
        # The same order, but selects the index of dates instead of scanning the whole log.
        rows = rows.order_by("-recorded_at", "-id")
    return filter_by_utc_dates(rows, "recorded_at", query.get("from"), query.get("to"))


# A loose index scan from one name to the next, in some sixty steps regardless of the number of rows.
EVENT_NAMES_SQL = """
    WITH RECURSIVE names(event) AS (
        SELECT MIN(event) FROM accounts_auditevent
        UNION ALL
        SELECT (SELECT MIN(event) FROM accounts_auditevent WHERE event > names.event)
        FROM names WHERE names.event IS NOT NULL
    )
    SELECT event FROM names WHERE event IS NOT NULL
"""


def list_event_names(beginning: str = "") -> list[str]:
    """Return the event names with this beginning, in one query.

    LIKE could use neither PostgreSQL's index, because of its collation, nor SQLite's, which is case-sensitive.
    """
    with connection.cursor() as cursor:
        cursor.execute(EVENT_NAMES_SQL)
        return sorted(name for (name,) in cursor.fetchall() if name.startswith(beginning))


def get_actor_names(rows: Iterable[AuditEvent]) -> dict[UUID, str]:
    """Return the names of the actors, in one query; the audit log contains only ids."""
    ids = {row.agent_id for row in rows if row.agent_id}
    return dict(User.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def get_names(rows: Collection[AuditEvent]) -> dict[UUID, str]:
    """Return the names of actors, users and participants of appointments, in two queries."""
    entities = {pk for row in rows if (pk := parse_uuid(row.entity_id))}
    ids = entities | {row.agent_id for row in rows if row.agent_id}
    names = dict(User.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}
    add_people("user", names)
    if others := entities - names.keys():
        between = Appointment.objects.filter(pk__in=others).order_by()
        appointments = between.values_list("pk", "patient_id", *PEOPLE)
        names |= {pk: f"{patient} with {doctor}" for pk, _, patient, doctor in appointments}
        add_subjects("appointment", ((pk, patient_id) for pk, patient_id, _, _ in appointments))
    return names


PEOPLE = ("patient_name", "doctor_name")


COLUMNS = (
    *("Id", "Recorded at", "Event", "Action", "Outcome", "Who", "Name", "Role", "From address"),
    *("What", "Its id", "Request id", "Detail"),
)


def write_events_csv(rows: QuerySet[AuditEvent]) -> Iterator[str]:
    """Yield events as CSV lines in the given order, with times in UTC."""
    return lines(COLUMNS, iterate_rows(rows))


def iterate_rows(rows: QuerySet[AuditEvent]) -> Iterator[Iterable[object]]:
    """Yield the cells of each row, read in batches."""
    reading = chunked_iterator.iterate(rows, BATCH)
    while batch := list(islice(reading, BATCH)):
        names = get_actor_names(batch)
        for row in batch:
            yield (
                row.pk,
                format_utc(row.recorded_at),
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
