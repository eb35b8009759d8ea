"""`manage.py export_person EMAIL`: write all data about a person into a ZIP file."""

import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from adminpanel.account.export import write_export
from adminpanel.management.lookup import USER_HELP, get_user


class Command(BaseCommand):
    help = (
        "Writes all data about a person into a new ZIP file that only its owner can read, for somebody who asks for"
        " their data (GDPR, articles 15 and 20). It is recorded in the audit log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("person", metavar="EMAIL", help=USER_HELP)
        parser.add_argument("--to", metavar="FILE", required=True, help="the file to write; it must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user(options["person"])
        path = Path(options["to"])
        try:
            # Overwrites no file, and nobody else can read this one.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            raise CommandError(f"{path} already exists.") from None
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror}.") from None
        try:
            with os.fdopen(descriptor, "wb") as out:
                write_export(user, out, timezone.now(), actor=None)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        self.stdout.write(f"Wrote {path}.")
