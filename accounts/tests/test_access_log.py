"""Test that the access log counts exactly, is append-only, notifies admins of many reads, and is deleted in time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from accounts import access_log
from accounts.access_log import (
    delete_old_readings,
    get_utc_day,
    notify_of_heavy_readers,
    record_export,
    record_readings,
)
from accounts.models import AuditEvent, Notice, Reading, User
from accounts.models.identifiers import new_id
from accounts.models.reading import MANY_READ
from accounts.notifications.registry import compose_message
from accounts.tests.factories import AdminFactory, PatientFactory
from config.api.access_log import Subject


def people(number):
    ids = sorted(new_id() for _ in range(number))
    return [Subject("user", pk, pk) for pk in ids]


def counts():
    return set(Reading.objects.values_list("times", flat=True))


@pytest.mark.django_db
def test_each_day_and_view_has_one_row(admin, time_machine):
    [one] = people(1)
    time_machine.move_to(datetime(2030, 1, 7, 23, 59, tzinfo=UTC), tick=False)
    for _ in range(3):
        record_readings(admin, "admin-user-list", [one])
    record_readings(admin, "admin-user-detail", [one])
    time_machine.move_to(datetime(2030, 1, 8, 0, 0, tzinfo=UTC), tick=False)
    record_readings(admin, "admin-user-list", [one])

    rows = Reading.objects.order_by("day", "view").values_list("day", "view", "times", "actor_id", "person_id")
    days = [datetime(2030, 1, day, tzinfo=UTC).date() for day in (7, 8)]
    assert list(rows) == [
        (days[0], "admin-user-detail", 1, admin.pk, one.pk),
        (days[0], "admin-user-list", 3, admin.pk, one.pk),
        (days[1], "admin-user-list", 1, admin.pk, one.pk),
    ]


@pytest.mark.django_db
def test_reading_ones_own_data_is_not_logged(admin, django_assert_num_queries):
    with django_assert_num_queries(0):
        record_readings(admin, "admin-user-list", [Subject("user", admin.pk, admin.pk)])
    assert not Reading.objects.exists()


@pytest.mark.django_db
def test_logging_an_export_takes_one_query(admin, django_assert_num_queries):
    PatientFactory.create_batch(30)
    everybody = User.objects.values_list("pk", flat=True)
    for times in (1, 2):
        with django_assert_num_queries(1):
            record_export(admin, "export", everybody)
        assert (Reading.objects.count(), counts()) == (30, {times})
    assert not Reading.objects.filter(person_id=admin.pk).exists()


# --- At the same moment ---------------------------------------------------------------------------

ROUNDS = 15


@contextmanager
def faults_of(threads: int, act) -> Iterator[list[Exception]]:
    """Run an act in threads that begin together; yield what it raised."""
    faults: list[Exception] = []
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait(timeout=30)
        try:
            for _ in range(ROUNDS):
                act(number)
        except DatabaseError as fault:
            faults.append(fault)
        finally:
            connection.close()

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    yield faults


@pytest.mark.django_db(transaction=True)
def test_concurrent_reads_are_all_counted(admin):
    shown = people(20)
    # Each thread is handed the rows in another order.
    with faults_of(4, lambda number: record_readings(admin, "list", shown[number:] + shown[:number])) as faults:
        assert faults == []
    assert (Reading.objects.count(), counts()) == (20, {4 * ROUNDS})


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_without_a_lock_order_concurrent_reads_deadlock(admin, monkeypatch):
    """The negative control of the test above; SQLite has one writer and no circle."""
    shown = people(200)
    monkeypatch.setattr(access_log, "sorted", lambda rows, key: rows, raising=False)
    with faults_of(4, lambda number: record_readings(admin, "list", shown[:: 1 if number % 2 else -1])) as faults:
        assert {type(fault) for fault in faults} == {OperationalError}


# --- What the database refuses --------------------------------------------------------------------


@pytest.fixture
def reading(admin):
    record_readings(admin, "admin-user-list", people(1))
    return Reading.objects.get()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    ["UPDATE accounts_reading SET times = 1", "UPDATE accounts_reading SET times = times - 1",
     "UPDATE accounts_reading SET times = times + 1, view = 'x'", "UPDATE accounts_reading SET last_at = '2001-01-01'",
     "UPDATE accounts_reading SET times = times + 1, person_id = actor_id", "DELETE FROM accounts_reading"],
)  # fmt: skip
def test_database_allows_only_increasing_counts(reading, statement):
    before = Reading.objects.values().get()
    with pytest.raises(DatabaseError, match="audit_append_only"), transaction.atomic():
        connection.cursor().execute(statement)
    connection.cursor().execute("UPDATE accounts_reading SET times = times + 1")
    assert Reading.objects.values().get() == {**before, "times": 2}


@pytest.mark.django_db
def test_old_access_log_rows_are_deleted_in_batches(admin, settings, monkeypatch):
    monkeypatch.setattr(access_log, "MAX_DELETED_ROWS", 2)
    today = get_utc_day(timezone.now())
    for days in (settings.READING_RETENTION_DAYS, *([settings.READING_RETENTION_DAYS + 1] * 3)):
        pk = new_id()
        Reading.objects.create(
            day=today - timedelta(days=days), actor_id=admin.pk, actor_role="admin", view="x", subject_type="user",
            subject_id=pk, person_id=pk,
        )  # fmt: skip
    assert [delete_old_readings(timezone.now()) for _ in range(3)] == [2, 1, 0]
    assert [row.day for row in Reading.objects.all()] == [today - timedelta(days=settings.READING_RETENTION_DAYS)]


# --- Many people ----------------------------------------------------------------------------------


@pytest.mark.django_db
def test_other_admins_are_notified_once_a_day_of_heavy_readers(admin, settings, time_machine):
    settings.PEOPLE_READ_ALERT_LIMIT = 3
    other = AdminFactory.create()
    now = timezone.now()
    shown = people(3)
    # Two objects of one person are one person.
    record_readings(admin, "list", [*shown[:2], Subject("appointment", new_id(), shown[0].person)])
    assert notify_of_heavy_readers(now) == 0
    record_readings(admin, "other list", shown[2:])
    assert [notify_of_heavy_readers(now) for _ in range(2)] == [1, 0]

    [notice] = Notice.objects.filter(event=MANY_READ)
    assert (notice.recipient, notice.detail) == (other, {"day": get_utc_day(now).isoformat(), "people": 3})
    assert (admin.name in str(compose_message(notice)), "/admin/audit/readings" in str(compose_message(notice))) == (
        True,
        True,
    )
    [event] = AuditEvent.objects.filter(event=MANY_READ)
    assert (event.entity_id, event.agent_id, event.detail) == (str(admin.pk), None, notice.detail)
    time_machine.move_to(now + timedelta(days=1), tick=False)
    record_readings(admin, "list", shown)
    assert notify_of_heavy_readers(timezone.now()) == 1
