"""Write the audit log, inside the transaction of the act it records."""

import logging
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db import Error as DatabaseFailure

from accounts.models import AuditEvent, User
from config.db.raw_sql import Insert, insert
from config.request_id import current_request_id

logger = logging.getLogger(__name__)

# The address of the current request's client.
current_address: ContextVar[str] = ContextVar("current_address", default="")
# Identifies the caller for rate limits and bulkheads (`config/http/concurrency_limit.py`): the id of the signed-in
# user, or the network and what a visitor claims to be; empty if only the network is known.
current_caller: ContextVar[str] = ContextVar("current_caller", default="")
# Names and sizes of the rate limits that the current request exhausted; None outside a request.
exhausted_limits: ContextVar[list[tuple[str, int]] | None] = ContextVar("exhausted", default=None)

Action = AuditEvent.Action
Outcome = AuditEvent.Outcome


def record_event(
    event: str,
    action: str,
    entity_type: str,
    entity_id: UUID | str | None,
    *,
    actor: User | None,
    outcome: str = Outcome.SUCCESS,
    detail: dict[str, Any] | None = None,
) -> None:
    """Add one row to the audit log. `actor` is None for visitors and for the system."""
    insert(Insert([create_row(event, action, entity_type, entity_id, actor=actor, outcome=outcome, detail=detail)]))


def record_rate_limit(name: str, max_attempts: int) -> None:
    """Note that a rate limit was exhausted.

    The row is written at the end of the request, because the error rolls back the transaction in which it is raised.
    """
    limits = exhausted_limits.get()
    if limits is None:
        write_rate_limits([(name, max_attempts)], None)
    else:
        limits.append((name, max_attempts))


def write_rate_limits(limits: Iterable[tuple[str, int]], actor: User | None) -> None:
    """Write the rows of exhausted limits. A database error must not turn the 429 into a 500."""
    try:
        for name, max_attempts in limits:
            record_event(
                "limit.exhausted",
                Action.EXECUTE,
                "user",
                actor.pk if actor else None,
                actor=actor,
                outcome=Outcome.MINOR_FAILURE,
                detail={"limit": name, "max_attempts": max_attempts},
            )
    except DatabaseFailure:
        logger.exception("An exhausted limit could not be audited")


def record_events(
    event: str,
    action: str,
    entity_type: str,
    entity_ids: Iterable[UUID | str],
    *,
    actor: User,
    detail: dict[str, Any],
) -> None:
    """Add one row per entity to the audit log, in one insert."""
    rows = [create_row(event, action, entity_type, entity_id, actor=actor, detail=detail) for entity_id in entity_ids]
    AuditEvent.objects.bulk_create(rows)


def create_row(
    event: str,
    action: str,
    entity_type: str,
    entity_id: UUID | str | None,
    *,
    actor: User | None,
    outcome: str = Outcome.SUCCESS,
    detail: dict[str, Any] | None = None,
) -> AuditEvent:
    return AuditEvent(
        event=event,
        action=action,
        outcome=outcome,
        agent_id=actor.pk if actor else None,
        agent_role=actor.role if actor else "",
        source_address=current_address.get(),
        entity_type=entity_type,
        entity_id=str(entity_id or ""),
        request_id=current_request_id.get().strip("-"),
        detail=detail or {},
    )
