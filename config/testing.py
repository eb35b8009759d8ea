"""Pytest plugin, loaded before Django's settings: a test run is its own environment.

Provides `real_server`: the production server in processes and on a database of its own.
"""

import atexit
import contextlib
import functools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

os.environ.setdefault("ENVIRONMENT", "test")

ROOT = Path(__file__).resolve().parent.parent
READY_SECONDS = 30


@dataclass
class RealServer:
    """A running server, with access to its database."""

    url: str
    database_url: str
    environment: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    log: Path = field(default_factory=Path)
    # The release that it runs, and that release's Python.
    root: Path = ROOT
    python: str = sys.executable

    @property
    def is_sqlite(self) -> bool:
        return self.database_url.startswith("sqlite")

    def manage(self, *arguments: str) -> str:
        """Run a management command on the server's database; return its output."""
        return subprocess.run(
            [self.python, "manage.py", *arguments],
            cwd=self.root,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def sql(self, statement: str) -> list[Any]:
        """Run an SQL statement on the server's database; return its rows."""
        if self.is_sqlite:
            import sqlite3

            with contextlib.closing(
                sqlite3.connect(self.database_url.removeprefix("sqlite:///"), timeout=20)
            ) as database:
                rows = database.execute(statement).fetchall()
                database.commit()
                return rows
        import psycopg

        with psycopg.connect(self.database_url, autocommit=True) as connection:
            # The limits of the database role are not meant for tests.
            connection.execute("SET statement_timeout = 0")
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def start(self, *, workers: int = 1) -> None:
        """Start the production server, as `dev.py run` does, and wait until it is ready."""
        command = [
            self.python,
            "-m",
            "granian",
            "--interface",
            "asginl",
            "--http",
            "1",
            "--no-ws",
            "--host",
            "127.0.0.1",
        ]
        command += ["--port", self.url.rpartition(":")[2], "--workers", str(workers)]
        command += ["--backpressure", "256", "--respawn-failed-workers", "--no-access-log", "config.asgi:application"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.root,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        wait_until_ready(self)

    def stop(self) -> None:
        """Stop the server and all its workers."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(15)


def find_free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def create_database(folder: Path, *, template: str = "") -> Iterator[str]:
    """Create a database, empty or a copy of the one at the URL `template`; yield its URL, and drop it afterwards."""
    url = os.environ.get("DATABASE_URL", "")
    if not url.startswith("postgres"):
        file = folder / "server.sqlite3"
        if template:
            shutil.copy(template.removeprefix("sqlite:///"), file)
        yield f"sqlite:///{file}"
        return
    import psycopg

    parts = urlsplit(url)
    # Named after the run's own database, so that cleaning that up finds these too.
    name = f"{parts.path.strip('/')}_{uuid.uuid4().hex[:8]}"
    clause = f" TEMPLATE {urlsplit(template).path.strip('/')}" if template else ""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}{clause}".encode())
        try:
            yield urlunsplit((*parts[:2], f"/{name}", *parts[3:]))
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())


@contextlib.contextmanager
def create_migrated_database(folder: Path) -> Iterator[str]:
    """Create a migrated database without users; yield its URL, and drop it afterwards."""
    with create_database(folder, template=get_template_url()) as url:
        yield url


# Closed at the end of the test run, or at the latest when the process ends.
CLEANUP = contextlib.ExitStack()
atexit.register(CLEANUP.close)


@functools.cache
def get_template_url() -> str:
    """Migrate one database per run and return its URL; copying it is faster than migrating each."""
    folder = Path(CLEANUP.enter_context(tempfile.TemporaryDirectory(prefix="wellhour-")))
    url = CLEANUP.enter_context(create_database(folder))
    build_server(folder, url).manage("migrate", "--verbosity", "0")
    return url


def pytest_sessionfinish() -> None:
    """Drop the template database."""
    get_template_url.cache_clear()
    CLEANUP.close()


@contextlib.contextmanager
def run_server(folder: Path, *, workers: int = 1, host: str = "127.0.0.1", **environment: str) -> Iterator[RealServer]:
    """Run the production server on an empty, migrated database; `environment` adds settings.

    Passkeys need a `host` that is a name, not an IP address.
    """
    with create_migrated_database(folder) as database_url:
        server = build_server(folder, database_url, host, **environment)
        try:
            server.start(workers=workers)
            yield server
        finally:
            server.stop()


def build_server(folder: Path, database_url: str, host: str = "127.0.0.1", **environment: str) -> RealServer:
    """Return a server that is not started yet; `environment` adds settings."""
    url = f"http://{host}:{find_free_port()}"
    return RealServer(
        url,
        database_url,
        {
            **os.environ,
            "ENVIRONMENT": "test",
            "DATABASE_URL": database_url,
            "MEDIA_ROOT": str(folder / "media"),
            "RECORDS_ROOT": str(folder / "records"),
            "BASE_URL": url,
            "WORKER_THREADS": "16",
            "MAX_REGISTRATIONS_PER_IP": "100000",
            "MAX_APPOINTMENT_CHANGES_PER_PATIENT": "100000",
            "MAX_SIGN_IN_ATTEMPTS_PER_IP": "100000",
            "MAX_SIGN_INS_PER_HOUR": "100000",
            "MAX_OPEN_REQUESTS_PER_PATIENT": "100000",
            "MAX_OPEN_REQUESTS_UNCONFIRMED": "100000",
            "MAX_NETWORK_SHARE_PERCENT": "100",
            "MIN_NETWORK_SHARE": "100000",
            "MAX_BOOKINGS_PER_HOUR": "100000",
            "MAX_HOLD_ATTEMPTS": "100000",
            "MAX_UNKNOWN_IDS_PER_IP": "100000",
            "MAX_UNKNOWN_IDS_PER_USER": "100000",
            **environment,
        },
        log=folder / "server.log",
    )


def wait_until_ready(server: RealServer) -> None:
    """Wait for `/readyz`; raise RuntimeError with the server's log if it does not become ready."""
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        address = f"{server.url}/readyz"
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2) as response:  # noqa: S310 - our own
            if response.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError(f"The server did not become ready:\n{server.log.read_text()}")


@pytest.fixture
def real_server(tmp_path: Path) -> Iterator[Callable[..., RealServer]]:
    """Return a function that starts servers, each on a database of its own; they stop with the test."""
    with contextlib.ExitStack() as stack:

        def start(**settings: Any) -> RealServer:
            folder = tmp_path / uuid.uuid4().hex[:8]
            folder.mkdir()
            return stack.enter_context(run_server(folder, **settings))

        yield start


@dataclass
class Users:
    """Users of all roles."""

    patient: Any
    other_patient: Any
    doctor: Any
    other_doctor: Any
    unapproved_doctor: Any
    admin: Any
    deactivated: Any


@pytest.fixture
def users(db: None) -> Users:
    """Create two patients, three doctors (their profiles), an admin and a patient whose account is deactivated.

    They are inserted in bulk because most tests use this fixture.
    """
    from accounts.models import AccountStatus, PatientDetails, User
    from accounts.tests.factories import AdminFactory, PatientDetailsFactory, PatientFactory
    from doctors.models import Approval, DoctorProfile
    from doctors.tests.factories import DoctorFactory, open_hours

    patients = [
        PatientFactory.build(patient_details=None, **fields) for fields in ({}, {}, {"status": AccountStatus.INACTIVE})
    ]
    doctors = [
        DoctorFactory.build(**fields) for fields in ({}, {}, {"approval": Approval.PENDING, "approved_at": None})
    ]
    admin = AdminFactory.build()
    User.objects.bulk_create([*patients, *(doctor.user for doctor in doctors), admin])
    PatientDetails.objects.bulk_create([PatientDetailsFactory.build(user=patient) for patient in patients])
    for doctor in doctors:
        doctor.fold_search_columns()
    DoctorProfile.objects.bulk_create(doctors)
    open_hours(doctors)
    return Users(
        patient=patients[0],
        other_patient=patients[1],
        doctor=doctors[0],
        other_doctor=doctors[1],
        unapproved_doctor=doctors[2],
        admin=admin,
        deactivated=patients[2],
    )
