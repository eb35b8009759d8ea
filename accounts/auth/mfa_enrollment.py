"""Enable the second step with the first factor, disable it with the last one, and reset lost factors."""

from datetime import datetime

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.auth import recovery_codes
from accounts.auth.sessions import SECOND_STEP_CHANGED, end_sessions
from accounts.calendar_feed import revoke_feed
from accounts.credentials import mfa_status
from accounts.models import AuthenticatorApp, Passkey, RecoveryCode, Session, User
from accounts.notifications.outbox import notify_user


def enable_second_step(user: User, session: Session, now: datetime) -> list[str] | None:
    """Enable the second step, if it is disabled: end the other sessions and return new recovery codes.

    The other sessions were opened with the password alone, which an intruder may know. The user's row must be locked.
    """
    if user.second_step_at is not None:
        return None
    user.second_step_at = now
    user.save(update_fields=["second_step_at"])
    # A pending app was started with the password alone.
    AuthenticatorApp.objects.filter(user=user, turned_on_at=None).delete()
    end_sessions(user.sessions.exclude(pk=session.pk), SECOND_STEP_CHANGED, now)
    return recovery_codes.replace_codes(user, now)


def disable_unused_second_step(user: User) -> None:
    """Disable the second step if neither an app nor a passkey is left."""
    has_app = AuthenticatorApp.objects.filter(user=user, turned_on_at__isnull=False).exists()
    if has_app or Passkey.objects.filter(user=user).exists():
        return
    mfa_status.delete_factors(user)
    user.save(update_fields=["second_step_at"])


def reset_second_step(user: User, now: datetime) -> bool:
    """Remove a lost second step on request of an operator, all sessions and the calendar feed.

    Return whether there was a second step.
    """
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        was_on = user.second_step_at is not None
        if not was_on and not RecoveryCode.objects.filter(user=user).exists():
            return False
        mfa_status.delete_factors(user)
        user.save(update_fields=["second_step_at"])
        end_sessions(user.sessions.all(), SECOND_STEP_CHANGED, now)
        had_feed = revoke_feed(user, actor=None)
        record_event("account.second_step_reset", Action.DELETE, "user", user.pk, actor=None)
        notify_user("account.second_step_reset", user, detail={"feed": had_feed})
    return True
