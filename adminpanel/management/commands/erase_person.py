"""`manage.py erase_person EMAIL`: end a person's account and erase what need not be kept."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.notifications.delivery import deliver_notices
from adminpanel.account.erasure import erase_person
from adminpanel.management.lookup import USER_HELP, get_user
from appointments.scheduling.account_closure import end_account
from config.api.errors import DomainError


class Command(BaseCommand):
    help = (
        "Ends a person's account and erases what need not be kept (GDPR, article 17): contact data, sessions, notices,"
        " appointments that never took place, and records older than RECORD_RETENTION_YEARS. Newer records stay with"
        " the name and birth date they were written under. It can't be undone. It is recorded in the audit log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", help=USER_HELP)
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user(options["person"])
        if not options["yes"]:
            confirm(f"Erase {user.name} ({user.role}, {user.pk}) for good? Type yes: ")
        try:
            if user.ended_at is None:
                # Notify everyone affected before their messages in the outbox are deleted.
                end_account(user.pk, actor=None, now=timezone.now())
                deliver_notices(timezone.now())
            erased = erase_person(user, actor=None, now=timezone.now())
        except DomainError as error:
            raise CommandError(error.message) from None
        self.stdout.write(
            f"Erased {user.pk}: {erased.anonymous} appointments made anonymous, {erased.files} files deleted;"
            f" {erased.kept} appointments stay for {settings.RECORD_RETENTION_YEARS} years after they took place."
        )


def confirm(question: str) -> None:
    """Ask at the terminal; raise CommandError unless the answer is yes."""
    if not sys.stdin.isatty():
        raise CommandError("There is no terminal to ask at: pass --yes.")
    if input(question).strip().lower() != "yes":
        raise CommandError("Nothing was changed.")
