"""Deactivate and reactivate accounts."""

from datetime import datetime

from django.db import connection, transaction

from accounts.audit.log import Action, record_event
from accounts.auth.sessions import DEACTIVATED, end_sessions
from accounts.models import AccountStatus, User
from accounts.notifications.outbox import notify_user


def set_user_status(user: User, status: AccountStatus, *, actor: User | None, now: datetime) -> User:
    """Deactivate or activate an account, if it does not have that status yet.

    Deactivating ends all sessions, so that activating the account does not revive old tokens.
    """
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        if user.status == status:
            return user
        user.status = status
        user.save(update_fields=["status"])
        if status == AccountStatus.INACTIVE:
            end_sessions(user.sessions.all(), DEACTIVATED, now)
        event = "account.activated" if status == AccountStatus.ACTIVE else "account.deactivated"
        record_event(event, Action.UPDATE, "user", user.pk, actor=actor)
        notify_user(event, user)
    return user


SHARED_LOCK_SQL = "SELECT 1 FROM accounts_user WHERE id = %s AND status = %s AND ended_at IS NULL FOR SHARE"
EXCLUSIVE_LOCK_SQL = SHARED_LOCK_SQL.replace("FOR SHARE", "FOR NO KEY UPDATE")


def lock_if_active(user: User, *, is_exclusive: bool = False) -> bool:
    """Return whether an account is active, and lock the row until the transaction ends.

    The shared lock delays deactivation and closure. With `is_exclusive`, other holders wait too, so that rows of this
    user can be counted. SQLite has one writer at a time and needs no lock.
    """
    if connection.vendor != "postgresql":
        return User.objects.active().filter(pk=user.pk).exists()
    with connection.cursor() as cursor:
        cursor.execute(EXCLUSIVE_LOCK_SQL if is_exclusive else SHARED_LOCK_SQL, [user.pk, AccountStatus.ACTIVE])
        return cursor.fetchone() is not None
