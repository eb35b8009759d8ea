"""The access log: who read whose personal data, with one counter per actor, view, object and day.

Each row of a list is counted, so that paging through all patients is recorded like an export. A whole page is recorded
in one statement, on the primary database. If that fails, the request fails with `unavailable`.
"""

import logging
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import EmptyResultSet
from django.db import DatabaseError, connection, models, transaction
from django.db.models import Count, Max, Min, Sum
from django.utils import timezone

from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, Reading, Role, User
from accounts.models.reading import MANY_READ
from accounts.notifications.outbox import notify_users
from config.api.access_log import Subject
from config.api.errors import DATABASE_UNAVAILABLE, DomainError
from config.db.raw_sql import Insert, insert, is_postgresql, to_db_value

logger = logging.getLogger(__name__)

# `last_at` never decreases, even if clocks differ.
INCREMENT_ON_CONFLICT = """ON CONFLICT (actor_id, day, view, subject_id) DO UPDATE SET
    times = accounts_reading.times + 1,
    last_at = CASE WHEN excluded.last_at > accounts_reading.last_at THEN excluded.last_at
              ELSE accounts_reading.last_at END"""
# With eleven values per row, far below the limit of both databases.
MAX_ROWS_PER_STATEMENT = 1_000
MAX_DELETED_ROWS = 5_000


def get_utc_day(now: datetime) -> date:
    """Return the day in UTC on which a reading is counted."""
    return now.astimezone(UTC).date()


def record_readings(actor: User, view: str, subjects: Iterable[Subject]) -> None:
    """Record that a view showed these objects to an actor, except the actor's own data.

    Rows are written in the order of their ids, so that concurrent requests don't deadlock. Raise `unavailable` if
    recording fails, for example because the database is read-only.
    """
    now = timezone.now()
    rows = [
        Reading(
            day=get_utc_day(now), actor_id=actor.pk, actor_role=actor.role, view=view, subject_type=subject.kind,
            subject_id=subject.pk, person_id=subject.person, first_at=now, last_at=now,
        )
        for subject in sorted(subjects, key=lambda subject: subject.pk)
        if subject.person != actor.pk
    ]  # fmt: skip
    try:
        for start in range(0, len(rows), MAX_ROWS_PER_STATEMENT):
            insert(Insert(rows[start : start + MAX_ROWS_PER_STATEMENT], INCREMENT_ON_CONFLICT))
    except DATABASE_UNAVAILABLE:
        raise
    except DatabaseError as error:
        raise build_recording_error(error) from error


def record_export(actor: User, view: str, people: "models.QuerySet[Any, UUID]") -> None:
    """Record in one statement that a view showed the users with these ids to an actor."""
    now = timezone.now()
    try:
        query, params = people.order_by().distinct().query.get_compiler(connection=connection).as_sql()
    except EmptyResultSet:
        # The filter can't match anything.
        return
    values = {"date": get_utc_day(now), "uuid": actor.pk, "text": actor.role, "varchar": view, "timestamptz": now}
    # PostgreSQL needs the type of each parameter in a SELECT.
    placeholders = ", ".join(f"CAST(%s AS {kind})" if is_postgresql() else "%s" for kind in values)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO accounts_reading"  # noqa: S608 - Django's own statement, its values apart
                " (day, actor_id, actor_role, view, first_at, last_at, times, subject_type, subject_id, person_id)"
                f" WITH found(id) AS ({query})"
                f" SELECT {placeholders}, {placeholders.rpartition(', ')[2]}, 1, 'user', found.id, found.id"
                f" FROM found WHERE found.id <> %s ORDER BY found.id {INCREMENT_ON_CONFLICT}",
                [*params, *map(to_db_value, values.values()), to_db_value(now), to_db_value(actor.pk)],
            )
    except DATABASE_UNAVAILABLE:
        raise
    except DatabaseError as error:
        raise build_recording_error(error) from error


def build_recording_error(error: DatabaseError) -> DomainError:
    """Log a recording error and return the error for the client."""
    logger.warning("A reading could not be recorded: %s", error.__cause__.__class__.__name__)
    return DomainError("unavailable", retry_after=5)


def count_readings_by_day() -> Any:
    """Return the numbers of people, rows and readings for each actor and day, the latest day first."""
    return (
        Reading.objects.values("day", "actor_id", "actor_role")
        .annotate(
            people=Count("person_id", distinct=True), rows=Count("pk"), total=Sum("times"),
            first=Min("first_at"), last=Max("last_at"),
        )
        .order_by("-day", "-people", "actor_id")
    )  # fmt: skip


def notify_of_heavy_readers(now: datetime) -> int:
    """Notify the other admins, once a day, of each actor who read unusually many people's data; return how many."""
    day = get_utc_day(now)
    heavy_readers = count_readings_by_day().filter(day=day, people__gte=settings.PEOPLE_READ_ALERT_LIMIT)
    count = 0
    for row in heavy_readers:
        since = datetime.combine(day, time.min, UTC)
        events = AuditEvent.objects.filter(event=MANY_READ, entity_id=str(row["actor_id"]), recorded_at__gte=since)
        if events.exists():
            continue
        admins = User.objects.active().filter(role=Role.ADMIN).exclude(pk=row["actor_id"])
        detail = {"day": day.isoformat(), "people": row["people"]}
        with transaction.atomic():
            record_event(MANY_READ, Action.READ, "user", row["actor_id"], actor=None, detail=detail)
            notify_users(
                MANY_READ, "user", row["actor_id"], admins.order_by("pk"), version=day.toordinal(), detail=detail
            )
        count += 1
    return count


def delete_old_readings(now: datetime) -> int:
    """Delete at most `MAX_DELETED_ROWS` readings older than `READING_RETENTION_DAYS`; return how many."""
    until = get_utc_day(now) - timedelta(days=settings.READING_RETENTION_DAYS)
    old = Reading.objects.filter(day__lt=until).order_by("day").values("pk")[:MAX_DELETED_ROWS]
    return Reading.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]
