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

# Where the request that is being answered came from.
current_address: ContextVar[str] = ContextVar("current_address", default="")
# Who holds a place in front of a scarce resource (`config/http/concurrency_limit.py`): the id of the person who is
# signed in, or the network and what somebody signed out claims to be; empty where the network alone is known.
current_caller: ContextVar[str] = ContextVar("current_caller", default="")
# The limits that the request has exhausted, with how much each allows; None outside a request.
exhausted: ContextVar[list[tuple[str, int]] | None] = ContextVar("exhausted", default=None)


Action = AuditEvent.Action
Outcome = AuditEvent.Outcome


def record(
    event: str,
    action: str,
    entity_type: str,
    entity_id: UUID | str | None,
    *,
    by: User | None,
    outcome: str = Outcome.SUCCESS,
    detail: dict[str, Any] | None = None,
) -> None:
    """Add one row to the audit trail. `by` is None where nobody is signed in or the system acts."""
    insert(Insert([row_of(event, action, entity_type, entity_id, by=by, outcome=outcome, detail=detail)]))


def record_exhausted(name: str, most: int) -> None:
    """Note that a limit was exhausted; the row is written when the request is over.

    The refusal rolls back the transaction it is raised in, and would take the row along.
    """
    limits = exhausted.get()
    if limits is None:
        write_exhausted([(name, most)], None)
    else:
        limits.append((name, most))


def write_exhausted(limits: Iterable[tuple[str, int]], by: User | None) -> None:
    """Write the rows of exhausted limits. A database that is away must not turn a refusal into a crash."""
    try:
        for name, most in limits:
            record(
                "limit.exhausted",
                Action.EXECUTE,
                "user",
                by.pk if by else None,
                by=by,
                outcome=Outcome.MINOR_FAILURE,
                detail={"limit": name, "most": most},
            )
    except DatabaseFailure:
        logger.exception("An exhausted limit could not be audited")


def record_each(
    event: str,
    action: str,
    entity_type: str,
    entity_ids: Iterable[UUID | str],
    *,
    by: User,
    detail: dict[str, Any],
) -> None:
    """Add one row for each of several things to the audit trail, all in one insert."""
    rows = [row_of(event, action, entity_type, entity_id, by=by, detail=detail) for entity_id in entity_ids]
    AuditEvent.objects.bulk_create(rows)


def row_of(
    event: str,
    action: str,
    entity_type: str,
    entity_id: UUID | str | None,
    *,
    by: User | None,
    outcome: str = Outcome.SUCCESS,
    detail: dict[str, Any] | None = None,
) -> AuditEvent:
    """Fill a row of the audit trail, with where the request came from and how it is called."""
    return AuditEvent(
        event=event,
        action=action,
        outcome=outcome,
        agent_id=by.pk if by else None,
        agent_role=by.role if by else "",
        source_address=current_address.get(),
        entity_type=entity_type,
        entity_id=str(entity_id or ""),
        request_id=current_request_id.get().strip("-"),
        detail=detail or {},
    )
