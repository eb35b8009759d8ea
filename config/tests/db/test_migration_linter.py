"""Test that migrations are safe for a running site; reviewed exceptions are listed here."""

import pytest
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from config.db.migration_linter import RULES, AddIndexWhileServing, lint_apps, lint_migration

pytestmark = pytest.mark.either_engine

OURS = {"accounts", "doctors", "appointments", "adminpanel"}

# Each by the rules that it breaks, with the reason in a comment.
REVIEWED: dict[str, set[str]] = {}


def test_no_unreviewed_migration_harms_a_running_site():
    """A new line here means: change the migration as its rule says, or have somebody review it and list it above."""
    found: dict[str, set[str]] = {}
    lines = lint_apps(MigrationLoader(None), OURS)
    for line in lines:
        name, _, rest = line.partition(": ")
        found.setdefault(name, set()).add(rest.split()[0])
    words = "\n".join(f"{line}\n    {RULES[line.partition(': ')[2].split()[0]]}" for line in lines)
    assert found == REVIEWED, words


def thing(**more):
    """Return the state of models with one table that has been there for long."""
    state = ProjectState()
    fields = [("id", models.BigAutoField(primary_key=True)), ("name", models.CharField(max_length=20))]
    migrations.CreateModel("Thing", [*fields, ("maybe", models.IntegerField(null=True)), *more.items()]).state_forwards(
        "things", state
    )
    return state


def slow(apps, schema_editor):
    apps.get_model("things", "Thing").objects.update(maybe=1)


def batched(apps, schema_editor):
    for one in apps.get_model("things", "Thing").objects.iterator(chunk_size=100):
        one.save()


INDEX = models.Index(fields=["name"], name="thing_name")
NOOP = migrations.RunPython.noop
HARM = {
    "a column that must be filled": (
        [migrations.AddField("thing", "size", models.IntegerField(default=0))], ["required_column thing.size"],
    ),
    "a column that is unique": (
        [migrations.AddField("thing", "size", models.IntegerField(null=True, unique=True))], ["locks thing.size"],
    ),
    "an index": ([migrations.AddIndex("thing", INDEX)], ["locks thing.thing_name"]),
    "a constraint": (
        [migrations.AddConstraint("thing", models.CheckConstraint(condition=models.Q(maybe=1), name="one"))],
        ["locks thing.one"],
    ),
    "a column taken away": ([migrations.RemoveField("thing", "maybe")], ["in_use thing.maybe"]),
    "a column renamed": ([migrations.RenameField("thing", "maybe", "sure")], ["in_use thing.maybe"]),
    "a table taken away": ([migrations.DeleteModel("Thing")], ["in_use thing"]),
    "a table renamed": ([migrations.RenameModel("Thing", "Other")], ["in_use thing"]),
    "a column that may not be empty any more": (
        [migrations.AlterField("thing", "maybe", models.IntegerField(default=1))], ["column_changes thing.maybe"],
    ),
    "a shorter text": (
        [migrations.AlterField("thing", "name", models.CharField(max_length=10))], ["column_changes thing.name"],
    ),
    "another kind of column": (
        [migrations.AlterField("thing", "maybe", models.BigIntegerField(null=True))], ["column_changes thing.maybe"],
    ),
    "rows changed at once": ([migrations.RunPython(slow, NOOP)], ["unbatched slow"]),
    "rows changed for good": ([migrations.RunPython(batched)], ["no_way_back batched"]),
    "rows changed beside the table": (
        [migrations.AddField("thing", "size", models.IntegerField(null=True)), migrations.RunPython(batched, NOOP)],
        ["data_with_schema batched"],
    ),
    "SQL": ([migrations.RunSQL("SELECT 1", "SELECT 1")], ["sql"]),
    "something wrapped": (
        [migrations.SeparateDatabaseAndState([migrations.AddIndex("thing", INDEX)])], ["locks thing.thing_name"],
    ),
}  # fmt: skip
HARMLESS = {
    "a column with the database's own default": [
        migrations.AddField("thing", "size", models.IntegerField(default=0, db_default=0))
    ],
    "a column that may be empty": [migrations.AddField("thing", "size", models.IntegerField(null=True))],
    "an index built beside the site": [AddIndexWhileServing("thing", INDEX)],
    "a longer text": [migrations.AlterField("thing", "name", models.CharField(max_length=30))],
    "other words for choices": [
        migrations.AlterField("thing", "name", models.CharField(max_length=20, choices=[("a", "A")]))
    ],
    "a new table, with all that belongs to it": [
        migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))]),
        migrations.AddField("new", "size", models.IntegerField(default=0, db_index=True)),
        migrations.AddIndex("new", models.Index(fields=["size"], name="new_size")),
    ],
    "rows changed in portions": [migrations.RunPython(batched, NOOP)],
}


def found_in(operations):
    migration = migrations.Migration("0002_x", "things")
    migration.operations = operations
    return [f"{code} {what}".strip() for code, what in lint_migration(migration, thing())]


@pytest.mark.parametrize("kind", HARM)
def test_each_rule_detects_its_harm(kind):
    operations, expected = HARM[kind]
    assert found_in(operations) == expected


@pytest.mark.parametrize("kind", HARMLESS)
def test_harmless_operations_pass(kind):
    assert found_in(HARMLESS[kind]) == []


@pytest.mark.django_db(transaction=True)
def test_index_is_created_and_dropped_concurrently():
    state = ProjectState()
    fields = [("id", models.BigAutoField(primary_key=True)), ("name", models.CharField(max_length=20))]
    make, add = migrations.CreateModel("Thing", fields), AddIndexWhileServing("thing", INDEX)

    def standing():
        with connection.cursor() as cursor:
            return "thing_name" in connection.introspection.get_constraints(cursor, "things_thing")

    before = state.clone()
    make.state_forwards("things", state)
    with connection.schema_editor() as editor:
        make.database_forwards("things", editor, before, state)
    try:
        with_index = state.clone()
        add.state_forwards("things", with_index)
        with connection.schema_editor(atomic=False) as editor:
            add.database_forwards("things", editor, state, with_index)
        assert standing()
        with connection.schema_editor(atomic=False) as editor:
            add.database_backwards("things", editor, with_index, state)
        assert not standing()
    finally:
        with connection.schema_editor() as editor:
            make.database_backwards("things", editor, state, before)
