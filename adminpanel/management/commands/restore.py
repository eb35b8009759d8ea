"""`manage.py restore PATH`: bring a backup back."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from adminpanel.backups.archive import Refused
from adminpanel.backups.restoring import checked, restore


class Command(BaseCommand):
    help = (
        "Brings back what `backup` wrote: into an empty database, or with --replace in place of what is there. The"
        " whole archive is checked before anything changes. Everybody is signed out by it. A backup of an older"
        " release is brought up to date; one of a newer release, or of the other kind of database, is refused, and so"
        " is one that was not sealed with BACKUP_KEY or one of BACKUP_KEY_FALLBACKS, unless --expect names its hash."
        " Ends with 0, or with 1 when nothing was restored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the archive that `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="give up what is in the database")
        parser.add_argument("--expect", metavar="HASH", default="", help="the hash that was printed with the backup")
        parser.add_argument("--check", action="store_true", help="check the archive, and change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"]).absolute()
        try:
            if options["check"]:
                manifest = checked(path, options["expect"]).manifest
                self.stdout.write(f"{path}, made at {manifest.made_at}, is whole and can be restored here.")
                return
            done = restore(path, timezone.now(), replace=options["replace"], expected=options["expect"])
        except Refused as refused:
            raise CommandError(f"{refused} Nothing was restored.") from None
        except OSError as failed:
            raise CommandError(f"A file can't be written: {failed}. The rows were not touched.") from None
        self.stdout.write(
            f"Restored {sum(done.manifest.tables.values())} rows in {len(done.manifest.tables)} tables and"
            f" {done.files_stored} files of the backup made at {done.manifest.made_at}. Everybody is signed out."
        )
        if done.was_older:
            self.stdout.write("The backup was of an older release; its tables have been brought up to date.")
        if lost := done.manifest.lost:
            self.stderr.write(f"{len(lost)} files had been lost before the backup was made.")
