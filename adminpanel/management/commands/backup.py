"""`manage.py backup PATH`: write all data of the site into one archive, while it runs."""

import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from adminpanel.operations.backups.archive import BackupError
from adminpanel.operations.backups.create import Backup, create_backup, stream_backup

STANDARD_OUTPUT = "-"
MAX_LISTED_FILES = 20
EXIT_FILES_LOST = 3


class Command(BaseCommand):
    help = (
        "Writes all rows, pictures and files of records into a new tar archive that only its owner can read, while the"
        " site runs. Beside the archive there must be room for a copy of the database; with -, in the folder for"
        " temporary files. Exits with 0; with 3 if the backup was written without files that rows name but the storage"
        " has lost; with 1 if there is no backup. It is signed with BACKUP_KEY, without which it can't be restored."
        " Keep the printed hash elsewhere: restore --expect HASH accepts no other archive, and this one even without"
        " the key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path",
            metavar="PATH",
            help="the archive to write; it must not exist yet. With - the archive goes to standard output, and the"
            " summary to standard error",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        is_stream = options["path"] == STANDARD_OUTPUT
        target: str | Path = "standard output" if is_stream else Path(options["path"]).absolute()
        try:
            backup = write_to_standard_output() if is_stream else create_backup(Path(target))
        except BackupError as error:
            raise CommandError(f"{error} No backup was written.") from None
        except OSError as error:
            reason = error.strerror or error
            raise CommandError(f"{target} can't be written: {reason}. No backup was written.") from None
        manifest = backup.manifest
        if not backup.is_audited:
            self.stderr.write("The backup could not be recorded in the audit log.")
        # Standard error colors what it gets as errors, unless told otherwise.
        (self.stderr if is_stream else self.stdout).write(
            f"Wrote {target}: {sum(manifest.tables.values())} rows in {len(manifest.tables)} tables,"
            f" {len(manifest.files) - len(manifest.lost)} files.\nHash {backup.hash}",
            str,
        )
        if lost := manifest.lost:
            lines = ["The backup was written without files that the storage has lost:", *lost[:MAX_LISTED_FILES]]
            if len(lost) > MAX_LISTED_FILES:
                lines.append(f"... and {len(lost) - MAX_LISTED_FILES} more")
            raise CommandError("\n".join(lines), returncode=EXIT_FILES_LOST)


def write_to_standard_output() -> Backup:
    """Write a backup to standard output; raise BackupError if that is a terminal."""
    if sys.stdout.isatty():
        raise BackupError("Standard output is a terminal: direct it to a file or to another command.")
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        return stream_backup(out)
