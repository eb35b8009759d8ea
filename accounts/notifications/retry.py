"""Have a message that failed tried once more: staff do so when what stood in its way is mended."""

from datetime import datetime

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import Notice, User
from accounts.notifications.delivery import ADDRESS_FORGOTTEN
from config.api.errors import DomainError

State = Notice.State


def can_be_sent_again(notice: Notice) -> bool:
    """Return whether a notice has failed and we still know where it was to go."""
    return notice.state == State.FAILED and notice.error != ADDRESS_FORGOTTEN


def send_again(notice: Notice, *, actor: User, now: datetime) -> None:
    """Put a failed notice back into the outbox, with all its tries before it and under the same Message-ID.

    Raises `not_failed`, also for the second of two callers, and `address_forgotten`.
    """
    with transaction.atomic():
        failed = Notice.objects.filter(pk=notice.pk, state=State.FAILED)
        # Looked for and changed in one statement: two members of staff at once are one effect.
        if not failed.exclude(error=ADDRESS_FORGOTTEN).update(
            state=State.WAITING, attempts=0, due_at=now, lease_until=None, error=""
        ):
            raise DomainError("address_forgotten" if failed.exists() else "not_failed")
        record_event(
            "notice.sent_again", Action.EXECUTE, "notice", str(notice.pk), actor=actor, detail={"notice": notice.event}
        )
