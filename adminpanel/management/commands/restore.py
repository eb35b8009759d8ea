"""`manage.py restore PATH`: restore a backup."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from adminpanel.operations.backups.archive import CHUNK_BYTES, BackupError
from adminpanel.operations.backups.restore import open_archive, restore_backup

STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = (
        "Restores what `backup` wrote: into an empty database, or with --replace in place of the existing data. The"
        " whole archive is checked before anything changes; with -, it is first copied to the folder for temporary"
        " files. Everybody is signed out. A backup of an older release is migrated; one of a newer release, or of the"
        " other database engine, is rejected, and so is one that was not signed with BACKUP_KEY or one of"
        " BACKUP_KEY_FALLBACKS, unless --expect has its hash. Exits with 0, or with 1 if nothing was restored."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the archive that `backup` wrote; - is standard input")
        parser.add_argument("--replace", action="store_true", help="discard the data in the database")
        parser.add_argument(
            "--expect", metavar="HASH", default="", help="the hash that was printed when the backup was made"
        )
        parser.add_argument("--check", action="store_true", help="check the archive without restoring it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with open_input(options["path"]) as path:
                self.restore(path, options)
        except OSError as error:
            raise CommandError(f"A file can't be written: {error}. The rows were not touched.") from None

    def restore(self, path: Path, options: dict[str, Any]) -> None:
        """Restore the archive at a path, or only check it."""
        try:
            if options["check"]:
                manifest = open_archive(path, options["expect"]).manifest
                name = describe(str(path), path, options)
                self.stdout.write(f"{name}, made at {manifest.made_at}, is complete and can be restored here.")
                return
            result = restore_backup(path, timezone.now(), replace=options["replace"], expected_hash=options["expect"])
        except BackupError as error:
            raise CommandError(f"{describe(str(error), path, options)} Nothing was restored.") from None
        manifest = result.manifest
        self.stdout.write(
            f"Restored {sum(manifest.tables.values())} rows in {len(manifest.tables)} tables and"
            f" {result.stored_files} files of the backup made at {manifest.made_at}. Everybody is signed out."
        )
        if result.is_migrated:
            self.stdout.write("The backup was of an older release; its tables have been brought up to date.")
        if lost := manifest.lost:
            self.stderr.write(f"{len(lost)} files had been lost before the backup was made.")


@contextmanager
def open_input(path: str) -> Iterator[Path]:
    """Yield the path of the archive; standard input is copied first, since an archive is read three times."""
    if path != STANDARD_INPUT:
        yield Path(path).absolute()
        return
    if sys.stdin.isatty():
        raise CommandError("Standard input is a terminal: direct a backup to it. Nothing was restored.")
    with tempfile.TemporaryDirectory(prefix="wellhour-restore.") as folder:
        copy = Path(folder) / "standard-input"
        with os.fdopen(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            shutil.copyfileobj(sys.stdin.buffer, out, CHUNK_BYTES)
        yield copy


def describe(text: str, path: Path, options: dict[str, Any]) -> str:
    """Return a text about the archive, which calls standard input by that name rather than by its copy's."""
    return text.replace(str(path), "Standard input") if options["path"] == STANDARD_INPUT else text
