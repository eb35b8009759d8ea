"""Test that the log names an unreachable database and the driver's reason, once, and never the password."""

import psycopg
import pytest

from config.db.postgresql.base import connection_class
from config.testing import find_free_port

pytestmark = pytest.mark.either_engine


@pytest.fixture
def connections():
    """A class of connections that no test before has used."""
    connection_class.cache_clear()
    yield connection_class("default")
    connection_class.cache_clear()


def test_unreachable_database_is_named_once_with_the_reason(connections, caplog):
    caplog.set_level("INFO", "config.db")
    port = find_free_port()
    server = {"host": "127.0.0.1", "port": port, "dbname": "visits", "user": "ann", "password": "hunter2"}
    for _ in range(3):
        with pytest.raises(psycopg.OperationalError):
            connections.connect(connect_timeout=3, **server)
    ((level, message),) = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert level == "ERROR"
    assert message.startswith(f"The database visits at 127.0.0.1:{port} can't be reached: ")
    assert "Connection refused" in message
    assert "hunter2" not in message
    connections.outage.end()
    connections.outage.end()
    assert caplog.records[-1].getMessage() == f"The database visits at 127.0.0.1:{port} can be reached again"
    assert len(caplog.records) == 2


@pytest.mark.postgresql
def test_reason_of_the_server_is_logged(connections, caplog, django_db_setup):
    from django.db import connection

    server = {name: connection.settings_dict[name.upper()] for name in ("host", "port", "user", "password")}
    with pytest.raises(psycopg.OperationalError):
        connections.connect(dbname="no_such_database", **{name: value for name, value in server.items() if value})
    assert 'database "no_such_database" does not exist' in caplog.text
