"""Add notices to the outbox, in the transaction of the change they report."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils import timezone

from accounts.models import Notice, User
from accounts.notifications.channels import list_user_channels
from config.db.raw_sql import Insert, insert


def notify_users(
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
    """Add a notice to the outbox for each recipient and each channel that reaches them.

    A change that is already in the outbox is not added again. The recipient's preferences are checked at delivery.

    Args:
        address: The address to use instead of the recipient's own.
        detail: Ids and codes only.
        delay: How long the notice is neither sent nor shown, for changes that can be undone. An undone change is not
            reported, because the message is composed from the database after the delay.
    """
    if rows := build_notices(event, subject_type, subject_id, recipients, version, address, detail, delay):
        insert(build_notice_insert(rows))


def build_notice_insert(notices: Sequence[Notice]) -> Insert:
    """Return an INSERT that skips notices which are already in the outbox."""
    return Insert(notices, "ON CONFLICT DO NOTHING")


def build_notices(
    event: str,
    subject_type: str,
    subject_id: UUID | str,
    recipients: Iterable[User | UUID],
    version: int = 1,
    address: str = "",
    detail: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> list[Notice]:
    """Return the unsaved notices of a change; see `notify_users`."""
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
        for recipient, channel in list_user_channels(recipients, event, address)
    ]


def notify_user(
    event: str,
    user: User,
    *,
    address: str = "",
    detail: dict[str, Any] | None = None,
    delay: timedelta = timedelta(0),
) -> None:
    """Notify a user of an event of their own account, each time it happens. The user's row must be locked.

    See `notify_users` for the arguments.
    """
    earlier = Notice.objects.filter(event=event, subject_type="user", subject_id=str(user.pk))
    version = (earlier.aggregate(last=Max("version"))["last"] or 0) + 1
    notify_users(event, "user", user.pk, [user], version=version, address=address, detail=detail, delay=delay)
