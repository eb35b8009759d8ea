"""Test `/metrics`: who may read it, and the figures that are read from the database."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts import leases
from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, Notice
from accounts.notifications.outbox import notify_user
from accounts.tests.factories import PatientFactory
from adminpanel.operations.backups.create import audit_backup
from config.metrics import database
from config.version import VERSION

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

TOKEN = "invented-token-of-prometheus"


def read(client):
    response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}", "host": "10.0.0.7:8000"})
    assert response.status_code == 200, response.content
    assert response["Content-Type"].startswith("text/plain; version=")
    assert "no-store" in response["Cache-Control"]
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(response.content.decode())
        for sample in family.samples
        if not sample.name.startswith("wellhour_http")
    }


@pytest.mark.parametrize(
    "authorization", ["", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}", "Bearer é"]
)
def test_only_the_token_opens_it(client, settings, authorization):
    settings.METRICS_TOKEN = TOKEN
    response = client.get("/metrics", headers={"Authorization": authorization})
    assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
    assert b"wellhour_" not in response.content


@pytest.mark.parametrize("authorization", ["", "Bearer ", "Bearer None", f"Bearer {TOKEN}"])
def test_without_a_token_there_is_no_such_page(client, settings, authorization):
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": authorization}).status_code == 404


def test_figures_of_the_database(client, settings):
    settings.METRICS_TOKEN = TOKEN
    now = timezone.now()
    for _ in range(4):
        notify_user("account.password_changed", PatientFactory())
    first, second, third, _ = Notice.objects.order_by("id")
    Notice.objects.filter(pk=first.pk).update(state=Notice.State.FAILED)
    Notice.objects.filter(pk=second.pk).update(due_at=now - timedelta(minutes=7))
    Notice.objects.filter(pk=third.pk).update(due_at=now + timedelta(hours=7))
    leases.record_heartbeat("delivery", now)
    figures = read(client)
    assert figures["wellhour_build_info", VERSION] == 1
    assert figures["wellhour_messages", "email", "waiting"] == 3
    assert figures["wellhour_messages", "email", "failed"] == 1
    assert 420 <= figures["wellhour_oldest_due_message_age_seconds",] < 480
    assert figures["wellhour_worker_last_run_timestamp_seconds", "delivery"] == pytest.approx(now.timestamp())
    assert figures["wellhour_worker_last_run_timestamp_seconds", "housekeeping"] == 0
    assert {key[1]: value for key, value in figures.items() if key[0] == "wellhour_dependency_up"} == {
        "database": 1,
        "mail": 1,
        "storage": 1,
    }
    Notice.objects.filter(pk=second.pk).update(error="no_connection")
    assert read(client)["wellhour_dependency_up", "mail"] == 0


def test_maintenance_mode_is_a_gauge(client, settings, tmp_path):
    settings.METRICS_TOKEN, settings.MAINTENANCE_FILE = TOKEN, tmp_path / "maintenance"
    assert read(client)["wellhour_maintenance",] == 0
    settings.MAINTENANCE_FILE.touch()
    assert read(client)["wellhour_maintenance",] == 1


def test_time_of_the_last_backup_is_absent_before_the_first(client, settings):
    settings.METRICS_TOKEN = TOKEN
    assert ("wellhour_last_backup_timestamp_seconds",) not in read(client)
    assert audit_backup("1" * 64)
    assert audit_backup("2" * 64)
    last = AuditEvent.objects.order_by("id").last()
    record_event("data.restored", Action.UPDATE, "backup", "2" * 32, actor=None)
    assert read(client)["wellhour_last_backup_timestamp_seconds",] == pytest.approx(last.recorded_at.timestamp())


def test_an_empty_outbox_is_no_gap(client, settings):
    settings.METRICS_TOKEN = TOKEN
    figures = read(client)
    assert figures["wellhour_messages", "email", "failed"] == 0
    assert figures["wellhour_oldest_due_message_age_seconds",] == 0


def test_without_a_database_the_other_figures_are_there(client, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN

    def refuse(oldest, now):
        raise OperationalError

    monkeypatch.setattr(database, "read_figures", refuse)
    figures = read(client)
    assert figures["wellhour_dependency_up", "database"] == 0
    assert ("wellhour_dependency_up", "mail") not in figures
    assert ("wellhour_messages", "email", "waiting") not in figures


def test_the_number_of_statements_does_not_grow_with_the_messages(client, settings, django_assert_num_queries):
    settings.METRICS_TOKEN = TOKEN
    for _ in range(2):
        notify_user("account.password_changed", PatientFactory())
        with django_assert_num_queries(4):
            read(client)
