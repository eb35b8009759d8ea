"""Rows read and written by statements of our own, where building Django's costs more than running them.

The models stay the one description of the tables: names, order and types of columns come from their fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache, cached_property
from typing import Any, Generic, TypeAlias, TypeVar
from uuid import UUID

import orjson
from django.db import DEFAULT_DB_ALIAS, connection, models
from django.db.models.base import ModelState

Field: TypeAlias = "models.Field[Any, Any]"
Model = TypeVar("Model", bound=models.Model)


@cache
def is_postgresql() -> bool:
    """Return whether the database is PostgreSQL; cached because asking the connection is slow on hot paths."""
    return connection.vendor == "postgresql"


def skip_locked(rows: models.QuerySet[Model]) -> models.QuerySet[Model]:
    """Lock the rows that nobody has locked, and leave out the others, so that nobody waits for anybody.

    SQLite, which has one writer at a time, has no other ones.
    """
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=True)


def to_db_value(value: Any) -> Any:
    """Give a value the form in which the database in use keeps it; for what compares with a column of its type."""
    if is_postgresql():
        return value
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return str(value) if isinstance(value, date | time) else value


class Columns(Generic[Model]):
    """All columns of a model's table: how to select them, and how to make instances of what comes back."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.fields = model._meta.concrete_fields
        self.names = [field.attname for field in self.fields]
        self.size = len(self.fields)

    def select_list(self, alias: str) -> str:
        """List them for a SELECT from the table of that alias."""
        return ", ".join(f"{alias}.{field.column}" for field in self.fields)

    def build_instance(self, row: Sequence[Any], start: int = 0) -> Model:
        """Make the instance whose columns begin at `start` of a row."""
        values = list(row[start : start + self.size])
        for place, expression, converters in self.converters:
            for convert in converters:
                values[place] = convert(values[place], expression, connection)
        # As `Model.from_db` does, without the signals, for which none of ours listens.
        made = self.model.__new__(self.model)
        made.__dict__.update(zip(self.names, values, strict=True))
        made._state = ModelState()
        made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
        return made

    @cached_property
    def converters(self) -> list[tuple[int, Any, list[Any]]]:
        """Return what turns the engine's values into the fields', by their places."""
        found = []
        for place, field in enumerate(self.fields):
            column = field.get_col(self.model._meta.db_table)
            converters = [*connection.ops.get_db_converters(column), *column.get_db_converters(connection)]
            if converters:
                found.append((place, column, converters))
        return found


@dataclass(frozen=True)
class Insert:
    """Rows of one table to be inserted, unsaved, and what becomes of those that are there already.

    `on_conflict` is SQL that both engines know, like `ON CONFLICT DO NOTHING`.
    """

    rows: Sequence[models.Model]
    on_conflict: str = ""


def insert(insertion: Insert) -> int:
    """Insert rows of one table in one statement; return how many were. Their keys stay as they are."""
    model = type(insertion.rows[0])
    names = ", ".join(str(field.column) for field in insert_fields(model))
    marks = ", ".join(["%s"] * len(insert_fields(model)))
    values = [value for row in insertion.rows for value in insert_values(row)]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({names})"  # noqa: S608 - names of our own columns
            f" VALUES {', '.join([f'({marks})'] * len(insertion.rows))} {insertion.on_conflict}",
            values,
        )
        return int(cursor.rowcount)


def insert_together(first: Insert, then: Sequence[Insert]) -> bool:
    """Insert the one row of `first`, and the others if that one could be; return whether it could.

    PostgreSQL does all of it in one statement, whatever `first` says about conflicts; elsewhere a refusal is an error.
    """
    if not is_postgresql():
        if not insert(first):
            return False
        for insertion in then:
            insert(insertion)
        return True
    all_of_it = (first, *then)
    with connection.cursor() as cursor:
        cursor.execute(
            build_insert_sql(tuple((type(insertion.rows[0]), insertion.on_conflict) for insertion in all_of_it)),
            [rows_to_json(insertion.rows) for insertion in all_of_it],
        )
        return bool(cursor.fetchone()[0])


@cache
def build_insert_sql(tables: tuple[tuple[type[models.Model], str], ...]) -> str:
    """Write the statement that inserts into these tables, the first one's row deciding about the others.

    A table's rows travel as one JSON value: the driver would take a statement of a hundred values apart each time.
    """
    parts = []
    for number, (model, on_conflict) in enumerate(tables):
        table, names = model._meta.db_table, ", ".join(str(field.column) for field in insert_fields(model))
        rows = f"json_populate_recordset(NULL::{table}, %s::json)"
        source, result = (rows, " RETURNING 1") if number == 0 else (f"first, {rows}", "")
        parts.append(f"INSERT INTO {table} ({names}) SELECT {names} FROM {source} {on_conflict}{result}")  # noqa: S608 - our own names
    named = ", ".join(f"{f'then{number}' if number else 'first'} AS ({part})" for number, part in enumerate(parts))
    return f"WITH {named} SELECT count(*) FROM first"  # noqa: S608 - as above


def rows_to_json(rows: Sequence[models.Model]) -> str:
    """Write rows as PostgreSQL reads them from JSON."""
    fields = insert_fields(type(rows[0]))
    written = [{field.column: getattr(row, field.attname) for field in fields} for row in rows]
    return orjson.dumps(written, default=str).decode()


@cache
def insert_fields(model: type[models.Model]) -> list[Field]:
    """Return the fields that are inserted: all but keys that count up."""
    fields = model._meta.concrete_fields
    return [field for field in fields if not isinstance(field, models.AutoField | models.BigAutoField)]


def insert_values(row: models.Model) -> list[Any]:
    """Return what an instance puts into its columns, as the engine takes it."""
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in insert_fields(type(row))]
