"""SQLite: a copy by its online backup, which lets the site go on, and the same way back in one transaction."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from adminpanel.backups.archive import CHUNK, Manifest, Readable, Refused, Writer
from adminpanel.backups.files import named

PART = "database/db.sqlite3"


@contextmanager
def opened(path: Path | str) -> Iterator[sqlite3.Connection]:
    """Open a database file, waiting for its writers as the site does; raises Refused where it is none or damaged."""
    try:
        with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as database:
            yield database
    except sqlite3.OperationalError as failed:
        raise Refused(f"{path}: {failed}.") from failed
    except sqlite3.DatabaseError as damaged:
        raise Refused(f"{path} can't be read as a database: {damaged}.") from damaged


def where() -> Path:
    """Return the site's database file."""
    return Path(connection.settings_dict["NAME"])


def tables_of(database: sqlite3.Connection) -> list[str]:
    rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return sorted(name for (name,) in rows)


def count(database: sqlite3.Connection) -> dict[str, int]:
    """Count the rows of every table."""
    return {
        table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608 - its own table
        for table in tables_of(database)
    }


def applied(database: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the migrations that a database says it has had."""
    found: dict[str, list[str]] = {}
    if "django_migrations" in tables_of(database):
        for app, name in database.execute("SELECT app, name FROM django_migrations ORDER BY app, name"):
            found.setdefault(app, []).append(name)
    return found


def look_through(database: sqlite3.Connection, path: Path | str) -> None:
    """Have SQLite check every page and every key; raises Refused when something does not fit."""
    verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise Refused(f"{path} is damaged: {verdict}.")
    if stray := database.execute("PRAGMA foreign_key_check").fetchone():
        raise Refused(f"{path} is damaged: a row of {stray[0]} names one of {stray[2]} that is not there.")


def snapshot(folder: Path) -> Manifest:
    """Copy the database as of one moment into `folder`; writers go on beside it."""
    copy = folder / "db.sqlite3"
    if not where().exists():
        raise Refused(f"There is no database at {where()}.")
    with opened(where()) as source, opened(copy) as target:
        # All pages in one step are one view; in several steps each write of the site would start it over.
        source.backup(target)
        # Without its write-ahead log, so that the one file is all of it.
        target.execute("PRAGMA journal_mode = DELETE")
        look_through(target, where())
        tables = count(target)
        return Manifest(
            made_at=timezone.now().isoformat(),
            engine="sqlite",
            migrations=applied(target),
            tables=tables,
            files=sorted(named(tables, target.execute)),
        )


def write(writer: Writer, folder: Path) -> None:
    """Add the snapshot to the archive."""
    copy = folder / "db.sqlite3"
    with copy.open("rb") as content:
        writer.add(PART, content, copy.stat().st_size)


def parts(manifest: Manifest) -> set[str]:
    """Name the parts that hold the rows."""
    return {PART}


class Loading:
    """The way back: the copy is checked beside the database, then takes its place in one transaction."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.manifest = manifest
        self.copy = folder / "db.sqlite3"

    def standing(self) -> tuple[dict[str, int], dict[str, list[str]]]:
        """Return the rows of each table, and the migrations, of the database that is there."""
        if not where().exists():
            return {}, {}
        with opened(where()) as database:
            return count(database), applied(database)

    def refuse_unfit(self, standing: dict[str, list[str]]) -> None:
        """Nothing to refuse: the schema comes with the copy."""

    def take(self, name: str, content: Readable) -> None:
        """Take a part out of the archive."""
        with self.copy.open("wb") as out:
            while data := content.read(CHUNK):
                out.write(data)

    def check(self, ending: list[tuple[str, list[Any]]]) -> None:
        """Check the copy and run what ends a restore on it; raises Refused."""
        with opened(self.copy) as database:
            look_through(database, "The backup's database")
            if count(database) != self.manifest.tables or applied(database) != self.manifest.migrations:
                raise Refused("The backup's database does not hold what its manifest says.")
            for statement, values in ending:
                database.execute(statement.replace("%s", "?"), values)

    def finish(self) -> None:
        """Put the copy in place. Processes that have the database open see it from their next transaction on.

        A file renamed over the old one would leave them writing into what nobody sees, and would meet the old
        file's write-ahead log.
        """
        connection.close()
        with opened(self.copy) as source, opened(where()) as target:
            source.backup(target)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            look_through(target, where())
