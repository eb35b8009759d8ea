"""Database router for the read replica (`DATABASE_REPLICA_URL`): only reads within `use_replica()` go there."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model

REPLICA = "replica"

is_replica_used: ContextVar[bool] = ContextVar("is_replica_used", default=False)


@contextmanager
def use_replica() -> Iterator[None]:
    """Read from the replica in this context."""
    token = is_replica_used.set(True)
    try:
        yield
    finally:
        is_replica_used.reset(token)


def read_alias() -> str:
    """Return the alias of the database to read from."""
    return REPLICA if is_replica_used.get() else "default"


class ReplicaRouter:
    """Write to the primary, read from the replica where a context asks for it."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        # Never None: Django would then follow relations in the database that the row came from.
        return read_alias()

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return "default"

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == "default"


def read_connection() -> BaseDatabaseWrapper:
    """Return the connection for raw SQL that reads."""
    return connections[read_alias()]
