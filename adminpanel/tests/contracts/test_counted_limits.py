"""Every limit that is counted in the database is exact, however many try at the same moment.

`LIMIT_ROUNDS` raises the count; `dev.py soak` runs 50 of each. SQLite has one writer, so its tries never meet.
"""

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import count
from threading import Barrier, BrokenBarrierError
from types import SimpleNamespace

import pytest
import webauthn
from django.core.cache import cache
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from accounts.auth import email_verification, login, passkeys, password_reset
from accounts.auth.sessions import create_session
from accounts.credentials import challenge_tokens
from accounts.credentials.mfa_status import compute_credentials_digest
from accounts.models import Notice, Passkey, ResetRequest, Session, User, UserQuerySet
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.throttling.rate_limit import RateLimit
from appointments.availability import absences, blocked_times
from appointments.models import Attachment
from appointments.records import attachments
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from doctors.models import Absence, BlockedTime
from doctors.tests.factories import DoctorFactory

ROUNDS = int(os.environ.get("LIMIT_ROUNDS", "8"))
CONCURRENT_CALLS = 10

# SQLite has one writer.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql, pytest.mark.every_case]


def run_concurrently(act):
    """Do an act in many threads at the same moment; returns how often each thing came of it."""
    barrier = Barrier(CONCURRENT_CALLS)

    def run(number):
        barrier.wait()
        try:
            act(number)
        except DomainError as refused:
            return refused.code
        finally:
            connection.close()
        return "passed"

    with ThreadPoolExecutor(CONCURRENT_CALLS) as pool:
        return Counter(pool.map(run, range(CONCURRENT_CALLS)))


@pytest.fixture
def now():
    return timezone.now()


def links_to_the_own_address(now, monkeypatch, settings):
    person = PatientFactory.create(email_confirmed_at=None)
    return (
        lambda _: email_verification.resend_own_email_link(person, now),
        {"passed": 5, "too_many": 5},
        lambda: Notice.objects.filter(recipient=person, event=email_verification.OWN_CONFIRMATION_SENT).count(),
    )


def links_to_a_new_address(now, monkeypatch, settings):
    person = PatientFactory.create(pending_email="new@example.com")
    monkeypatch.setattr(email_verification, "mailbox_limit", RateLimit("email-link", 1000))
    return (
        lambda _: email_verification.resend_new_email_link(person, now),
        {"passed": 5, "too_many": 5},
        lambda: Notice.objects.filter(recipient=person, event=email_verification.CONFIRMATION_SENT).count(),
    )


def links_to_one_mailbox(now, monkeypatch, settings):
    people = PatientFactory.create_batch(CONCURRENT_CALLS, pending_email="new@example.com")
    return (
        lambda number: email_verification.resend_new_email_link(people[number], now),
        {"passed": 3, "too_many": 7},
        lambda: Notice.objects.filter(event=email_verification.CONFIRMATION_SENT, recipient__in=people).count(),
    )


def mails_with_a_new_password(now, monkeypatch, settings):
    person = PatientFactory.create()
    ResetRequest.objects.bulk_create(
        [ResetRequest(email=person.email, created_at=now) for _ in range(CONCURRENT_CALLS)]
    )
    return (
        lambda _: password_reset.process_requests(now),
        {"passed": 10},
        lambda: Notice.objects.filter(recipient=person, event=password_reset.RESET_REQUESTED).count(),
    )


def sessions_within_an_hour(now, monkeypatch, settings):
    person = PatientFactory.create()
    monkeypatch.setattr(login, "session_limit", RateLimit("sign-ins", 5, 3600))
    monkeypatch.setattr(login, "account_limit", RateLimit("sign-in-account", 1000))
    request = RequestFactory().post("/api/auth/login")
    return (
        lambda _: login.sign_in(person.email, PASSWORD, "patient", request, now),
        {"passed": 5, "too_many": 5},
        lambda: Session.objects.filter(user=person).count(),
    )


def passkeys_of_one_person(now, monkeypatch, settings):
    person = PatientFactory.create(second_step_at=now)
    monkeypatch.setattr(passkeys, "MAX_PASSKEYS", 5)
    number = count()

    def made(**_):
        one = next(number)
        return SimpleNamespace(
            credential_id=b"%d %s" % (one, person.pk.bytes), credential_public_key=b"key", sign_count=0
        )

    monkeypatch.setattr(webauthn, "verify_registration_response", made)
    request = RequestFactory().get("/")
    session = create_session(person, request, now)
    asked = [
        challenge_tokens.issue_ticket(
            challenge_tokens.PASSKEY_ADDING,
            now - timedelta(seconds=each),
            person.pk.hex,
            compute_credentials_digest(person),
        )
        for each in range(CONCURRENT_CALLS)
    ]
    return (
        lambda each: passkeys.add_passkey(person, asked[each], "One", {}, session, now),
        {"passed": 5, "passkeys_full": 5},
        lambda: Passkey.objects.filter(user=person).count(),
    )


def files_of_one_appointment(now, monkeypatch, settings):
    doctor = DoctorFactory.create()
    appointment = make_appointment(doctor, PatientFactory.create(), now.date() + timedelta(days=2), status="confirmed")
    settings.MAX_ATTACHMENTS = 5
    number = count()
    file = SimpleNamespace(content=b"%PDF-1.7", content_type="application/pdf")
    monkeypatch.setattr(attachments, "sanitize_file", lambda *_, **__: file)
    monkeypatch.setattr(attachments, "store_file", lambda *_: f"{appointment.pk}/{next(number)}")
    monkeypatch.setattr(attachments, "claim_file", lambda *_: None)
    monkeypatch.setattr(attachments, "discard_file", lambda *_: None)

    def attach(_):
        own = type(appointment).objects.get(pk=appointment.pk)
        attachments.add_attachment(own, "report.pdf", b"%PDF-1.7", actor=doctor.user, now=now)

    return (
        attach,
        {"passed": 5, "invalid": 5},
        lambda: Attachment.objects.filter(appointment=appointment).count(),
    )


def absences_of_one_doctor(now, monkeypatch, settings):
    doctor = DoctorFactory.create()
    monkeypatch.setattr(absences, "MAX_ABSENCES", 5)

    def add(number):
        day = now.date() + timedelta(days=10 + 2 * number)
        data = {
            "from": {"date": day, "time": 0},
            "to": {"date": day, "time": 600},
            "reason": "",
            "visits": {},
            "visitsReason": "",
        }
        absences.add_absence(doctor.user, data, preview=False, now=now)

    return add, {"passed": 5, "invalid": 5}, lambda: Absence.objects.filter(doctor=doctor).count()


def blocked_times_of_one_doctor(now, monkeypatch, settings):
    doctor = DoctorFactory.create()
    monkeypatch.setattr(blocked_times, "MAX_DATES", 5)

    def add(number):
        day = now.date() + timedelta(days=10 + number)
        blocked_times.block_time(doctor.user, {"date": day, "start": 540, "end": 600, "reason": ""}, {}, "", now=now)

    return add, {"passed": 5, "invalid": 5}, lambda: BlockedTime.objects.filter(doctor=doctor).count()


@pytest.mark.parametrize(
    ("prepare", "rows"),
    [
        (links_to_the_own_address, 5),
        (links_to_a_new_address, 5),
        (links_to_one_mailbox, 3),
        (mails_with_a_new_password, 5),
        (sessions_within_an_hour, 5),
        (passkeys_of_one_person, 5),
        (files_of_one_appointment, 5),
        (absences_of_one_doctor, 5),
        (blocked_times_of_one_doctor, 5),
    ],
)
def test_concurrent_requests_never_exceed_a_limit(prepare, rows, now, monkeypatch, settings):
    for _ in range(ROUNDS):
        cache.clear()
        act, outcome, counted = prepare(now, monkeypatch, settings)
        assert run_concurrently(act) == outcome
        assert counted() == rows


def test_without_the_lock_a_limit_is_exceeded(now, monkeypatch, settings):
    """The control: all of them have counted before the first one is written."""
    act, _, _ = links_to_the_own_address(now, monkeypatch, settings)
    check, counted = email_verification.check_link_limit, Barrier(CONCURRENT_CALLS)

    def check_and_wait(user, at):
        check(user, at)
        try:
            counted.wait(timeout=20)
        except BrokenBarrierError:
            raise AssertionError("They do not meet: something else puts them in order.") from None

    monkeypatch.setattr(email_verification, "check_link_limit", check_and_wait)
    monkeypatch.setattr(UserQuerySet, "locked", lambda self: self)

    assert run_concurrently(act) == {"passed": CONCURRENT_CALLS}
    assert User.objects.count() == 1
