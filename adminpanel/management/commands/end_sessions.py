"""`manage.py end_sessions EMAIL`: sign a person out everywhere; `--everybody` signs out all there are."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from accounts.auth.sessions import end_sessions_by_operator
from adminpanel.management.lookup import USER_HELP, get_user


class Command(BaseCommand):
    help = (
        "Signs a person out everywhere, for example when a device is lost, or everybody at once. They can sign in"
        " again; to prevent that, deactivate the account. It is recorded in the audit log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", nargs="?", help=USER_HELP)
        parser.add_argument("--everybody", action="store_true", help="all sessions of all people")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["person"]) == options["everybody"]:
            raise CommandError("Name one person or pass --everybody, not both.")
        user = None if options["everybody"] else get_user(options["person"])
        ended = end_sessions_by_operator(user, timezone.now())
        self.stdout.write(f"{ended} {'session' if ended == 1 else 'sessions'} ended.")
