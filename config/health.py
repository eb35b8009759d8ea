"""Whether this process lives, and whether it can serve."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import audit_guard, delivery
from adminpanel.housekeeping import is_late
from doctors import freshness, overlap, search_index


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 while the process answers at all."""
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers, is migrated and has all its guards; otherwise 503 with what is amiss.

    `housekeeping` reads `late` when nobody has done its round for minutes: people are still served rightly, since
    reading never trusts it. `delivery` reads `late` when nobody sends the messages that wait: none is lost.
    """
    amiss: list[str] = []
    housekeeping = messages = "unknown"
    try:
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if waiting:
            amiss.append(f"{len(waiting)} migrations are waiting")
        else:
            gone = overlap.missing(connection) | freshness.missing(connection) | search_index.missing(connection)
            gone |= audit_guard.missing(connection)
            amiss += [f"{name} does not stand" for name in sorted(gone)]
            now = timezone.now()
            housekeeping = "late" if is_late(now) else "ok"
            messages = "late" if delivery.is_late(now) else "ok"
    except DatabaseError:
        amiss.append("the database does not answer")
    response = JsonResponse(
        {
            "status": "ok" if not amiss else "not ready",
            "amiss": amiss,
            "housekeeping": housekeeping,
            "delivery": messages,
        },
        status=503 if amiss else 200,
    )
    if amiss:
        response["Retry-After"] = "5"
    return response
