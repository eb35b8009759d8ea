"""Behind PgBouncer in transaction mode: no session lasts, so nothing may rely on one.

`PGBOUNCER` is the path of the program; `dev.py soak behind` sets it. `POOLER_SECONDS` is how
long people book through it.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.tests.factories import PatientFactory
from appointments.tests.scheduling.booking_load import Bookers, appointments, halves
from appointments.tests.scheduling.concurrency import DOCTOR_FIELDS, PASSWORD, book_concurrently, register_user, sign_in
from config.db import chunked_iterator
from config.testing import ROOT, build_server, create_migrated_database, find_free_port

PGBOUNCER = os.environ.get("PGBOUNCER", "")
SECONDS = float(os.environ.get("POOLER_SECONDS", "3"))
READ = (
    "from config import settings as s; d = s.DATABASES['default']; o = d['OPTIONS'];"
    "print(d.get('DISABLE_SERVER_SIDE_CURSORS', False), o['server_side_binding'], o['prepare_threshold'],"
    " 'statement_timeout' in o.get('options', ''))"
)


def read(**environment):
    """Load the settings in a process of their own; return what they make of a PostgreSQL."""
    words = {"DATABASE_URL": "postgres://u@127.0.0.1/x"} | environment
    command = [sys.executable, "-c", READ]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | words, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@pytest.mark.either_engine
@pytest.mark.parametrize(
    ("environment", "made"),
    [
        ({}, "False True 2 True"),
        ({"DATABASE_PREPARED": "off"}, "False True None True"),
        ({"DATABASE_POOLER": "pgbouncer"}, "True True None False"),
        ({"DATABASE_POOLER": "pgbouncer", "DATABASE_PREPARED": "on"}, "True True 2 False"),
    ],
)
def test_pooled_connection_uses_no_session_state(environment, made):
    assert read(**environment) == made


def test_many_rows_are_read_the_same_with_and_without_cursors(db, monkeypatch):
    people = sorted(PatientFactory.create_batch(7), key=lambda one: one.email)
    by_email = User.objects.order_by("email")
    expected = [(one.pk, one.email) for one in people]
    assert [(one.pk, one.email) for one in chunked_iterator.iterate(by_email, 3)] == expected
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    with CaptureQueriesContext(connection) as asked:
        assert [(one.pk, one.email) for one in chunked_iterator.iterate(by_email, 3)] == expected
        assert list(chunked_iterator.iterate(by_email.values("email"), 5)) == [{"email": one.email} for one in people]
        assert list(chunked_iterator.iterate(by_email.values_list("pk", flat=True), 50)) == [one.pk for one in people]
    # The keys, then 3 and 3 and 1 rows, 5 and 2, 7.
    assert len(asked) == 4 + 3 + 2


class Bouncer:
    """A PgBouncer of the test's own, with fewer sessions than the site has connections."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.port = find_free_port()
        parts = urlsplit(database_url)
        name = parts.path.strip("/")
        self.url = f"postgres://{parts.username}@127.0.0.1:{self.port}/{name}"
        where = f"host={parts.hostname} port={parts.port or 5432} dbname={name} user={parts.username}"
        if parts.password:
            where += f" password={unquote(parts.password)}"
        self.ini = folder / "pgbouncer.ini"
        self.ini.write_text(f"""
[databases]
{name} = {where}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 5
""")
        self.options: dict[str, Any] = {}
        if os.geteuid() == 0:
            # It refuses to run as root.
            user = next(one.pw_name for one in pwd.getpwall() if one.pw_name in {"postgres", "nobody"})
            self.options = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}
            shutil.chown(folder, user)
            shutil.chown(self.ini, user)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [PGBOUNCER, "-q", str(self.ini)], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            **self.options,
        )  # fmt: skip
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with suppress(psycopg.OperationalError), psycopg.connect(self.url, connect_timeout=2):
                return
            time.sleep(0.1)
        raise RuntimeError("PgBouncer did not start.")

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(15)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server that knows nothing but the pooler, and people who book: (server, bouncer, bookers)."""
    folder, ini = tmp_path_factory.mktemp("site"), Path(tempfile.mkdtemp(prefix="wellhour-bouncer-"))
    with create_migrated_database(folder) as direct:
        with psycopg.connect(direct, autocommit=True) as session:
            name = urlsplit(direct).path.strip("/")
            # As docs/growing.md has it; and a server elsewhere in the world.
            for setting in ("statement_timeout = '3s'", "lock_timeout = '2s'", "timezone = 'Asia/Kolkata'"):
                session.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {name} SET {setting}".encode())
        bouncer = Bouncer(ini, direct)
        pooled = {"DATABASE_URL": bouncer.url, "DATABASE_POOLER": "pgbouncer", "DATABASE_POOL_SIZE": "8"}
        server = build_server(folder, direct, **pooled, DELIVERY="inline", HOUSEKEEPING="inline")
        try:
            bouncer.start()
            server.start(workers=2)
            yield server, bouncer, Bookers(server, 8)
        finally:
            server.stop()
            bouncer.stop()
            shutil.rmtree(ini, ignore_errors=True)


@pytest.mark.soak("PGBOUNCER")
@pytest.mark.postgresql
def test_people_book_and_cancel_through_the_pooler(site):
    """Book from many connections, sign in, cancel, take lists away; the workers send and keep house."""
    server, _, bookers = site
    with bookers:
        deadline = time.monotonic() + SECONDS
        # The tests below want some times too.
        while time.monotonic() < deadline and min(map(len, bookers.slots)) > 50:
            time.sleep(0.05)
        bookers.wait_for(8)
    assert bookers.answers.keys() <= {200, 201}, bookers.odd[-3:]
    assert not bookers.broken
    assert appointments(server) == bookers.acknowledged
    assert halves(server) == {}
    with closing(sign_in(server, "patient0@example.com", "patient")) as patient:
        booked = bookers.book(0, patient).json()["data"]["appointment"]["_id"]
        cancelled = patient.put(f"/api/appointments/{booked}/cancel", json={"reason": "Better."})
        assert cancelled.json()["data"]["appointment"]["status"] == "cancelled", cancelled.text
        taken = patient.post("/api/auth/account/export", json={"currentPassword": PASSWORD})
        assert taken.status_code == 200, taken.text
        # Moments are read as they were written, wherever the server keeps its clock.
        written = patient.get("/api/auth/profile").json()["data"]["user"]["createdAt"]
    stored = "SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') FROM accounts_user"
    assert server.sql(f"{stored} WHERE email = 'patient0@example.com'") == [(written[:19],)]
    with closing(sign_in(server, "doctor0@example.com", "doctor")) as doctor:
        text = doctor.get("/api/doctors/appointments.csv").text
        assert text.count("\r\n") == len(appointments(server)) + 1
        assert doctor.get("/api/doctors/patients.csv").text.count("\r\n") == 9
    server.manage("deliver", "--once")
    server.manage("housekeeping", "--once")
    server.manage("verify_audit")


@pytest.mark.soak("PGBOUNCER")
@pytest.mark.postgresql
def test_a_time_has_one_winner_through_the_pooler(site):
    server, _, _ = site
    # People of their own: those who walk may have booked their doctor out, and themselves.
    clients = [register_user(server, "patient", 100 + number) for number in range(8)]
    doctor = register_user(server, "doctor", 1, **DOCTOR_FIELDS | {"licenseNumber": "TEST-RACE-1"})
    doctor_id = doctor.get("/api/auth/profile").json()["data"]["user"]["_id"]
    doctor.close()
    server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
    outcomes = book_concurrently(clients, doctor_id, 10)
    assert outcomes == [Counter({"201": 1, "409 slot_taken": 7})] * 10


@pytest.mark.soak("PGBOUNCER")
@pytest.mark.postgresql
def test_statements_have_the_limit_of_the_role(site):
    _, bouncer, _ = site
    with psycopg.connect(bouncer.url) as session, pytest.raises(psycopg.errors.QueryCanceled):
        session.execute("SELECT pg_sleep(20)")


@pytest.mark.soak("PGBOUNCER")
@pytest.mark.postgresql
def test_site_recovers_after_the_pooler_restarts(site):
    server, bouncer, bookers = site
    bookers.answers.clear()
    with bookers:
        bookers.wait_for(4)
        bouncer.stop()
        time.sleep(2)
        bouncer.start()
        bookers.wait_for(6)
    # Another test may have taken some of their times.
    assert bookers.answers.keys() <= {200, 201, 409, 503}, bookers.odd[-3:]
    assert not bookers.broken
    assert bookers.acknowledged <= appointments(server)
    assert halves(server) == {}
