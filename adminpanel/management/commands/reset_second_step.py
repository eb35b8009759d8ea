"""`manage.py reset_second_step EMAIL`: take a lost second step away, so that the password alone lets its person in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.auth.mfa_enrollment import reset
from adminpanel.management.lookup import person_called


class Command(BaseCommand):
    help = (
        "Takes authenticator app, passkeys and recovery codes away from somebody who has lost them. Make sure of who is"
        " asking first. Every session ends, the person is told by mail, and it is written to the trail."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", help="the email address, or the person's id")

    def handle(self, *args: Any, **options: Any) -> None:
        person = person_called(options["person"])
        if reset(person, timezone.now()):
            self.stdout.write(f"The second step of {person.pk} is taken away: the password alone lets them in.")
        else:
            self.stdout.write(f"{person.pk} has no second step.")
