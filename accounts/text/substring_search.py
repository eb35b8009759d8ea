"""Substring search for people, on text without case, accents and punctuation.

A searchable model has a `FoldedTextField`, whose content `folded_text()` returns. Saving a row fills the field; a bulk
update of the source columns sets it to NULL, and `fold_missing_rows` fills it. PostgreSQL uses a trigram index, SQLite
scans the column.
"""

import logging
from collections.abc import Iterable
from typing import Any

from django.apps import AppConfig
from django.db import DatabaseError, connection, connections, models, transaction
from django.db.models import Q

from accounts.text.normalization import fold_text, split_indexed_words, split_search_words

logger = logging.getLogger(__name__)

FOLD_BATCH_SIZE = 500
MAX_WORDS = 12
# Characters that occur in email addresses but not in names.
ADDRESS_CHARACTERS = frozenset("@_%+=")


SHORT_ID_LENGTH = 8


class ShortId(models.Func):
    """The end of an id, which the audit log shows for objects without a name.

    The length is part of the SQL, not a parameter as in `Right`: SQLite uses an index on an expression only if the
    query contains the identical expression.
    """

    arity = 1
    output_field = models.CharField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template=f"RIGHT(%(expressions)s, {SHORT_ID_LENGTH})", **extra)

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        return self.as_sql(compiler, connection, template=f"SUBSTR(%(expressions)s, -{SHORT_ID_LENGTH})", **extra)


class FoldedTextField(models.TextField):  # type: ignore[type-arg]  # of text
    """The words under which a row is found; NULL until they are folded."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"null": True, "editable": False, **kwargs})

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        # Models in migrations have no methods; their rows are folded after the migrate.
        if hasattr(model_instance, "folded_text"):
            setattr(model_instance, self.attname, model_instance.folded_text())
        return super().pre_save(model_instance, add)


def fold_person(name: str, email: str = "") -> str:
    """Return the text under which a person is found: the words of the name, and the unchanged email address.

    A name that contains `ADDRESS_CHARACTERS` is included unchanged, too.
    """
    verbatim = [fold_text(text) for text in (name if ADDRESS_CHARACTERS & set(name) else "", email) if text]
    return " ".join([*split_indexed_words(name), *verbatim])


def match_words(text: str, *columns: str) -> Q:
    """Return the condition that each word of `text` is in one of these columns, which hold folded text."""
    condition = Q()
    for word in text.split()[:MAX_WORDS]:
        condition &= match_word(word, *columns)
    return condition


def match_word(text: str, *columns: str) -> Q:
    """Return the condition that a typed word is in one of these columns, as part of an address or of a name.

    "o'brien" is one word of a name and "anna-lena" are two; "a_b" can only be in an address.
    """
    spellings = [[fold_text(text)]]
    if not ADDRESS_CHARACTERS & set(text) and (parts := split_search_words(text)) and parts != spellings[0]:
        spellings.append(parts)
    condition = Q()
    for parts in spellings:
        all_words = Q()
        for word in parts:
            any_column = Q()
            for column in columns:
                any_column |= Q(**{f"{column}__contains": word})
            all_words &= any_column
        condition |= all_words
    return condition


def fold_missing_rows(model: type[models.Model]) -> int:
    """Fold the rows of a model that are not folded yet; return how many."""
    (field,) = (field for field in model._meta.concrete_fields if isinstance(field, FoldedTextField))
    key, table, folded_count = model._meta.pk, model._meta.db_table, 0
    # Conditional, because another process may have folded the row.
    statement = f"UPDATE {table} SET {field.column} = %s WHERE {key.column} = %s AND {field.column} IS NULL"  # noqa: S608 - our own names
    unfolded = model._base_manager.filter(**{field.name: None}).order_by("pk")
    while rows := list(unfolded[:FOLD_BATCH_SIZE]):
        values = [
            (row.folded_text(), key.get_db_prep_value(row.pk, connection))  # type: ignore[attr-defined]  # such a model has it
            for row in rows
        ]
        with connection.cursor() as cursor:
            cursor.executemany(statement, values)
        folded_count += len(rows)
        unfolded = unfolded.filter(pk__gt=rows[-1].pk)
    return folded_count


def create_trigram_indexes(using: str, tables: Iterable[tuple[str, str]]) -> None:
    """Create trigram indexes on PostgreSQL, if the extension is available."""
    if connections[using].vendor != "postgresql":
        return
    try:
        with transaction.atomic(using), connections[using].cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            for table, column in tables:
                cursor.execute(
                    f"CREATE INDEX IF NOT EXISTS {table}_{column}_trigrams ON {table} USING gin ({column} gin_trgm_ops)"
                )
    except DatabaseError as error:
        logger.warning("People are searched without an index, since pg_trgm is missing: %s", str(error).strip())


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
            # The app may have been migrated back to a state without the column.
            if field.column in columns:
                create_trigram_indexes(using, [(table, str(field.column))])
                fold_missing_rows(model)
