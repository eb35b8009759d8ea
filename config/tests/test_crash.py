"""Killed, asked to end, without database, without room: what was acknowledged is there, nothing is half-written.

`CRASH_KILLS`, `CRASH_ENDS` and `DATABASE_KILLS` raise the counts, `PAUSE_SECONDS` the length of the pause.
"""

import os
import random
import resource
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from accounts.tests.files.pictures import picture
from appointments.tests.scheduling.booking_load import Bookers, appointments, halves, is_refused
from appointments.tests.scheduling.concurrency import register_user
from config.testing import build_server, run_server
from config.tests.db.postgresql_server import own_postgresql

pytestmark = pytest.mark.every_case

KILLS = int(os.environ.get("CRASH_KILLS", "3"))
ENDS = int(os.environ.get("CRASH_ENDS", "2"))
DATABASE_KILLS = int(os.environ.get("DATABASE_KILLS", "1"))
PAUSE_SECONDS = float(os.environ.get("PAUSE_SECONDS", "6"))
# What a soak holds the site to, which has the machine to itself; beside other tests all is slower.
SLACK = 1 if KILLS >= 50 else 4
SERVING_AGAIN, TOLD = 10 * SLACK, 5 * SLACK  # seconds
ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


def workers_of(server):
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
    return [pid for pid, parent in pairs if parent == server.process.pid]


def kill(server, who):
    """Kill the server's processes, or some of them; then bring it up again, unless it does so by itself."""
    workers = workers_of(server)
    victims = {"all": [server.process.pid, *workers], "the worker": workers, "the main process": [server.process.pid]}
    for pid in victims[who]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if who == "the worker":
        # Another one takes its place; after two such deaths in a row the whole server gives up.
        deadline = time.monotonic() + 60
        while server.process.poll() is None:
            if not set(workers_of(server)) <= set(workers) and not is_refused(server.url):
                return
            assert time.monotonic() < deadline, "No worker took the place of the one that was killed."
            time.sleep(0.05)
    server.process.wait(60)
    deadline = time.monotonic() + 60
    while not is_refused(server.url):
        # A worker without its main process ends by itself.
        assert time.monotonic() < deadline, f"Somebody goes on serving after a kill of {who}."
        time.sleep(0.05)
    server.start()


@pytest.fixture
def tell(record_property):
    """Keep for the soak's table what was tried and what came of it."""
    return record_property


def check(server, bookers, tell, told):
    """Nothing that was acknowledged is missing, and nothing is half-written."""
    lost, broken = bookers.acknowledged - appointments(server), halves(server)
    tell(
        told,
        f"{len(bookers.acknowledged)} bookings acknowledged, {len(lost)} lost, {sum(broken.values())} half-written;"
        f" answers {dict(bookers.answers)}, without an answer {dict(bookers.broken)}",
    )
    assert lost == set()
    assert broken == {}
    server.manage("verify_audit")


def test_killed_server_loses_no_data_and_leaves_no_partial_writes(tmp_path, tell):
    chance, slowest = random.Random(7), 0.0
    with run_server(tmp_path) as server:
        bookers = Bookers(server, 6)
        with bookers:
            for number in range(KILLS):
                bookers.wait_for(4)
                time.sleep(chance.uniform(0, 0.1))
                began = time.monotonic()
                kill(server, ("all", "the worker", "the main process")[number % 3])
                bookers.wait_for(1)
                slowest = max(slowest, time.monotonic() - began)
        check(server, bookers, tell, f"{KILLS} kills of the server, slowest recovery {slowest:.1f} s")
        assert bookers.answers.keys() <= {200, 201}, bookers.odd[-3:]
        if server.is_sqlite:
            assert server.sql("PRAGMA integrity_check") == [("ok",)]
        assert slowest < SERVING_AGAIN


def test_server_finishes_accepted_requests_on_sigterm(tmp_path, tell):
    """Under more connections than it has threads; each request is answered, or nobody took its connection."""
    with run_server(tmp_path) as server:
        outcomes, stop = Counter(), threading.Event()
        bookers = Bookers(server, 4)
        doctor = f"{server.url}/api/doctors/{bookers.doctor_id}/slots"

        def look():
            while not stop.is_set():
                try:
                    with httpx.Client(timeout=60) as client:
                        outcomes[client.get(doctor, params={"days": 30}).status_code] += 1
                except httpx.ConnectError:
                    outcomes["refused"] += 1
                    time.sleep(0.02)
                except httpx.TransportError as dropped:
                    outcomes[f"dropped: {type(dropped).__name__}"] += 1

        lookers = [threading.Thread(target=look) for _ in range(12)]
        for thread in lookers:
            thread.start()
        slowest = 0.0
        try:
            with bookers:
                for _ in range(ENDS):
                    bookers.wait_for(4)
                    began = time.monotonic()
                    server.process.send_signal(signal.SIGTERM)
                    assert server.process.wait(60) == 0
                    slowest = max(slowest, time.monotonic() - began)
                    server.start()
        finally:
            stop.set()
            for thread in lookers:
                thread.join()
        check(server, bookers, tell, f"{ENDS} times asked to end, slowest {slowest:.1f} s, looked at {dict(outcomes)}")
        assert set(outcomes) <= {200, "refused"}, outcomes
        assert set(bookers.broken) <= {"ConnectError"}
        assert bookers.answers.keys() <= {200, 201}, bookers.odd[-3:]


@contextmanager
def served(folder, database):
    """A server on a PostgreSQL of its own, pooled as on a site for people."""
    server = build_server(folder, database.url, DATABASE_POOL_SIZE="8", HOUSEKEEPING="inline", DELIVERY="inline")
    server.manage("migrate", "-v0")
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def on_own_database(tmp_path):
    """A server on a PostgreSQL that may be killed and paused."""
    with own_postgresql() as database, served(tmp_path, database) as server:
        yield server, database


def a_killed_database_loses_and_halves_nothing(on_own_database, tell):
    server, database = on_own_database
    chance, slowest = random.Random(8), 0.0
    bookers = Bookers(server, 6)
    with bookers:
        for _ in range(DATABASE_KILLS):
            bookers.wait_for(4)
            time.sleep(chance.uniform(0, 0.1))
            database.kill()
            time.sleep(chance.uniform(0, 2))
            began = time.monotonic()
            database.start()
            bookers.wait_for(1)
            slowest = max(slowest, time.monotonic() - began)
    check(server, bookers, tell, f"{DATABASE_KILLS} kills of PostgreSQL, slowest recovery {slowest:.1f} s")
    assert bookers.answers.keys() <= {200, 201, 503}, bookers.odd[-3:]
    assert not bookers.broken
    assert slowest < SERVING_AGAIN


def a_paused_database_is_told_in_time_and_forgotten_unaided(on_own_database, tell):
    server, database = on_own_database
    client = register_user(server, "patient", 50)
    bookers = Bookers(server, 6)
    asked = ["/api/auth/profile", "/api/doctors", "/readyz"]
    with bookers:
        bookers.wait_for(4)
        seen, slowest = Counter(), 0.0
        with database.paused():
            ends = time.monotonic() + PAUSE_SECONDS
            bookers.answers.clear()
            bookers.slowest = 0.0
            while time.monotonic() < ends:
                for path in asked:
                    began = time.monotonic()
                    answer = client.get(path)
                    slowest = max(slowest, time.monotonic() - began)
                    seen[answer.status_code, int(answer.headers.get("Retry-After", 0)) > 0] += 1
            # What needs no database is served all the while.
            assert client.get("/healthz").status_code == 200
            told = dict(bookers.answers)
            slowest = max(slowest, bookers.slowest)
        began = time.monotonic()
        bookers.wait_for(3)
        again = time.monotonic() - began
    client.close()
    told_late = f"slowest answer {slowest:.1f} s, well again after {again:.1f} s"
    check(server, bookers, tell, f"PostgreSQL paused for {PAUSE_SECONDS:.0f} s, {told_late}")
    assert slowest < TOLD
    assert seen.keys() == {(503, True)}
    assert told.keys() <= {200, 201, 503}
    assert told[503] > 0
    assert not bookers.broken
    # Neither signed out nor told off: the session is as it was.
    with httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[0]}, timeout=60) as one:
        assert one.get("/api/auth/profile").status_code == 200


class SmallDisk:
    """A file system in memory, filled up and emptied again."""

    # What a booking is told while SQLite has no room.
    told = 507

    def __init__(self, folder):
        self.folder = folder

    def fill(self, writers):
        with suppress(OSError), (self.folder / "filler").open("ab", buffering=0) as filler:
            for size in (65536, 4096, 512):
                with suppress(OSError):
                    while True:
                        filler.write(b"x" * size)

    def empty(self, writers):
        (self.folder / "filler").unlink()


class ShortFiles:
    """Stand-in where nothing may be mounted: a limit on file size stops every write."""

    # SQLite tells nobody that it was this.
    told = 503

    def __init__(self, folder):
        self.folder = folder

    def limit(self, writers, size):
        for pid in writers:
            with suppress(ProcessLookupError):
                hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))

    def fill(self, writers):
        self.limit(writers, 0)

    def empty(self, writers):
        self.limit(writers, resource.RLIM_INFINITY)


@pytest.fixture
def room():
    """A place whose room can be taken and given back; PostgreSQL, which is not we, may enter it."""
    with tempfile.TemporaryDirectory(prefix="wellhour-disk-") as place:
        folder = Path(place)
        folder.chmod(0o755)
        size = 160 if ON_POSTGRESQL else 24
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", place]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            yield ShortFiles(folder)
            return
        try:
            yield SmallDisk(folder)
        finally:
            subprocess.run(["umount", "-l", place], check=True)


def a_full_disk_is_told_and_harms_nothing(room, tell):
    with run_server(room.folder) as server:
        bookers = Bookers(server, 4)
        with bookers:
            bookers.wait_for(5)
        with httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[0]}, timeout=60) as patient:
            sent = {"image": ("me.jpg", picture("JPEG", (400, 300)), "image/jpeg")}
            assert patient.put("/api/auth/profile", files=sent).status_code == 200
            pictures = sorted(room.folder.glob("media/pictures/*"))
            before, bookers.answers = len(appointments(server)), Counter()
            room.fill(workers_of(server))
            with bookers:
                wait_until_refused(bookers, {room.told})
                uploads = [patient.put("/api/auth/profile", files=sent) for _ in range(3)]
            # Reading goes on.
            assert patient.get("/api/doctors").status_code == 200
            assert {answer.status_code for answer in uploads} == {507}, [answer.text for answer in uploads]
            assert all(answer.json()["code"] == "storage_full" for answer in uploads)
            assert all(int(answer.headers["Retry-After"]) > 0 for answer in uploads)
            told = dict(bookers.answers)
            assert bookers.answers.keys() <= {200, 201, room.told}, (bookers.answers, bookers.odd[-3:])
            assert sorted(room.folder.glob("media/pictures/*")) == pictures
            room.empty(workers_of(server))
            bookers.answers.clear()
            with bookers:
                bookers.wait_for(5)
            assert bookers.answers.keys() <= {200, 201}, bookers.odd[-3:]
            assert patient.put("/api/auth/profile", files=sent).status_code == 200
        check(server, bookers, tell, f"A full disk: {before} appointments before, {told} while it was full; then")
        assert server.sql("PRAGMA integrity_check") == [("ok",)]


def wait_until_refused(bookers, told, times=10):
    """Let people book until so many were told that there is no room."""
    deadline = time.monotonic() + 60
    while sum(bookers.answers[status] for status in told) < times:
        assert time.monotonic() < deadline, (bookers.answers, bookers.odd[-3:])
        time.sleep(0.05)


def a_full_disk_of_the_database_is_told_and_harms_nothing(room, tmp_path, tell):
    """PostgreSQL exits once it can't write its log; the operator makes room and starts it again."""
    with own_postgresql(room.folder) as database, served(tmp_path, database) as server:
        bookers = Bookers(server, 4)
        with bookers:
            bookers.wait_for(5)
        before, bookers.answers = len(appointments(server)), Counter()
        room.fill(database.family())
        with bookers:
            wait_until_refused(bookers, {503, 507})
        told = dict(bookers.answers)
        assert told.keys() <= {200, 201, 503, 507}, bookers.odd[-3:]
        assert not bookers.broken
        room.empty(database.family())
        database.start()
        bookers.answers.clear()
        with bookers:
            bookers.wait_for(5)
        assert bookers.answers.keys() <= {200, 201, 503}, bookers.odd[-3:]
        check(server, bookers, tell, f"A full disk: {before} appointments before, {told} while it was full; then")
        # Each page is read, and its checksum with it.
        for (table,) in server.sql("SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'public'"):
            server.sql(f"SELECT sum(hashtext(one::text)) FROM {table} one")


if ON_POSTGRESQL:
    test_a_killed_database_loses_and_halves_nothing = a_killed_database_loses_and_halves_nothing
    test_a_paused_database_is_told_in_time_and_forgotten_unaided = (
        a_paused_database_is_told_in_time_and_forgotten_unaided
    )
    test_a_full_disk_of_the_database_is_told_and_harms_nothing = a_full_disk_of_the_database_is_told_and_harms_nothing
else:
    test_a_full_disk_is_told_and_harms_nothing = a_full_disk_is_told_and_harms_nothing
