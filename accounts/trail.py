"""Write the audit trail and the outbox, inside the transaction of the act they tell of."""

from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts.channels import ways_to
from accounts.models import AuditEvent, Notice, User
from config.request_id import current_request_id
from config.requests import client_address
from config.rows import Added, insert

# Where the request that is being answered came from.
current_address: ContextVar[str] = ContextVar("current_address", default="")


class SourceAddressMiddleware:
    """Remember where each request came from, for the trail, the sessions and the limits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = current_address.set(client_address(request))
        try:
            return self.get_response(request)
        finally:
            current_address.reset(token)


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
    insert(Added([row_of(event, action, entity_type, entity_id, by=by, outcome=outcome, detail=detail)]))


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


def notify(
    event: str,
    subject_type: str,
    subject_id: UUID | str,
    recipients: Iterable[User | UUID],
    *,
    version: int = 1,
    address: str = "",
    detail: dict[str, Any] | None = None,
) -> None:
    """Put a notice for each recipient and each channel that reaches them into the outbox.

    The same change is never told twice. Which channels a person wants is asked when it is sent, not here.

    `address` is where it goes instead of the person's own address; `detail` holds ids and codes only.
    """
    if rows := notices_of(event, subject_type, subject_id, recipients, version, address, detail):
        insert(told_once(rows))


def told_once(notices: Sequence[Notice]) -> Added:
    """Say how notices are inserted: what was told already stays as it is."""
    return Added(notices, "ON CONFLICT DO NOTHING")


def notices_of(
    event: str,
    subject_type: str,
    subject_id: UUID | str,
    recipients: Iterable[User | UUID],
    version: int = 1,
    address: str = "",
    detail: dict[str, Any] | None = None,
) -> list[Notice]:
    """Fill the notices of a change, unsaved; see `notify`."""
    now = timezone.now()
    return [
        Notice(
            created_at=now,
            event=event,
            subject_type=subject_type,
            subject_id=str(subject_id),
            version=version,
            recipient_id=recipient,
            channel=channel,
            address=address,
            detail=detail or {},
            due_at=now,
        )
        for recipient, channel in ways_to(recipients, event, address)
    ]


def tell(event: str, user: User, *, address: str = "", detail: dict[str, Any] | None = None) -> None:
    """Put a notice about their own account into a person's outbox; call it with the person's row locked.

    The same thing may happen to an account many times; each time is told.
    """
    earlier = Notice.objects.filter(event=event, subject_type="user", subject_id=str(user.pk))
    version = (earlier.aggregate(last=Max("version"))["last"] or 0) + 1
    notify(event, "user", user.pk, [user], version=version, address=address, detail=detail)
