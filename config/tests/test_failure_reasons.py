"""Test what the log says of other servers' failures, and how often."""

import sqlite3
import threading

import psycopg
import pytest
from django.db import DataError, InterfaceError, OperationalError

from accounts import leases
from config import failure_reasons
from config.api.errors import to_domain_error
from config.failure_reasons import LogThrottle, describe_database_failure, describe_reason

pytestmark = pytest.mark.either_engine


def test_reason_is_one_short_line_without_secrets():
    error = OSError("no entry for ann:hunter2-longer\n(hunter2)\t" + "x" * 500)
    reason = describe_reason(error, "ann", "hunter2", "hunter2-longer", "")
    assert reason.startswith("no entry for …:… (…) xxx")
    assert len(reason) == 200


def test_error_without_words_is_named_by_its_type():
    assert describe_reason(TimeoutError()) == "TimeoutError"


def failure(kind, cause):
    error = kind(*cause.args)
    error.__cause__ = cause
    return error


REFUSED = "connection to server at 10.0.0.7, port 5432 failed: no entry for ann, hunter2\n\tIs the server running?"
REASON = "OperationalError: connection to server at 10.0.0.7, port 5432 failed: no entry for ann, …"


def test_database_failure_has_the_reason_without_values_and_secrets(settings, monkeypatch):
    monkeypatch.setitem(settings.DATABASES["default"], "PASSWORD", "hunter2")
    unparsed = sqlite3.OperationalError('near "Ada Lovelace": syntax error')
    unparsed.sqlite_errorname = "SQLITE_ERROR"
    for error, description in (
        (failure(OperationalError, psycopg.OperationalError(REFUSED)), REASON),
        (OperationalError(REFUSED), REASON),
        (InterfaceError("the connection is closed"), "InterfaceError: the connection is closed"),
        (failure(OperationalError, unparsed), "OperationalError: SQLITE_ERROR"),
        (failure(DataError, psycopg.DataError("invalid input: Ada Lovelace")), "DataError"),
        (OperationalError(), "OperationalError"),
    ):
        assert describe_database_failure(error) == description


def test_requests_and_workers_log_the_reason(settings, caplog, monkeypatch):
    monkeypatch.setitem(settings.DATABASES["default"], "PASSWORD", "hunter2")
    error = failure(OperationalError, psycopg.OperationalError(REFUSED))
    stop = threading.Event()

    def run_round(now):
        stop.set()
        raise error

    monkeypatch.setattr(leases.connections, "close_all", lambda: None)
    assert to_domain_error(error).code == "unavailable"
    leases.run_rounds("housekeeping", run_round, stop, interval_seconds=0, uses_lease=False)
    assert [record.getMessage() for record in caplog.records] == [
        f"The database did not answer: {REASON}",
        f"The housekeeping worker could not reach the database: {REASON}",
    ]


def test_a_key_is_logged_once_in_a_period_and_few_keys_at_all(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(failure_reasons.time, "monotonic", lambda: now[0])
    throttle = LogThrottle(seconds=60, max_keys=2)
    assert [throttle.allows(key) for key in ("a", "a", "b", "c")] == [True, False, True, False]
    now[0] += 60
    assert [throttle.allows(key) for key in ("c", "a", "b")] == [True, True, False]
