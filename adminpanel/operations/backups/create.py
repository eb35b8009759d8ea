"""Create a backup while the site runs."""

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.db import DatabaseError, connection

from accounts.audit.log import Action, record_event
from adminpanel.operations.backups import media, postgresql, sqlite
from adminpanel.operations.backups.archive import (
    ArchiveWriter,
    BackupError,
    Manifest,
    PipeWriter,
    create_atomically,
    get_signing_key,
)

# How often the rows are read again because files were deleted while they were copied.
MAX_SNAPSHOTS = 10


@dataclass
class Backup:
    """A backup's manifest and its hash, and whether the audit log has it."""

    manifest: Manifest
    hash: str
    is_audited: bool


def create_backup(path: Path) -> Backup:
    """Write a backup into a new archive at `path`, copying the rows beside it first; raise BackupError or OSError."""
    key = get_signing_key()
    with (
        create_atomically(path) as out,
        tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder,
    ):
        manifest, digest = write_archive(ArchiveWriter(out, key), Path(folder))
    return Backup(manifest, digest, audit_backup(digest))


def stream_backup(out: IO[bytes]) -> Backup:
    """Write a backup to a pipe; raise BackupError or OSError. Rows are copied to the folder for temporary files."""
    key = get_signing_key()
    with tempfile.TemporaryDirectory(prefix="wellhour-backup.") as folder:
        manifest, digest = write_archive(ArchiveWriter(PipeWriter(out), key), Path(folder))
    out.flush()
    return Backup(manifest, digest, audit_backup(digest))


def write_archive(writer: ArchiveWriter, folder: Path) -> tuple[Manifest, str]:
    """Write all rows, and every file that they name; return the manifest and its hash.

    Files are copied after the rows are read. If one is deleted in between, the rows are read again, since newer ones no
    longer name it; a file that is gone while rows still name it was lost earlier.

    Args:
        writer: Writes the archive.
        folder: An empty folder for copies of the rows.
    """
    engine = sqlite if connection.vendor == "sqlite" else postgresql
    copied: set[str] = set()
    missing: set[str] = set()
    for number in range(MAX_SNAPSHOTS):
        snapshot_folder = folder / str(number)
        snapshot_folder.mkdir()
        manifest = engine.take_snapshot(snapshot_folder)
        missing_before, missing = missing, set()
        for file in sorted(set(manifest.files) - copied):
            data = None if file in missing_before else media.read_file(file)
            if data is None:
                missing.add(file)
            else:
                writer.add(f"files/{file}", io.BytesIO(data), len(data))
                copied.add(file)
        # Missing twice, and still named by the rows read in between.
        if missing <= missing_before:
            break
        for dump in snapshot_folder.iterdir():
            dump.unlink()
    else:
        raise BackupError("Files kept vanishing while they were copied. Please try again.")
    manifest.lost = sorted(missing)
    engine.add_snapshot(writer, snapshot_folder)
    return manifest, writer.finish(manifest)


def audit_backup(digest: str) -> bool:
    """Record the backup in the audit log; return False if the database can't, as with tables of an older release."""
    try:
        record_event("data.backed_up", Action.READ, "backup", digest[:32], actor=None)
    except DatabaseError:
        return False
    return True
