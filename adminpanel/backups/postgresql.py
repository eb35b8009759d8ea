"""PostgreSQL: every table by COPY in one read-only snapshot, and the way back in one transaction.

No client programs are needed, and none of theirs has to be as new as the server. The schema is not copied: this
release's own migrations make it, up to the very one that the backup stands at.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from psycopg import sql

from accounts.audit import append_only
from adminpanel.backups.archive import CHUNK, Manifest, Readable, Refused, Writer
from adminpanel.backups.files import named


def tables_of() -> list[str]:
    return sorted(connection.introspection.table_names())


def ask(statement: Any, values: Any = None) -> list[Any]:
    """Run a query and answer its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def speaking() -> Iterator[None]:
    """Return what the database refuses in a sentence."""
    try:
        yield
    except DatabaseError as failed:
        raise Refused(f"The database refused: {str(failed).strip()}") from failed


def applied() -> dict[str, list[str]]:
    """Return the migrations that the database says it has had."""
    found: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        found.setdefault(app, []).append(name)
    return found


def columns_of(table: str) -> list[str]:
    """Name the columns that hold something of their own."""
    return [
        name
        for (name,) in ask(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
            " AND attgenerated = '' ORDER BY attnum",
            [table],
        )
    ]


def sequences_of(tables: list[str]) -> dict[str, list[Any]]:
    """Return where the sequence of each `table.column` stands: its last value, and whether that was given out."""
    found: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for table in tables:
            for one in connection.introspection.get_sequences(cursor, table):
                name = sql.Identifier(one["name"])
                found[f"{table}.{one['column']}"] = list(
                    ask(sql.SQL("SELECT last_value, is_called FROM {}").format(name))[0]
                )
    return found


def copying(table: str, columns: list[str], way: str) -> Any:
    """Make the COPY statement for a table."""
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    return sql.SQL("COPY {} ({}) " + way).format(sql.Identifier(table), names)


def snapshot(folder: Path) -> Manifest:
    """Copy every table as of one moment into `folder`; nobody waits for it but migrations."""
    with speaking():
        tables = tables_of()
        if "django_migrations" not in tables:
            raise Refused("There is nothing in the database.")
        manifest = Manifest(made_at=timezone.now().isoformat(), engine="postgresql", migrations={}, tables={})
        with transaction.atomic():
            ask("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # Before the first query, which is what fixes the moment.
            ask(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(sql.SQL(", ").join(map(sql.Identifier, tables))))
            manifest.migrations = applied()
            for table in tables:
                columns = manifest.columns[table] = columns_of(table)
                with connection.cursor() as cursor, (folder / table).open("wb") as out:
                    with cursor.copy(copying(table, columns, "TO STDOUT")) as copy:
                        for data in copy:
                            out.write(data)
                    manifest.tables[table] = cursor.rowcount
            manifest.files = sorted(named(tables, ask))
            manifest.sequences = sequences_of(tables)
    return manifest


def part_of(table: str) -> str:
    return f"database/{table}.copy"


def write(writer: Writer, folder: Path) -> None:
    """Add the snapshot to the archive."""
    for copy in sorted(folder.iterdir()):
        with copy.open("rb") as content:
            writer.add(part_of(copy.name), content, copy.stat().st_size)


def parts(manifest: Manifest) -> set[str]:
    """Name the parts that hold the rows."""
    return {part_of(table) for table in manifest.tables}


class Loading:
    """The way back: into tables that this release's migrations made, all of them or none."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.manifest = manifest
        self.folder = folder
        self.ending: list[tuple[str, list[Any]]] = []

    def standing(self) -> tuple[dict[str, int], dict[str, list[str]]]:
        """Return the rows of each table, and the migrations, of the database that is there."""
        with speaking():
            counted = {
                table: ask(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))[0][0]
                for table in tables_of()
            }
            return counted, applied() if counted else {}

    def refuse_unfit(self, standing: dict[str, list[str]]) -> None:
        """Refuse tables that another migration made; raises Refused."""
        if standing and standing != self.manifest.migrations:
            raise Refused(
                "The database's tables are of another release than the backup. Make a database without tables,"
                " let DATABASE_URL name it and restore there."
            )

    def take(self, name: str, content: Readable) -> None:
        """Take a part out of the archive."""
        with (self.folder / name.rpartition("/")[2]).open("wb") as out:
            while data := content.read(CHUNK):
                out.write(data)

    def check(self, ending: list[tuple[str, list[Any]]]) -> None:
        """Keep what ends a restore for the transaction; the rows are checked in it."""
        self.ending = ending

    def finish(self) -> None:
        """Make the tables where there are none, then change every row of the database in one transaction."""
        with speaking():
            if "django_migrations" not in tables_of():
                executor = MigrationExecutor(connection)
                executor.migrate(last_of(executor, self.manifest.migrations))
                if not (later := MigrationExecutor(connection)).migration_plan(later.loader.graph.leaf_nodes()):
                    # Nothing is left to migrate, but what stands on guard is put up by it.
                    call_command("migrate", interactive=False, verbosity=0)
            tables = sorted(self.manifest.tables)
            if tables != tables_of() or any(columns_of(one) != self.manifest.columns[one] for one in tables):
                raise Refused("The backup holds other tables or columns than this release makes.")
            with transaction.atomic():
                self.fill(tables)
            ask("ANALYZE")
        ContentType.objects.clear_cache()

    def fill(self, tables: list[str]) -> None:
        """Empty all tables, copy the rows in, put the sequences and the guards where they were."""
        names = sql.SQL(", ").join(map(sql.Identifier, tables))
        # The site may be at work; it waits for us, and we for it, within bounds.
        ask("SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = 0; SET CONSTRAINTS ALL DEFERRED")
        for name, (table, _) in append_only.triggers("postgresql").items():
            if table in tables:
                ask(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        ask(sql.SQL("TRUNCATE {}").format(names))
        for table in tables:
            with connection.cursor() as cursor, (self.folder / f"{table}.copy").open("rb") as content:
                with cursor.copy(copying(table, self.manifest.columns[table], "FROM STDIN")) as copy:
                    while data := content.read(CHUNK):
                        copy.write(data)
                if cursor.rowcount != self.manifest.tables[table]:
                    raise Refused(f"The backup holds {cursor.rowcount} rows of {table}, not those of its manifest.")
        if applied() != self.manifest.migrations:
            raise Refused("The backup's rows stand at other migrations than its manifest says.")
        for place, (value, is_given) in self.manifest.sequences.items():
            table, _, column = place.rpartition(".")
            ask("SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", [table, column, value, is_given])
        for statement, values in self.ending:
            ask(statement, values)
        # Every foreign key is looked at now, so that a refusal has words and not only a commit that fails.
        ask("SET CONSTRAINTS ALL IMMEDIATE")
        append_only.put_up()


def last_of(executor: MigrationExecutor, migrations: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Return the applied migrations that no other follows: going there makes the tables that the backup had."""
    names = {(app, name) for app, each in migrations.items() for name in each}
    return sorted(
        key for key in names if not any(child.key in names for child in executor.loader.graph.node_map[key].children)
    )
