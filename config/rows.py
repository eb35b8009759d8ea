"""Rows read and written by statements of our own, where building Django's costs more than running them.

The models stay the one description of the tables: names, order and types of columns come from their fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Generic, TypeAlias, TypeVar
from uuid import UUID

from django.db import connection, models
from django.db.models.fields.json import JSONField

Field: TypeAlias = "models.Field[Any, Any]"
Model = TypeVar("Model", bound=models.Model)


def bound(value: Any) -> Any:
    """Give a value the form in which the database in use keeps it; for what compares with a column of its type."""
    if connection.vendor == "postgresql":
        return value
    if isinstance(value, UUID):
        return value.hex
    return connection.ops.adapt_datetimefield_value(value) if hasattr(value, "tzinfo") else value


class Columns(Generic[Model]):
    """All columns of a model's table: how to select them, and how to make instances of what comes back."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.fields = model._meta.concrete_fields
        self.names = [field.attname for field in self.fields]
        self.size = len(self.fields)

    def of(self, alias: str) -> str:
        """List them for a SELECT from the table of that alias."""
        return ", ".join(f"{alias}.{field.column}" for field in self.fields)

    def read(self, row: Sequence[Any], start: int = 0) -> Model:
        """Make the instance whose columns begin at `start` of a row."""
        values = list(row[start : start + self.size])
        for place, expression, converters in self.converters(connection.vendor):
            for convert in converters:
                values[place] = convert(values[place], expression, connection)
        return self.model.from_db(connection.alias, self.names, values)

    @cache  # noqa: B019 - there are as many as tables, and they live as long as the process
    def converters(self, vendor: str) -> list[tuple[int, Any, list[Any]]]:
        """Answer what turns the engine's values into the fields', by their places."""
        found = []
        for place, field in enumerate(self.fields):
            column = field.get_col(self.model._meta.db_table)
            converters = [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]
            if converters:
                found.append((place, column, converters))
        return found


@dataclass(frozen=True)
class Added:
    """Rows of one table to be inserted, unsaved, and what becomes of those that are there already.

    `on_conflict` is SQL that both engines know, like `ON CONFLICT DO NOTHING`.
    """

    rows: Sequence[models.Model]
    on_conflict: str = ""


def insert(added: Added) -> int:
    """Insert rows of one table in one statement; answers how many were. Their keys stay as they are."""
    target, marks, _ = insertion(type(added.rows[0]), connection.vendor)
    values = [value for row in added.rows for value in values_of(row)]
    with connection.cursor() as cursor:
        cursor.execute(f"{target} VALUES {', '.join([f'({marks})'] * len(added.rows))} {added.on_conflict}", values)
        return int(cursor.rowcount)


def insert_together(first: Added, then: Sequence[Added]) -> bool:
    """Insert the one row of `first`, and the others if that one could be; answers whether it could.

    PostgreSQL does all of it in one statement, whatever `first` says about conflicts; elsewhere a refusal is an error.
    """
    if connection.vendor != "postgresql":
        if not insert(first):
            return False
        for added in then:
            insert(added)
        return True
    parts, values = [], []
    for number, (row, on_conflict) in enumerate(
        (row, added.on_conflict) for added in (first, *then) for row in added.rows
    ):
        target, marks, _ = insertion(type(row), connection.vendor)
        values += values_of(row)
        if number == 0:
            parts.append(f"first AS ({target} VALUES ({marks}) {on_conflict} RETURNING 1)")
        else:
            parts.append(f"row{number} AS ({target} SELECT {marks} FROM first {on_conflict})")  # noqa: S608 - as below
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {', '.join(parts)} SELECT count(*) FROM first", values)  # noqa: S608 - names of our own columns
        return bool(cursor.fetchone()[0])


@cache
def insertion(model: type[models.Model], vendor: str) -> tuple[str, str, list[Field]]:
    """Answer `INSERT INTO table (columns)`, as many placeholders, and the fields; keys that count up are left out."""
    fields = [
        field
        for field in model._meta.concrete_fields
        if not (field.primary_key and isinstance(field, models.AutoField | models.BigAutoField))
    ]
    names = ", ".join(str(field.column) for field in fields)
    return f"INSERT INTO {model._meta.db_table} ({names})", ", ".join(["%s"] * len(fields)), fields


def values_of(row: models.Model) -> list[Any]:
    """Answer what an instance puts into its columns."""
    model, vendor = type(row), connection.vendor
    values = list(getter(model, vendor)(row))
    for place, field in prepared(model, vendor):
        values[place] = field.get_db_prep_save(values[place], connection)
    return values


@cache
def getter(model: type[models.Model], vendor: str) -> Any:
    """Answer what reads all inserted values of an instance at once."""
    return attrgetter(*(field.attname for field in insertion(model, vendor)[2]))


@cache
def prepared(model: type[models.Model], vendor: str) -> list[tuple[int, Field]]:
    """Answer which values need the field's own hand, by their places: PostgreSQL's driver takes most as they are."""
    fields = insertion(model, vendor)[2]
    return [
        (place, field)
        for place, field in enumerate(fields)
        if vendor != "postgresql" or isinstance(field, JSONField | models.DecimalField)
    ]
