"""`manage.py erase_person EMAIL`: end a person's account and erase what needs not be kept."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.notifications.delivery import deliver
from adminpanel.account.erasure import erase
from adminpanel.management.lookup import person_called
from appointments.scheduling.account_closure import end_account
from config.api.errors import DomainError


class Command(BaseCommand):
    help = (
        "Ends a person's account and erases what the law lets go (GDPR, article 17): how the person is reached,"
        " sessions, notices, appointments that never took place, and records older than RECORD_RETENTION_YEARS. Younger"
        " records stay with the name and the birth date they were written under. There is no way back."
        " It is in the audit log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", help="the email address, or the id of an account that has ended")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        person = person_called(options["person"])
        if not options["yes"]:
            confirm(f"Erase {person.name} ({person.role}, {person.pk}) for good? Type yes: ")
        try:
            if person.ended_at is None:
                # Everyone affected hears of the end while there is an address to write to: erasing deletes what waits.
                end_account(person.pk, actor=None, now=timezone.now())
                deliver(timezone.now())
            erased = erase(person, actor=None, now=timezone.now())
        except DomainError as refused:
            raise CommandError(refused.message) from None
        self.stdout.write(
            f"Erased {person.pk}: {erased.anonymous} appointments made anonymous, {erased.files} files deleted;"
            f" {erased.kept} appointments stay for {settings.RECORD_RETENTION_YEARS} years after they took place."
        )


def confirm(question: str) -> None:
    """Ask the person at the terminal; raises CommandError unless the answer is yes."""
    if not sys.stdin.isatty():
        raise CommandError("Nobody is there to answer: say --yes.")
    if input(question).strip().lower() != "yes":
        raise CommandError("Nothing was changed.")
