"""The backend that `DATABASES` names: connections that give up on a server that is not there."""

import threading
import time
from collections.abc import Generator
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus

from config.postgresql.watch import PATIENCE, Watch

Answer = TypeVar("Answer")
# Beyond what the server itself allows a statement: by then it would have said so.
GRACE = 5.0
# Statements that one connection keeps prepared; all that the site asks for, in the lengths of lists that it asks with.
PREPARED_MOST = 500


class Cursor(base.CursorMixin, psycopg.Cursor[Any]):
    """Django's cursor that sends values beside the statement, and gets over a migration under a running process.

    A statement that was prepared before a column changed its type is refused for ever ("cached plan must not change
    result type"), and nobody but us can tell the session to forget it.
    """

    def execute(self, query: Any, params: Any = None, **kwargs: Any) -> Any:
        is_first = self.connection.info.transaction_status == TransactionStatus.IDLE
        try:
            return super().execute(query, params, **kwargs)
        except FeatureNotSupported as refused:
            if "cached plan" not in str(refused):
                raise
            # What the other connections hold is as old.
            connection: Any = self.connection
            connection.watch.is_pool_stale = True
            if not is_first:
                # The rollback forgets all that was prepared; whoever asks again is served.
                raise psycopg.OperationalError("the tables have changed under a prepared statement") from refused
        # Nothing else was done in this transaction, so it can begin anew.
        self.connection.rollback()
        super().execute("DEALLOCATE ALL", prepare=False)
        return super().execute(query, params, **kwargs)


class Connection(psycopg.Connection[Any]):
    """A connection whose every wait has an end, whatever has become of the other side."""

    # Of the server that it goes to, see `connection_class`.
    watch: Watch

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepared_max = PREPARED_MOST

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().wait(self._watched(gen), *args, **kwargs)
        except psycopg.OperationalError:
            if self.pgconn.status == psycopg.pq.ConnStatus.BAD:
                self.watch.is_pool_stale = True
                if not self.watch.is_away:
                    self.watch.knock()
            raise

    def _watched(self, gen: Generator[Any, Any, Answer]) -> Generator[Any, Any, Answer]:
        """Pass on what the driver and its wait say to each other; look up when it has been silent for long."""
        began = look = time.monotonic()
        limit = settings.STATEMENT_SECONDS and settings.STATEMENT_SECONDS + GRACE
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() - look > PATIENCE:
                    if not self.watch.knock() or (limit and time.monotonic() - began > limit):
                        # What it still sends belongs to nobody, so this connection is of no more use.
                        self.pgconn.finish()
                        raise psycopg.OperationalError("the database does not answer")
                    look = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as done:
            answer: Answer = done.value
            return answer


@cache
def connection_class(alias: str) -> type[Connection]:
    """Answer the connections to one of the databases; they have the watch on its server in common."""
    return type("Connection", (Connection,), {"watch": Watch()})


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend, told by the watch when there is nobody to connect to."""

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        connection = connection_class(alias)
        if pool := settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = connection
        # What Django calls to connect without a pool, and where it looks for the driver's errors.
        self.Database = SimpleNamespace(**{**vars(psycopg), "connect": connection.connect})  # type: ignore[assignment]  # all that is asked of it are names
        self.watch = connection.watch
        super().__init__(settings_dict, alias)

    def get_connection_params(self) -> dict[str, Any]:
        if self.alias in base.DatabaseWrapper._connection_pools:  # type: ignore[attr-defined]  # unknown to the stubs
            # Django asks anew for each request; a pool that stands has been told.
            return {}
        return {**super().get_connection_params(), "cursor_factory": Cursor}

    def _set_autocommit(self, autocommit: bool) -> None:
        # What the pool hands out is as it should be already, and asking takes a lock and a wait.
        if self.connection.autocommit != autocommit:
            super()._set_autocommit(autocommit)  # type: ignore[misc]  # unknown to the stubs

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.watch.is_away and not self.watch.is_back():
            raise psycopg.OperationalError("the database does not answer")
        if self.watch.is_pool_stale:
            self.watch.is_pool_stale = False
            self.leave_pool()
        try:
            connection = super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            self.watch.is_pool_stale = True
            self.watch.knock()
            raise
        info = connection.pgconn
        where = info.hostaddr or info.host
        self.watch.address = (where.decode(), int(info.port)) if where else None
        return connection

    def leave_pool(self) -> None:
        """Begin a new pool: the old one's connections are dead, and it waits ever longer before it tries again."""
        pool = base.DatabaseWrapper._connection_pools.pop(self.alias, None)  # type: ignore[attr-defined]  # unknown to the stubs
        if pool is not None:
            # Closing waits for its workers, who may be waiting for the server.
            threading.Thread(target=pool.close, name="closing the pool", daemon=True).start()
