"""PostgreSQL: COPY of every table in one read-only snapshot, and the way back in one transaction (ADR 0161).

The schema is not copied: this release's migrations make it, up to those of the backup.
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
from adminpanel.operations.backups.archive import CHUNK_BYTES, ArchiveWriter, BackupError, Manifest, Readable
from adminpanel.operations.backups.media import list_named_files


@contextmanager
def convert_errors() -> Iterator[None]:
    """Raise BackupError for an error of the database."""
    try:
        yield
    except DatabaseError as error:
        raise BackupError(f"The database refused: {str(error).strip()}") from error


def execute(statement: Any, values: Any = None) -> list[Any]:
    """Run a statement; return its rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else []


def list_tables() -> list[str]:
    return sorted(connection.introspection.table_names())


def list_columns(table: str) -> list[str]:
    """Return a table's columns, without generated ones."""
    query = (
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = '' ORDER BY attnum"
    )
    return [name for (name,) in execute(query, [table])]


def join_names(names: list[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def compose_copy(table: str, columns: list[str], direction: str) -> sql.Composed:
    return sql.SQL("COPY {} ({}) " + direction).format(sql.Identifier(table), join_names(columns))


def list_applied_migrations() -> dict[str, list[str]]:
    """Return the names of the applied migrations of each app."""
    migrations: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        migrations.setdefault(app, []).append(name)
    return migrations


def read_sequences(tables: list[str]) -> dict[str, list[Any]]:
    """Return the last value of the sequence of each `table.column`, and whether it has been used."""
    sequences: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        for table in tables:
            for sequence in connection.introspection.get_sequences(cursor, table):
                query = sql.SQL("SELECT last_value, is_called FROM {}").format(sql.Identifier(sequence["name"]))
                sequences[f"{table}.{sequence['column']}"] = list(execute(query)[0])
    return sequences


def take_snapshot(folder: Path) -> Manifest:
    """Copy every table as of one moment into `folder`; only migrations wait for it."""
    with convert_errors():
        tables = list_tables()
        if "django_migrations" not in tables:
            raise BackupError("There is nothing in the database.")
        manifest = Manifest(made_at=timezone.now().isoformat(), engine="postgresql", migrations={}, tables={})
        with transaction.atomic():
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # Before the first query, which takes the snapshot.
            execute(sql.SQL("LOCK TABLE {} IN ACCESS SHARE MODE").format(join_names(tables)))
            manifest.migrations = list_applied_migrations()
            for table in tables:
                columns = manifest.columns[table] = list_columns(table)
                with connection.cursor() as cursor, (folder / table).open("wb") as out:
                    with cursor.copy(compose_copy(table, columns, "TO STDOUT")) as copy:
                        for data in copy:
                            out.write(data)
                    manifest.tables[table] = cursor.rowcount
            manifest.files = sorted(list_named_files(tables, execute))
            manifest.sequences = read_sequences(tables)
    return manifest


def name_part(table: str) -> str:
    return f"database/{table}.copy"


def add_snapshot(writer: ArchiveWriter, folder: Path) -> None:
    """Add the snapshot in `folder` to the archive."""
    for copy in sorted(folder.iterdir()):
        with copy.open("rb") as content:
            writer.add(name_part(copy.name), content, copy.stat().st_size)


def list_parts(manifest: Manifest) -> set[str]:
    """Return the names of the parts that hold rows."""
    return {name_part(table) for table in manifest.tables}


class Loader:
    """Puts rows back into tables that this release's migrations made, all of them or none."""

    def __init__(self, manifest: Manifest, folder: Path) -> None:
        self.manifest = manifest
        self.folder = folder
        self.final_statements: list[tuple[str, list[Any]]] = []

    def inspect_database(self) -> tuple[dict[str, int], dict[str, list[str]]]:
        """Return the number of rows of each table of the site's database, and its applied migrations."""
        with convert_errors():
            counts = {
                table: execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))[0][0]
                for table in list_tables()
            }
            return counts, list_applied_migrations() if counts else {}

    def check_migrations(self, migrations: dict[str, list[str]]) -> None:
        """Raise BackupError if the existing tables were made by other migrations than the backup's."""
        if migrations and migrations != self.manifest.migrations:
            raise BackupError(
                "The database's tables are of another release than the backup. Make a database without tables,"
                " let DATABASE_URL name it and restore there."
            )

    def extract(self, name: str, content: Readable) -> None:
        """Write a part of the archive into the folder."""
        with (self.folder / name.rpartition("/")[2]).open("wb") as out:
            while data := content.read(CHUNK_BYTES):
                out.write(data)

    def prepare(self, final_statements: list[tuple[str, list[Any]]]) -> None:
        """Take the final statements of the transaction, in which the rows are checked too."""
        self.final_statements = final_statements

    def load(self) -> None:
        """Make the tables if there are none, then replace every row in one transaction; raise BackupError."""
        with convert_errors():
            if "django_migrations" not in list_tables():
                self.migrate_empty_database()
            tables = sorted(self.manifest.tables)
            if tables != list_tables() or any(list_columns(name) != self.manifest.columns[name] for name in tables):
                raise BackupError("The backup holds other tables or columns than this release makes.")
            with transaction.atomic():
                self.replace_rows(tables)
            execute("ANALYZE")
        ContentType.objects.clear_cache()

    def migrate_empty_database(self) -> None:
        """Apply exactly the backup's migrations."""
        executor = MigrationExecutor(connection)
        executor.migrate(list_last_migrations(executor, self.manifest.migrations))
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            # Nothing is left to migrate, but `post_migrate` creates the triggers.
            call_command("migrate", interactive=False, verbosity=0)

    def replace_rows(self, tables: list[str]) -> None:
        """Empty all tables, copy the rows in, set the sequences and run the final statements."""
        # The site may be running: it waits for us, and we for it, but not for long.
        execute("SET LOCAL lock_timeout = '30s'; SET LOCAL statement_timeout = 0; SET CONSTRAINTS ALL DEFERRED")
        for name, (table, _) in append_only.build_triggers("postgresql").items():
            if table in tables:
                execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")
        execute(sql.SQL("TRUNCATE {}").format(join_names(tables)))
        for table in tables:
            with connection.cursor() as cursor, (self.folder / f"{table}.copy").open("rb") as content:
                with cursor.copy(compose_copy(table, self.manifest.columns[table], "FROM STDIN")) as copy:
                    while data := content.read(CHUNK_BYTES):
                        copy.write(data)
                if cursor.rowcount != self.manifest.tables[table]:
                    raise BackupError(f"The backup holds {cursor.rowcount} rows of {table}, not those of its manifest.")
        if list_applied_migrations() != self.manifest.migrations:
            raise BackupError("The backup's rows are of other migrations than its manifest says.")
        for path, (value, is_called) in self.manifest.sequences.items():
            table, _, column = path.rpartition(".")
            [(sequence,)] = execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
            # Unlike `setval`, this is undone by a rollback.
            execute(f"ALTER SEQUENCE {sequence} RESTART WITH {int(value) + bool(is_called)}")
        for statement, values in self.final_statements:
            execute(statement, values)
        # Check the foreign keys here, where an error becomes a message, and not at the commit.
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        append_only.create_triggers()


def list_last_migrations(executor: MigrationExecutor, migrations: dict[str, list[str]]) -> list[tuple[str, str]]:
    """Return the migrations on which no other of these depends; migrating to them makes the backup's tables."""
    keys = {(app, name) for app, names in migrations.items() for name in names}
    nodes = executor.loader.graph.node_map
    return sorted(key for key in keys if not any(child.key in keys for child in nodes[key].children))
