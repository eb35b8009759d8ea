"""Test that `dev.py` starts with Python 3.11 without packages and rejects older versions."""

import subprocess
import sys

import pytest

from tools.cli import COMMANDS
from tools.paths import ROOT

pytestmark = pytest.mark.either_engine

AS_PYTHON_3_10 = "import runpy, sys; sys.version_info = (3, 10, 13); runpy.run_path('dev.py', run_name='__main__')"


def run_python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        # Without the packages that are installed for this Python.
        [sys.executable, "-S", "-E", *arguments],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )


def test_older_python_is_rejected_with_a_message():
    done = run_python("-c", AS_PYTHON_3_10)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Wellhour needs Python 3.11 or newer; this is 3.10.\n"


def test_command_starts_without_packages():
    done = run_python("dev.py", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"  {name} " in done.stdout for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(command):
    done = run_python("dev.py", command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: dev.py {command} ")


def test_unknown_command_and_impossible_port_are_usage_errors():
    for arguments in (["no-such-command"], ["run", "--port", "0"], []):
        assert run_python("dev.py", *arguments).returncode == 2
