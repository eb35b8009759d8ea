"""Test that concurrent uses of one code have one winner and that attempts are counted exactly."""

import contextlib
import threading
import time
from collections import Counter

import httpx
import pyotp
import pytest
from django.utils import timezone

from accounts.auth import totp
from accounts.credentials.encryption import encrypt_secret
from accounts.models import AuthenticatorApp
from config.testing import run_server

PASSWORD = "seven-tall-herons"
CONCURRENT_REQUESTS = 16


@pytest.fixture(scope="module")
def limited(tmp_path_factory):
    with run_server(
        tmp_path_factory.mktemp("second"),
        MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT="5",
        MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT="1000",
    ) as running_server:
        yield running_server


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory):
    """Tries are no matter here."""
    with run_server(
        tmp_path_factory.mktemp("second"), workers=2,
        MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT="1000", MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT="1000",
    ) as running_server:  # fmt: skip
        yield running_server


class MfaUser:
    """A registered patient with an authenticator app, on a real server."""

    def __init__(self, url: str, name: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=60)
        self.login = {"email": f"{name}@example.com", "password": PASSWORD, "role": "patient"}
        form = {
            **self.login, "confirmPassword": PASSWORD, "name": "Ada Patient", "phone": "+1 202 555 0101",
            "dateOfBirth": "1985-06-15", "gender": "female", "agreedToPrivacy": True,
        }  # fmt: skip
        token = self.http.post("/api/auth/register/patient", json=form).json()["data"]["token"]
        self.headers = headers = {"Authorization": f"Bearer {token}"}
        app = "/api/auth/second-step/app"
        shown = self.http.post(app, json={"currentPassword": PASSWORD}, headers=headers).json()["data"]["secret"]
        self.totp = pyotp.TOTP(shown["text"].replace(" ", ""))
        done = self.http.put(app, json={"code": self.totp.now()}, headers=headers)
        self.codes = done.json()["data"]["recoveryCodes"]

    def ticket(self) -> str:
        answer = self.http.post("/api/auth/login", json=self.login)
        return str(answer.json()["data"]["secondStep"]["ticket"])

    def log_in_concurrently(self, tickets: list[str], **sent: str) -> Counter[int]:
        return self.post_concurrently("/api/auth/login/second", [{"ticket": ticket, **sent} for ticket in tickets])

    def post_concurrently(
        self, path: str, bodies: list[dict[str, str]], headers: dict[str, str] | None = None
    ) -> Counter[int]:
        statuses: list[int] = []
        start = threading.Barrier(len(bodies))

        def run(body: dict[str, str]) -> None:
            with httpx.Client(base_url=self.http.base_url, timeout=60, headers=headers) as client:
                start.wait(timeout=60)
                statuses.append(client.post(path, json=body).status_code)

        threads = [threading.Thread(target=run, args=(body,)) for body in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return Counter(statuses)


@pytest.fixture
def register_user():
    """Return a function that registers users; their connections close with the test."""
    with contextlib.ExitStack() as stack:

        def register(url: str, name: str) -> MfaUser:
            person = MfaUser(url, name)
            stack.callback(person.http.close)
            return person

        yield register


def test_concurrent_uses_of_one_code_have_one_winner(unlimited, register_user):
    person = register_user(unlimited.url, "one-code")
    tickets = [person.ticket() for _ in range(CONCURRENT_REQUESTS)]
    code = person.totp.at(int(time.time()) + 30)
    assert person.log_in_concurrently(tickets, code=code) == {200: 1, 401: CONCURRENT_REQUESTS - 1}
    assert person.log_in_concurrently(
        [person.ticket() for _ in range(CONCURRENT_REQUESTS)], recoveryCode=person.codes[0]
    ) == {
        200: 1,
        401: CONCURRENT_REQUESTS - 1,
    }


def test_concurrent_uses_of_one_ticket_have_one_winner(unlimited, register_user):
    person = register_user(unlimited.url, "one-ticket")
    ticket = person.ticket()
    code = person.totp.at(int(time.time()) + 30)
    answers = person.log_in_concurrently([ticket] * CONCURRENT_REQUESTS, code=code)
    assert (answers[200], answers[400] + answers[401]) == (1, CONCURRENT_REQUESTS - 1)


def test_five_of_many_concurrent_wrong_codes_are_checked(limited, register_user):
    person = register_user(limited.url, "many-tries")
    tickets = [person.ticket() for _ in range(CONCURRENT_REQUESTS)]
    assert person.log_in_concurrently(tickets, code="000000") == {401: 5, 429: CONCURRENT_REQUESTS - 5}


def test_concurrent_changes_with_one_factor_have_one_winner(unlimited, register_user):
    person = register_user(unlimited.url, "one-factor")
    path, body = "/api/auth/passkeys/options", {"currentPassword": PASSWORD}
    one = [{**body, "recoveryCode": person.codes[0]}] * 6
    assert person.post_concurrently(path, one, person.headers) == {200: 1, 400: 5}
    # The control: with a factor each, all are made.
    each = [{**body, "recoveryCode": code} for code in person.codes[1:7]]
    assert person.post_concurrently(path, each, person.headers) == {200: 6}


@pytest.mark.django_db
def test_database_row_decides_over_stale_reads(patient):
    secret = pyotp.random_base32()
    now = timezone.now()
    AuthenticatorApp.objects.create(user=patient, secret=encrypt_secret(secret), started_at=now, turned_on_at=now)
    # Two who have both read that no code was used yet.
    first, second = AuthenticatorApp.objects.get(), AuthenticatorApp.objects.get()
    code = pyotp.TOTP(secret).at(now)
    assert [totp.verify_code(app, code, now) for app in (first, second)] == [True, False]
    # The control: they would both be let in by what they have read.
    assert [app.last_step for app in (first, second)] == [0, 0]
