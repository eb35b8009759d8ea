"""A separate PostgreSQL server that tests can kill, pause and restart."""

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from config.testing import find_free_port

START_SECONDS = 60


def programs() -> Path:
    """Find the newest server of the system that brings what is needed, else the one of the wheel."""
    found = [path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    newest = sorted(found, key=lambda path: int(re.sub(r"\D", "", path.parent.name) or 0))
    if newest:
        return newest[-1]
    import pgserver

    return Path(pgserver.__file__).parent / "pginstall" / "bin"


class OwnPostgresql:
    """The server's processes and its folder."""

    def __init__(self, folder: Path, user: str | None) -> None:
        self.folder = folder
        self.bin = programs()
        self.port = find_free_port()
        self.url = f"postgresql://tester@127.0.0.1:{self.port}/postgres"
        # It refuses to run as root.
        self.options: dict[str, Any] = (
            {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []} if user else {}
        )
        self.process: subprocess.Popen[bytes] | None = None
        words = ["-U", "tester", "--auth=trust", "-E", "UTF8", "--locale=C", "--data-checksums", "--wal-segsize=1"]
        self._run("initdb", "-D", str(folder / "data"), *words)

    def _run(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [str(self.bin / program), *words], check=False, cwd="/", capture_output=True, text=True, **self.options
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process is None or self.process.poll() is not None:
                # A child of a killed server may hold its memory for a moment more.
                argv = [str(self.bin / "postgres"), "-D", str(self.folder / "data"), "-p", str(self.port)]
                argv += ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]
                self.process = subprocess.Popen(
                    argv, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **self.options
                )
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
                return
            time.sleep(0.1)
        raise RuntimeError("PostgreSQL did not start.")

    def family(self) -> list[int]:
        """Return its processes, the one that begets the others first."""
        assert self.process
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
        return [self.process.pid, *(pid for pid, parent in pairs if parent == self.process.pid)]

    def signal_all(self, number: int) -> None:
        # Twice: what was begotten before the first one stood still is met by the second.
        for _ in range(2):
            for pid in self.family():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)

    def kill(self) -> None:
        """End all of it at once, as a machine that loses its power does to its processes."""
        assert self.process
        self.signal_all(signal.SIGKILL)
        self.process.wait()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Let it stand still for as long as the block runs."""
        self.signal_all(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal_all(signal.SIGCONT)


@contextlib.contextmanager
def own_postgresql(place: Path | None = None) -> Iterator[OwnPostgresql]:
    """Make one, in a place that it may enter if one is given, start it, and take it away."""
    user = None
    # Beside pytest's own folders, which nobody else may enter.
    folder = Path(tempfile.mkdtemp(prefix="wellhour-own-", dir=place))
    if os.geteuid() == 0:
        user = next(name for name in ("postgres", "nobody") if name in {entry.pw_name for entry in pwd.getpwall()})
        shutil.chown(folder, user)
    server: OwnPostgresql | None = None
    try:
        server = OwnPostgresql(folder, user)
        server.start()
        yield server
    finally:
        if server is not None and server.process and server.process.poll() is None:
            server.signal_all(signal.SIGCONT)
            server.kill()
        shutil.rmtree(folder, ignore_errors=True)
