"""Sign in, and let nobody learn from a failure which part was wrong."""

from datetime import datetime

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.authentication import SessionToken
from accounts.limits import Limit, network_of
from accounts.models import User
from accounts.sessions import is_from_a_new_device, start_session
from accounts.trail import Action, Outcome, current_address, record, tell
from config.errors import RuleBroken

per_account = Limit("sign-in-account", settings.SIGN_IN_TRIES_PER_ACCOUNT)
per_address = Limit("sign-in-address", settings.SIGN_IN_TRIES_PER_ADDRESS)


def sign_in(email: str, password: str, role: str, request: Request | HttpRequest, now: datetime) -> tuple[User, str]:
    """Check who it is and open a session; answers the person and the token. `email` is canonical.

    Raises `login_failed` in the same words and time for an unknown address, a wrong password and a wrong
    role, `account_inactive` for a stopped account whose password was right, `too_many` after too many tries.
    """
    address = network_of(current_address.get())
    per_address.take(address)
    per_account.take(email, address)
    user = User.objects.present().filter(email=email).first()
    # Outside any transaction: hashing takes its time, and SQLite has one writer.
    reason = why_refused(user, password, role)
    with transaction.atomic():
        if user is not None and not reason:
            # Locked and read again, so that a deactivation or a new password at this very moment wins.
            locked = User.objects.select_for_update().get(pk=user.pk)
            reason = "" if locked.password == user.password and locked.ended_at is None else "password"
            user = locked
        if user is None or reason:
            refuse(user, reason)
        elif not user.is_active:
            refuse(user, "inactive")
        else:
            user.last_login = now
            user.save(update_fields=["last_login"])
            session = start_session(user, request, now)
            record("account.signed_in", Action.EXECUTE, "user", user.pk, by=user)
            if is_from_a_new_device(session):
                tell("account.new_sign_in", user, detail={"session": str(session.pk)})
            per_account.clear(email, address)
            per_address.give_back(address)
            return user, str(SessionToken.naming(session))
    raise RuleBroken("login_failed" if user is None or reason else "account_inactive")


def why_refused(user: User | None, password: str, role: str) -> str:
    """Say for the trail what was wrong, hashing once in every case; empty when all is right."""
    if user is None:
        # As slow as a comparison, so that the time does not tell which addresses are known.
        make_password(password)
        return "unknown"
    if not check_password(password, user.password):
        return "password"
    return "" if user.role == role else "role"


def refuse(user: User | None, reason: str) -> None:
    """Write the failed try to the trail."""
    record(
        "account.sign_in_failed",
        Action.EXECUTE,
        "user",
        user.pk if user else None,
        by=None,
        outcome=Outcome.MINOR_FAILURE,
        detail={"reason": reason},
    )
