"""Write many rows at once, past the model instances: COPY on PostgreSQL, one prepared INSERT on SQLite."""

from collections.abc import Callable, Collection, Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.db import connection, models

# Fields whose values a database wants in another form than Python's own. PostgreSQL's driver would write a list as an
# array.
ADAPTED: dict[str, tuple[type[Any], ...]] = {
    "sqlite": (models.UUIDField, models.DateField, models.TimeField, models.DecimalField, models.JSONField),
    "postgresql": (models.JSONField,),
}


def insert(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows that hold the fields named, in their order; the other fields get their defaults.

    Neither `save()` nor signals run, and a row that breaks a constraint fails the whole call.
    """
    fields = [model._meta.get_field(name) for name in names]
    others = [field for field in model._meta.concrete_fields if field not in fields and not is_counted(field)]
    defaults = tuple(field.get_default() for field in others)
    columns = [field for field in (*fields, *others) if isinstance(field, models.Field)]
    listed = ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    adapt = [adapter(field) for field in columns]
    adapted = (
        [value if change is None else change(value) for change, value in zip(adapt, (*row, *defaults), strict=True)]
        for row in rows
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy:
            for row in adapted:
                copy.write_row(row)
        return
    marks = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({listed}) VALUES ({marks})",  # noqa: S608 - names of our own columns
            list(adapted),
        )


def insert_instances(model: type[models.Model], instances: Sequence[models.Model]) -> None:
    """Insert model instances whose fields are all set."""
    fields = [field for field in model._meta.concrete_fields if not is_counted(field)]
    attributes = attrgetter(*(field.attname for field in fields))
    insert(model, [field.name for field in fields], map(attributes, instances))


def is_counted(field: Any) -> bool:
    """Return whether the database numbers this field itself."""
    return isinstance(field, models.AutoField)


def adapter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """Return what turns a value of this field into what the database driver takes; None where nothing has to."""
    target = field
    while isinstance(target, models.ForeignKey):
        # A key may point at a key: a doctor's is the user's.
        target = target.target_field
    if not isinstance(target, ADAPTED[connection.vendor]):
        return None
    return lambda value: target.get_db_prep_save(value, connection)


def analyze(tables: Collection[type[models.Model]]) -> None:
    """Let PostgreSQL's planner know at once how large these tables have become."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for model in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")
