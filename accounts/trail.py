"""Write the audit trail and the outbox, inside the transaction of the act they tell of."""

from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from accounts.models import AuditEvent, Notice, User
from config.request_id import current_request_id

# Where the request that is being answered came from; the request's middleware sets it.
current_address: ContextVar[str] = ContextVar("current_address", default="")

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
    AuditEvent.objects.create(
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


def notify(
    event: str, subject_type: str, subject_id: UUID | str, recipients: Iterable[User | UUID], *, version: int = 1
) -> None:
    """Put one notice for each recipient into the outbox; the same change is never told twice."""
    Notice.objects.bulk_create(
        [
            Notice(
                event=event,
                subject_type=subject_type,
                subject_id=str(subject_id),
                version=version,
                recipient_id=recipient.pk if isinstance(recipient, User) else recipient,
            )
            for recipient in recipients
        ],
        ignore_conflicts=True,
    )
