"""Whether this process lives, and whether it can serve."""

import time

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.audit import append_only
from accounts.notifications import delivery
from adminpanel.operations.maintenance import is_late
from config.db.former_schema import ORIGIN, has_former_schema
from doctors.availability import constraints
from doctors.directory import search_index

# For so long a database that was up to date counts as such: comparing all migrations costs most of `/readyz`.
MIGRATION_CACHE_SECONDS = 5


class Migrations:
    """Whether this process's database has all migrations."""

    def __init__(self) -> None:
        self.migrated_at = float("-inf")

    def describe_problem(self) -> str:
        """Return what keeps the database from being up to date, or ""; that is cached for a few seconds."""
        now = time.monotonic()
        if now - self.migrated_at < MIGRATION_CACHE_SECONDS:
            return ""
        if has_former_schema(connection.introspection.table_names()):
            return f"the database {ORIGIN}"
        executor = MigrationExecutor(connection)
        waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
        if waiting:
            return f"{waiting} migrations are waiting"
        self.migrated_at = now
        return ""


migrations = Migrations()


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Return 200 while the process answers at all."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Return 200 when the database answers, is migrated and has all its guards; otherwise 503 with what is problems.

    `housekeeping` reads `late` when nobody has done its round for minutes: people are still served rightly, since
    reading never trusts it. `delivery` reads `late` when nobody sends the messages that wait: none is lost.
    """
    problems: list[str] = []
    housekeeping = messages = "unknown"
    try:
        if problem := migrations.describe_problem():
            problems.append(problem)
        else:
            missing = constraints.list_missing(connection) | search_index.find_missing_triggers(connection)
            missing |= append_only.find_missing_triggers(connection)
            problems += [f"{name} does not stand" for name in sorted(missing)]
            now = timezone.now()
            housekeeping = "late" if is_late(now) else "ok"
            messages = "late" if delivery.is_delivery_late(now) else "ok"
    except DatabaseError:
        problems.append("the database does not answer")
    response = JsonResponse(
        {
            "status": "ok" if not problems else "not ready",
            "amiss": problems,
            "housekeeping": housekeeping,
            "delivery": messages,
        },
        status=503 if problems else 200,
    )
    if problems:
        response["Retry-After"] = "5"
    return response
