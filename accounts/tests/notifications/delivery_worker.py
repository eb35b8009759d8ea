"""An outbox with delivery workers that run as separate processes."""

import os
import subprocess
import sys
import time

import pytest

from accounts.tests.mail_server import serving
from config.testing import ROOT, RealServer, create_migrated_database


@pytest.fixture
def mail_server():
    with serving() as server:
        yield server


@pytest.fixture
def outbox(tmp_path, mail_server):
    """A separate database whose workers send to the mail server."""
    with create_migrated_database(tmp_path) as database_url:
        environment = {
            **os.environ,
            "ENVIRONMENT": "test",
            "DATABASE_URL": database_url,
            "EMAIL_URL": mail_server.url,
            "LOG_LEVEL": "WARNING",
        }
        outbox = RealServer("", database_url, environment)
        yield outbox


def start_worker(outbox, *arguments):
    return subprocess.Popen(
        [sys.executable, "manage.py", "deliver", *arguments],
        cwd=ROOT,
        env=outbox.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "The condition was not met in time."
        time.sleep(0.02)


def expected_addresses(count):
    return {f"person{number}@example.com" for number in range(count)}
