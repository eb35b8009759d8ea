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
from adminpanel.operations.housekeeping import is_late
from config import probes
from config.db.former_schema import ORIGIN, has_former_schema
from config.http.maintenance import is_in_maintenance
from config.version import VERSION
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
    """Return 200 when this process can serve; otherwise 503 with the reasons in `amiss`.

    It needs a migrated database with all its guards, Redis where one is configured, and folders that it may write to.
    These leave the status alone, since people are still served:

    - `housekeeping` is `late` when nobody has done its round for minutes, `delivery` when nobody sends messages.
    - `mail` is `unavailable` when the mail server is, and `late` when a message that is due has waited for minutes.
    - `storage` is `unavailable` when the bucket does not respond: only files can't be stored and shown.
    - `maintenance` is `on` while this machine shows everybody the page of maintenance. A proxy must not take the
      machine out for it, or people would see the proxy's own error.
    """
    problems, background = check_database()
    redis = probes.find_redis_problem()
    folders = probes.find_folder_problems()
    problems += [redis] if redis else []
    problems += folders
    response = JsonResponse(
        {
            "status": "ok" if not problems else "not ready",
            "amiss": problems,
            "version": VERSION,
            "maintenance": "on" if is_in_maintenance() else "off",
            **background,
            "redis": "off" if redis is None else "unavailable" if redis else "ok",
            "storage": "unavailable" if folders or probes.find_bucket_problem() else "ok",
        },
        status=503 if problems else 200,
    )
    if problems:
        response["Retry-After"] = "5"
    return response


def check_database() -> tuple[list[str], dict[str, str]]:
    """Return the problems of the database, and what it knows of the background work."""
    background = dict.fromkeys(("housekeeping", "delivery", "mail"), "unknown")
    try:
        if problem := migrations.describe_problem():
            return [problem], background
        missing = constraints.list_missing_constraints(connection) | search_index.find_missing_triggers(connection)
        missing |= append_only.find_missing_triggers(connection)
        now = timezone.now()
        late = {"housekeeping": is_late(now), "delivery": delivery.is_delivery_late(now)}
        mail = delivery.describe_mail(delivery.get_oldest_due_notice(now), now)
    except DatabaseError:
        return ["the database does not respond"], background
    return (
        [f"{name} is missing" for name in sorted(missing)],
        {name: "late" if value else "ok" for name, value in late.items()} | {"mail": mail},
    )
