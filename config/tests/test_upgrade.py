"""Upgrade the previous release to the working tree under load, as "Update" of `docs/deployment.md` says.

`dev.py soak upgrade` runs it. Both releases are built by `deploy/build-release` in folders and virtual environments of
their own. The old one makes the database, which is stored, and serves a copy of it; the new one migrates it and takes
over, one server after the other, while people use the site through nginx.

`UPGRADE_FROM` names the previous release: a tag or a commit, or `newest` for the newest tag before HEAD. Until there is
a tag, that is the last commit without the settings object. No migration has been added since that commit, so `migrate`
creates the triggers again there and changes nothing else.
"""

import contextlib
import json
import os
import shutil
import subprocess
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest

from accounts.tests.mail_server import MailServer, serving
from accounts.tests.redis_server import redis
from config.testing import ROOT, RealServer, build_server, create_database
from config.tests.proxies import Nginx
from config.tests.site_load import Patient, SiteLoad, register_patients
from config.version import RELEASE

UPGRADE_FROM = os.environ.get("UPGRADE_FROM", "")
BEFORE_FIRST_TAG = "2170c94f"
# How many appointments are booked before, between and after the steps of the update.
BOOKINGS = 20
# Rows that the restore itself writes, or that are the release's own rather than the site's.
RELEASE_TABLES = {"django_migrations", "django_content_type", "auth_permission"}

pytestmark = pytest.mark.either_engine


@dataclass
class Release:
    """A built release in a folder."""

    root: Path

    def run(self, server: RealServer) -> RealServer:
        """Return the server with this release's code, at the same address and on the same database."""
        environment = server.environment | {"STATIC_ROOT": str(self.root / "staticfiles")}
        return replace(
            server, root=self.root, python=str(self.root / ".venv/bin/python"), environment=environment, process=None
        )


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def find_previous_release() -> str:
    if UPGRADE_FROM != "newest":
        return UPGRADE_FROM
    tags = git("tag", "--list", "v*", "--merged", "HEAD^", "--sort=-version:refname").splitlines()
    return tags[0] if tags else BEFORE_FIRST_TAG


def build_release(commit: str, root: Path, *former: Release) -> Release:
    """Build a commit in a folder, with the files that open pages of the former release still load."""
    root.mkdir()
    archive = root.with_suffix(".tar")
    git("archive", "--output", str(archive), commit)
    with tarfile.open(archive) as tar:
        tar.extractall(root, filter="tar")
    script = root / "deploy" / "build-release"
    if not script.exists():
        # Releases before the first tag were built by `dev.py`, which also prepares a database.
        script.parent.mkdir(exist_ok=True)
        script.write_bytes((ROOT / "deploy" / "build-release").read_bytes())
        script.chmod(0o755)
    done = subprocess.run(
        [script, *(release.root for release in former)], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return Release(root)


@pytest.fixture(scope="module")
def releases(tmp_path_factory) -> tuple[Release, Release]:
    folder = tmp_path_factory.mktemp("releases")
    old = build_release(find_previous_release(), folder / "old")
    # Uncommitted changes are of the working tree, too.
    return old, build_release(git("stash", "create") or "HEAD", folder / "new", old)


@dataclass
class Workers:
    """`deliver` and `housekeeping`, each in a process of its own."""

    server: RealServer
    processes: tuple[subprocess.Popen[bytes], ...] = ()

    def start(self) -> None:
        with (self.server.log.parent / "workers.log").open("ab") as log:
            self.processes = tuple(
                subprocess.Popen(
                    [self.server.python, "manage.py", command],
                    cwd=self.server.root,
                    env=self.server.environment,
                    stdout=log,
                    stderr=log,
                )
                for command in ("deliver", "housekeeping")
            )

    def stop(self) -> list[int]:
        """Stop both; return their exit codes."""
        for process in self.processes:
            process.terminate()
        return [process.wait(60) for process in self.processes]


@contextlib.contextmanager
def store_database(folder: Path, release: Release, environment: dict[str, str]) -> Iterator[tuple[RealServer, Path]]:
    """Make a database with the release's own code, fill it and back it up; yield it and the backup."""
    folder.mkdir()
    with create_database(folder) as url:
        server = release.run(build_server(folder, url, **environment))
        server.manage("migrate", "--no-input", "--verbosity", "0")
        server.manage("seed_demo")
        backup = folder / "yesterday.tar"
        server.manage("backup", str(backup))
        yield server, backup


@pytest.mark.soak("UPGRADE_FROM")
@pytest.mark.parametrize(("engine", "machines"), [("SQLite", 1), ("PostgreSQL", 1), ("PostgreSQL", 2)], ids=str)
def test_upgrade_fails_no_request_and_loses_no_booking(
    releases, engine, machines, tmp_path, monkeypatch, record_property
):
    old, new = releases
    if engine == "SQLite":
        monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/unused.sqlite3")
    folders = [tmp_path / name for name in ("one", "two", "proxy", "restored")]
    with contextlib.ExitStack() as stack:
        mail = stack.enter_context(serving())
        environment = {
            "EMAIL_URL": mail.url,
            "TRUSTED_PROXIES": "1",
            "BASE_URL": "http://127.0.0.1",
            # All of the load comes from one address.
            "MAX_CPU_MS_PER_IP": "0",
            "MAX_CPU_MS_PER_USER": "0",
        }
        if machines == 2:
            environment |= {"REDIS_URL": stack.enter_context(redis(tmp_path)), "DATABASE_POOL_SIZE": "4"}
        stored, backup = stack.enter_context(store_database(tmp_path / "stored", old, environment))
        for folder in folders:
            folder.mkdir()
        for folder in folders[:2]:
            for name in ("media", "records"):
                shutil.copytree(stored.log.parent / name, folder / name)
        url = stack.enter_context(create_database(tmp_path, template=stored.database_url))
        # On one machine, processes of their own send mail and tidy up; on two, a thread of whichever server has the
        # lease, and each machine has folders of its own.
        work = "off" if machines == 1 else "inline"
        servers = [
            old.run(
                build_server(
                    folders[0 if machines == 1 else number],
                    url,
                    DELIVERY=work,
                    HOUSEKEEPING=work,
                    METRICS_ROOT=str(folders[0 if machines == 1 else number] / "metrics"),
                    **environment,
                )
            )
            for number in range(2)
        ]
        stack.callback(lambda: [server.stop() for server in servers])
        for server in servers:
            server.start()
        workers = [Workers(servers[0])] if machines == 1 else []
        for worker in workers:
            stack.callback(worker.stop)
            worker.start()
        patients = register_patients(servers[0], 2)
        ports = tuple(int(server.url.rpartition(":")[2]) for server in servers)
        proxy = stack.enter_context(Nginx(folders[2], ports))
        began = time.monotonic()
        with SiteLoad(f"https://127.0.0.1:{proxy.port}", patients) as load:
            load.wait_for_bookings(BOOKINGS)
            upgrade(servers, workers, old, new, load, tmp_path / "today.tar")
            load.wait_for_bookings(BOOKINGS)
        cancelled = sum(len(patient.cancelled) for patient in patients)
        record_property(
            f"{engine}, {machines} {'machine' if machines == 1 else 'machines'}",
            f"{load.requests} requests in {time.monotonic() - began:.0f} s, {len(load.failures)} failed, slowest"
            f" {load.slowest:.1f} s; {load.bookings} bookings and {cancelled} cancellations confirmed",
        )
        assert load.failures == []
        check_site(servers, patients)
        check_mail(servers[0], mail)
        record_property("emails sent, each once", len(mail.messages))
        restore_backup(folders[3], backup, new, environment)


def upgrade(
    servers: list[RealServer], workers: list[Workers], old: Release, new: Release, load: SiteLoad, backup: Path
) -> None:
    """Do what "Update" says: check, back up, migrate, replace one server after the other, and then the workers."""
    migrator = new.run(servers[0])
    migrator.manage("check")
    servers[0].manage("backup", str(backup))
    migrator.manage("migrate", "--no-input")
    # The old release serves on the migrated database for as long as the operator wants.
    load.wait_for_bookings(BOOKINGS)
    for number, server in enumerate(servers):
        server.stop()
        servers[number] = new.run(server)
        servers[number].start()
        load.wait_for_bookings(BOOKINGS)
    for worker in workers:
        assert worker.stop() == [0, 0]
        worker.server = servers[0]
        worker.start()


def check_site(servers: list[RealServer], patients: list[Patient]) -> None:
    """Check that the new release serves, that sessions go on, and that each confirmed booking exists once."""
    for server in servers:
        ready = httpx.get(f"{server.url}/readyz", timeout=60)
        assert (ready.status_code, ready.json()["version"]) == (200, RELEASE)
        for patient in patients:
            profile = httpx.get(f"{server.url}/api/auth/profile", headers={"Authorization": patient.token}, timeout=60)
            assert profile.status_code == 200
    # The patients' own rows, whose statuses are what they were told.
    rows = servers[0].sql(
        "SELECT replace(CAST(id AS text), '-', ''), status FROM appointments_appointment WHERE patient_id IN"
        " (SELECT id FROM accounts_user WHERE email LIKE 'patient_@example.com')"
    )
    cancelled = {each.replace("-", "") for patient in patients for each in patient.cancelled}
    confirmed = [each.replace("-", "") for patient in patients for each in patient.booked]
    assert sorted(row[0] for row in rows) == sorted(confirmed)
    assert {row[0] for row in rows if row[1] == "cancelled"} == cancelled
    reservations = servers[0].sql(
        "SELECT count(*), count(DISTINCT starts_at) FROM doctors_reservation WHERE doctor_id IN (SELECT id FROM"
        " accounts_user WHERE email LIKE 'doctor_@example.com') GROUP BY doctor_id"
    )
    assert sum(count for count, _ in reservations) == len(confirmed) - len(cancelled)
    assert all(count == distinct for count, distinct in reservations)


def check_mail(server: RealServer, mail: MailServer) -> None:
    """Wait until nothing waits, and check that each message was sent once."""
    deadline = time.monotonic() + 120
    due = "SELECT count(*) FROM accounts_notice WHERE state = 'waiting' AND event LIKE 'appointment.%'"
    due += " AND due_at <= CURRENT_TIMESTAMP"
    while server.sql(due) != [(0,)]:
        assert time.monotonic() < deadline
        time.sleep(0.5)
    assert len(mail.ids()) == len(set(mail.ids()))
    sent = server.sql("SELECT message_id FROM accounts_notice WHERE state = 'sent'")
    assert sorted(mail.ids()) == sorted(row[0] for row in sent)


def restore_backup(folder: Path, backup: Path, release: Release, environment: dict[str, str]) -> None:
    """Restore the old release's backup with the new one, count the rows, and sign in."""
    with tarfile.open(backup) as tar:
        content = tar.extractfile("manifest.json")
        assert content
        manifest = json.load(content)
    with create_database(folder) as url:
        server = release.run(build_server(folder, url, **environment))
        server.manage("restore", str(backup))
        # The restore is audited.
        expected = manifest["tables"] | {"accounts_auditevent": manifest["tables"]["accounts_auditevent"] + 1}
        for table in expected.keys() - RELEASE_TABLES:
            assert server.sql(f"SELECT count(*) FROM {table}") == [(expected[table],)], table
        server.start()
        try:
            for role, password in (("patient", "garden-kettle"), ("doctor", "copper-meadow")):
                body = {"email": f"{role}@example.com", "password": password, "role": role}
                response = httpx.post(f"{server.url}/api/auth/login", json=body, timeout=60)
                assert response.status_code == 200, response.text
        finally:
            server.stop()
