"""Make a backup while the site runs."""

import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

from django.db import DatabaseError, connection

from accounts.audit.log import Action, record
from adminpanel.backups import files, postgresql, sqlite
from adminpanel.backups.archive import Manifest, Refused, Writer, appearing, sealing_key

# How often the rows are read again because files went while they were copied.
TRIES = 10


@dataclass
class Made:
    """What a backup holds, the hash of its manifest, and whether the trail knows of it."""

    manifest: Manifest
    digest: str
    is_recorded: bool


def make(path: Path) -> Made:
    """Write all rows, and every file that they name, into a new archive at `path`; raises Refused or OSError.

    Files are copied after the rows were read. One that went meanwhile was let go of by an act that the rows do not
    know yet, so they are read once more; a file that is gone while rows go on naming it has been lost earlier.
    """
    engine = sqlite if connection.vendor == "sqlite" else postgresql
    key = sealing_key()
    with appearing(path) as out, tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as scratch:
        writer = Writer(out, key)
        copied: set[str] = set()
        gone: set[str] = set()
        for number in range(TRIES):
            folder = Path(scratch) / str(number)
            folder.mkdir()
            manifest = engine.snapshot(folder)
            wanted = set(manifest.files)
            was_gone, gone = gone, set()
            for file in sorted(wanted - copied):
                data = None if file in was_gone else files.content(file)
                if data is None:
                    gone.add(file)
                else:
                    writer.add(f"files/{file}", io.BytesIO(data), len(data))
                    copied.add(file)
            # Missing twice, and named still by what was read in between.
            if gone <= was_gone:
                break
            for left in folder.iterdir():
                left.unlink()
        else:
            raise Refused("Files kept vanishing while they were copied. Please try again.")
        manifest.lost = sorted(gone)
        engine.write(writer, folder)
        digest = writer.seal(manifest)
    return Made(manifest, digest, write_down(digest))


def write_down(digest: str) -> bool:
    """Put the backup on the trail; False where the database can't take it, as tables of an older release may."""
    try:
        record("data.backed_up", Action.READ, "backup", digest[:32], by=None)
    except DatabaseError:
        return False
    return True
