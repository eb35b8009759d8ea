"""Turn the second step on with the first app or passkey, off with the last one, and reset it for a user who lost it."""

from datetime import datetime

from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.auth import recovery_codes
from accounts.auth.sessions import SECOND_STEP_CHANGED, end_sessions
from accounts.calendar_feed import revoke_feed
from accounts.credentials import mfa_status
from accounts.models import AuthenticatorApp, Passkey, RecoveryCode, Session, User
from accounts.notifications.outbox import notify_user


def locked(user: User) -> User:
    """Read a person again and lock the row, so that changes of the second step come one after the other."""
    return User.objects.locked().get(pk=user.pk)


def something_added(person: User, session: Session, now: datetime) -> list[str] | None:
    """Turn the second step on, if it is off: every other session ends, and the new recovery codes are answered.

    A session that the password alone has opened might be somebody's who should not have it.
    """
    if person.second_step_at is not None:
        return None
    person.second_step_at = now
    person.save(update_fields=["second_step_at"])
    # An app whose setting up the password alone has begun must not be finished now.
    AuthenticatorApp.objects.filter(user=person, turned_on_at=None).delete()
    end_sessions(person.sessions.exclude(pk=session.pk), SECOND_STEP_CHANGED, now)
    return recovery_codes.replace(person, now)


def something_removed(person: User) -> None:
    """Turn the second step off once nothing is left to take it with; recovery codes alone are none."""
    has_app = AuthenticatorApp.objects.filter(user=person, turned_on_at__isnull=False).exists()
    if has_app or Passkey.objects.filter(user=person).exists():
        return
    mfa_status.forget(person)
    person.save(update_fields=["second_step_at"])


def reset(user: User, now: datetime) -> bool:
    """Take a lost second step away, for an operator who knows who asks: every session ends, and the calendar's address.

    Answers whether there was one.
    """
    with transaction.atomic():
        person = locked(user)
        was_on = person.second_step_at is not None
        if not was_on and not RecoveryCode.objects.filter(user=person).exists():
            return False
        mfa_status.forget(person)
        person.save(update_fields=["second_step_at"])
        end_sessions(person.sessions.all(), SECOND_STEP_CHANGED, now)
        had_feed = revoke_feed(person, actor=None)
        record_event("account.second_step_reset", Action.DELETE, "user", person.pk, actor=None)
        notify_user("account.second_step_reset", person, detail={"feed": had_feed})
    return True
