"""Look up a person who is named on the command line."""

from uuid import UUID

from django.core.management.base import CommandError

from accounts.models import User
from accounts.text.email_addresses import canonical_email

PERSON_HELP = "the email address, or the id of an account that has ended"


def get_person(email_or_id: str) -> User:
    """Return a person by email address, or by id if the account has ended; raise CommandError if there is none."""
    try:
        people = User.objects.filter(pk=UUID(email_or_id))
    except ValueError:
        people = User.objects.present().filter(email=canonical_email(email_or_id))
    person = people.first()
    if person is None:
        raise CommandError(
            f"There is nobody with the email address or id {email_or_id}; ended accounts are found only by id."
        )
    return person
