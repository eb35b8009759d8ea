"""Test that a database of an earlier version, whose migrations no longer exist, is reported in one sentence."""

import subprocess
import sys

import pytest
from django.db import DatabaseError, connection

from config import health
from config.db import former_schema
from config.testing import ROOT, build_server, create_database

SENTENCE = "was made by an earlier version of Wellhour and can't be migrated: "


@pytest.fixture
def former(tmp_path):
    """A database in which an earlier version has made a table."""
    with create_database(tmp_path) as url:
        server = build_server(tmp_path, url)
        server.sql("CREATE TABLE doctors_claim (id integer)")
        yield server


@pytest.mark.parametrize("words", [["migrate"], ["check", "--database", "default"]])
def test_command_rejects_a_former_schema_and_says_what_to_do(former, words):
    argv = [sys.executable, "manage.py", *words]
    done = subprocess.run(argv, check=False, cwd=ROOT, env=former.environment, capture_output=True, text=True)
    (line,) = [line for line in done.stderr.splitlines() if SENTENCE in line]
    assert (done.returncode, "Traceback" in done.stderr) == (1, False), done.stderr
    todo = "delete or move the file to start with an empty one." if former.is_sqlite else "set DATABASE_URL to an empty"
    assert todo in line
    assert former.sql("SELECT count(*) FROM doctors_claim") == [(0,)]
    with pytest.raises(Exception, match="accounts_user"):
        former.sql("SELECT count(*) FROM accounts_user")


def test_the_demo_database_is_named_by_its_path_below_the_project(monkeypatch):
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setitem(connection.settings_dict, "NAME", ROOT / "var" / "db.sqlite3")
    monkeypatch.setattr(connection.introspection, "table_names", lambda: ["doctors_claim"])
    assert former_schema.describe_former_schema().startswith(f"The database var/db.sqlite3 {SENTENCE}")


@pytest.mark.django_db
def test_readyz_reports_a_former_schema(client, monkeypatch):
    monkeypatch.setattr(health, "migrations", health.Migrations())
    assert client.get("/readyz").json()["amiss"] == []
    monkeypatch.setattr(health, "migrations", health.Migrations())
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE doctors_claim (id integer)")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["amiss"]) == (503, [f"the database {SENTENCE.removesuffix(': ')}"])


@pytest.mark.django_db
def test_current_or_empty_database_is_accepted(monkeypatch):
    assert former_schema.check_former_schema(["default"]) == []

    def refuse():
        raise DatabaseError

    monkeypatch.setattr(connection.introspection, "table_names", refuse)
    assert former_schema.check_former_schema(["default"]) == []
