"""Test that guesses at one account from many networks slow down new devices and notify the owner."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.auth import login
from accounts.models import AuditEvent, Notice, Session
from accounts.tests.factories import PASSWORD
from accounts.tests.mail_links import deliver, token_in
from accounts.throttling.rate_limit import Cooldown, RateLimit

LOGIN = "/api/auth/login"
HOME, ABROAD = "203.0.113.9", "192.0.2.77"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
OTHER_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0"
SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15"


def attempt(email, password="wrong", address=ABROAD, agent=FIREFOX):
    form = {"email": email, "password": password, "role": "patient"}
    return APIClient().post(LOGIN, form, format="json", REMOTE_ADDR=address, HTTP_USER_AGENT=agent)


def guess(email, times=20):
    """Guess from so many networks; returns what each was told."""
    return [attempt(email, address=f"198.51.100.{n}").status_code for n in range(times)]


@pytest.fixture
def clock():
    with time_machine.travel(timezone.now(), tick=False) as clock:
        yield clock


@pytest.mark.parametrize("is_known", [True, False], ids=["an account", "no account"])
def test_after_too_many_guesses_each_network_waits_a_minute_per_attempt(patient, clock, is_known):
    """What finding 7 did: 60 networks x 5 guesses, all of them 401."""
    email = patient.email if is_known else "nobody@example.com"
    assert guess(email) == [401] * 20

    first = attempt(email)
    assert (first.status_code, first.json()["code"], first["Retry-After"]) == (429, "too_many", "60")
    clock.shift(timedelta(seconds=20))
    assert attempt(email)["Retry-After"] == "40"
    clock.shift(timedelta(seconds=40))
    assert attempt(email).status_code == 401
    assert attempt(email)["Retry-After"] == "60"
    # Another network waits for itself, and what waits uses up none of its five tries.
    assert attempt(email, address="192.0.2.78")["Retry-After"] == "60"
    for _ in range(10):
        assert attempt(email, address="192.0.2.78").status_code == 429
    clock.shift(timedelta(seconds=60))
    assert attempt(email, address="192.0.2.78").status_code == 401


def test_correct_password_waits_at_most_one_minute(patient, clock):
    guess(patient.email)
    assert attempt(patient.email, PASSWORD)["Retry-After"] == "60"
    clock.shift(timedelta(seconds=60))
    assert attempt(patient.email, PASSWORD).status_code == 200


def test_known_devices_do_not_wait(patient, clock):
    assert attempt(patient.email, PASSWORD, address=HOME).status_code == 200
    guess(patient.email)

    # The same browser at home, in a newer version too; another one, or elsewhere, is new.
    assert attempt(patient.email, PASSWORD, address=HOME).status_code == 200
    assert attempt(patient.email, PASSWORD, address=HOME, agent=OTHER_FIREFOX).status_code == 200
    assert attempt(patient.email, PASSWORD, address=HOME, agent=SAFARI).status_code == 429
    assert attempt(patient.email, PASSWORD, address=ABROAD).status_code == 429
    # Five wrong tries are the end there as anywhere.
    said = [attempt(patient.email, address=HOME).status_code for _ in range(6)]
    assert said == [401] * 5 + [429]


def test_known_devices_are_recognized_after_a_change_of_the_secret_key(patient, clock, settings):
    assert attempt(patient.email, PASSWORD, address=HOME).status_code == 200
    former = settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key", ["an unrelated one", former]
    guess(patient.email)
    assert attempt(patient.email, PASSWORD, address=HOME).status_code == 200
    assert attempt(patient.email, PASSWORD, address=ABROAD).status_code == 429
    # Nobody is told of a new sign-in: browser and network are compared, not their digest.
    assert not Notice.objects.filter(event="account.new_sign_in").exists()


def test_a_device_known_to_another_account_is_new_to_this_one(patient, other_patient, clock):
    attempt(other_patient.email, PASSWORD, address=HOME)
    guess(patient.email)

    assert attempt(patient.email, PASSWORD, address=HOME).status_code == 429


def test_password_reset_ends_the_wait_for_its_owner(api, patient, mail, clock):
    guess(patient.email)
    assert attempt(patient.email).status_code == 429
    assert api.post("/api/auth/password/reset", {"email": patient.email}, format="json").status_code == 200
    deliver()
    token = next(token_in(one) for one in mail.to(patient.email) if "Choose" in one["Subject"])
    body = {"token": token, "newPassword": "fresh-blue-kettle"}
    done = api.post("/api/auth/password/reset/confirm", body, format="json", REMOTE_ADDR=ABROAD)
    assert done.status_code == 200

    assert attempt(patient.email, "fresh-blue-kettle").status_code == 200


def test_owner_is_notified_once_per_window(patient, client_of, mail, clock):
    for window in range(1, 3):
        guess(patient.email, 40)
        deliver()
        told = [one for one in mail.to(patient.email) if one["Subject"] == "Someone is trying to guess your password"]
        assert len(told) == window
        assert AuditEvent.objects.filter(event="account.guessed", entity_id=str(patient.pk)).count() == window
        clock.shift(timedelta(minutes=15, seconds=1))
    shown = client_of(patient).get("/api/notices").json()["data"]["notices"]
    assert [(one["event"], one["path"]) for one in shown] == [("account.guessed", "/profile")] * 2


def test_guesses_at_unknown_accounts_notify_nobody(db, mail, clock):
    guess("nobody@example.com", 40)
    assert deliver() == {}
    assert not Notice.objects.exists()
    [row] = AuditEvent.objects.filter(event="limit.exhausted")
    assert (row.detail, row.entity_id) == ({"limit": "sign-in-everywhere", "max_attempts": 20}, "")


def test_successes_do_not_count_as_guesses(patient, clock, monkeypatch):
    monkeypatch.setattr(login, "guess_limit", RateLimit("sign-in-everywhere", 2))
    for n in range(6):
        assert attempt(patient.email, PASSWORD, address=f"198.51.100.{n}").status_code == 200


def test_one_attempt_is_allowed_after_each_wait(clock):
    wait = Cooldown("tested", 60)

    def passes():
        try:
            wait.consume("a")
        except login.DomainError as refused:
            return refused.retry_after
        return None

    assert [passes() for _ in range(3)] == [60] * 3
    clock.shift(timedelta(seconds=60))
    assert [passes() for _ in range(4)] == [None, 60, 60, 60]
    clock.shift(timedelta(seconds=1))
    wait.reset("a")
    assert passes() is None


# --- Sign-ins that succeed --------------------------------------------------------------------------------------------


def test_user_can_open_a_limited_number_of_sessions_per_hour(patient, other_patient, clock, monkeypatch):
    monkeypatch.setattr(login, "session_limit", RateLimit("sign-ins", 3, 3600))
    said = [attempt(patient.email, PASSWORD, address=f"198.51.100.{n}") for n in range(5)]

    assert [answer.status_code for answer in said] == [200] * 3 + [429] * 2
    assert said[3]["Retry-After"] == "3601"
    assert Session.objects.filter(user=patient).count() == 3
    assert AuditEvent.objects.filter(event="limit.exhausted", detail__limit="sign-ins").count() == 1
    assert attempt(other_patient.email, PASSWORD).status_code == 200
    clock.shift(timedelta(hours=1, seconds=1))
    assert attempt(patient.email, PASSWORD).status_code == 200
