"""Test login and what its errors reveal."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.auth import login
from accounts.credentials.password_hashing import Argon2Hasher
from accounts.models import AccountStatus, AuditEvent, Session, User
from accounts.tests.factories import PASSWORD, AdminFactory, PatientFactory
from accounts.throttling.rate_limit import NetworkRateLimit, get_network

LOGIN = "/api/auth/login"
FAILED = {"success": False, "message": "Login failed", "code": "login_failed", "errors": {}, "data": {}}


def credentials(user: User, **changes):
    return {"email": user.email, "password": PASSWORD, "role": user.role} | changes


def without_request_id(answer):
    body = answer.json()
    assert len(body.pop("requestId")) == 32
    return body


@pytest.mark.parametrize("factory", [PatientFactory, AdminFactory])
def test_correct_credentials_open_a_session(api, db, factory):
    user = factory.create()

    answer = api.post(LOGIN, credentials(user), format="json", HTTP_USER_AGENT="Invented Browser\x00\n 1.0")

    assert answer.status_code == 200
    data = answer.json()["data"]
    assert (sorted(data), data["user"]["_id"], data["user"]["role"]) == (["token", "user"], str(user.pk), user.role)
    session = Session.objects.get()
    assert (session.user, session.ip_address, session.user_agent) == (user, "127.0.0.1", "Invented Browser 1.0")
    assert session.expires_at - session.created_at == timedelta(hours=12)
    user.refresh_from_db()
    assert user.last_login == session.created_at
    event = AuditEvent.objects.get()
    assert (event.event, event.outcome, event.agent_id) == ("account.signed_in", "0", user.pk)


@pytest.mark.parametrize("spelling", ["ADA@example.com", "\uff21da@Example.COM", " ada@example.com"])
def test_login_accepts_any_spelling_of_the_email(api, patient, spelling):
    assert api.post(LOGIN, credentials(patient, email=spelling), format="json").status_code == 200


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"email": "nobody@example.com"}, "unknown"),
        ({"password": "not-the-password"}, "password"),
        ({"password": "not-the-password", "role": "doctor"}, "password"),
        ({"email": "nobody@example.com", "role": "admin"}, "unknown"),
    ],
)
def test_all_failures_without_the_password_share_one_message(api, patient, changes, reason, django_assert_num_queries):
    with django_assert_num_queries(4):  # the person, and an audit row in a transaction
        answer = api.post(LOGIN, credentials(patient, **changes), format="json")

    assert (answer.status_code, without_request_id(answer)) == (401, FAILED)
    assert Session.objects.count() == 0
    event = AuditEvent.objects.get()
    assert (event.event, event.outcome, event.agent_id, event.detail) == (
        "account.sign_in_failed", "4", None, {"reason": reason},
    )  # fmt: skip


@pytest.mark.parametrize("role", ["doctor", "admin"])
def test_right_password_with_another_role_names_the_role_of_the_account(api, patient, role):
    answer = api.post(LOGIN, credentials(patient, role=role), format="json")

    assert answer.status_code == 403
    assert without_request_id(answer) == {
        "success": False,
        "message": "This is a patient account. Please sign in as a patient.",
        "code": "wrong_role",
        "errors": {},
        "data": {"role": "patient"},
    }
    assert Session.objects.count() == 0
    assert AuditEvent.objects.get().detail == {"reason": "role"}


def test_attempts_with_another_role_count_toward_the_limit(api, patient):
    tries = [api.post(LOGIN, credentials(patient, role="doctor"), format="json") for _ in range(6)]

    assert [answer.status_code for answer in tries] == [403] * 5 + [429]


@pytest.mark.parametrize("changes", [{}, {"email": "nobody@example.com"}, {"password": "wrong"}, {"role": "admin"}])
def test_every_attempt_hashes_exactly_once(api, patient, settings, monkeypatch, changes):
    settings.PASSWORD_HASHERS = ["accounts.credentials.password_hashing.Argon2Hasher"]
    patient.set_password(PASSWORD)
    patient.save()
    hashed: list[str] = []
    for method in ("encode", "verify"):
        monkeypatch.setattr(Argon2Hasher, method, counting(getattr(Argon2Hasher, method), hashed))

    api.post(LOGIN, credentials(patient, **changes), format="json")

    assert len(hashed) == 1


def counting(method, calls):
    def counted(self, *args):
        calls.append(method.__name__)
        return method(self, *args)

    return counted


def test_correct_password_reveals_that_the_account_is_deactivated(api, patient):
    User.objects.update(status=AccountStatus.INACTIVE)

    right = api.post(LOGIN, credentials(patient), format="json")
    wrong = api.post(LOGIN, credentials(patient, password="wrong-one"), format="json")
    other_role = api.post(LOGIN, credentials(patient, role="doctor"), format="json")

    for answer in (right, other_role):
        assert (answer.status_code, answer.json()["code"], answer.json()["data"]) == (403, "account_inactive", {})
    assert without_request_id(wrong) == FAILED
    assert Session.objects.count() == 0
    tries = AuditEvent.objects.filter(event="account.sign_in_failed").order_by("id")
    assert [event.detail["reason"] for event in tries] == ["inactive", "password", "inactive"]


def test_closed_account_cannot_log_in(api, patient):
    User.objects.update(ended_at=timezone.now())

    assert without_request_id(api.post(LOGIN, credentials(patient), format="json")) == FAILED


def test_account_without_a_password_cannot_log_in(api, patient):
    patient.set_unusable_password()
    patient.save()

    for password in ("!", patient.password[:100], PASSWORD):
        assert api.post(LOGIN, credentials(patient, password=password), format="json").status_code == 401


def test_sixth_attempt_in_15_minutes_is_rejected_even_with_the_correct_password(api, patient, other_patient):
    with time_machine.travel("2026-03-02T09:00:00Z", tick=False) as clock:
        tries = [api.post(LOGIN, credentials(patient, password="wrong"), format="json") for _ in range(5)]
        assert {answer.status_code for answer in tries} == {401}

        sixth = api.post(LOGIN, credentials(patient), format="json")
        assert (sixth.status_code, sixth.json()["code"], sixth["Retry-After"]) == (429, "too_many", "901")
        assert api.post(LOGIN, credentials(other_patient), format="json").status_code == 200

        clock.shift(timedelta(minutes=10))
        assert api.post(LOGIN, credentials(patient), format="json")["Retry-After"] == "301"
        clock.shift(timedelta(minutes=5, seconds=1))
        assert api.post(LOGIN, credentials(patient), format="json").status_code == 200


def test_failures_from_one_ip_do_not_lock_the_owner_out_elsewhere(api, patient):
    for _ in range(6):
        api.post(LOGIN, credentials(patient, password="wrong"), format="json", REMOTE_ADDR="198.51.100.7")

    assert api.post(LOGIN, credentials(patient), format="json", REMOTE_ADDR="203.0.113.9").status_code == 200


def test_success_resets_the_attempts_of_the_account(api, patient):
    for _ in range(3):
        for _ in range(4):
            assert api.post(LOGIN, credentials(patient, password="wrong"), format="json").status_code == 401
        assert api.post(LOGIN, credentials(patient), format="json").status_code == 200


def test_one_ip_cannot_try_many_accounts(api, db, monkeypatch):
    monkeypatch.setattr(login, "address_limit", NetworkRateLimit("sign-in-address", 10))
    answers = [
        api.post(LOGIN, {"email": f"p{n}@example.com", "password": "x", "role": "patient"}, format="json")
        for n in range(11)
    ]

    assert [answer.status_code for answer in answers] == [401] * 10 + [429]


def test_successful_logins_do_not_exhaust_the_limit_of_an_ip(api, db, monkeypatch):
    monkeypatch.setattr(login, "address_limit", NetworkRateLimit("sign-in-address", 2))
    people = PatientFactory.create_batch(4)

    answers = [api.post(LOGIN, credentials(person), format="json") for person in people]

    assert [answer.status_code for answer in answers] == [200] * 4


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_ipv6_network_counts_as_one_ip(address, network):
    assert get_network(address) == network


def test_deactivation_during_login_wins(api, patient, monkeypatch):
    check = login.find_password_failure

    def check_while_an_admin_acts(user, password):
        User.objects.filter(pk=user.pk).update(status=AccountStatus.INACTIVE)
        return check(user, password)

    monkeypatch.setattr(login, "find_password_failure", check_while_an_admin_acts)

    answer = api.post(LOGIN, credentials(patient), format="json")

    assert (answer.status_code, answer.json()["code"]) == (403, "account_inactive")
    assert Session.objects.count() == 0


def test_password_change_during_login_wins(api, patient, monkeypatch):
    check = login.find_password_failure

    def check_while_the_owner_acts(user, password):
        User.objects.filter(pk=user.pk).update(password="changed")
        return check(user, password)

    monkeypatch.setattr(login, "find_password_failure", check_while_the_owner_acts)

    assert without_request_id(api.post(LOGIN, credentials(patient), format="json")) == FAILED
    assert Session.objects.count() == 0


def test_expired_token_does_not_prevent_login(api, patient):
    api.credentials(HTTP_AUTHORIZATION="Bearer long.since.dead")
    answer = api.post(
        "/api/auth/login", {"email": patient.email, "password": PASSWORD, "role": "patient"}, format="json"
    )
    assert answer.status_code == 200
