"""Run child processes, and never leave one behind."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from tools.environment import Env, base_environment
from tools.errors import CommandError, Interrupted
from tools.paths import ROOT

STOP_SECONDS = 10
PART_TIMEOUT_MINUTES = 40  # a part that takes longer hangs
CAPTURE_TIMEOUT_SECONDS = 30
NETWORK_ERRORS = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|dns error|[Ff]ailed to lookup address|error sending"
    r"|Name or service not known|Temporary failure (in name resolution|resolving)|Failed to establish a new connection"
    r"|Network is unreachable|Could not resolve"
)


def install_signal_handlers() -> None:
    """Raise Interrupted for signals that ask us to stop; one that `nohup` ignores stays ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, raise_interrupted)


def raise_interrupted(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)  # we are stopping already; a second Ctrl-C changes nothing
    raise Interrupted(number)


def list_descendants(pid: int) -> list[int]:
    """Return the process ids of all children and their children, including those in other sessions."""
    children: dict[int, list[int]] = {}
    for line in (capture_output(["ps", "-A", "-o", "pid=,ppid="], base_environment()) or "").splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    family = [pid]
    for member in family:
        family += children.get(member, [])
    return family[1:]


def stop_process(process: subprocess.Popen[str]) -> None:
    """Stop a child, which leads a process group of its own, and everything that it started."""
    if process.stdin:
        process.stdin.close()
    # Tests start servers and browsers in sessions of their own, which the signal to the group does not reach.
    family = list_descendants(process.pid) if process.poll() is None else []
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=STOP_SECONDS)
        os.killpg(process.pid, signal.SIGKILL)
    for pid in family:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


@contextlib.contextmanager
def start_process(
    argv: Sequence[str], env: Env, cwd: Path = ROOT, stdin: int = subprocess.DEVNULL, output: int | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Start a program and stop it when the block ends, however it ends."""
    errors = None if output is None else subprocess.STDOUT
    try:
        process = subprocess.Popen(
            argv, env=env, cwd=cwd, stdin=stdin, stdout=output, stderr=errors, text=True, start_new_session=True
        )
    except FileNotFoundError as error:
        raise CommandError(f"{error.filename} is missing.") from None
    try:
        yield process
    finally:
        stop_process(process)


def run_program(argv: Sequence[str], env: Env, cwd: Path = ROOT) -> int:
    """Run a program whose output goes to ours; return its exit code."""
    with start_process(argv, env, cwd) as process:
        return process.wait()


def run_checked(argv: Sequence[str], env: Env, cwd: Path = ROOT) -> None:
    """Run a program whose output goes to ours; raise CommandError if it fails or hangs."""
    with start_process(argv, env, cwd) as process:
        try:
            code = process.wait(timeout=PART_TIMEOUT_MINUTES * 60)
        except subprocess.TimeoutExpired:
            raise CommandError(f"stopped after {PART_TIMEOUT_MINUTES} minutes", 1) from None
    if code:
        raise CommandError(f"exit code {code}", 1)


def run_quietly(name: str, argv: Sequence[str], env: Env, cwd: Path = ROOT) -> str:
    """Run a program and return its output, which is shown only if the program fails."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        with start_process(argv, env | {"NO_COLOR": "1"}, cwd, output=log.fileno()) as process:
            code = process.wait()
        log.seek(0)
        output = log.read()
    if code:
        raise CommandError(f"{output.rstrip()}\n{name} failed (exit code {code}); its output is above.", 1)
    return output


def run_download(name: str, argv: Sequence[str], env: Env, cwd: Path = ROOT) -> None:
    """Run a program that needs the network; if there is none, fail with a single line."""
    try:
        run_quietly(name, argv, env, cwd)
    except CommandError as error:
        if NETWORK_ERRORS.search(str(error)):
            raise CommandError(
                f"{name}: the package registry can't be reached. Check the network and try again."
            ) from None
        raise


def capture_output(argv: Sequence[str], env: Env) -> str | None:
    """Return the output of a short program, or None if it fails or is missing."""
    try:
        done = subprocess.run(
            argv, check=False, env=env, cwd=ROOT, capture_output=True, text=True, timeout=CAPTURE_TIMEOUT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
