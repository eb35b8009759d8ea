"""What PostgreSQL keeps prepared for a connection, and what becomes of it when the tables change underneath."""

import os
import threading

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from accounts.models import User
from accounts.tests.factories import PatientFactory
from appointments.tests.test_races import meet, register

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


def a_server_serves_on_through_a_migration(real_server):
    """Pooled and prepared, as on a site for people; the column of names is in every session check."""
    server = real_server(DATABASE_POOL_SIZE="4")
    clients, doctor_id = meet(server, 3)
    stop, seen = threading.Event(), set()

    def look(client):
        while not stop.is_set():
            seen.add(client.get("/api/auth/profile").status_code)
            seen.add(client.get(f"/api/doctors/{doctor_id}").status_code)

    threads = [threading.Thread(target=look, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        for length in (140, 160, 180):
            for client in clients:
                # Each of the pool's connections has all of it prepared.
                assert [client.get("/api/auth/profile").status_code for _ in range(4)] == [200] * 4
            server.sql(f"ALTER TABLE accounts_user ALTER COLUMN name TYPE varchar({length})")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        for client in clients:
            client.close()
    register(server, "patient", 9).close()
    assert seen == {200}


if ON_POSTGRESQL:
    test_what_is_asked_often_is_prepared = what_is_asked_often_is_prepared
    test_a_changed_column_is_read_on = a_changed_column_is_read_on
    test_amid_a_transaction_it_is_asked_to_come_again = amid_a_transaction_it_is_asked_to_come_again
    test_a_server_serves_on_through_a_migration = a_server_serves_on_through_a_migration
