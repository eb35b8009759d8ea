"""`manage.py backup PATH`: write all that the site keeps into one archive, while it runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from adminpanel.backups.archive import Refused
from adminpanel.backups.making import make

SHOWN = 20
WITHOUT_SOME = 3


class Command(BaseCommand):
    help = (
        "Writes all rows, pictures and files of records into a new tar archive that only its owner can read; the site"
        " may go on meanwhile. Beside the archive there must be room for a copy of the database. Ends with 0; with 3"
        " when the backup was written and lacks files that rows name but the storage lost earlier; with 1 when there is"
        " no backup. It is sealed with BACKUP_KEY, without which it is not restored. Keep the hash that it prints"
        " elsewhere: restore --expect HASH takes no other archive, and that one without the key too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the archive to write; it must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"]).absolute()
        try:
            made = make(path)
        except Refused as refused:
            raise CommandError(f"{refused} No backup was written.") from None
        except OSError as failed:
            raise CommandError(
                f"{path} can't be written: {failed.strerror or failed}. No backup was written."
            ) from None
        if not made.is_recorded:
            self.stderr.write("The audit trail could not be told of it.")
        self.stdout.write(
            f"Wrote {path}: {sum(made.manifest.tables.values())} rows in {len(made.manifest.tables)} tables,"
            f" {len(made.manifest.files) - len(made.manifest.lost)} files.\nHash {made.digest}"
        )
        if lost := made.manifest.lost:
            more = [f"... and {len(lost) - SHOWN} more"] if len(lost) > SHOWN else []
            raise CommandError(
                "\n".join(["The backup was written without files that the storage has lost:", *lost[:SHOWN], *more]),
                returncode=WITHOUT_SOME,
            )
