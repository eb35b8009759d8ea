"""Stop an account and let it go on."""

from datetime import datetime

from django.db import connection, transaction

from accounts.audit.log import Action, record_event
from accounts.auth.sessions import DEACTIVATED, end_sessions
from accounts.models import AccountStatus, User
from accounts.notifications.outbox import notify_user


def set_status(user: User, status: AccountStatus, *, actor: User | None, now: datetime) -> User:
    """Deactivate or activate an account; asking for the status it has changes nothing.

    Deactivating ends every session for good, so that activating again revives none of the old tokens.
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


TOGETHER = "SELECT 1 FROM accounts_user WHERE id = %s AND status = %s AND ended_at IS NULL FOR SHARE"
ALONE = TOGETHER.replace("FOR SHARE", "FOR NO KEY UPDATE")


def hold_active(user: User, *, alone: bool = False) -> bool:
    """Return whether a person's account is active, and keep it so until this transaction ends.

    FOR SHARE: stopping or ending the account waits for what is under way, and what comes afterwards is refused. With
    `alone` what else holds the same person waits too, so that something of theirs can be counted.
    SQLite has one writer at a time and needs no lock.
    """
    if connection.vendor != "postgresql":
        return User.objects.active().filter(pk=user.pk).exists()
    with connection.cursor() as cursor:
        cursor.execute(ALONE if alone else TOGETHER, [user.pk, AccountStatus.ACTIVE])
        return cursor.fetchone() is not None
