"""Two servers on one database and one Redis, as on two machines: whichever is asked, the site says the same.

The database is the run's own engine; SQLite's file serves two processes as PostgreSQL does.
"""

import os
import socket
import threading
import time
from contextlib import closing, contextmanager

import httpx
import pyotp
import pytest
from django.core.cache import cache
from django.utils import timezone

from accounts.tests.redis_server import redis
from accounts.throttling import rate_limit
from accounts.throttling.rate_limit import RateLimit
from appointments.tests.scheduling.concurrency import USER_FIELDS, list_free_slots, register_doctor_and_patients
from config.api.errors import DomainError
from config.testing import build_server, create_migrated_database

ON_POSTGRESQL = os.environ.get("DATABASE_URL", "").startswith("postgres")
PASSWORD = USER_FIELDS["password"]


@contextmanager
def two(folder, **settings):
    """Run two servers; return them and what takes Redis away."""
    with create_migrated_database(folder) as url:
        counters = redis(folder)
        settings = {
            "REDIS_URL": counters.__enter__(),
            "DATABASE_POOL_SIZE": "4",
            "BASE_URL": "http://127.0.0.1",
            **settings,
        }
        servers = [build_server(folder, url, **settings) for _ in range(2)]
        gone = []

        def take_away():
            gone.append(counters.__exit__(None, None, None))

        try:
            for server in servers:
                server.start()
            yield *servers, take_away
        finally:
            for server in servers:
                server.stop()
            if not gone:
                take_away()


def log_in(server, email, password=PASSWORD):
    words = {"email": email, "password": password, "role": "patient"}
    return httpx.post(f"{server.url}/api/auth/login", json=words, timeout=60)


def test_two_servers_share_all_state(tmp_path):
    few = {"MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT": "5", "MAX_HOLDS_PER_IP": "4", "MAX_UNKNOWN_IDS_PER_USER": "6"}
    with two(tmp_path, **few) as (one, other, take_away):
        (patient, second, third), doctor_id = register_doctor_and_patients(one, 3)
        try:
            tries_are_counted_together(one, other)
            what_one_writes_the_other_shows(one, other, patient, doctor_id)
            holds_are_counted_together(one, other, patient, doctor_id)
            misses_are_counted_together(one, other, second)
            a_session_is_everywhere_and_ends_everywhere(other, third)
            the_second_step_goes_on_anywhere(one, other)
            if ON_POSTGRESQL:
                a_migration_is_survived_by_both(one, other, patient, doctor_id)
            take_away()
            without_redis_nothing_is_uncounted(one, other, patient, doctor_id)
        finally:
            for client in (patient, second, third):
                client.close()


def tries_are_counted_together(one, other):
    tried = [log_in(server, "nobody@example.com", "wrong-one").status_code for server in (one, other, one, other, one)]
    assert tried == [401] * 5
    assert [log_in(server, "nobody@example.com", "wrong-one").status_code for server in (other, one)] == [429, 429]


def there(client, server):
    """The same person, at the other server."""
    headers = {"Authorization": client.headers["Authorization"]}
    return closing(httpx.Client(base_url=server.url, timeout=60, headers=headers))


def what_one_writes_the_other_shows(one, other, patient, doctor_id):
    slots = f"/api/doctors/{doctor_id}/slots"
    first = list_free_slots(patient, doctor_id)[0]
    day, at = first["appointmentDate"], first["appointmentTime"]

    def public(server, path, **query):
        return httpx.get(f"{server.url}{path}", params=query, timeout=60).json()["data"]

    for server in (one, other):
        assert at in public(server, slots, **{"from": day, "days": 1})["slots"][0]["times"]
    assert patient.post("/api/appointments", json={"doctorId": doctor_id, **first}).status_code == 201
    for server in (other, one):
        assert at not in public(server, slots, **{"from": day, "days": 1})["slots"][0]["times"]
    for server, fee in ((one, 81), (other, 82)):
        page = f"/api/doctors/{doctor_id}"
        public(server, page)
        one.sql(f"UPDATE doctors_doctorprofile SET consultation_fee = {fee}")
        assert [public(each, page)["doctor"]["consultationFee"] for each in (one, other)] == [fee, fee]


def holds_are_counted_together(one, other, patient, doctor_id):
    wishes = list_free_slots(patient, doctor_id)[1:6]
    asked = zip((one, other, one, other, one), wishes, strict=True)
    held = [
        httpx.post(f"{server.url}/api/appointments/hold", json={"doctorId": doctor_id, **wish}, timeout=60).status_code
        for server, wish in asked
    ]
    assert held == [201] * 4 + [429]


def misses_are_counted_together(one, other, patient):
    nothing = "/api/appointments/00000000-0000-7000-8000-{:012}"
    with there(patient, other) as elsewhere:
        got = [client.get(nothing.format(n)).status_code for n in range(3) for client in (patient, elsewhere)]
        assert got == [404] * 6
        assert [client.get(nothing.format(9)).status_code for client in (elsewhere, patient)] == [429, 429]


def a_session_is_everywhere_and_ends_everywhere(other, patient):
    with there(patient, other) as elsewhere:
        assert elsewhere.get("/api/auth/profile").status_code == 200
        assert patient.post("/api/auth/logout").status_code == 200
        assert elsewhere.get("/api/auth/profile").json()["code"] == "session_ended"


def the_second_step_goes_on_anywhere(one, other):
    """A ticket of one is taken by the other, once; a code that was used with one is used up for both."""
    person = {**USER_FIELDS, "role": "patient", "name": "Ada Patient", "email": "ada@example.com"}
    answer = httpx.post(f"{one.url}/api/auth/register/patient", json=person, timeout=60)
    headers = {"Authorization": f"Bearer {answer.json()['data']['token']}"}
    app = "/api/auth/second-step/app"
    started = httpx.post(f"{one.url}{app}", json={"currentPassword": PASSWORD}, headers=headers, timeout=60)
    totp = pyotp.TOTP(started.json()["data"]["secret"]["text"].replace(" ", ""))
    done = httpx.put(f"{other.url}{app}", json={"code": totp.now()}, headers=headers, timeout=60)
    recovery = done.json()["data"]["recoveryCodes"]
    tickets = [log_in(server, "ada@example.com").json()["data"]["secondStep"]["ticket"] for server in (one, other)]

    def take(server, ticket, code):
        words = {"ticket": ticket, "recoveryCode": code}
        return httpx.post(f"{server.url}/api/auth/login/second", json=words, timeout=60).status_code

    assert take(other, tickets[0], recovery[0]) == 200
    assert take(one, tickets[0], recovery[1]) == 400
    assert take(one, tickets[1], recovery[0]) == 401
    assert take(one, tickets[1], recovery[2]) == 200


def a_migration_is_survived_by_both(one, other, patient, doctor_id):
    """Pooled and prepared as on a site for people; the column of names is in every session check."""
    stop, seen = threading.Event(), set()

    def look(server):
        with there(patient, server) as client:
            while not stop.is_set():
                seen.add(client.get("/api/auth/profile").status_code)
                seen.add(client.get(f"/api/doctors/{doctor_id}").status_code)

    threads = [threading.Thread(target=look, args=(server,)) for server in (one, other, one, other)]
    for thread in threads:
        thread.start()
    try:
        for length in (140, 160):
            time.sleep(0.5)
            one.sql(f"ALTER TABLE accounts_user ALTER COLUMN name TYPE varchar({length})")
        time.sleep(0.5)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert seen == {200}


def without_redis_nothing_is_uncounted(one, other, patient, doctor_id):
    wish = {"doctorId": doctor_id, **list_free_slots(patient, doctor_id)[20]}
    for server in (one, other):
        refused = log_in(server, "ada@example.com")
        assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (
            503,
            "unavailable",
            "5",
        )
        # A visitor's holds are counted there too, before the database counts those that stand.
        assert httpx.post(f"{server.url}/api/appointments/hold", json=wish, timeout=60).status_code == 503
        # Signed-in users and visitors go on.
        with there(patient, server) as client:
            assert client.get("/api/auth/profile").status_code == 200
            assert client.get(f"/api/doctors/{doctor_id}").status_code == 200
            # A booking is an email to a doctor, so it is counted there too.
            assert client.post("/api/appointments", json=wish).status_code == 503
        assert httpx.get(f"{server.url}/api/doctors/{doctor_id}", timeout=60).status_code == 200


class UnresponsiveServer:
    """Takes connections and answers nothing, as a paused Redis does; counts them."""

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.taken = []
        threading.Thread(target=self.consume, daemon=True).start()
        return self

    def consume(self):
        try:
            while True:
                self.taken.append(self.listener.accept()[0])
        except OSError:
            return

    def __exit__(self, *_):
        self.listener.close()
        for connection in self.taken:
            connection.close()


@pytest.mark.either_engine
def test_hanging_counters_block_one_request_and_fail_fast_for_others(settings, monkeypatch):
    monkeypatch.setattr(rate_limit, "circuit_breaker", rate_limit.CircuitBreaker())
    limit = RateLimit("invented", 5)
    before = settings.CACHES
    with UnresponsiveServer() as deaf:
        where = {
            "LOCATION": f"redis://127.0.0.1:{deaf.listener.getsockname()[1]}/0",
            "OPTIONS": {"socket_timeout": 0.05},
        }
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", **where}}
        monkeypatch.setattr(rate_limit, "PROBE_INTERVAL_SECONDS", 60)
        for _ in range(5):
            with pytest.raises(DomainError, match="unavailable"):
                limit.consume("somebody")
        assert len(deaf.taken) == 1
        # Later one asks again, and when there is an answer all do.
        monkeypatch.setattr(rate_limit, "PROBE_INTERVAL_SECONDS", 0)
        with pytest.raises(DomainError, match="unavailable"):
            limit.consume("somebody")
        assert len(deaf.taken) == 2
    settings.CACHES = before
    limit.consume("somebody")
    monkeypatch.setattr(rate_limit, "PROBE_INTERVAL_SECONDS", 60)
    limit.consume("somebody")
    assert cache.get(limit.key("somebody")) > timezone.now().timestamp()
