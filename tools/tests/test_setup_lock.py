"""Test two concurrent starts of dev.py in one checkout: one sets up, the other waits."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.paths import ROOT

pytestmark = pytest.mark.either_engine

# Takes the lock of a folder, prints a line, and holds the lock until its input ends.
HOLD = """
import sys
from pathlib import Path
from tools import steps
steps.VAR = Path(sys.argv[1])
with steps.setup_lock(), steps.setup_lock():
    print("begun", flush=True)
    sys.stdin.read()
print("ended", flush=True)
"""


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def first(tmp_path):
    with start(tmp_path) as process:
        assert process.stdout.readline() == "begun\n"
        yield process
        process.kill()


@pytest.fixture
def second(tmp_path, first):
    with start(tmp_path) as process:
        waiting = process.stdout.readline()
        assert waiting == f"  Another dev.py (process {first.pid}) is setting up; waiting.\n"
        yield process
        process.kill()


def test_second_start_waits_for_the_setup_of_the_first(first, second):
    time.sleep(0.3)
    os.set_blocking(second.stdout.fileno(), False)
    assert second.stdout.readline() == ""
    os.set_blocking(second.stdout.fileno(), True)
    first.stdin.close()
    assert first.stdout.readline() == "ended\n"
    assert second.stdout.readline() == "begun\n"


def test_killed_start_leaves_no_lock(first, second):
    first.send_signal(signal.SIGKILL)
    assert second.stdout.readline() == "begun\n"


def test_other_checkout_does_not_wait(first, tmp_path_factory):
    with start(tmp_path_factory.mktemp("other")) as other:
        assert other.stdout.readline() == "begun\n"
        other.kill()
