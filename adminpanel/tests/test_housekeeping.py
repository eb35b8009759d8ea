"""The housekeeping goes on, whatever one of its parts comes to."""

import threading
from datetime import UTC, datetime

import pytest
from django.db import DataError, OperationalError

from accounts.models import Heartbeat
from adminpanel import housekeeping

NOW = datetime(2026, 6, 9, 13, tzinfo=UTC)


def failing(fault):
    def part(now):
        raise fault

    return part


@pytest.mark.parametrize("fault", [ValueError("a fault of ours"), DataError("a value that no column holds")])
def test_a_part_that_fails_keeps_no_other_back_and_is_seen(db, client, monkeypatch, caplog, fault):
    asked = []
    parts = {"sweeping": failing(fault), "reminders": lambda now: len(asked) or asked.append(now) or 3}
    monkeypatch.setattr(housekeeping, "PARTS", parts)
    assert housekeeping.do_round(NOW) == {"reminders": 3}
    assert asked == [NOW]
    assert "The housekeeping could not do its part: sweeping" in caplog.text
    # It does not count as a round, so that whoever watches the site learns of it.
    assert not Heartbeat.objects.filter(name=housekeeping.NAME, beat_at__isnull=False).exists()
    assert client.get("/readyz").json()["housekeeping"] == "late"


def test_a_round_ends_where_the_database_is_away(db, monkeypatch):
    asked = []
    monkeypatch.setattr(housekeeping, "PARTS", {"sweeping": failing(OperationalError()), "reminders": asked.append})
    with pytest.raises(OperationalError):
        housekeeping.do_round(NOW)
    assert asked == []


def test_a_round_that_breaks_off_is_not_the_last(monkeypatch, caplog):
    """The thread is the only one there is: it outlives what nobody foresaw."""
    stop = threading.Event()
    rounds = []

    def do_round(now):
        rounds.append(now)
        if len(rounds) == 2:
            stop.set()
        raise ValueError("unforeseen")

    monkeypatch.setattr(housekeeping, "EVERY_SECONDS", 0)
    monkeypatch.setattr(housekeeping.turns, "take_turn", lambda *about: True)
    monkeypatch.setattr(housekeeping, "do_round", do_round)
    monkeypatch.setattr(housekeeping.connections, "close_all", lambda: None)
    housekeeping.keep_house(stop)
    assert len(rounds) == 2
    assert "broke off" in caplog.text
