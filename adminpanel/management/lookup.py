"""Name a person on the command line."""

from uuid import UUID

from django.core.management.base import CommandError

from accounts.models import User
from accounts.text.email_addresses import canonical_email

WHO = "the email address, or the id of an account that has ended"


def person_called(name: str) -> User:
    """Find a person by email address, or by id where the account has ended; raises CommandError for nobody."""
    try:
        people = User.objects.filter(pk=UUID(name))
    except ValueError:
        people = User.objects.present().filter(email=canonical_email(name))
    person = people.first()
    if person is None:
        raise CommandError(f"Nobody is called {name} here. An account that has ended is found by its id alone.")
    return person
