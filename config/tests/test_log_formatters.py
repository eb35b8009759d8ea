"""Test which lines of Django's own reach the log."""

import logging

import pytest
from django.test import Client

from config import spa

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


def lines_of(caplog):
    return [record for record in caplog.records if record.name == "django.request"]


def test_error_response_without_an_exception_adds_no_line(client, caplog, monkeypatch):
    monkeypatch.setattr("config.health.check_database", lambda: (["the database does not respond"], {}))
    assert client.get("/readyz").status_code == 503
    assert lines_of(caplog) == []


def test_unhandled_exception_is_one_line_with_its_status(caplog, monkeypatch):
    monkeypatch.setattr(spa, "render_page", lambda *args: 1 / 0)
    monkeypatch.setattr(spa, "find_page", lambda path: None)
    assert Client(raise_request_exception=False).get("/secret-name").status_code == 500
    (record,) = lines_of(caplog)
    assert record.levelno == logging.ERROR
    assert record.getMessage() == "A request failed with an unhandled exception: 500"
    assert record.exc_info[0] is ZeroDivisionError
