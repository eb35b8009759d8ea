"""Test that `migrate` names the database that it changes."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.exceptions import InconsistentMigrationHistory, MigrationSchemaMissing

from config.db.description import describe_database

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


def test_migrate_names_its_database():
    out = io.StringIO()
    call_command("migrate", "--plan", stdout=out)
    assert out.getvalue().splitlines()[0] == f"The database is {describe_database(connection.settings_dict)}."
    quiet = io.StringIO()
    call_command("migrate", "--check", verbosity=0, stdout=quiet)
    assert quiet.getvalue() == ""


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            MigrationSchemaMissing("Unable to create the table (permission denied for schema public)"),
            "Unable to create the table (permission denied for schema public). The user must own the database.",
        ),
        (InconsistentMigrationHistory("Migration b is applied before a."), "Migration b is applied before a."),
    ],
)
def test_migration_that_cannot_begin_is_one_sentence(monkeypatch, error, sentence):
    def fail(*args, **options):
        raise error

    monkeypatch.setattr(migrate.Command, "handle", fail)
    with pytest.raises(CommandError) as raised:
        call_command("migrate", verbosity=0)
    assert str(raised.value) == sentence


def test_database_is_described_without_user_and_password():
    postgresql = {"ENGINE": "config.db.postgresql", "NAME": "visits", "USER": "ann", "PASSWORD": "hunter2"}
    for database, text in (
        ({"ENGINE": "django.db.backends.sqlite3", "NAME": "/srv/db.sqlite3"}, "/srv/db.sqlite3"),
        ({**postgresql, "HOST": "10.0.0.7", "PORT": 6432}, "visits at 10.0.0.7:6432"),
        ({**postgresql, "HOST": "/var/run/postgresql", "PORT": ""}, "visits at /var/run/postgresql:5432"),
        ({**postgresql, "HOST": "", "PORT": ""}, "visits at localhost:5432"),
    ):
        assert describe_database(database) == text
