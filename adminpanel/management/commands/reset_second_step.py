"""`manage.py reset_second_step EMAIL`: remove a lost second factor."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.auth.mfa_enrollment import reset_second_step
from adminpanel.management.lookup import get_user


class Command(BaseCommand):
    help = (
        "Removes the authenticator app, passkeys and recovery codes of somebody who has lost them. Verify their"
        " identity first. All their sessions end, they are notified by email, and it is recorded in the audit log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", help="the email address, or the person's id")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user(options["person"])
        if reset_second_step(user, timezone.now()):
            self.stdout.write(f"The second step of {user.pk} is removed: the password alone signs them in.")
        else:
            self.stdout.write(f"{user.pk} has no second step.")
