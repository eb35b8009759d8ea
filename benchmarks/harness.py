"""Run a server on a database of its own, measure its responses, and print the results."""

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

from config.testing import RealServer, find_free_port

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE_FOLDER = ROOT / "var" / "benchmarks"
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
# All requests come from one IP address.
UNLIMITED = dict.fromkeys(
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
    "1000000",
)


# --- The server -------------------------------------------------------------------------------


@dataclass
class Site(RealServer):
    """A running server, as in production; with a second one on the same database where a benchmark needs it."""

    stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def list_processes(self) -> list[int]:
        """List the server's processes: the one that was start_site and its workers."""
        assert self.process is not None  # noqa: S101 - a site is running
        pids = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdecimal():
                with contextlib.suppress(OSError):
                    fields = (folder / "stat").read_text().rpartition(")")[2].split()
                    # The session ID: the server leads a session of its own.
                    if int(fields[3]) == self.process.pid:
                        pids.append(int(folder.name))
        return pids

    def get_cpu_seconds(self) -> float:
        """Return the CPU time of the server's processes so far, in seconds."""
        spent = 0
        for pid in self.list_processes():
            with contextlib.suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                spent += int(fields[11]) + int(fields[12])
        return spent / TICKS_PER_SECOND

    def start_second_server(self, **environment: str) -> "Site":
        """Start another server on the same database, with other settings."""
        return start_site(self.stack, self.log.parent, self.database_url, environment)

    def call_django(self, function: str, *arguments: Any) -> Any:
        """Call a function (`module:name`) with Django set up on this database; return its result, passed as JSON."""
        return call_django(self.environment, function, *arguments)

    def sign_in(self, email: str, password: str, role: str) -> str:
        """Sign a user in; return the token."""
        body = json.dumps({"email": email, "password": password, "role": role}).encode()
        status, answer = send_request(self.port, build_request("POST", "/api/auth/login", body))
        if status != 200:
            raise RuntimeError(f"{email} can't sign in: {answer!r}")
        return str(json.loads(answer)["data"]["token"])


def call_django(environment: Mapping[str, str], function: str, *arguments: Any) -> Any:
    """Run `benchmarks/call_django.py` in that environment; raise RuntimeError with its output if it fails."""
    command = [sys.executable, "-m", "benchmarks.call_django", function, *map(json.dumps, arguments)]
    result = subprocess.run(command, cwd=ROOT, env=dict(environment), capture_output=True, text=True, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout.strip().rsplit("\n", 1)[-1])


def build_environment(database_url: str, folder: Path, url: str, **environment: str) -> dict[str, str]:
    """Return the environment of a production server."""
    return {
        **os.environ,
        **UNLIMITED,
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


def start_site(
    stack: contextlib.ExitStack, folder: Path, database_url: str, environment: Mapping[str, str], workers: int = 1
) -> Site:
    """Start a server on that database; it stops with `stack`."""
    url = f"http://127.0.0.1:{find_free_port()}"
    settings = build_environment(database_url, folder, url, **environment)
    started = Site(url, database_url, settings, log=folder / f"{url.rsplit(':', 1)[1]}.log", stack=stack)
    stack.callback(started.stop)
    started.start(workers=workers)
    return started


@contextlib.contextmanager
def run_site(
    engine: str = "postgresql",
    *,
    seed: Sequence[str] = (),
    prepare: str = "",
    workers: int = 1,
    env: Mapping[str, str] | None = None,
) -> Iterator[Site]:
    """Run a server as in production on a database of its own; drop the database afterwards.

    The database is copied from a template, which is kept for the day, since appointments are created around today.

    Args:
        engine: `postgresql` or `sqlite`.
        seed: The arguments of `manage.py seed_demo`.
        prepare: A function (`module:name`) that adds to the seeded database.
        workers: The number of worker processes.
        env: Settings of the server.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wellhour-bench-")))
        copy = copy_sqlite_template if engine == "sqlite" else copy_postgresql_template
        database_url = stack.enter_context(copy(folder, tuple(seed), prepare))
        yield start_site(stack, folder, database_url, env or {}, workers)


def hash_template(seed: Sequence[str], prepare: str) -> str:
    """Return a hash of what determines a template's content."""
    sources = sorted([*ROOT.glob("*/migrations/*.py"), *ROOT.glob("adminpanel/operations/seeding/*")])
    if prepare:
        sources.append(ROOT / f"{prepare.partition(':')[0].replace('.', '/')}.py")
    digest = hashlib.sha256(repr((seed, prepare, datetime.now(UTC).date())).encode())
    for source in sources:
        if source.is_file():
            digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def fill_database(database_url: str, seed: Sequence[str], prepare: str) -> None:
    """Migrate an empty database and fill it."""
    folder = Path(tempfile.mkdtemp(prefix="wellhour-bench-"))
    try:
        settings = build_environment(database_url, folder, "http://127.0.0.1", ENVIRONMENT="development")
        for command in (["migrate", "--verbosity", "0"], ["seed_demo", *seed]):
            subprocess.run([sys.executable, "manage.py", *command], cwd=ROOT, env=settings, check=True)
        if prepare:
            call_django(settings, prepare)
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def copy_sqlite_template(folder: Path, seed: Sequence[str], prepare: str) -> Iterator[str]:
    """Copy the template, created first if it is missing; yield the copy's URL."""
    TEMPLATE_FOLDER.mkdir(parents=True, exist_ok=True)
    template = TEMPLATE_FOLDER / f"{hash_template(seed, prepare)}.sqlite3"
    if not template.exists():
        half = template.with_suffix(".half")
        for leftover in TEMPLATE_FOLDER.glob(f"{half.name}*"):
            leftover.unlink()
        fill_database(f"sqlite:///{half}", seed, prepare)
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
def copy_postgresql_template(folder: Path, seed: Sequence[str], prepare: str) -> Iterator[str]:
    """Copy the template, created first if it is missing; yield the copy's URL, and drop the copy."""
    server = os.environ["BENCHMARK_POSTGRESQL"]
    parts = urlsplit(server)
    template = f"wellhour_bench_{hash_template(seed, prepare)}"
    copy = f"{template}_{uuid.uuid4().hex[:6]}"

    def get_url(name: str) -> str:
        return urlunsplit((*parts[:2], f"/{name}", *parts[3:]))

    with psycopg.connect(server, autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone()
        if not exists:
            half = f"{template}_half"
            connection.execute(f"DROP DATABASE IF EXISTS {half} WITH (FORCE)".encode())
            connection.execute(f"CREATE DATABASE {half}".encode())
            fill_database(get_url(half), seed, prepare)
            with psycopg.connect(get_url(half), autocommit=True) as filled:
                filled.execute("VACUUM (ANALYZE)")
            connection.execute(f"ALTER DATABASE {half} RENAME TO {template}".encode())
        connection.execute(f"CREATE DATABASE {copy} TEMPLATE {template}".encode())
        try:
            yield get_url(copy)
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)".encode())


def drop_templates() -> None:
    """Delete all kept templates."""
    shutil.rmtree(TEMPLATE_FOLDER, ignore_errors=True)
    with psycopg.connect(os.environ["BENCHMARK_POSTGRESQL"], autocommit=True) as connection:
        names = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'wellhour_bench_%'").fetchall()
        for (name,) in names:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


# --- Requests ---------------------------------------------------------------------------------


def build_request(method: str, path: str, body: bytes = b"", *, token: str = "", **headers: str) -> bytes:
    """Return an HTTP/1.1 request that keeps the connection open."""
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


def parse_response(received: bytes) -> tuple[int, bytes, int] | None:
    """Return the status, body and length in bytes of the first response, or None while it is incomplete."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = received[:end].lower()
    status = int(head[9:12])
    at = head.find(b"content-length:")
    if at < 0 and status not in {204, 304}:
        raise RuntimeError("these benchmarks need responses with a Content-Length")
    length = int(head[at + 15 :].split(b"\r", 1)[0]) if at >= 0 and status != 304 else 0
    if len(received) < end + 4 + length:
        return None
    return status, received[end + 4 : end + 4 + length], end + 4 + length


def send_request(port: int, content: bytes) -> tuple[int, bytes]:
    """Send one request on a connection of its own; return status and body."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(content)
        received = b""
        while (answer := parse_response(received)) is None:
            more = connection.recv(1 << 16)
            if not more:
                raise RuntimeError(f"cut off after {received[:200]!r}")
            received += more
        return answer[0], answer[1]


@dataclass(frozen=True)
class Case:
    """A request to measure, as bytes or as a function of its number, and the statuses that are expected."""

    port: int
    content: bytes | Callable[[int], bytes]
    statuses: frozenset[int] = frozenset({200})
    site: Site | None = None

    @classmethod
    def for_site(cls, site: Site, content: bytes | Callable[[int], bytes], *statuses: int) -> "Case":
        """Return a case whose CPU time is measured, too."""
        return cls(site.port, content, frozenset(statuses or {200}), site)


@dataclass(frozen=True)
class Figures:
    """Medians: responses per second, times in ms, and the server's CPU time per response in ms."""

    per_second: float
    p50_ms: float
    p95_ms: float
    cpu_ms: float
    response_count: int = 0

    @classmethod
    def combine(cls, several: Sequence["Figures"]) -> "Figures":
        """Return the median of each figure."""
        names = ("per_second", "p50_ms", "p95_ms", "cpu_ms")
        values = {name: statistics.median(getattr(one, name) for one in several) for name in names}
        return cls(**values, response_count=sum(one.response_count for one in several))


@dataclass
class Connection:
    """A connection that sends a request, waits for the response and sends the next one."""

    socket: socket.socket
    number: int = 0
    started_at: float = 0.0
    received: bytes = b""


def measure_load(case: Case, *, seconds: float, clients: int, first: int = 0) -> tuple[Figures, int]:
    """Send requests with several clients for `seconds`; return the figures and the number of the next request."""
    times: list[float] = []
    number = first
    before = case.site.get_cpu_seconds() if case.site else 0.0
    with selectors.DefaultSelector() as waiting, contextlib.ExitStack() as stack:

        def send(line: Connection) -> None:
            nonlocal number
            line.number, line.received, number = number, b"", number + 1
            content = case.content if isinstance(case.content, bytes) else case.content(line.number)
            line.started_at = time.perf_counter()
            line.socket.sendall(content)

        began = time.perf_counter()
        for _ in range(clients):
            line = Connection(stack.enter_context(socket.create_connection(("127.0.0.1", case.port), timeout=60)))
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
                answer = parse_response(line.received)
                if answer is None:
                    continue
                now = time.perf_counter()
                if answer[0] not in case.statuses:
                    raise RuntimeError(f"{answer[0]} instead of {set(case.statuses)}: {answer[1][:500]!r}")
                times.append((now - line.started_at) * 1000)
                if now - began < seconds:
                    send(line)
                else:
                    busy -= 1
        lasted = time.perf_counter() - began
    spent = case.site.get_cpu_seconds() - before if case.site else 0.0
    times.sort()
    figures = Figures(
        len(times) / lasted,
        times[len(times) // 2],
        times[int(len(times) * 0.95)],
        spent * 1000 / len(times),
        len(times),
    )
    return figures, number


def measure_interleaved(
    cases: Mapping[str, Case], *, rounds: int = 6, seconds: float = 1.5, clients: int = 4
) -> dict[str, Figures]:
    """Measure the cases in turn, several rounds; return the medians without the first round."""
    rounds_by_name: dict[str, list[Figures]] = {name: [] for name in cases}
    numbers = dict.fromkeys(cases, 0)
    for _ in range(rounds):
        for name, case in cases.items():
            figures, numbers[name] = measure_load(case, seconds=seconds, clients=clients, first=numbers[name])
            rounds_by_name[name].append(figures)
    return {name: Figures.combine(several[1:] or several) for name, several in rounds_by_name.items()}


# --- Printing ---------------------------------------------------------------------------------


class Table:
    """Prints the rows of a table, and remembers which targets were missed."""

    def __init__(self, title: str, columns: Sequence[str], widths: Sequence[int] = ()) -> None:
        self.widths = list(widths) or [44, *[12] * (len(columns) - 1)]
        self.missed: list[str] = []
        print(f"\n{title}")
        self.print_row(*columns)

    def print_row(self, *cells: object) -> None:
        """Print a row with numbers aligned right."""
        texts = [
            f"{cell:{width}}"
            if isinstance(cell, str) and at == 0
            else f"{cell if isinstance(cell, str) else f'{cell:,.2f}':>{width}}"
            for at, (cell, width) in enumerate(zip(cells, self.widths, strict=False))
        ]
        print("  ".join(texts).rstrip(), flush=True)

    def print_ratio(
        self, name: str, value: float, *, minimum: float | None = None, maximum: float | None = None
    ) -> None:
        """Print a ratio, its target, and whether it is met."""
        holds = (minimum is None or value >= minimum) and (maximum is None or value <= maximum)
        target = f"≥ {minimum:g}" if minimum is not None else f"≤ {maximum:g}" if maximum is not None else ""
        if not holds:
            self.missed.append(name)
        self.print_row(name, f"{value:.2f}", target, ("holds" if holds else "MISSED") if target else "")


FIGURE_COLUMNS = ("what", "per second", "p50 ms", "p95 ms", "CPU ms")
RATIO_COLUMNS = ("ratio", "value", "target", "")


def print_figures(title: str, figures: Mapping[str, Figures]) -> Table:
    """Print and return a table of figures."""
    table = Table(title, FIGURE_COLUMNS)
    for name, each in figures.items():
        table.print_row(name, each.per_second, each.p50_ms, each.p95_ms, each.cpu_ms)
    return table


def get_engine(arguments: Sequence[str]) -> str:
    """Return the database engine that the command line names."""
    return "sqlite" if "sqlite" in arguments else "postgresql"
