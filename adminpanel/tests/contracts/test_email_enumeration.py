"""Nobody learns which email addresses have an account from any call that touches one.

A classifier over status, text, headers and time has to tell known addresses from unknown ones, and does no better than
chance. `EMAIL_ADDRESSES` raises how many there are of each; `dev.py soak` asks about 300 and 300.
"""

import math
import os
import random
import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import count

import pytest
from django.test import Client, RequestFactory
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import profile
from accounts.auth import email_verification, login
from accounts.auth.sessions import create_session
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from config.api.errors import DomainError
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

EACH = int(os.environ.get("EMAIL_ADDRESSES", "40"))
FOLDS = 5
# Chance alone goes so many standard deviations astray once in millions of runs.
DEVIATIONS = 5
# The last two name the moment.
DIFFERS_ALWAYS = {"X-Request-ID", "Date", "Expires"}


@dataclass(frozen=True)
class Response:
    """What a caller sees of one call, and whether the address that it named has an account."""

    is_known: bool
    status: int
    text: str
    headers: tuple[tuple[str, str], ...]
    seconds: float

    @property
    def seen(self):
        return self.status, self.text, self.headers


@pytest.fixture(scope="module")
def rng():
    return random.Random(17)


@pytest.fixture
def addresses(rng):
    """Addresses of equal length, half of them with an account that has been used, in no order."""
    every = [f"person-{number:06}@example.com" for number in rng.sample(range(10**6), 2 * EACH)]
    known = every[:EACH]
    request = RequestFactory(HTTP_USER_AGENT="Invented Browser 1.0").get("/")
    for email in known:
        person = PatientFactory.create(email=email)
        for _ in range(3):
            create_session(person, request, timezone.now())
    rng.shuffle(every)
    return [(email, email in set(known)) for email in every]


def network():
    """Return a new network for each call, so that no limit of one is met."""
    networks = count()
    return lambda: f"198.{18 + (number := next(networks)) // 65536}.{number // 256 % 256}.{number % 256}"


def normalized(text, email):
    """Return a text without what differs from call to call whatever the address."""
    text = text.replace(email, "ADDRESS")
    text = re.sub(r'"requestId": ?"\w+"', "", text)
    return re.sub(r'(csrfmiddlewaretoken" value|nonce)="?[\w+/=-]+"?', "", text)


def send_requests(call, addresses):
    """Ask about each address; the first two calls, which find nothing warm, do not count."""
    for email in ("warming-000001@example.com", "warming-000002@example.com"):
        call(email)
    seen = []
    for email, is_known in addresses:
        began = time.perf_counter()
        answer = call(email)
        seconds = time.perf_counter() - began
        headers = tuple(sorted((name, value) for name, value in answer.items() if name not in DIFFERS_ALWAYS))
        text = normalized(answer.content.decode(), email)
        seen.append(Response(is_known, answer.status_code, text, headers, seconds))
    return seen


def differences(responses):
    """Return what is not the same in all responses: statuses, headers, lines of text."""
    first = parts(responses[0])
    return sorted({part for one in responses for part in first ^ parts(one)})


def parts(response):
    headers = {f"{name}: {value}" for name, value in response.headers}
    return {str(response.status), *headers, *response.text.splitlines()}


def auc(responses):
    """Return the share of pairs in which the known address took longer (Mann and Whitney): 0.5 tells nothing."""
    ranked = sorted(responses, key=lambda one: one.seconds)
    ranks = sum(rank for rank, one in enumerate(ranked, 1) if one.is_known)
    known = sum(one.is_known for one in responses)
    return (ranks - known * (known + 1) / 2) / (known * (len(responses) - known))


def accuracy(responses):
    """Return how often a classifier is right about addresses that it was not trained with (5 folds).

    It knows a response by its status, or by status, text and headers, where those were seen for one kind alone; else by
    its time.
    """
    right = 0
    for fold in range(FOLDS):
        trained = [one for number, one in enumerate(responses) if number % FOLDS != fold]
        kinds = defaultdict(set)
        for one in trained:
            kinds[one.seen].add(one.is_known)
            kinds[one.status].add(one.is_known)
        limit, slow_is_known = stump(trained)
        for one in responses[fold::FOLDS]:
            kind = next((kinds[what] for what in (one.status, one.seen) if len(kinds[what]) == 1), set())
            guessed = next(iter(kind)) if kind else (one.seconds > limit) == slow_is_known
            right += guessed == one.is_known
    return right / len(responses)


def stump(responses):
    """Return the time that parts known from unknown addresses best, and whether the known ones take longer."""
    ranked = sorted(responses, key=lambda one: one.seconds)
    total = Counter(one.is_known for one in ranked)
    below: Counter[bool] = Counter()
    best = (0, 0.0, True)
    for one in ranked:
        below[one.is_known] += 1
        slow_known = below[False] + total[True] - below[True]
        best = max(best, (slow_known, one.seconds, True), (len(ranked) - slow_known, one.seconds, False))
    return best[1], best[2]


def margin_of_accuracy(number):
    return DEVIATIONS * math.sqrt(0.25 / number)


def margin_of_auc(number):
    half = number / 2
    return DEVIATIONS * math.sqrt((number + 1) / (12 * half * half))


@pytest.fixture
def calls(client_of, monkeypatch, settings):
    """Every call that touches an address, by name. How often one account may ask is another matter."""
    settings.MAX_EXPENSIVE_REQUESTS_PER_USER = dict.fromkeys(settings.MAX_EXPENSIVE_REQUESTS_PER_USER, 10**6)
    monkeypatch.setattr(email_verification, "MAX_LINKS_PER_HOUR", 10**6)
    elsewhere = network()
    person = client_of(PatientFactory.create(email="asking@example.org"))
    resending = PatientFactory.create(email="resending@example.org")
    resender = client_of(resending)
    desk = client_of(DoctorFactory.create().user)
    visitor, browser = APIClient(), Client()

    def change(email):
        body = {"email": email, "currentPassword": PASSWORD}
        return person.put("/api/auth/profile", body, format="json", REMOTE_ADDR=elsewhere())

    def resend(email):
        type(resending).objects.filter(pk=resending.pk).update(pending_email=email)
        return resender.post("/api/auth/email/pending", REMOTE_ADDR=elsewhere())

    def look_at_own(email):
        type(resending).objects.filter(pk=resending.pk).update(pending_email=email)
        return resender.get("/api/auth/profile")

    def log_in(email):
        body = {"email": email, "password": "wrong-one", "role": "patient"}
        return visitor.post("/api/auth/login", body, format="json", REMOTE_ADDR=elsewhere())

    def log_in_after_guesses(email):
        with monkeypatch.context() as guessed:
            guessed.setattr(login, "guess_limit", RateLimit("sign-in-everywhere", 0))
            return log_in(email)

    def log_in_too_often(email):
        with monkeypatch.context() as tried:
            tried.setattr(login, "account_limit", NetworkRateLimit("sign-in-account", 0))
            return log_in(email)

    def log_in_as_staff(email):
        form = {"username": email, "password": "wrong-one"}
        return browser.post("/staff/login/", form, REMOTE_ADDR=elsewhere())

    def forget(email):
        body = {"email": email}
        return visitor.post("/api/auth/password/reset", body, format="json", REMOTE_ADDR=elsewhere())

    def ask_for_a_passkey(email):
        answer = visitor.post(
            "/api/auth/login/passkey/options", {"email": email}, format="json", REMOTE_ADDR=elsewhere()
        )
        # The ticket and its challenge are new each time.
        answer.content = re.sub(rb'"(ticket|challenge)": ?"[^"]+"', b"", answer.content)
        answer["Content-Length"] = str(len(answer.content))
        return answer

    def search_at_the_desk(email):
        return desk.get("/api/doctors/patients", {"search": email})

    return {
        "change the address": change,
        "send the link to a new address again": resend,
        "look at the waiting address": look_at_own,
        "sign in": log_in,
        "sign in to a guessed account": log_in_after_guesses,
        "sign in too often": log_in_too_often,
        "sign in to the staff site": log_in_as_staff,
        "forget the password": forget,
        "ask for a passkey": ask_for_a_passkey,
        "search at the desk": search_at_the_desk,
    }


def register(email, address="203.0.113.9"):
    form = {
        "name": "Ada Patient",
        "email": email,
        "password": PASSWORD,
        "confirmPassword": PASSWORD,
        "role": "patient",
        "phone": "+1 202 555 0101",
        "dateOfBirth": "1985-06-15",
        "agreedToPrivacy": True,
    }
    return APIClient().post("/api/auth/register/patient", form, format="json", REMOTE_ADDR=address)


def test_classifier_distinguishes_known_emails_no_better_than_chance(calls, addresses, record_property):
    for name, call in calls.items():
        responses = send_requests(call, addresses)
        assert len(responses) == 2 * EACH
        # Status, text and headers are the same to the letter.
        assert differences(responses) == [], name
        assert abs(auc(responses) - 0.5) < margin_of_auc(len(responses)), name
        assert accuracy(responses) < 0.5 + margin_of_accuracy(len(responses)), name
        record_property(name, f"AUC of time {auc(responses):.3f}, right {accuracy(responses):.3f}")


def test_classifier_detects_different_responses(addresses, record_property):
    """The control, and the deliberate exception: registration says that an address is taken, and counts the asking."""
    networks = network()
    responses = send_requests(lambda email: register(email, networks()), addresses)
    assert accuracy(responses) == 1
    record_property("registration", f"right {accuracy(responses):.3f}")

    known = [email for email, is_known in addresses if is_known]
    told = Counter(register(known[number % EACH]).status_code for number in range(110))
    assert told == {409: 100, 429: 10}
    record_property("registration, told to one network in a quarter of an hour", told[409])


def test_classifier_detects_different_timing(calls, addresses, monkeypatch):
    """The control of the time."""
    login_error = login.find_password_failure

    def slower(user, password):
        if user is not None:
            time.sleep(0.03)
        return login_error(user, password)

    monkeypatch.setattr(login, "find_password_failure", slower)
    responses = send_requests(calls["sign in"], addresses)
    assert auc(responses) - 0.5 > margin_of_auc(len(responses))
    assert accuracy(responses) > 0.5 + margin_of_accuracy(len(responses))


def test_classifier_detects_the_former_email_change(calls, addresses, monkeypatch):
    """The control of finding 2: looked up before the link is counted."""
    get_new_email = profile.get_new_email

    def count_lookup(user, changes):
        email = get_new_email(user, changes)
        if email and type(user).objects.filter(email=email).exists():
            raise DomainError("email_taken")
        return email

    monkeypatch.setattr(profile, "get_new_email", count_lookup)
    assert accuracy(send_requests(calls["change the address"], addresses)) == 1
