"""SQLite: its online backup, which lets the site go on, and the same way back in one transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from adminpanel.operations.backups.archive import CHUNK_BYTES, ArchiveWriter, BackupError, Manifest, Readable
from adminpanel.operations.backups.media import list_named_files

FILE = "db.sqlite3"
PART = f"database/{FILE}"


@contextmanager
def open_database(path: Path | str) -> Iterator[sqlite3.Connection]:
    """Open a database file, waiting for its writers as the site does; raise BackupError for anything else."""
    try:
        with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as database:
            yield database
    except sqlite3.OperationalError as error:
        raise BackupError(f"{path}: {error}.") from error
    except sqlite3.DatabaseError as error:
        raise BackupError(f"{path} can't be read as a database: {error}.") from error


def get_site_path() -> Path:
    """Return the path of the site's database."""
    return Path(connection.settings_dict["NAME"])


def list_tables(database: sqlite3.Connection) -> list[str]:
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return sorted(name for (name,) in rows)


def count_rows(database: sqlite3.Connection) -> dict[str, int]:
    return {
        table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - its own table
        for table in list_tables(database)
    }


def list_applied_migrations(database: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the names of the applied migrations of each app."""
    migrations: dict[str, list[str]] = {}
    if "django_migrations" in list_tables(database):
        for app, name in database.execute("SELECT app, name FROM django_migrations ORDER BY app, name"):
            migrations.setdefault(app, []).append(name)
    return migrations


def check_integrity(database: sqlite3.Connection, path: Path | str) -> None:
    """Have SQLite check every page and every foreign key; raise BackupError for a violation."""
    verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise BackupError(f"{path} is damaged: {verdict}.")
    if violation := database.execute("PRAGMA foreign_key_check").fetchone():
        raise BackupError(f"{path} is damaged: a row of {violation[0]} names one of {violation[2]} that is not there.")


def take_snapshot(folder: Path) -> Manifest:
    """Copy the database as of one moment into `folder`, while it is written to."""
    if not get_site_path().exists():
        raise BackupError(f"There is no database at {get_site_path()}.")
    with open_database(get_site_path()) as source, open_database(folder / FILE) as target:
        # All pages in one step: between several steps, each write of the site would start the backup over.
        source.backup(target)
        # Without a write-ahead log, the one file is complete.
        target.execute("PRAGMA journal_mode = DELETE")
        check_integrity(target, get_site_path())
        tables = count_rows(target)
        return Manifest(
            made_at=timezone.now().isoformat(),
            engine="sqlite",
            migrations=list_applied_migrations(target),
            tables=tables,
            files=sorted(list_named_files(tables, target.execute)),
        )


def add_snapshot(writer: ArchiveWriter, folder: Path) -> None:
    """Add the snapshot in `folder` to the archive."""
    copy = folder / FILE
    with copy.open("rb") as content:
        writer.add(PART, content, copy.stat().st_size)


def list_parts(manifest: Manifest) -> set[str]:
    """Return the names of the parts that hold rows."""
    return {PART}


class Loader:
    """Puts rows back: the copy is checked beside the database, then replaces its content in one transaction."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.manifest = manifest
        self.copy = folder / FILE

    def inspect_database(self) -> tuple[dict[str, int], dict[str, list[str]]]:
        """Return the number of rows of each table of the site's database, and its applied migrations."""
        if not get_site_path().exists():
            return {}, {}
        with open_database(get_site_path()) as database:
            return count_rows(database), list_applied_migrations(database)

    def check_migrations(self, migrations: dict[str, list[str]]) -> None:
        """Accept any: the schema comes with the copy."""

    def extract(self, name: str, content: Readable) -> None:
        """Write a part of the archive into the folder."""
        with self.copy.open("wb") as out:
            while data := content.read(CHUNK_BYTES):
                out.write(data)

    def prepare(self, final_statements: list[tuple[str, list[Any]]]) -> None:
        """Check the copy and run the final statements on it; raise BackupError."""
        with open_database(self.copy) as database:
            check_integrity(database, "The backup's database")
            migrations = list_applied_migrations(database)
            if count_rows(database) != self.manifest.tables or migrations != self.manifest.migrations:
                raise BackupError("The backup's database does not hold what its manifest says.")
            for statement, values in final_statements:
                database.execute(statement.replace("%s", "?"), values)

    def load(self) -> None:
        """Replace the database's content; processes that have it open see that from their next transaction on.

        If the file were replaced instead, they would write into the deleted one, and the new one would meet the old
        one's write-ahead log.
        """
        connection.close()
        with open_database(self.copy) as source, open_database(get_site_path()) as target:
            source.backup(target)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            check_integrity(target, get_site_path())
