"""Setup steps that are skipped while the stamp of their inputs is unchanged."""

import contextlib
import fcntl
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.paths import VAR, VENV

STAMPS = VENV / "stamps"
NOT_SOURCE = {"node_modules", "__pycache__", "e2e", "coverage", "test-results"}

_setup_depth = 0


def list_files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(set(folders) - NOT_SOURCE)
        yield from (Path(folder, name) for name in sorted(names))


def fingerprint(*inputs: Path | str) -> str:
    """Return a hash of texts, files and whole folders by their content."""
    digest = hashlib.sha256()
    for each in inputs:
        for path in list_files(each) if isinstance(each, Path) else ():
            digest.update(f"{path}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
        digest.update(f"{each}\0".encode())
    return digest.hexdigest()


@contextlib.contextmanager
def print_duration(name: str) -> Iterator[None]:
    print(f"  {name:<22} ", end="", flush=True)
    start = time.monotonic()
    try:
        yield
    except BaseException:
        print("stopped", flush=True)
        raise
    print(f"{time.monotonic() - start:.1f} s", flush=True)


@contextlib.contextmanager
def setup_lock() -> Iterator[None]:
    """Let one process at a time set up this checkout; others print a line and wait. Reentrant.

    The lock ends with the process that holds it, so there are no stale locks.
    """
    global _setup_depth  # noqa: PLW0603 - one lock per process, as the system counts it
    if _setup_depth:
        yield
        return
    VAR.mkdir(exist_ok=True)
    with (VAR / "setup.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            print(f"  Another dev.py (process {file.read().strip() or 'unknown'}) is setting up; waiting.", flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        _setup_depth = 1
        try:
            yield
        finally:
            _setup_depth = 0


def run_step(name: str, key: str, output: Path, action: Callable[[], object]) -> None:
    """Run the action unless it ran before with the same inputs (`key`) and its output still exists."""
    stamp = STAMPS / name.lower().replace(" ", "-")
    with setup_lock():
        if output.exists() and stamp.exists() and stamp.read_text() == key:
            print(f"  {name:<22} up to date", flush=True)
            return
        stamp.unlink(missing_ok=True)
        with print_duration(name):
            action()
        STAMPS.mkdir(parents=True, exist_ok=True)
        stamp.write_text(key)
