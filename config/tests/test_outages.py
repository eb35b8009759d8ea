"""Take away what the site depends on, one after the other, and give it back.

`dev.py soak outages` runs it and prints a table: what `/readyz`, `/metrics`, the log and the pages say within ten
seconds. After each outage the site recovers by itself, and nothing that was accepted is lost or sent twice.
"""

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from accounts.tests.files.pictures import picture
from accounts.tests.mail_server import MailServer, serving
from accounts.tests.redis_server import redis
from config.testing import RealServer, build_server, find_free_port
from config.tests.db.postgresql_server import OwnPostgresql, own_postgresql
from config.tests.s3_server import S3Server, serve_s3
from config.tests.site_load import Patient, SiteLoad, register_patients

NOTICED_SECONDS = 10
BOOKINGS_AFTERWARDS = 5
SECRETS = ("hunter2-database", "hunter2-storage")
TOKEN = "invented-token-for-metrics"
RETRY = "The service is briefly unavailable. Please try again."
FINE = {"page": (200, ""), "directory": (200, ""), "booking": (201, ""), "portrait": (200, "")}
UNAVAILABLE = (503, RETRY)

pytestmark = [pytest.mark.either_engine, pytest.mark.soak("OUTAGES")]


@dataclass
class Site:
    """A server and everything that it depends on."""

    server: RealServer
    database: OwnPostgresql
    redis_port: int
    mail: MailServer
    store: S3Server
    patient: Patient
    folder: Path
    # What ends a dependency that runs in this process.
    running: dict[str, contextlib.ExitStack] = field(default_factory=dict)

    def start(self, name: str) -> None:
        """Start Redis, mail or storage, at the same address as before."""
        self.running[name] = contextlib.ExitStack()
        services: dict[str, Callable[[], Any]] = {
            "redis": lambda: redis(self.folder, self.redis_port),
            "mail": lambda: serving(self.mail),
            "storage": lambda: serve_s3(self.store),
        }
        self.running[name].enter_context(services[name]())

    def stop(self, name: str) -> None:
        self.running.pop(name).close()

    def client(self) -> httpx.Client:
        headers = {"Authorization": self.patient.token}
        return httpx.Client(base_url=self.server.url, headers=headers, timeout=30)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    mail, store, redis_port = MailServer(find_free_port()), S3Server(), find_free_port()
    with own_postgresql() as database:
        url = database.url.replace("tester@", f"tester:{SECRETS[0]}@")
        server = build_server(
            folder,
            url,
            DATABASE_POOL_SIZE="8",
            DELIVERY="inline",
            HOUSEKEEPING="inline",
            REDIS_URL=f"redis://127.0.0.1:{redis_port}/0",
            EMAIL_URL=mail.url,
            S3_BUCKET="files",
            S3_ENDPOINT_URL=store.url,
            S3_REGION="us-east-1",
            S3_ACCESS_KEY="invented-access",
            S3_SECRET_KEY=SECRETS[1],
            METRICS_TOKEN=TOKEN,
            METRICS_ROOT=str(folder / "metrics"),
            MAX_CPU_MS_PER_IP="0",
            MAX_CPU_MS_PER_USER="0",
            MAX_PORTRAITS_PER_USER="1000",
        )
        server.manage("migrate", "--verbosity", "0")
        site = Site(server, database, redis_port, mail, store, Patient("", "", []), folder)
        try:
            for name in ("redis", "mail", "storage"):
                site.start(name)
            server.start()
            (site.patient,) = register_patients(server, 1)
            yield site
        finally:
            server.stop()
            for name in list(site.running):
                site.stop(name)


@dataclass
class Outage:
    """How a dependency is taken away and given back, and what the site then says."""

    take: Callable[[Site], object]
    give: Callable[[Site], object]
    status: int
    amiss: list[str]
    # What `/readyz` says besides, where it differs from a healthy site.
    keys: dict[str, str]
    dependencies: dict[str, int]
    # The lines of the log, as patterns.
    log: list[str]
    # Status and sentence of each kind of request.
    responses: dict[str, tuple[int, str]]


def signal_redis(site: Site, number: int) -> None:
    """Send a signal to the Redis at the site's port."""
    (pid,) = (
        int(process.name)
        for process in Path("/proc").glob("[0-9]*")
        if f"redis-server 127.0.0.1:{site.redis_port}" in (process / "cmdline").read_text(errors="replace")
    )
    os.kill(pid, number)


UP = {"database": 1, "mail": 1, "redis": 1, "storage": 1}
HEALTHY = {"mail": "ok", "redis": "ok", "storage": "ok"}
DATABASE_DOWN: dict[str, Any] = {
    "status": 503,
    "amiss": ["the database does not respond"],
    "keys": {"housekeeping": "unknown", "delivery": "unknown", "mail": "unknown"},
    "dependencies": {"database": 0, "redis": 1, "storage": 1},
    "responses": {"page": (200, ""), "directory": UNAVAILABLE, "booking": UNAVAILABLE, "portrait": UNAVAILABLE},
}
REDIS_DOWN: dict[str, Any] = {
    "status": 503,
    "amiss": ["Redis does not respond"],
    "keys": {"redis": "unavailable"},
    "dependencies": UP | {"redis": 0},
    "responses": FINE | {"booking": UNAVAILABLE, "portrait": UNAVAILABLE},
}
OUTAGES = {
    "PostgreSQL stopped": Outage(
        take=lambda site: site.database.kill(),
        give=lambda site: site.database.start(),
        log=[r"ERROR .*The database postgres at 127\.0\.0\.1:\d+ can't be reached: .*Connection refused"],
        **DATABASE_DOWN,
    ),
    "PostgreSQL paused": Outage(
        take=lambda site: site.database.signal_all(signal.SIGSTOP),
        give=lambda site: site.database.signal_all(signal.SIGCONT),
        log=[r"ERROR .*The database postgres at 127\.0\.0\.1:\d+ can't be reached: the database does not respond"],
        **DATABASE_DOWN,
    ),
    "Redis stopped": Outage(
        take=lambda site: site.stop("redis"),
        give=lambda site: site.start("redis"),
        log=[r"WARNING .*Redis at 127\.0\.0\.1:\d+/0 does not respond: .*Connection refused"],
        **REDIS_DOWN,
    ),
    "Redis paused": Outage(
        take=lambda site: signal_redis(site, signal.SIGSTOP),
        give=lambda site: signal_redis(site, signal.SIGCONT),
        log=[r"WARNING .*Redis at 127\.0\.0\.1:\d+/0 does not respond: .*[Tt]imeout"],
        **REDIS_DOWN,
    ),
    "Mail server stopped": Outage(
        take=lambda site: site.stop("mail"),
        give=lambda site: site.start("mail"),
        status=200,
        amiss=[],
        keys={"mail": "unavailable"},
        dependencies=UP | {"mail": 0},
        log=[r"WARNING .*Messages can't be sent by email: no_connection \(127\.0\.0\.1:\d+: .*Connection refused\)"],
        responses=FINE,
    ),
    "Storage stopped": Outage(
        take=lambda site: site.stop("storage"),
        give=lambda site: site.start("storage"),
        status=200,
        amiss=[],
        keys={"storage": "unavailable"},
        dependencies=UP | {"storage": 0},
        log=[r"WARNING .*The bucket files at http://127\.0\.0\.1:\d+ can't be used: Could not connect .*"],
        responses=FINE | {"portrait": UNAVAILABLE},
    ),
    "Storage paused": Outage(
        take=lambda site: site.store.is_running.clear(),
        give=lambda site: site.store.is_running.set(),
        status=200,
        amiss=[],
        keys={"storage": "unavailable"},
        dependencies=UP | {"storage": 0},
        log=[r"WARNING .*The bucket files at http://127\.0\.0\.1:\d+ can't be used: Read timeout .*"],
        responses=FINE | {"portrait": UNAVAILABLE},
    ),
}


@pytest.mark.parametrize("name", OUTAGES)
def test_outage_is_reported_and_ends_by_itself(site, name, record_property):
    outage = OUTAGES[name]
    # A line about the same server is logged once a minute, so each outage is another minute's.
    time.sleep(max(0.0, LOGGED.get(name.split()[0], 0.0) + 61 - time.monotonic()))
    sent, logged = len(site.mail.messages), len(site.server.log.read_text())
    with site.client() as client:
        assert try_everything(client, site.patient) == FINE
        assert describe(client) == (200, [], HEALTHY, UP)
        began = time.monotonic()
        outage.take(site)
        try:
            # Something to send, unless it can't be stored.
            client.post("/api/appointments", json=next_booking(site.patient))
            expected = (outage.status, outage.amiss, HEALTHY | outage.keys, outage.dependencies)
            noticed = wait_until(lambda: describe(client), expected, began)
            log = site.server.log.read_text()[logged:]
            responses = try_everything(client, site.patient)
        finally:
            outage.give(site)
        LOGGED[name.split()[0]] = time.monotonic()
        began = time.monotonic()
        # Rate limits try Redis once a second, so bookings may recover a second after `/readyz`.
        healthy = (200, [], HEALTHY, UP), FINE
        recovered = wait_until(lambda: (describe(client), try_everything(client, site.patient)), healthy, began)
    lines = [match[0] for pattern in outage.log for match in re.finditer(pattern, log)]
    record_property(
        name,
        f"/readyz {outage.status} {outage.amiss} {outage.keys} | wellhour_dependency_up {outage.dependencies}"
        f" | {'; '.join(lines)} | {responses} | noticed after {noticed:.1f} s, recovered after {recovered:.1f} s",
    )
    assert responses == outage.responses
    assert len(lines) == len(outage.log), log
    assert not any(secret in log for secret in SECRETS)
    with SiteLoad(site.server.url, [site.patient], visitors=1) as load:
        load.wait_for_bookings(BOOKINGS_AFTERWARDS)
    assert load.failures == []
    check_mail(site, sent)


# When the log last had a line about a server, by its first word.
LOGGED: dict[str, float] = {}


def next_booking(patient: Patient) -> dict[str, str]:
    return {"doctorId": patient.doctor_id, **patient.slots.pop(0)}


def try_everything(client: httpx.Client, patient: Patient) -> dict[str, tuple[int, str]]:
    """Return the status and the sentence of a page, the directory, a booking and an upload."""
    portrait = {"image": ("me.png", picture(), "image/png")}
    responses = {
        "page": client.get("/"),
        "directory": client.get("/api/doctors"),
        "booking": client.post("/api/appointments", json=next_booking(patient)),
        "portrait": client.put("/api/auth/profile", files=portrait),
    }
    assert "<title>" in responses["page"].text
    result = {}
    for name, response in responses.items():
        if response.status_code >= 500:
            assert int(response.headers["Retry-After"]) > 0
        is_error = response.status_code >= 400
        result[name] = (response.status_code, response.json()["message"] if is_error else "")
    return result


def describe(client: httpx.Client) -> tuple[int, list[str], dict[str, str], dict[str, int]]:
    """Return what `/readyz` and `/metrics` say."""
    ready = client.get("/readyz")
    keys = ready.json()
    metrics = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).text
    dependencies = re.findall(r'^wellhour_dependency_up{dependency="(\w+)"} (\d)', metrics, re.MULTILINE)
    said = {name: keys[name] for name in ("housekeeping", "delivery", *HEALTHY)}
    # Workers have not been late for long enough to say so.
    said = {name: value for name, value in said.items() if name in HEALTHY or value != "ok"}
    return ready.status_code, keys["amiss"], said, {name: int(value) for name, value in dependencies}


def wait_until(read: Callable[[], object], expected: object, began: float) -> float:
    """Wait until a reading is as expected; return the seconds since `began`."""
    while (reading := read()) != expected:
        assert time.monotonic() - began < NOTICED_SECONDS, reading
        time.sleep(0.2)
    return time.monotonic() - began


def check_mail(site: Site, sent: int) -> None:
    """Wait until nothing is due, and check that each message was sent once."""
    due = "SELECT count(*) FROM accounts_notice WHERE state = 'waiting' AND due_at <= now()"
    deadline = time.monotonic() + 60
    while site.server.sql(due) != [(0,)]:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    stored = [row[0] for row in site.server.sql("SELECT message_id FROM accounts_notice WHERE state = 'sent'")]
    assert sorted(site.mail.ids()) == sorted(stored)
    assert len(site.mail.messages) > sent
