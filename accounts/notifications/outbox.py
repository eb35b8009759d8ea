"""Write messages into the outbox, inside the transaction of the act they tell of."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from accounts.models import Notice, User
from accounts.notifications.channels import ways_to
from config.db.raw_sql import Insert, insert


def notify(
    event: str,
    subject_type: str,
    subject_id: UUID | str,
    recipients: Iterable[User | UUID],
    *,
    version: int = 1,
    address: str = "",
    detail: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> None:
    """Put a notice for each recipient and each channel that reaches them into the outbox.

    A change that is already in the outbox is not added again. Which channels a person wants is checked at delivery.

    Args:
        address: Where the notice goes instead of the person's own address.
        detail: Ids and codes only.
        delay: How long neither the mail nor the bell shows the notice, for acts that can be undone. An undone act
            leaves nothing to tell, because the message is written from the database when the delay is over.
    """
    if rows := notices_of(event, subject_type, subject_id, recipients, version, address, detail, delay):
        insert(ignore_duplicates(rows))


def ignore_duplicates(notices: Sequence[Notice]) -> Insert:
    """Say how notices are inserted: what was told already stays as it is."""
    return Insert(notices, "ON CONFLICT DO NOTHING")


def notices_of(
    event: str,
    subject_type: str,
    subject_id: UUID | str,
    recipients: Iterable[User | UUID],
    version: int = 1,
    address: str = "",
    detail: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> list[Notice]:
    """Return the unsaved notices of a change; see `notify`."""
    due_at = timezone.now() + delay
    return [
        Notice(
            created_at=due_at,
            event=event,
            subject_type=subject_type,
            subject_id=str(subject_id),
            version=version,
            recipient_id=recipient,
            channel=channel,
            address=address,
            detail=detail or {},
            due_at=due_at,
        )
        for recipient, channel in ways_to(recipients, event, address)
    ]


def tell(
    event: str,
    user: User,
    *,
    address: str = "",
    detail: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> None:
    """Put a notice about their own account into a person's outbox; call it with the person's row locked.

    The same thing may happen to an account many times; each time is told. See `notify` for the arguments.
    """
    earlier = Notice.objects.filter(event=event, subject_type="user", subject_id=str(user.pk))
    version = (earlier.aggregate(last=Max("version"))["last"] or 0) + 1
    notify(event, "user", user.pk, [user], version=version, address=address, detail=detail, delay=delay)
