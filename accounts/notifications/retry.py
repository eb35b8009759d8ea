"""Retry failed notices on request of staff."""

from datetime import datetime

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import Notice, User
from accounts.notifications.delivery import ADDRESS_DELETED
from config.api.errors import DomainError

State = Notice.State


def can_retry(notice: Notice) -> bool:
    """Return whether a notice has failed and its address is still stored."""
    return notice.state == State.FAILED and notice.error != ADDRESS_DELETED


def retry_notice(notice: Notice, *, actor: User, now: datetime) -> None:
    """Put a failed notice back into the outbox with all its attempts and the same Message-ID.

    Raise `not_failed`, also for the second of two concurrent callers, or `address_forgotten`.
    """
    with transaction.atomic():
        failed = Notice.objects.filter(pk=notice.pk, state=State.FAILED)
        # A conditional UPDATE, so that concurrent calls have one effect.
        if not failed.exclude(error=ADDRESS_DELETED).update(
            state=State.WAITING, attempts=0, due_at=now, lease_until=None, error=""
        ):
            raise DomainError("address_forgotten" if failed.exists() else "not_failed")
        record_event(
            "notice.sent_again", Action.EXECUTE, "notice", str(notice.pk), actor=actor, detail={"notice": notice.event}
        )
