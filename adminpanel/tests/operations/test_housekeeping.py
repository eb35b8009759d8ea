"""The housekeeping goes on, whatever one of its parts comes to."""

import threading
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, OperationalError

from accounts.models import Heartbeat
from adminpanel.operations import housekeeping
from config import health

NOW = datetime(2026, 6, 9, 13, tzinfo=UTC)


def failing(fault):
    def part(now):
        raise fault

    return part


@pytest.mark.parametrize("fault", [ValueError("a fault of ours"), DataError("a value that no column holds")])
def test_failing_task_does_not_block_others_and_is_reported(db, client, monkeypatch, caplog, fault):
    asked = []
    parts = {"sweeping": failing(fault), "reminders": lambda now: len(asked) or asked.append(now) or 3}
    monkeypatch.setattr(housekeeping, "TASKS", parts)
    assert housekeeping.run_round(NOW) == {"reminders": 3}
    assert asked == [NOW]
    assert "A housekeeping task failed: sweeping" in caplog.text
    # It does not count as a round, so that monitoring notices.
    assert not Heartbeat.objects.filter(name=housekeeping.WORKER_NAME, beat_at__isnull=False).exists()
    assert client.get("/readyz").json()["housekeeping"] == "late"


def test_command_fails_after_a_round_in_which_a_task_failed(db, monkeypatch, capsys):
    monkeypatch.setattr(housekeeping, "TASKS", {"sweeping": failing(ValueError()), "reminders": lambda now: 3})
    with pytest.raises(CommandError, match=r"Failed, the log says why: sweeping\."):
        call_command("housekeeping", "--once")
    assert capsys.readouterr().out == "reminders: 3\n"


def test_round_that_did_something_is_one_line(db, monkeypatch, caplog):
    caplog.set_level("INFO", "adminpanel")
    parts = {"sweeping": lambda now: {"requests": 2, "holds": 0}, "reminders": lambda now: 3, "seals": lambda now: 0}
    monkeypatch.setattr(housekeeping, "TASKS", parts)
    housekeeping.run_round(NOW)
    monkeypatch.setattr(housekeeping, "TASKS", {"reminders": lambda now: 0})
    housekeeping.run_round(NOW)
    assert [record.getMessage() for record in caplog.records] == ["Housekeeping: requests 2, reminders 3"]


def test_run_ends_when_the_database_is_unavailable(db, monkeypatch):
    asked = []
    monkeypatch.setattr(housekeeping, "TASKS", {"sweeping": failing(OperationalError()), "reminders": asked.append})
    with pytest.raises(OperationalError):
        housekeeping.run_round(NOW)
    assert asked == []


def test_housekeeping_continues_after_an_unexpected_error(monkeypatch, caplog):
    """The process has only one housekeeping thread."""
    stop = threading.Event()
    rounds = []

    def run_round(now):
        rounds.append(now)
        if len(rounds) == 2:
            stop.set()
        raise ValueError("unforeseen")

    monkeypatch.setattr(housekeeping, "ROUND_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(housekeeping.leases, "acquire_lease", lambda *about: True)
    monkeypatch.setattr(housekeeping, "run_round", run_round)
    monkeypatch.setattr(housekeeping.leases.connections, "close_all", lambda: None)
    housekeeping.run_until_stopped(stop)
    assert len(rounds) == 2
    assert "A round of the housekeeping worker failed" in caplog.text


def test_readyz_compares_migrations_once_in_five_seconds(client, db, monkeypatch):
    compared = []
    executor = health.MigrationExecutor

    def counting(connection):
        compared.append(1)
        return executor(connection)

    monkeypatch.setattr(health, "MigrationExecutor", counting)
    monkeypatch.setattr(health, "migrations", health.Migrations())
    assert [client.get("/readyz").status_code for _ in range(5)] == [200] * 5
    assert len(compared) == 1
    monkeypatch.setattr(health, "MIGRATION_CACHE_SECONDS", 0)
    monkeypatch.setattr(executor, "migration_plan", lambda *_: [1, 2])
    # One that is behind is compared each time, so that it is ready as soon as it is migrated.
    for _ in range(2):
        assert client.get("/readyz").json()["amiss"] == ["2 migrations are waiting"]
    assert len(compared) == 3
