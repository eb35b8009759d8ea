"""What PostgreSQL keeps prepared for a connection, and what becomes of it when the tables change underneath.

A whole server under a migration: `test_two_servers.py`.
"""

import os

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import User
from accounts.tests.factories import PatientFactory

ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


def prepared():
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [statement for (statement,) in cursor.fetchall()]


@pytest.fixture
def elsewhere(transactional_db):
    """Another session, in which an operator migrates; the column it widens is narrowed again."""
    settings = connection.settings_dict
    where = {"host": settings["HOST"], "port": settings["PORT"] or None, "user": settings["USER"]}
    connection.close()
    with psycopg.connect(
        dbname=settings["NAME"], password=settings["PASSWORD"] or None, autocommit=True, **where
    ) as other:
        yield other
        connection.close()
        other.execute("ALTER TABLE accounts_user ALTER COLUMN name TYPE varchar(120)")


def widen(other, length=140):
    other.execute(f"ALTER TABLE accounts_user ALTER COLUMN name TYPE varchar({length})")


def what_is_asked_often_is_prepared(elsewhere):
    for number in range(4):
        assert not User.objects.filter(email=f"{number}@example.com").exists()
    assert len([one for one in prepared() if "accounts_user" in one and "$1" in one]) == 1


def a_changed_column_is_read_on(elsewhere):
    """Alone and as the first of a transaction: neither reader hears of it."""
    person = PatientFactory.create()
    for _ in range(4):
        User.objects.get(pk=person.pk)
    widen(elsewhere)
    assert User.objects.get(pk=person.pk) == person
    for _ in range(4):
        User.objects.get(pk=person.pk)
    widen(elsewhere, 160)
    with transaction.atomic():
        assert User.objects.get(pk=person.pk) == person
        User.objects.filter(pk=person.pk).update(name="Written after all")
    assert User.objects.get(pk=person.pk).name == "Written after all"


def amid_a_transaction_it_is_asked_to_come_again(elsewhere):
    """What was written before can't be written twice, so nothing is; the next try is served."""
    person, name = PatientFactory.create(), "Only once"
    for _ in range(4):
        User.objects.get(pk=person.pk)
    widen(elsewhere)

    @transaction.atomic
    def rename():
        User.objects.filter(pk=person.pk).update(name=name)
        User.objects.get(pk=person.pk)

    with pytest.raises(OperationalError, match="the tables have changed"):
        rename()
    assert User.objects.get(pk=person.pk).name != name
    rename()
    assert User.objects.get(pk=person.pk).name == name


if ON_POSTGRESQL:
    test_what_is_asked_often_is_prepared = what_is_asked_often_is_prepared
    test_a_changed_column_is_read_on = a_changed_column_is_read_on
    test_amid_a_transaction_it_is_asked_to_come_again = amid_a_transaction_it_is_asked_to_come_again
