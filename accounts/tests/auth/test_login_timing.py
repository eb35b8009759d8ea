"""Test that the duration of a failed login does not reveal its cause, by the medians of alternating attempts."""

import os
import random
import time
from statistics import median

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from accounts.auth import login
from accounts.tests.factories import PASSWORD
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit

pytestmark = pytest.mark.either_engine

TRIES = int(os.environ.get("TIMED_TRIES", "12"))
# A long run holds what is asked for, on the clock. A short one would hold the machine's other work, so it counts this
# process's own.
APART, clock = (1.05, time.perf_counter) if TRIES >= 200 else (1.6, time.process_time)

FAILURES = {
    "unknown email": {"email": "nobody@example.com"},
    "wrong password": {"password": "not-the-password"},
    "wrong password and role": {"password": "not-the-password", "role": "doctor"},
}


@pytest.fixture
def fail(patient, settings, monkeypatch):
    """Fail to sign in, with passwords hashed as in production and no limit on tries."""
    settings.PASSWORD_HASHERS = ["accounts.credentials.password_hashing.Argon2Hasher"]
    patient.set_password(PASSWORD)
    patient.save()
    for name in ("account_limit", "address_limit"):
        monkeypatch.setattr(login, name, NetworkRateLimit(f"timed-{name}", 10**9))
    monkeypatch.setattr(login, "guess_limit", RateLimit("timed-guesses", 10**9))
    client = APIClient()
    right = {"email": patient.email, "password": PASSWORD, "role": patient.role}

    def post(what):
        return client.post("/api/auth/login", right | FAILURES[what], format="json")

    return post


def test_login_failures_take_the_same_time(fail, record_property):
    for what in FAILURES:
        fail(what)
    taken = {what: [] for what in FAILURES}
    turn = list(FAILURES)
    chance = random.Random(7)
    for _ in range(TRIES):
        chance.shuffle(turn)
        for what in turn:
            began = clock()
            answer = fail(what)
            taken[what].append(clock() - began)
            assert answer.status_code == 401
    medians = {what: median(times) for what, times in taken.items()}
    for what, each in medians.items():
        record_property(f"{what}, median of {TRIES}", f"{1000 * each:.2f} ms")
    assert max(medians.values()) / min(medians.values()) < APART, medians


def test_login_failures_have_the_same_body_headers_and_queries(fail):
    seen = []
    for what in FAILURES:
        with CaptureQueriesContext(connection) as captured:
            answer = fail(what)
        body = answer.json()
        assert len(body.pop("requestId")) == 32
        headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}
        statements = [query["sql"].split(" ")[0] for query in captured.captured_queries]
        seen.append((answer.status_code, body, headers, statements))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][3].count("INSERT") == 1
