"""A real server on a database of its own, what is asked of it in turn, and what is printed about it."""

import contextlib
import hashlib
import json
import os
import selectors
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg

from config.testing import RealServer, free_port

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "benchmarks"
ENGINES = ("postgresql", "sqlite")
TICKS = os.sysconf("SC_CLK_TCK")
MOST = "1000000000"
# What refuses people who ask too often: here one machine asks for everybody.
WITHOUT_LIMITS = dict.fromkeys(
    (
        "MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT",
        "MAX_SIGN_IN_ATTEMPTS_PER_IP",
        "MAX_REGISTRATIONS_PER_IP",
        "MAX_HOLDS_PER_IP",
        "MAX_HOLD_ATTEMPTS",
        "MAX_APPOINTMENT_CHANGES_PER_PATIENT",
        "MAX_OPEN_REQUESTS_PER_PATIENT",
        "MAX_OPEN_REQUESTS_UNCONFIRMED",
        "MIN_NETWORK_SHARE",
        "MAX_BOOKINGS_PER_HOUR",
        "MAX_UNKNOWN_IDS_PER_IP",
    ),
    MOST,
)


# --- The server -------------------------------------------------------------------------------


@dataclass
class Site(RealServer):
    """A running server, as in production; `beside` starts another one on the same database."""

    stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def processes(self) -> list[int]:
        """List the server's processes: the one that was started and its workers."""
        assert self.process is not None  # noqa: S101 - a site is running
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with contextlib.suppress(OSError):
                    fields = (folder / "stat").read_text().rpartition(")")[2].split()
                    # Its session: the server leads one of its own.
                    if int(fields[3]) == self.process.pid:
                        found.append(int(folder.name))
        return found

    def cpu_seconds(self) -> float:
        """Return the CPU time that the server's processes have used so far, in seconds."""
        spent = 0
        for pid in self.processes():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                spent += int(fields[11]) + int(fields[12])
        return spent / TICKS

    def memory_bytes(self) -> dict[int, int]:
        """Return the resident bytes of each process, those that it shares with others included."""
        pages = {pid: int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.processes()}
        return {pid: count * os.sysconf("SC_PAGE_SIZE") for pid, count in pages.items()}

    def start_second_server(self, **environment: str) -> "Site":
        """Start another server on the same database, with other settings."""
        return started(self.stack, self.log.parent, self.database_url, environment)

    def ask_inside(self, function: str, *arguments: Any) -> Any:
        """Call a function (`module:name`) with Django set up on this database; it answers in JSON."""
        return inside(self.environment, function, *arguments)

    def token(self, email: str, password: str, role: str) -> str:
        """Sign somebody in; return the token."""
        body = json.dumps({"email": email, "password": password, "role": role}).encode()
        status, answer = ask(self.port, request("POST", "/api/auth/login", body))
        if status != 200:
            raise RuntimeError(f"{email} can't sign in: {answer!r}")
        return str(json.loads(answer)["data"]["token"])


def inside(environment: Mapping[str, str], function: str, *arguments: Any) -> Any:
    """Run `benchmarks/inside.py` in that environment; raises with what it printed when it fails."""
    command = [sys.executable, "-m", "benchmarks.inside", function, *map(json.dumps, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout.strip().rsplit("\n", 1)[-1])


def settings_of(database_url: str, folder: Path, url: str, **environment: str) -> dict[str, str]:
    """Return the environment of a production server."""
    return {
        **os.environ,
        **WITHOUT_LIMITS,
        "MAX_CPU_MS_PER_IP": "0",
        "MAX_CPU_MS_PER_USER": "0",
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "ENVIRONMENT": "production",
        "SECRET_KEY": "of-no-use-anywhere-else-" * 4,
        "ALLOWED_HOSTS": "127.0.0.1",
        "SECURE_SSL_REDIRECT": "false",
        "BASE_URL": url.replace("http:", "https:"),
        "DATABASE_URL": database_url,
        "MEDIA_ROOT": str(folder / "media"),
        "RECORDS_ROOT": str(folder / "records"),
        "EMAIL_URL": "smtp://127.0.0.1:9",
        "DEFAULT_FROM_EMAIL": "visits@practice.example",
        "DELIVERY": "off",
        "HOUSEKEEPING": "off",
        **environment,
    }


def started(
    stack: contextlib.ExitStack, folder: Path, database_url: str, environment: Mapping[str, str], workers: int = 1
) -> Site:
    """Start a server on that database; it ends with `stack`."""
    url = f"http://127.0.0.1:{free_port()}"
    settings = settings_of(database_url, folder, url, **environment)
    site = Site(url, database_url, settings, log=folder / f"{url.rsplit(':', 1)[1]}.log", stack=stack)
    stack.callback(site.stop)
    site.start(workers=workers)
    return site


@contextlib.contextmanager
def site(
    engine: str = "postgresql",
    *,
    seed: Sequence[str] = (),
    also: str = "",
    workers: int = 1,
    env: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """Run a server as in production on a database of its own; it and the database go afterwards.

    `seed` is what `manage.py seed_demo` is told, `also` a function (`module:name`) that adds to that. What they make is
    kept as a template for the day, since appointments are made around today.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wellhour-bench-")))
        copy = copied_sqlite if engine == "sqlite" else copied_postgresql
        database_url = stack.enter_context(copy(folder, tuple(seed), also))
        yield started(stack, folder, database_url, env or {}, workers)


def key_of(seed: Sequence[str], also: str) -> str:
    """Name a template by what it is made from."""
    sources = sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("adminpanel/operations/seeding/*")])
    if also:
        sources.append(ROOT / f"{also.partition(':')[0].replace('.', '/')}.py")
    told = hashlib.sha256(repr((seed, also, datetime.now(UTC).date())).encode())
    for source in sources:
        if source.is_file():
            told.update(source.read_bytes())
    return told.hexdigest()[:12]


def fill(database_url: str, seed: Sequence[str], also: str) -> None:
    """Migrate an empty database and fill it."""
    folder = Path(tempfile.mkdtemp(prefix="wellhour-bench-"))
    try:
        settings = settings_of(database_url, folder, "http://127.0.0.1", ENVIRONMENT="development")
        for command in (["migrate", "--verbosity", "0"], ["seed_demo", *seed]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=settings, check=True)
        if also:
            inside(settings, also)
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def copied_sqlite(folder: Path, seed: Sequence[str], also: str) -> Iterator[str]:
    """Copy the template's file, made first where it is missing; return the copy's URL."""
    KEPT.mkdir(parents=True, exist_ok=True)
    template = KEPT / f"{key_of(seed, also)}.sqlite3"
    if not template.exists():
        half = template.with_suffix(".half")
        for leftover in KEPT.glob(f"{half.name}*"):
            leftover.unlink()
        fill(f"sqlite:///{half}", seed, also)
        with contextlib.closing(__import__("sqlite3").connect(half)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("ANALYZE")
            database.commit()
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        half.rename(template)
    copy = folder / "bench.sqlite3"
    shutil.copy(template, copy)
    yield f"sqlite:///{copy}"


@contextlib.contextmanager
def copied_postgresql(folder: Path, seed: Sequence[str], also: str) -> Iterator[str]:
    """Copy the template database, made first where it is missing; return the copy's URL, dropped afterwards."""
    server = os.environ["BENCHMARK_POSTGRESQL"]
    parts = urlsplit(server)
    template = f"wellhour_bench_{key_of(seed, also)}"
    copy = f"{template}_{uuid.uuid4().hex[:6]}"

    def at(name: str) -> str:
        return urlunsplit((*parts[:2], f"/{name}", *parts[3:]))

    with psycopg.connect(server, autocommit=True) as connection:
        found = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone()
        if not found:
            half = f"{template}_half"
            connection.execute(f"DROP DATABASE IF EXISTS {half} WITH (FORCE)".encode())
            connection.execute(f"CREATE DATABASE {half}".encode())
            fill(at(half), seed, also)
            with psycopg.connect(at(half), autocommit=True) as filled:
                filled.execute("VACUUM (ANALYZE)")
            connection.execute(f"ALTER DATABASE {half} RENAME TO {template}".encode())
        connection.execute(f"CREATE DATABASE {copy} TEMPLATE {template}".encode())
        try:
            yield at(copy)
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)".encode())


def forget_templates() -> None:
    """Drop what was kept of the templates."""
    shutil.rmtree(KEPT, ignore_errors=True)
    with psycopg.connect(os.environ["BENCHMARK_POSTGRESQL"], autocommit=True) as connection:
        names = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'wellhour_bench_%'").fetchall()
        for (name,) in names:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


# --- Asking -----------------------------------------------------------------------------------


def request(method: str, path: str, body: bytes = b"", *, token: str = "", **headers: str) -> bytes:
    """Write an HTTP/1.1 request; the connection stays open for the next one."""
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: 127.0.0.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def taken_apart(received: bytes) -> tuple[int, bytes, int] | None:
    """Read one answer from what has come so far: status, body, and how many bytes it took; None while it goes on."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = received[:end].lower()
    status = int(head[9:12])
    at = head.find(b"content-length:")
    if at < 0 and status not in {204, 304}:
        raise RuntimeError("an answer without its length is not for these benchmarks")
    length = int(head[at + 15 :].split(b"\r", 1)[0]) if at >= 0 and status != 304 else 0
    if len(received) < end + 4 + length:
        return None
    return status, received[end + 4 : end + 4 + length], end + 4 + length


def ask(port: int, what: bytes) -> tuple[int, bytes]:
    """Ask once, on a connection of its own; return status and body."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(what)
        received = b""
        while (answer := taken_apart(received)) is None:
            more = connection.recv(1 << 16)
            if not more:
                raise RuntimeError(f"cut off after {received[:200]!r}")
            received += more
        return answer[0], answer[1]


@dataclass(frozen=True)
class Case:
    """What is asked: bytes, or a function that makes them for the n-th time; and the statuses that may come back."""

    port: int
    what: bytes | Callable[[int], bytes]
    expect: frozenset[int] = frozenset({200})
    site: Site | None = None

    @classmethod
    def of(cls, site: Site, what: bytes | Callable[[int], bytes], *expect: int) -> "Case":
        """Ask this site; its CPU time is measured too."""
        return cls(site.port, what, frozenset(expect or {200}), site)


@dataclass(frozen=True)
class Figures:
    """Medians of the repetitions: answers a second, times in ms, the server's CPU time for each in ms."""

    per_second: float
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    answered: int = 0

    @classmethod
    def median(cls, several: Sequence["Figures"]) -> "Figures":
        """Take each figure's median."""
        names = ("per_second", "p50_ms", "p95_ms", "cpu_ms")
        values = {name: statistics.median(getattr(one, name) for one in several) for name in names}
        return cls(**values, answered=sum(one.answered for one in several))


@dataclass
class Line:
    """A connection that asks, waits and asks again."""

    socket: socket.socket
    number: int = 0
    began: float = 0.0
    received: bytes = b""


def flood(case: Case, *, seconds: float, clients: int, first: int = 0) -> tuple[Figures, int]:
    """Ask with so many clients at once for so long; return the figures and the number of the next request."""
    times: list[float] = []
    number = first
    before = case.site.cpu_seconds() if case.site else 0.0
    with selectors.DefaultSelector() as waiting, contextlib.ExitStack() as stack:

        def send(line: Line) -> None:
            nonlocal number
            line.number, line.received, number = number, b"", number + 1
            what = case.what if isinstance(case.what, bytes) else case.what(line.number)
            line.began = time.perf_counter()
            line.socket.sendall(what)

        began = time.perf_counter()
        for _ in range(clients):
            line = Line(stack.enter_context(socket.create_connection(("127.0.0.1", case.port), timeout=60)))
            line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            waiting.register(line.socket, selectors.EVENT_READ, line)
            send(line)
        busy = clients
        while busy:
            for key, _ in waiting.select(60):
                line = key.data
                more = line.socket.recv(1 << 18)
                if not more:
                    raise RuntimeError(f"cut off after {line.received[:300]!r}")
                line.received += more
                answer = taken_apart(line.received)
                if answer is None:
                    continue
                now = time.perf_counter()
                if answer[0] not in case.expect:
                    raise RuntimeError(f"{answer[0]} instead of {set(case.expect)}: {answer[1][:500]!r}")
                times.append((now - line.began) * 1000)
                if now - began < seconds:
                    send(line)
                else:
                    busy -= 1
        lasted = time.perf_counter() - began
    spent = case.site.cpu_seconds() - before if case.site else 0.0
    times.sort()
    figures = Figures(
        len(times) / lasted,
        times[len(times) // 2],
        times[int(len(times) * 0.95)],
        spent * 1000 / len(times),
        len(times),
    )
    return figures, number


def interleaved(
    cases: Mapping[str, Case], *, rounds: int = 6, seconds: float = 1.5, clients: int = 4
) -> dict[str, Figures]:
    """Ask each case in turn, so many rounds; the first is left out, and of the others each figure's median taken."""
    found: dict[str, list[Figures]] = {name: [] for name in cases}
    numbers = dict.fromkeys(cases, 0)
    for _ in range(rounds):
        for name, case in cases.items():
            figures, numbers[name] = flood(case, seconds=seconds, clients=clients, first=numbers[name])
            found[name].append(figures)
    return {name: Figures.median(several[1:] or several) for name, several in found.items()}


# --- Printing ---------------------------------------------------------------------------------


class Table:
    """Lines of a table, printed as they come; remembers which targets were missed."""

    def __init__(self, title: str, columns: Sequence[str], widths: Sequence[int] = ()) -> None:
        self.widths = list(widths) or [44, *[12] * (len(columns) - 1)]
        self.missed: list[str] = []
        print(f"\n{title}")
        self.line(*columns)

    def line(self, *cells: object) -> None:
        """Print one line; numbers stand to the right."""
        texts = [
            f"{cell:{width}}"
            if isinstance(cell, str) and at == 0
            else f"{cell if isinstance(cell, str) else f'{cell:,.2f}':>{width}}"
            for at, (cell, width) in enumerate(zip(cells, self.widths, strict=False))
        ]
        print("  ".join(texts).rstrip(), flush=True)

    def figures(self, name: str, figures: Figures) -> None:
        """Print a line of figures: answers a second, median, 95th percentile, CPU."""
        self.line(name, figures.per_second, figures.p50_ms, figures.p95_ms, figures.cpu_ms)

    def ratio(self, name: str, value: float, *, least: float | None = None, most: float | None = None) -> None:
        """Print a ratio, its target, and whether it holds."""
        holds = (least is None or value >= least) and (most is None or value <= most)
        target = f"≥ {least:g}" if least is not None else f"≤ {most:g}" if most is not None else ""
        if not holds:
            self.missed.append(name)
        self.line(name, f"{value:.2f}", target, ("holds" if holds else "MISSED") if target else "")


FIGURES = ("what", "a second", "p50 ms", "p95 ms", "CPU ms")
RATIOS = ("ratio", "is", "wanted", "")
