"""Test that background workers log the release when they start, as servers do."""

import pytest
from django.core.management import call_command

from accounts.management.commands import deliver
from adminpanel.management.commands import housekeeping
from config.version import VERSION

pytestmark = pytest.mark.either_engine


@pytest.mark.parametrize(
    ("module", "loop"), [(deliver, "run_delivery_loop"), (housekeeping, "run_until_stopped")], ids=["deliver", "house"]
)
def test_worker_logs_its_release(module, loop, monkeypatch, caplog, capsys):
    caplog.set_level("INFO", "config")
    monkeypatch.setattr(module.signal, "signal", lambda *about: None)
    monkeypatch.setattr(module, loop, lambda stop, **options: None)
    call_command(module.__name__.rpartition(".")[2])
    # What the collector finds of earlier tests is logged there, too.
    started = [record.getMessage() for record in caplog.records if "started" in record.getMessage()]
    assert started == [f"Wellhour {VERSION} has started in test"]
