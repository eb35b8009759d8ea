"""Look up a user by a command line argument."""

from uuid import UUID

from django.core.management.base import CommandError

from accounts.models import User
from accounts.text.email_addresses import canonical_email

USER_HELP = "the email address, or the id of an account that has ended"


def get_user(email_or_id: str) -> User:
    """Return a user by email address, or by id if the account is closed; raise CommandError if there is none."""
    try:
        users = User.objects.filter(pk=UUID(email_or_id))
    except ValueError:
        users = User.objects.present().filter(email=canonical_email(email_or_id))
    user = users.first()
    if user is None:
        raise CommandError(
            f"There is nobody with the email address or id {email_or_id}; ended accounts are found only by id."
        )
    return user
