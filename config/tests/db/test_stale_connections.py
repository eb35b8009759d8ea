"""Test that connections which the server has closed are not given to requests."""

import pytest
from django.db import connection

from config.db.postgresql.base import DatabaseWrapper
from config.settings import as_postgresql

pytestmark = [pytest.mark.either_engine, pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

CONNECTIONS = 3


def open_wrapper() -> DatabaseWrapper:
    settings = {**connection.settings_dict, **as_postgresql(connection.settings_dict)}
    settings["OPTIONS"] = {
        **settings["OPTIONS"],
        "pool": {"min_size": CONNECTIONS, "max_size": CONNECTIONS, "timeout": 5},
    }
    return DatabaseWrapper(settings, "stale")


def select_pid(wrapper: DatabaseWrapper) -> int:
    """Return the server process of a connection from the pool."""
    with wrapper.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    return int(pid)


def test_connections_that_the_server_has_closed_are_replaced_before_a_request_gets_one():
    wrappers = [open_wrapper() for _ in range(CONNECTIONS)]
    try:
        closed = {select_pid(wrapper) for wrapper in wrappers}
        assert len(closed) == CONNECTIONS
        for wrapper in wrappers:
            wrapper.close()
        with connection.cursor() as cursor:
            for pid in closed:
                # Waits until the process has ended.
                cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
                assert cursor.fetchone() == (True,)
        for wrapper in wrappers:
            assert select_pid(wrapper) not in closed
    finally:
        for wrapper in wrappers:
            wrapper.close()
        wrappers[0].close_pool()
