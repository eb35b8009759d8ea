"""Test that only visitors read from the replica, and only while its lag is small."""

import os
import subprocess
import sys
import time
from urllib.parse import urlsplit, urlunsplit

import httpx
import psycopg
import pytest
from django.test import RequestFactory

from appointments.tests.scheduling.concurrency import register_doctor_and_patients
from config.db.router import ReplicaRouter, use_replica
from config.testing import ROOT, build_server, create_migrated_database
from doctors.directory.replica import CHECK_SECONDS
from doctors.models import DoctorProfile
from doctors.response_cache import is_visitor

ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")


@pytest.mark.either_engine
def test_only_visitors_without_a_hold_read_from_the_replica():
    requests = RequestFactory()
    assert is_visitor(requests.get("/api/doctors", {"city": "Springfield"}))
    assert is_visitor(requests.head("/api/doctors"))
    assert not is_visitor(requests.get("/api/doctors", HTTP_AUTHORIZATION="Bearer invented"))
    assert not is_visitor(requests.get("/api/doctors/x/slots", {"holdId": "invented"}))
    assert not is_visitor(requests.post("/api/doctors"))


@pytest.mark.either_engine
def test_router_writes_to_the_primary_and_reads_from_the_replica_on_request_only():
    router = ReplicaRouter()
    assert router.db_for_read(DoctorProfile) == router.db_for_write(DoctorProfile) == "default"
    with use_replica():
        assert (router.db_for_read(DoctorProfile), router.db_for_write(DoctorProfile)) == ("replica", "default")
    assert router.db_for_read(DoctorProfile) == "default"
    assert [router.allow_migrate(alias, "doctors") for alias in ("default", "replica")] == [True, False]


@pytest.mark.either_engine
def test_replica_must_be_postgresql_like_the_primary():
    odd = {"DATABASE_URL": "postgres://u@127.0.0.1/x", "DATABASE_REPLICA_URL": "sqlite:////tmp/x"}
    command = [sys.executable, "-c", "from config import settings"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | odd, capture_output=True, text=True, check=False)
    assert "DATABASE_REPLICA_URL must be like postgresql://" in done.stderr


def open_session(url):
    return psycopg.connect(url, autocommit=True)


def the_public_reads_the_copy_while_it_is_young(tmp_path):
    """The copy is a database of its own that nothing follows, so that every answer says where it comes from."""
    with create_migrated_database(tmp_path) as url:
        parts = urlsplit(url)
        copy_url = urlunsplit((*parts[:2], f"{parts.path}_copy", *parts[3:]))
        server = build_server(
            tmp_path, url, DATABASE_REPLICA_URL=copy_url, DATABASE_POOL_SIZE="4", MAX_UNKNOWN_IDS_PER_IP="100000"
        )
        admin = os.environ["DATABASE_URL"]
        try:
            server.start()
            clients, doctor_id = register_doctor_and_patients(server, 1)
            # Nobody may be connected to what is copied.
            server.stop()
            with open_session(admin) as session:
                session.execute(
                    f"CREATE DATABASE {copy_url.rpartition('/')[2]} TEMPLATE {url.rpartition('/')[2]}".encode()
                )
            server.start()
            walk(server, clients[0], doctor_id, copy_url)
        finally:
            server.stop()
            with open_session(admin) as session:
                session.execute(f"DROP DATABASE IF EXISTS {copy_url.rpartition('/')[2]} WITH (FORCE)".encode())


def walk(server, patient, doctor_id, copy_url):
    server.sql("UPDATE accounts_user SET name = 'Told By The Database' WHERE role = 'doctor'")
    with open_session(copy_url) as other:
        other.execute("UPDATE accounts_user SET name = 'Told By The Copy' WHERE role = 'doctor'")
    beat = "INSERT INTO accounts_heartbeat (name, holder, beat_at) VALUES ('housekeeping', '', now() {})"
    again = " ON CONFLICT (name) DO UPDATE SET beat_at = excluded.beat_at"
    public = httpx.Client(base_url=server.url, timeout=60)

    def set_back(interval=""):
        """Say when the copy heard of the database for the last time, and let the server look."""
        with open_session(copy_url) as other:
            other.execute((beat.format(interval) + again).encode())
        time.sleep(CHECK_SECONDS + 0.1)

    def names(client):
        listed = client.get("/api/doctors").json()["data"]["doctors"]
        page = client.get(f"/api/doctors/{doctor_id}").json()["data"]["doctor"]
        return {listed[0]["name"], page["name"]}

    # No heartbeat at all, then an old one: nobody knows how far behind it is.
    assert names(public) == {"Told By The Database"}
    set_back("- interval '2 minutes'")
    assert names(public) == {"Told By The Database"}
    set_back()
    assert names(public) == {"Told By The Copy"}
    assert names(patient) == {"Told By The Database"}

    # A booking is answered by the database, and its patient sees it at once; the public sees it with the copy.
    slots = f"/api/doctors/{doctor_id}/slots"
    day = public.get(slots, params={"days": 14}).json()["data"]["slots"][3]
    wish = {"doctorId": doctor_id, "appointmentDate": day["date"], "appointmentTime": day["times"][0]}
    held = public.post("/api/appointments/hold", json=wish)
    assert held.status_code == 201, held.text
    own = public.get(slots, params={"days": 14, "holdId": held.json()["data"]["holdId"]})
    assert own.status_code == 200
    assert patient.post("/api/appointments", json=wish).json()["code"] == "slot_taken"

    def times(client):
        days = client.get(slots, params={"days": 14}).json()["data"]["slots"]
        return {one["date"]: one["times"] for one in days}[day["date"]]

    assert day["times"][0] in times(public)
    assert day["times"][0] not in times(patient)

    # The copy goes away amid it all: nobody hears of that, and when it is back it is asked again.
    assert names(public) == {"Told By The Copy"}
    name = copy_url.rpartition("/")[2]
    server.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    server.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    assert names(public) == {"Told By The Database"}
    server.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    set_back()
    deadline = time.monotonic() + 20
    while names(public) != {"Told By The Copy"}:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    public.close()
    patient.close()


if ON_POSTGRESQL:
    test_the_public_reads_the_copy_while_it_is_young = the_public_reads_the_copy_while_it_is_young
