"""Record who read whose personal data: one row for each actor, view, object and day, counted up.

A page of a list counts each of its rows, so that paging through all patients leaves what an export would. One statement
records a whole page, on the database that is written to. Nothing personal is shown that could not be recorded: a
reading fails with `unavailable` rather than go unnoticed.
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

# The latest moment stays even where two clocks differ.
COUNT_UP = """ON CONFLICT (actor_id, day, view, subject_id) DO UPDATE SET times = accounts_reading.times + 1,
    last_at = CASE WHEN excluded.last_at > accounts_reading.last_at THEN excluded.last_at
              ELSE accounts_reading.last_at END"""
# With eleven values a row, far below what a statement of either engine takes.
ROWS_PER_STATEMENT = 1_000
DELETED_AT_ONCE = 5_000


def utc_day(now: datetime) -> date:
    """Return the day under which a reading is counted."""
    return now.astimezone(UTC).date()


def record_readings(actor: User, view: str, subjects: Iterable[Subject]) -> None:
    """Count that an actor was shown these by a view; their own data leaves no row.

    Rows are written in the order of their ids, so that two requests of one actor never wait for each other in a circle.
    Raises `unavailable` where that fails, a database that only reads included.
    """
    now = timezone.now()
    rows = [
        Reading(
            day=utc_day(now), actor_id=actor.pk, actor_role=actor.role, view=view, subject_type=one.kind,
            subject_id=one.pk, person_id=one.person, first_at=now, last_at=now,
        )
        for one in sorted(subjects, key=lambda one: one.pk)
        if one.person != actor.pk
    ]  # fmt: skip
    try:
        for start in range(0, len(rows), ROWS_PER_STATEMENT):
            insert(Insert(rows[start : start + ROWS_PER_STATEMENT], COUNT_UP))
    except DATABASE_UNAVAILABLE:
        raise
    except DatabaseError as refused:
        raise not_recorded(refused) from refused


def record_export(actor: User, view: str, people: "models.QuerySet[Any, UUID]") -> None:
    """Count that an actor was shown each of the people whose ids a query finds, however many, in one statement."""
    now = timezone.now()
    try:
        found, params = people.order_by().distinct().query.get_compiler(connection=connection).as_sql()
    except EmptyResultSet:
        # A filter that nothing can match.
        return
    values = {"date": utc_day(now), "uuid": actor.pk, "text": actor.role, "varchar": view, "timestamptz": now}
    # PostgreSQL must be told what a parameter in a SELECT is.
    marks = ", ".join(f"CAST(%s AS {kind})" if is_postgresql() else "%s" for kind in values)
    try:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO accounts_reading"  # noqa: S608 - Django's own statement, its values apart
                " (day, actor_id, actor_role, view, first_at, last_at, times, subject_type, subject_id, person_id)"
                f" WITH found(id) AS ({found})"
                f" SELECT {marks}, {marks.rpartition(', ')[2]}, 1, 'user', found.id, found.id"
                f" FROM found WHERE found.id <> %s ORDER BY found.id {COUNT_UP}",
                [*params, *map(to_db_value, values.values()), to_db_value(now), to_db_value(actor.pk)],
            )
    except DATABASE_UNAVAILABLE:
        raise
    except DatabaseError as refused:
        raise not_recorded(refused) from refused


def not_recorded(refused: DatabaseError) -> DomainError:
    """Return the error for a reading that the database refused to record."""
    logger.warning("A reading could not be recorded: %s", refused.__cause__.__class__.__name__)
    return DomainError("unavailable", retry_after=5)


def readings_by_day() -> Any:
    """Return each actor's days as dicts: of how many people, how many rows, how many times; the newest day first."""
    return (
        Reading.objects.values("day", "actor_id", "actor_role")
        .annotate(
            people=Count("person_id", distinct=True), rows=Count("pk"), total=Sum("times"),
            first=Min("first_at"), last=Max("last_at"),
        )
        .order_by("-day", "-people", "actor_id")
    )  # fmt: skip


def tell_of_many(now: datetime) -> int:
    """Notify the other admins, once a day, of each actor who was shown unusually many people; return how many."""
    day = utc_day(now)
    unusual = readings_by_day().filter(day=day, people__gte=settings.PEOPLE_READ_ALERT_LIMIT)
    told = 0
    for row in unusual:
        since = datetime.combine(day, time.min, UTC)
        known = AuditEvent.objects.filter(event=MANY_READ, entity_id=str(row["actor_id"]), recorded_at__gte=since)
        if known.exists():
            continue
        admins = User.objects.active().filter(role=Role.ADMIN).exclude(pk=row["actor_id"])
        detail = {"day": day.isoformat(), "people": row["people"]}
        with transaction.atomic():
            record_event(MANY_READ, Action.READ, "user", row["actor_id"], actor=None, detail=detail)
            notify_users(
                MANY_READ, "user", row["actor_id"], admins.order_by("pk"), version=day.toordinal(), detail=detail
            )
        told += 1
    return told


def forget_old(now: datetime) -> int:
    """Delete at most `DELETED_AT_ONCE` readings older than `READING_RETENTION_DAYS`; return how many."""
    until = utc_day(now) - timedelta(days=settings.READING_RETENTION_DAYS)
    old = Reading.objects.filter(day__lt=until).order_by("day").values("pk")[:DELETED_AT_ONCE]
    return Reading.objects.filter(pk__in=list(old.values_list("pk", flat=True))).delete()[0]
