"""`manage.py restore PATH`: restore a backup."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from adminpanel.operations.backups.archive import BackupError
from adminpanel.operations.backups.restore import open_archive, restore_backup


class Command(BaseCommand):
    help = (
        "Restores what `backup` wrote: into an empty database, or with --replace in place of the existing data. The"
        " whole archive is checked before anything changes. Everybody is signed out. A backup of an older release is"
        " migrated; one of a newer release, or of the other database engine, is rejected, and so is one that was not"
        " signed with BACKUP_KEY or one of BACKUP_KEY_FALLBACKS, unless --expect has its hash. Exits with 0, or with 1"
        " if nothing was restored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the archive that `backup` wrote")
        parser.add_argument("--replace", action="store_true", help="discard the data in the database")
        parser.add_argument(
            "--expect", metavar="HASH", default="", help="the hash that was printed when the backup was made"
        )
        parser.add_argument("--check", action="store_true", help="check the archive without restoring it")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"]).absolute()
        try:
            if options["check"]:
                manifest = open_archive(path, options["expect"]).manifest
                self.stdout.write(f"{path}, made at {manifest.made_at}, is complete and can be restored here.")
                return
            result = restore_backup(path, timezone.now(), replace=options["replace"], expected_hash=options["expect"])
        except BackupError as error:
            raise CommandError(f"{error} Nothing was restored.") from None
        except OSError as error:
            raise CommandError(f"A file can't be written: {error}. The rows were not touched.") from None
        manifest = result.manifest
        self.stdout.write(
            f"Restored {sum(manifest.tables.values())} rows in {len(manifest.tables)} tables and"
            f" {result.stored_files} files of the backup made at {manifest.made_at}. Everybody is signed out."
        )
        if result.is_migrated:
            self.stdout.write("The backup was of an older release; its tables have been brought up to date.")
        if lost := manifest.lost:
            self.stderr.write(f"{len(lost)} files had been lost before the backup was made.")
