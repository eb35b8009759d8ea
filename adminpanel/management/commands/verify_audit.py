"""`manage.py verify_audit`: check the audit log for alterations."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from accounts.audit import append_only
from accounts.audit.hash_chain import verify_audit_log

MAX_LISTED_PROBLEMS = 20


class Command(BaseCommand):
    help = (
        "Compares every sealed row of the audit log with its seal. Exits with 0 if none was altered, otherwise with 1"
        " and the rows concerned. Keep the newest hash elsewhere and pass it with --expect: that reveals even somebody"
        " who rewrote every seal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--expect", metavar="HASH", default="", help="a newest hash that was printed before")

    def handle(self, *args: Any, **options: Any) -> None:
        result = verify_audit_log(options["expect"])
        problems = [f"trigger {name} is missing" for name in sorted(append_only.find_missing_triggers(connection))]
        problems += result.problems
        self.stdout.write(
            f"{result.rows} rows in {result.seals} seals, {result.unsealed} not sealed yet; newest hash {result.head}"
        )
        if problems:
            more = (
                f"\n... and {len(problems) - MAX_LISTED_PROBLEMS} more" if len(problems) > MAX_LISTED_PROBLEMS else ""
            )
            raise CommandError("\n".join(problems[:MAX_LISTED_PROBLEMS]) + more)
        self.stdout.write(self.style.SUCCESS("The audit log was not altered."))
