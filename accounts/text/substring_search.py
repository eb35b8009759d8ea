"""Search people by words, folded as the directory folds them: without case, accents and punctuation.

A model that is searched has a `FoldedTextField` and says in `folded_text()` what it is made of. Saving fills the field;
a bulk update of what it is made of sets it to NULL, and `fold_missing` fills it. PostgreSQL finds any part of a word
in it by trigrams, SQLite reads the one column.
"""

import logging
from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.models import Q

from accounts.text.normalization import fold, stored_words, words

logger = logging.getLogger(__name__)

FOLD_BATCH = 500
# A search with more words than that has no more meaning.
MAX_WORDS = 12
# Signs that addresses have and names have not.
ADDRESS_SIGNS = frozenset("@_%+=")


SHORT_ID_LETTERS = 8


class ShortId(models.Func):
    """The end of an id, by which the audit log shows what has no name.

    The number is part of the text: SQLite takes an index of an expression only where the query says exactly the same,
    and `Right` sends the number as a parameter.
    """

    arity = 1
    output_field = models.CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template=f"RIGHT(%(expressions)s, {SHORT_ID_LETTERS})", **more)

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template=f"SUBSTR(%(expressions)s, -{SHORT_ID_LETTERS})", **more)


class FoldedTextField(models.TextField):  # type: ignore[type-arg]  # of text
    """The words under which a row is found; NULL until they are folded."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"null": True, "editable": False, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        # The models of migrations have no methods; what they write is folded after the migrate.
        if hasattr(model_instance, "folded_text"):
            setattr(model_instance, self.attname, model_instance.folded_text())
        return super().pre_save(model_instance, add)


def fold_person(name: str, email: str = "") -> str:
    """Return the text under which a person is found: the words of the name, and the address as it is.

    A name with signs that names usually lack is also there as it is.
    """
    as_it_is = [fold(text) for text in (name if ADDRESS_SIGNS & set(name) else "", email) if text]
    return " ".join([*stored_words(name), *as_it_is])


def match_words(text: str, *columns: str) -> Q:
    """Return the condition that each word of `text` is in one of these columns, which hold folded text."""
    condition = Q()
    for part in text.split()[:MAX_WORDS]:
        condition &= match_word(part, *columns)
    return condition


def match_word(text: str, *columns: str) -> Q:
    """Return the condition that a word as typed is in one of these columns: as an address has it, or as a name has it.

    "o'brien" is one word of a name and "anna-lena" are two; "a_b" can only be in an address.
    """
    spellings = [[fold(text)]]
    if not ADDRESS_SIGNS & set(text) and (parts := words(text)) and parts != spellings[0]:
        spellings.append(parts)
    condition = Q()
    for parts in spellings:
        every = Q()
        for part in parts:
            somewhere = Q()
            for column in columns:
                somewhere |= Q(**{f"{column}__contains": part})
            every &= somewhere
        condition |= every
    return condition


def fold_missing(model: type[models.Model]) -> int:
    """Fold the rows of a model with a `FoldedTextField`, as far as they are not folded yet; return how many."""
    (field,) = (field for field in model._meta.concrete_fields if isinstance(field, FoldedTextField))
    key, table, done = model._meta.pk, model._meta.db_table, 0
    # Unless somebody else has folded the row in between.
    statement = f"UPDATE {table} SET {field.column} = %s WHERE {key.column} = %s AND {field.column} IS NULL"  # noqa: S608 - our own names
    waiting = model._base_manager.filter(**{field.name: None}).order_by("pk")
    while rows := list(waiting[:FOLD_BATCH]):
        values = [
            (row.folded_text(), key.get_db_prep_value(row.pk, connection))  # type: ignore[attr-defined]  # such a model has it
            for row in rows
        ]
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)
        done += len(rows)
        waiting = waiting.filter(pk__gt=rows[-1].pk)
    return done


def make_trigram_indexes(using: str, tables: Iterable[tuple[str, str]]) -> None:
    """Index these columns by their trigrams on PostgreSQL, as far as the extension can be had."""
    if connections[using].vendor != "postgresql":
        return
    try:
        with transaction.atomic(using), connections[using].cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            for table, column in tables:
                cursor.execute(
                    f"CREATE INDEX IF NOT EXISTS {table}_{column}_trigrams ON {table} USING gin ({column} gin_trgm_ops)"
                )
    except DatabaseError as refused:
        logger.warning("People are searched without an index, since pg_trgm is missing: %s", str(refused).strip())


def prepare_search(sender: AppConfig, using: str = "default", **kwargs: Any) -> None:
    """Index and fill the searched columns of an app; runs after every migrate."""
    database = connections[using]
    for model in sender.get_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, FoldedTextField):
                continue
            table = model._meta.db_table
            with database.cursor() as cursor:
                columns = (
                    {column.name for column in database.introspection.get_table_description(cursor, table)}
                    if table in database.introspection.table_names(cursor)
                    else set()
                )
            # The app may have been migrated back to before the column.
            if field.column in columns:
                make_trigram_indexes(using, [(table, str(field.column))])
                fold_missing(model)
