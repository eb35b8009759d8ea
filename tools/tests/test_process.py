"""Test child processes: output, errors, and that none is left running."""

import signal
import subprocess
import sys
import time

import pytest

from tools.environment import base_environment
from tools.errors import CommandError
from tools.paths import ROOT
from tools.process import capture_output, list_descendants, run_download, run_quietly, start_process

pytestmark = pytest.mark.either_engine

# Starts a process in a session of its own, prints its id, and waits.
START_CHILD = """
import signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
print(child.pid, flush=True)
time.sleep(600)
"""
WAIT_FOR_SIGNAL = """
import signal, sys, time
from tools.errors import Interrupted
from tools.process import install_signal_handlers
# Where the tests run under nohup, an ignored SIGHUP is inherited.
signal.signal(int(sys.argv[1]), signal.SIG_DFL)
install_signal_handlers()
try:
    print("ready", flush=True)
    time.sleep(600)
except Interrupted as interrupted:
    sys.exit(128 + interrupted.signal_number)
"""


def is_running(pid):
    state = capture_output(["ps", "-o", "stat=", "-p", str(pid)], base_environment())
    return bool(state) and not state.startswith("Z")


def test_all_child_processes_are_stopped():
    argv = [sys.executable, "-c", START_CHILD]
    with start_process(argv, base_environment(), output=subprocess.PIPE) as process:
        with process.stdout:
            child = int(process.stdout.readline())
        assert list_descendants(process.pid) == [child]
        assert is_running(child)
    assert process.returncode == -signal.SIGTERM
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_running(child)


def test_output_is_returned_and_shown_when_the_program_fails():
    argv = [sys.executable, "-c", "import sys; print('words'); sys.exit(len(sys.argv) - 1)"]
    assert run_quietly("Words", argv, base_environment()) == "words\n"
    with pytest.raises(CommandError) as raised:
        run_quietly("Words", [*argv, "once"], base_environment())
    assert str(raised.value) == "words\nWords failed (exit code 1); its output is above."
    assert raised.value.code == 1


def test_missing_program_is_named():
    with pytest.raises(CommandError, match=r"^no-such-program is missing\.$") as raised:
        run_quietly("Words", ["no-such-program"], base_environment())
    assert raised.value.code == 2


def test_missing_network_is_one_line():
    argv = [sys.executable, "-c", "import sys; sys.exit('dns error: failed to lookup address')"]
    with pytest.raises(CommandError) as raised:
        run_download("Packages", argv, base_environment())
    assert str(raised.value) == "Packages: the package registry can't be reached. Check the network and try again."


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_gives_the_exit_code_of_a_shell(number):
    argv = [sys.executable, "-c", WAIT_FOR_SIGNAL, str(int(number))]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.wait(30) == 128 + number
