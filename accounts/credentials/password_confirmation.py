"""Confirmation of the signed-in user's password before a change to the account's security."""

from django.conf import settings
from django.contrib.auth.hashers import check_password

from accounts.models import User
from accounts.throttling.expensive_requests import PASSWORD_CHECK
from accounts.throttling.rate_limit import RateLimit
from config.api.errors import field_error

WRONG_PASSWORD_MESSAGE = "This is not your current password."  # noqa: S105 - a message

password_limit = RateLimit("own-password", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)


def check_own_password(user: User, password: str) -> None:
    """Raise a field error unless this is the user's password, and `too_many` after too many wrong ones."""
    if not password:
        raise field_error("currentPassword", "Enter your current password.")
    PASSWORD_CHECK.consume()
    password_limit.consume(str(user.pk))
    if not check_password(password, user.password):
        raise field_error("currentPassword", WRONG_PASSWORD_MESSAGE)
    password_limit.clear(str(user.pk))
