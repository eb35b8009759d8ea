"""Test how a server ends that a system check refuses."""

import os
import subprocess
import sys

import pytest

from config.testing import ROOT, find_free_port

pytestmark = pytest.mark.either_engine


def test_refused_server_prints_the_sentence_without_a_traceback(tmp_path):
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'missing' / 'site.sqlite3'}"}
    server = ["granian", "--interface", "asginl", "--port", str(find_free_port()), "--respawn-failed-workers"]
    for command in (["-c", "import config.asgi"], ["-m", *server, "config.asgi:application"]):
        done = subprocess.run(
            [sys.executable, *command], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
        )
        output = done.stdout + done.stderr
        assert "missing" in output
        assert "Traceback" not in output
        assert done.returncode == 1


def test_server_starts_outside_production(tmp_path):
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}"}
    done = subprocess.run(
        [sys.executable, "-c", "import config.asgi"], check=False, cwd=ROOT, env=environment, capture_output=True
    )
    assert done.returncode == 0, done.stderr
