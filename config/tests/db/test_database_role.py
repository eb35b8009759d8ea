"""Test that the site runs with the limited database role of docs/growing.md."""

import re
from collections.abc import Iterator

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from appointments.tests.scheduling.booking_load import Bookers
from config.testing import ROOT, RealServer, build_server
from config.tests.db.postgresql_server import own_postgresql

pytestmark = pytest.mark.either_engine


def statements() -> list[str]:
    """Read what makes the role from where operators read it."""
    written = (ROOT / "docs" / "growing.md").read_text()
    (block,) = re.findall(r"```sql\n(CREATE ROLE wellhour_site .*?)```", written, re.DOTALL)
    return [each.strip() for each in block.split(";") if each.strip()]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[tuple[RealServer, str]]:
    """A running site, and the address of its database for the role that it runs as."""
    with own_postgresql() as database:
        settings = {"DATABASE_POOL_SIZE": "4", "HOUSEKEEPING": "inline", "DELIVERY": "inline"}
        server = build_server(tmp_path_factory.mktemp("site"), database.url, **settings)
        # As its owner makes it.
        server.manage("migrate", "-v0")
        for statement in statements():
            server.sql(statement)
        as_site = database.url.replace("tester@", "wellhour_site@")
        server.environment["DATABASE_URL"] = as_site
        try:
            server.start()
            yield server, as_site
        finally:
            server.stop()


def test_site_and_background_tasks_work_with_the_limited_role(site):
    server, _ = site
    bookers = Bookers(server, 2)
    with bookers:
        bookers.wait_for(3)
    assert bookers.answers.keys() <= {200, 201}, bookers.odd[-3:]
    server.manage("housekeeping", "--once")
    server.manage("deliver", "--once")
    server.manage("verify_audit")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditevent SET event = 'nothing happened'",
        "DELETE FROM accounts_auditevent",
        "DELETE FROM accounts_auditseal",
        "TRUNCATE accounts_user CASCADE",
        "ALTER TABLE accounts_auditevent DISABLE TRIGGER ALL",
        "DROP TRIGGER accounts_auditevent_no_delete ON accounts_auditevent",
        "DROP TABLE appointments_appointment",
        "CREATE TABLE mine (a int)",
        "CREATE OR REPLACE FUNCTION audit_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "CREATE ROLE another SUPERUSER",
        "DELETE FROM django_migrations",
    ],
)
def test_role_has_no_other_privileges(site, statement):
    _, as_site = site
    with psycopg.connect(as_site) as connection, pytest.raises(InsufficientPrivilege):
        connection.execute(statement)
