"""`manage.py backup PATH`: write all data of the site into one archive, while it runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from adminpanel.operations.backups.archive import BackupError
from adminpanel.operations.backups.create import create_backup

MAX_LISTED_FILES = 20
EXIT_FILES_LOST = 3


class Command(BaseCommand):
    help = (
        "Writes all rows, pictures and files of records into a new tar archive that only its owner can read, while the"
        " site runs. Beside the archive there must be room for a copy of the database. Exits with 0; with 3 if the"
        " backup was written without files that rows name but the storage has lost; with 1 if there is no backup. It is"
        " signed with BACKUP_KEY, without which it can't be restored. Keep the printed hash elsewhere: restore --expect"
        " HASH accepts no other archive, and this one even without the key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the archive to write; it must not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"]).absolute()
        try:
            backup = create_backup(path)
        except BackupError as error:
            raise CommandError(f"{error} No backup was written.") from None
        except OSError as error:
            raise CommandError(f"{path} can't be written: {error.strerror or error}. No backup was written.") from None
        manifest = backup.manifest
        if not backup.is_audited:
            self.stderr.write("The backup could not be recorded in the audit log.")
        self.stdout.write(
            f"Wrote {path}: {sum(manifest.tables.values())} rows in {len(manifest.tables)} tables,"
            f" {len(manifest.files) - len(manifest.lost)} files.\nHash {backup.hash}"
        )
        if lost := manifest.lost:
            lines = ["The backup was written without files that the storage has lost:", *lost[:MAX_LISTED_FILES]]
            if len(lost) > MAX_LISTED_FILES:
                lines.append(f"... and {len(lost) - MAX_LISTED_FILES} more")
            raise CommandError("\n".join(lines), returncode=EXIT_FILES_LOST)
