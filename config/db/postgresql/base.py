"""Database backend: Django's own, whose connections detect an unresponsive server and survive schema changes."""

import threading
import time
from collections.abc import Generator
from functools import cache
from types import SimpleNamespace
from typing import Any, Self, TypeVar

import psycopg
from django.conf import settings
from django.db.backends.postgresql import base
from psycopg.errors import FeatureNotSupported
from psycopg.pq import TransactionStatus

from config.db.postgresql.liveness import SILENCE_BEFORE_PROBE, Liveness
from config.db.postgresql.outage import Outage
from config.failure_reasons import describe_reason

Result = TypeVar("Result")
# Seconds on top of `statement_timeout` after which a statement is given up: the server should have canceled it.
STATEMENT_GRACE = 5.0
# Statements kept prepared per connection; psycopg's default of 100 is fewer than the site uses.
MAX_PREPARED_STATEMENTS = 500
UNRESPONSIVE = "the database does not respond"


class Cursor(base.CursorMixin, psycopg.Cursor[Any]):
    """Django's server-side binding cursor, which retries a statement whose prepared plan a migration invalidated.

    PostgreSQL refuses such a plan until the session forgets it ("cached plan must not change result type").
    """

    def execute(self, query: Any, params: Any = None, **kwargs: Any) -> Any:
        is_first = self.connection.info.transaction_status == TransactionStatus.IDLE
        try:
            return super().execute(query, params, **kwargs)
        except FeatureNotSupported as error:
            if "cached plan" not in str(error):
                raise
            connection: Any = self.connection
            connection.liveness.is_pool_stale = True
            if not is_first:
                # Earlier statements of the transaction are lost; after the rollback the request can be repeated.
                raise psycopg.OperationalError("the tables have changed under a prepared statement") from error
        self.connection.rollback()
        super().execute("DEALLOCATE ALL", prepare=False)
        return super().execute(query, params, **kwargs)


class Connection(psycopg.Connection[Any]):
    """A connection that never waits forever."""

    # Shared by all connections to the server, see `connection_class`.
    liveness: Liveness
    outage: Outage

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> Self:
        cls.outage.set_server(kwargs)
        try:
            connection = super().connect(conninfo, **kwargs)
        except psycopg.OperationalError as error:
            cls.outage.begin(describe_reason(error, kwargs.get("password", "")))
            raise
        cls.outage.end()
        return connection

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepared_max = MAX_PREPARED_STATEMENTS

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().wait(self._probing(gen), *args, **kwargs)
        except psycopg.OperationalError:
            if self.pgconn.status == psycopg.pq.ConnStatus.BAD:
                self.liveness.is_pool_stale = True
                if not self.liveness.is_down:
                    self.liveness.probe()
            raise

    def _probing(self, gen: Generator[Any, Any, Result]) -> Generator[Any, Any, Result]:
        """Wrap the generator by which psycopg waits for its socket, and probe the server during long silence."""
        started = probed = time.monotonic()
        limit = settings.STATEMENT_SECONDS and settings.STATEMENT_SECONDS + STATEMENT_GRACE
        try:
            state = next(gen)
            while True:
                ready = yield state
                if not ready and time.monotonic() - probed > SILENCE_BEFORE_PROBE:
                    if not self.liveness.probe() or (limit and time.monotonic() - started > limit):
                        # A late reply must not be taken for the next statement's.
                        self.pgconn.finish()
                        if self.liveness.is_down:
                            self.outage.begin(UNRESPONSIVE)
                        raise psycopg.OperationalError(UNRESPONSIVE)
                    probed = time.monotonic()
                state = gen.send(ready)
        except StopIteration as done:
            result: Result = done.value
            return result


@cache
def connection_class(alias: str) -> type[Connection]:
    """Return the connection class of one entry of `DATABASES`, whose connections share what is known of the server."""
    return type("Connection", (Connection,), {"liveness": Liveness(), "outage": Outage()})


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend, which refuses to connect at once while the server is known to be down."""

    def __init__(self, settings_dict: dict[str, Any], alias: str = "default") -> None:
        connection = connection_class(alias)
        if pool := settings_dict["OPTIONS"].get("pool"):
            pool["connection_class"] = connection
        # Django connects through this module without a pool, and looks up the driver's exceptions in it.
        self.Database = SimpleNamespace(**{**vars(psycopg), "connect": connection.connect})  # type: ignore[assignment]  # only its attributes are used
        self.liveness = connection.liveness
        super().__init__(settings_dict, alias)

    def get_connection_params(self) -> dict[str, Any]:
        if self.alias in base.DatabaseWrapper._connection_pools:  # type: ignore[attr-defined]  # unknown to the stubs
            # Django asks for each request; an existing pool has its parameters already.
            return {}
        return {**super().get_connection_params(), "cursor_factory": Cursor}

    def _set_autocommit(self, autocommit: bool) -> None:
        # Pooled connections are in the right mode already; setting it again takes a lock and a wait.
        if self.connection.autocommit != autocommit:
            super()._set_autocommit(autocommit)  # type: ignore[misc]  # unknown to the stubs

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        if self.liveness.is_down and not self.liveness.is_back():
            raise psycopg.OperationalError(UNRESPONSIVE)
        if self.liveness.is_pool_stale:
            self.liveness.is_pool_stale = False
            self.discard_pool()
        try:
            connection = super().get_new_connection(conn_params)
        except psycopg.OperationalError:
            self.liveness.is_pool_stale = True
            self.liveness.probe()
            raise
        pgconn = connection.pgconn
        host = pgconn.hostaddr or pgconn.host
        self.liveness.address = (host.decode(), int(pgconn.port)) if host else None
        return connection

    def discard_pool(self) -> None:
        """Let the next connection open a new pool; the old one would retry at ever longer intervals."""
        pool = base.DatabaseWrapper._connection_pools.pop(self.alias, None)  # type: ignore[attr-defined]  # unknown to the stubs
        if pool is not None:
            # Closing waits for its workers, which may be waiting for the server.
            threading.Thread(target=pool.close, name="closing the pool", daemon=True).start()
