"""Refuse to let a stretch of code write to the database, but for the tables that it names."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

# What reads, or opens and closes transactions.
READING = re.compile(r"\s*(?:SELECT|SAVEPOINT|RELEASE|ROLLBACK|BEGIN|COMMIT|SET|SHOW|PRAGMA|EXPLAIN)\b", re.IGNORECASE)
WRITING = re.compile(
    r'\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)"?', re.IGNORECASE
)
# A statement that begins by naming queries may write all the same.
HIDDEN = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|INTO)\b", re.IGNORECASE)


class UnexpectedWrite(AssertionError):  # noqa: N818 - it says what happened
    """Something was written that nobody had declared."""


@contextmanager
def allow_writes_only(*tables: str) -> Iterator[set[str]]:
    """Let a block write to these tables alone; return which of them it did write to. Raises `Written`."""
    seen: set[str] = set()

    def guard(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        written = parse_table(sql)
        if written and written not in tables:
            refused.append(f"{written}: {sql[:200]}")
            raise UnexpectedWrite(refused[-1])
        if written:
            seen.add(written)
        return execute(sql, params, many, context)

    refused: list[str] = []
    with connection.execute_wrapper(guard):
        yield seen
    # Catching the exception does not undo the attempt.
    if refused:
        raise UnexpectedWrite("; ".join(refused))


def parse_table(sql: str) -> str:
    """Return the table that a statement writes to, or nothing for one that only reads."""
    if found := WRITING.match(sql):
        return found[1]
    if READING.match(sql) and not re.search(r"\bINTO\b", sql.split("FROM", maxsplit=1)[0], re.IGNORECASE):
        return ""
    if re.match(r"\s*WITH\b", sql, re.IGNORECASE) and not HIDDEN.search(sql):
        return ""
    return sql.split(maxsplit=1)[0].lower()
