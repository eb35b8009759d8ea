"""Insert rows by the hundred thousand: COPY on PostgreSQL, one prepared INSERT on SQLite.

For such numbers `bulk_create` takes two to four times the CPU time.
"""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from django.db import connection, models

# Fields whose values the driver does not take as Python has them; PostgreSQL's would write a list as an array.
CONVERTED_FIELDS: dict[str, tuple[type[Any], ...]] = {
    "sqlite": (models.UUIDField, models.DateField, models.TimeField, models.DecimalField, models.JSONField),
    "postgresql": (models.JSONField,),
}


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of the fields in `names`, in that order; the other fields get their defaults.

    Neither `save()` nor signals run, and a row that breaks a constraint fails the whole call.
    """
    fields = [model._meta.get_field(name) for name in names]
    defaulted = [field for field in model._meta.concrete_fields if field not in fields and not is_auto_field(field)]
    defaults = tuple(field.get_default() for field in defaulted)
    columns = [field for field in (*fields, *defaulted) if isinstance(field, models.Field)]
    column_names = ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    converters = [get_converter(field) for field in columns]
    converted = (
        [
            value if convert is None else convert(value)
            for convert, value in zip(converters, (*row, *defaults), strict=True)
        ]
        for row in rows
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({column_names}) FROM STDIN") as copy:
            for row in converted:
                copy.write_row(row)
        return
    placeholders = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {table} ({column_names}) VALUES ({placeholders})",  # noqa: S608 - names of our own columns
            list(converted),
        )


def insert_instances(model: type[models.Model], instances: Sequence[models.Model]) -> None:
    """Insert model instances whose fields are all set."""
    fields = [field for field in model._meta.concrete_fields if not is_auto_field(field)]
    attributes = attrgetter(*(field.attname for field in fields))
    insert_rows(model, [field.name for field in fields], map(attributes, instances))


def is_auto_field(field: Any) -> bool:
    return isinstance(field, models.AutoField)


def get_converter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """Return a function that converts values of this field for the driver, or None where they need no conversion."""
    target = field
    while isinstance(target, models.ForeignKey):
        # A foreign key may point at another one: a doctor's key is the user's.
        target = target.target_field
    if not isinstance(target, CONVERTED_FIELDS[connection.vendor]):
        return None
    return lambda value: target.get_db_prep_save(value, connection)


def analyze_tables(*tables: type[models.Model]) -> None:
    """Update PostgreSQL's statistics of these tables."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        for model in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(model._meta.db_table)}")
