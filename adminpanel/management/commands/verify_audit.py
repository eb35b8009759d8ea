"""`manage.py verify_audit`: look whether anyone has altered the audit trail."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from accounts.audit import append_only
from accounts.audit.hash_chain import verify

SHOWN = 20


class Command(BaseCommand):
    help = (
        "Compares every sealed row of the audit trail with its seal. Ends with 0 when all is as it was written,"
        " with 1 and the rows concerned when not. Keep the newest hash elsewhere and hand it back with --expect:"
        " then not even somebody who rewrites every seal goes unseen."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--expect", metavar="HASH", default="", help="a newest hash that was printed earlier")

    def handle(self, *args: Any, **options: Any) -> None:
        verdict = verify(options["expect"])
        faults = [f"trigger {name} does not stand" for name in sorted(append_only.find_missing_triggers(connection))]
        faults += verdict.faults
        self.stdout.write(
            f"{verdict.rows} rows in {verdict.seals} seals, {verdict.unsealed} not sealed yet;"
            f" newest hash {verdict.head}"
        )
        if faults:
            more = f"\n... and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
            raise CommandError("\n".join(faults[:SHOWN]) + more)
        self.stdout.write(self.style.SUCCESS("The trail is as it was written."))
