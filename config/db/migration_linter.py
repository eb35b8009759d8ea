"""What a migration must not do to a site that is running: the older process goes on while the tables change.

`findings` reads the operations themselves, so that the verdict is the same on both engines. The exceptions
and their reasons are listed in `config/tests/db/test_migration_linter.py`. `AddIndexWhileServing` adds an index to a
table that is in use.
"""

import inspect
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# code: what is wrong with it
RULES = {
    "required_column": "an older process leaves it out of its INSERT: give it db_default, or let it be null",
    "locks": "building it keeps writers of a large table out: AddIndexWhileServing, or NOT VALID first",
    "in_use": "an older process still asks for it: stop using it in one release, take it away in the next",
    "column_changes": "an older process still writes what is refused now, or the whole table is rewritten",
    "no_way_back": "it can't be undone: give it a reverse, if only noop",
    "unbatched": "one statement over a whole table outlives the limit on statements, and locks every row of it",
    "data_with_schema": "the tables stay locked while the rows are changed: put it into a migration of its own",
    "sql": "nobody but a reader can say what it does",
}
# A function that goes through a table in portions says so in one of these words.
BATCH_MARKERS = ("BATCH", "batch_size", ".iterator(")

REMOVALS = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)


class AddIndexWhileServing(AddIndexConcurrently):
    """Add an index without keeping writers out. On PostgreSQL the migration must say `atomic = False`.

    SQLite has one writer at a time anyhow, and builds it as any other.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
        else:
            migrations.AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)


def lint_migration(migration: migrations.Migration, before: ProjectState) -> Iterator[tuple[str, str]]:
    """Return each thing a migration does that may harm a running site: the rule's code, and what it is done to.

    `before` is the state of the models in front of it; it is moved on.
    """
    app, new_models = migration.app_label, set()
    operations = list(flatten_operations(migration.operations))
    changes_schema = any(not isinstance(each, migrations.RunPython | migrations.RunSQL) for each in operations)
    for operation in operations:
        names = (getattr(operation, each, "") for each in ("model_name", "old_name", "name"))
        name = str(next(filter(None, names), "")).lower()
        if isinstance(operation, migrations.CreateModel):
            new_models.add(name)
        elif isinstance(operation, migrations.RunPython):
            yield from lint_data_operation(operation, is_alone=not changes_schema)
        elif name not in new_models:
            yield from lint_schema_operation(operation, app, name, before)
        operation.state_forwards(app, before)


def flatten_operations(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Take apart what only wraps other operations."""
    for operation in operations:
        if isinstance(operation, migrations.SeparateDatabaseAndState):
            yield from flatten_operations(operation.database_operations)
        else:
            yield operation


def lint_data_operation(operation: migrations.RunPython, *, is_alone: bool) -> Iterator[tuple[str, str]]:
    """Look at a change of rows."""
    name = getattr(operation.code, "__name__", "")
    if operation.reverse_code is None:
        yield "no_way_back", name
    if not any(word in inspect.getsource(operation.code) for word in BATCH_MARKERS):
        yield "unbatched", name
    if not is_alone:
        yield "data_with_schema", name


def lint_schema_operation(
    operation: Operation, app: str, model: str, before: ProjectState
) -> Iterator[tuple[str, str]]:
    """Look at a change of a table that existed before."""
    if isinstance(operation, migrations.RunSQL):
        yield "sql", ""
    elif isinstance(operation, REMOVALS):
        column = getattr(operation, "name" if isinstance(operation, migrations.RemoveField) else "old_name", "")
        is_column = isinstance(operation, migrations.RemoveField | migrations.RenameField)
        yield "in_use", f"{model}.{column}" if is_column else model
    elif isinstance(operation, migrations.AddField):
        yield from lint_added_field(operation, f"{model}.{operation.name}")
    elif isinstance(operation, migrations.AlterField):
        old_field = before.models[app, model].fields[operation.name]
        yield from lint_altered_field(old_field, operation.field, f"{model}.{operation.name}")
    elif isinstance(operation, migrations.AddIndex) and not isinstance(operation, AddIndexConcurrently):
        yield "locks", f"{model}.{operation.index.name}"
    elif isinstance(operation, migrations.AddConstraint):
        yield "locks", f"{model}.{operation.constraint.name}"


def lint_added_field(operation: migrations.AddField, name: str) -> Iterator[tuple[str, str]]:
    """Look at a column that comes to a table with rows."""
    field = operation.field
    if field.many_to_many:
        return
    if not field.null and not field.has_db_default():
        yield "required_column", name
    if is_indexed(field):
        yield "locks", name


def lint_altered_field(old_field: Any, field: Any, name: str) -> Iterator[tuple[str, str]]:
    """Look at a column that becomes another; choices and help are words, and a longer text takes in a shorter one."""
    is_shorter = (getattr(field, "max_length", None) or 0) < (getattr(old_field, "max_length", None) or 0)
    other_kind = field.get_internal_type() != old_field.get_internal_type()
    if (old_field.null and not field.null) or is_shorter or other_kind:
        yield "column_changes", name
    if is_indexed(field) and not is_indexed(old_field):
        yield "locks", name


def is_indexed(field: Any) -> bool:
    """Return whether a column brings an index of its own."""
    return bool(field.unique or field.db_index)


def lint_apps(loader: Any, apps: set[str]) -> list[str]:
    """Go through all migrations of these apps in their order; return lines like `app.0002_x: code what`."""
    graph, state, lines, done = loader.graph, ProjectState(), [], set()
    for target in sorted(graph.leaf_nodes()):
        for key in graph.forwards_plan(target):
            if key in done:
                continue
            done.add(key)
            migration = graph.nodes[key]
            if key[0] in apps:
                lines += [
                    f"{key[0]}.{key[1]}: {code} {what}".strip() for code, what in lint_migration(migration, state)
                ]
            else:
                migration.mutate_state(state, preserve=False)
    return lines
