"""Test that a key can be made before the site has any settings."""

import os
import subprocess
import sys

import pytest

from config.testing import ROOT

pytestmark = pytest.mark.either_engine


@pytest.mark.parametrize("variables", [{}, {"ENVIRONMENT": "production"}, {"DATABASE_URL": "nonsense"}])
def test_a_key_is_printed_whatever_the_settings_are(variables):
    def run():
        command = [sys.executable, "manage.py", "generate_key"]
        environment = {"PATH": os.environ["PATH"], **variables}
        done = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.stderr == ""
        return done.stdout

    first, second = run(), run()
    assert first != second
    assert len(first) == 65
    assert set(first.rstrip("\n")) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_the_command_is_listed():
    command = [sys.executable, "manage.py", "help", "--commands"]
    done = subprocess.run(command, check=True, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert "generate_key" in done.stdout.split()
