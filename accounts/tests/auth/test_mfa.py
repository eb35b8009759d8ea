"""Test two-step login: the authenticator app, its codes, recovery codes and their limits."""

import base64
import math
import re
from datetime import timedelta

import pyotp
import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.auth import login
from accounts.auth.account_status import set_user_status
from accounts.auth.password_reset import reset_password
from accounts.auth.recovery_codes import generate_code, hash_code, normalize_code
from accounts.credentials import challenge_tokens, signed_links
from accounts.credentials.encryption import decrypt_secret, get_cipher
from accounts.models import (
    AccountStatus,
    AuditEvent,
    AuthenticatorApp,
    Notice,
    Passkey,
    RecoveryCode,
    Session,
    SpentTicket,
    User,
)
from accounts.tests.auth.authenticators import APP, LOGIN, PASSKEYS, SECOND, Device, code_of, enrol, log_in, ticket_of
from accounts.tests.factories import PASSWORD, PatientFactory
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from adminpanel.operations.housekeeping import run_round
from appointments.scheduling.account_closure import end_account
from config.api.errors import DomainError

OFF = f"{APP}/off"
CODES = "/api/auth/second-step/recovery-codes"
STANDING = "/api/auth/second-step"
NOON = "2026-03-02T12:00:00Z"
STEP = timedelta(seconds=30)


@pytest.fixture
def clock(db):
    with time_machine.travel(NOON, tick=False) as travel:
        yield travel


@pytest.fixture
def enrolled(clock, patient, client_of):
    """A patient with an app, a half minute later: the code that turned it on is spent."""
    client = client_of(patient)
    secret, codes = enrol(client)
    clock.shift(STEP)
    patient.refresh_from_db()
    return client, patient, secret, codes


def second(api, ticket, **sent):
    return api.post(SECOND, {"ticket": ticket, **sent}, format="json")


def failed(answer, field):
    body = answer.json()
    return (answer.status_code, body["code"], list(body["errors"])) == (401, "second_step_failed", [field])


# --- Setting it up ---------------------------------------------------------------------------


def test_an_app_is_set_up_with_the_password_and_its_first_code(clock, patient, client_of):
    here, there = client_of(patient), client_of(patient)
    assert here.get(STANDING).json()["data"]["secondStep"] == {
        "since": None, "methods": [], "due": False, "app": None, "recoveryCodesLeft": 0,
    }  # fmt: skip

    secret = here.post(APP, {"currentPassword": PASSWORD}, format="json").json()["data"]["secret"]

    assert re.fullmatch(r"([A-Z2-7]{4} ){7}[A-Z2-7]{4}", secret["text"])
    assert secret["uri"] == pyotp.TOTP(secret["text"].replace(" ", "")).provisioning_uri(
        name="ada@example.com", issuer_name="Wellhour"
    )
    assert secret["qr"].startswith("data:image/svg+xml;charset=utf-8,")
    # Nothing counts before the first code.
    assert sorted(log_in(here, patient).json()["data"]) == ["token", "user"]

    answer = here.put(APP, {"code": code_of(secret["text"])}, format="json")

    codes = answer.json()["data"]["recoveryCodes"]
    assert (answer.status_code, len(set(codes))) == (200, 10)
    assert all(re.fullmatch(r"([a-z2-9]{4}-){5}[a-z2-9]{4}", code) for code in codes)
    assert here.get(STANDING).json()["data"]["secondStep"] == {
        "since": "2026-03-02T12:00:00Z", "methods": ["code", "recoveryCode"], "due": False,
        "app": {"turnedOnAt": "2026-03-02T12:00:00Z"},
        "recoveryCodesLeft": 10,
    }  # fmt: skip
    # What the password alone had opened is shut.
    assert there.get(STANDING).status_code == 401
    assert set(Session.objects.filter(ended_at__isnull=False).values_list("ended_because", flat=True)) == {
        "second_step_changed"
    }
    assert Notice.objects.filter(event="account.authenticator_added", recipient=patient).count() == 1


def test_secrets_are_stored_encrypted_and_codes_hashed(enrolled, settings):
    _, patient, secret, codes = enrolled
    app = AuthenticatorApp.objects.get()
    plain = secret.replace(" ", "")
    assert plain not in app.secret
    assert plain not in base64.urlsafe_b64decode(app.secret).decode("latin-1")
    assert decrypt_secret(app.secret) == plain
    kept = set(RecoveryCode.objects.values_list("code_hash", flat=True))
    assert kept == {hash_code(patient, code) for code in codes}
    settings.SECRET_KEY = "another-key-" * 5
    assert decrypt_secret(app.secret) is None
    settings.SECRET_KEY_FALLBACKS = ["insecure-key-for-development-and-tests-only-0123456789"]
    assert decrypt_secret(app.secret) == plain
    assert get_cipher("one").decrypt(get_cipher("one").encrypt(b"x")) == b"x"


def test_after_a_key_change_codes_fail_and_recovery_codes_work(enrolled, api, settings):
    _, patient, secret, codes = enrolled
    settings.SECRET_KEY = "another-key-" * 5
    ticket = ticket_of(api, patient)
    assert failed(second(api, ticket, code=code_of(secret)), "code")
    assert second(api, ticket, recoveryCode=codes[0]).status_code == 200


@pytest.mark.parametrize("password", ["", "wrong-one", None])
def test_app_setup_requires_the_password(patient, client_of, password):
    answer = client_of(patient).post(APP, {} if password is None else {"currentPassword": password}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["currentPassword"])
    assert not AuthenticatorApp.objects.exists()


def test_wrong_first_code_enables_nothing_and_attempts_are_limited(clock, patient, client_of):
    client = client_of(patient)
    secret = client.post(APP, {"currentPassword": PASSWORD}, format="json").json()["data"]["secret"]["text"]
    wrong = [client.put(APP, {"code": "000000"}, format="json") for _ in range(5)]
    assert {(a.status_code, tuple(a.json()["errors"])) for a in wrong} == {(400, ("code",))}
    answer = client.put(APP, {"code": code_of(secret)}, format="json")
    assert (answer.status_code, answer["Retry-After"]) == (429, "901")
    assert User.objects.get().second_step_at is None


def test_unconfirmed_secret_expires_after_15_minutes(clock, patient, client_of):
    client = client_of(patient)
    secret = client.post(APP, {"currentPassword": PASSWORD}, format="json").json()["data"]["secret"]["text"]
    clock.shift(timedelta(minutes=15))
    answer = client.put(APP, {"code": code_of(secret)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


def test_second_app_requires_removing_the_first(enrolled):
    client, _, secret, _ = enrolled
    for answer in (
        client.post(APP, {"currentPassword": PASSWORD, "code": code_of(secret)}, format="json"),
        client.put(APP, {"code": "123456"}, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "second_step_on")


# --- Signing in ------------------------------------------------------------------------------


def test_correct_password_asks_for_the_second_step_without_a_token(enrolled, api):
    _, patient, secret, _ = enrolled
    sessions = Session.objects.count()

    answer = log_in(api, patient)

    data = answer.json()["data"]
    assert (answer.status_code, list(data), sorted(data["secondStep"])) == (
        200, ["secondStep"], ["methods", "passkey", "ticket"],
    )  # fmt: skip
    assert (data["secondStep"]["methods"], data["secondStep"]["passkey"]) == (["code", "recoveryCode"], None)
    assert Session.objects.count() == sessions

    done = second(api, data["secondStep"]["ticket"], code=f"{code_of(secret)[:3]} {code_of(secret)[3:]}")

    assert (done.status_code, sorted(done.json()["data"])) == (200, ["token", "user"])
    assert done.json()["data"]["user"]["_id"] == str(patient.pk)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {done.json()['data']['token']}")
    assert api.get("/api/auth/profile").status_code == 200
    events = AuditEvent.objects.order_by("-id").values_list("event", "agent_id", "detail")[:2]
    assert list(events) == [
        ("account.signed_in", patient.pk, {"with": "code"}),
        ("account.second_step_asked", None, {}),
    ]


@pytest.mark.parametrize("changes", [{"password": "wrong"}, {"email": "nobody@example.com"}])
def test_wrong_password_does_not_reveal_a_second_step(enrolled, api, changes):
    _, patient, *_ = enrolled
    body = {"email": patient.email, "password": PASSWORD, "role": "patient"} | changes
    answer = api.post(LOGIN, body, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["data"]) == (401, "login_failed", {})


def test_wrong_role_gets_no_second_step_ticket(enrolled, api):
    _, patient, *_ = enrolled
    body = {"email": patient.email, "password": PASSWORD, "role": "doctor"}
    answer = api.post(LOGIN, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_role")
    assert answer.json()["data"] == {"role": "patient"}
    body["password"] = "wrong"
    answer = api.post(LOGIN, body, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["data"]) == (401, "login_failed", {})


def test_a_code_works_once(enrolled, api):
    _, patient, secret, _ = enrolled
    code = code_of(secret)
    first, then = ticket_of(api, patient), ticket_of(api, patient)
    assert second(api, first, code=code).status_code == 200
    assert failed(second(api, then, code=code), "code")


def test_older_code_is_rejected_after_a_newer_one(enrolled, api, clock):
    _, patient, secret, _ = enrolled
    older = code_of(secret)
    clock.shift(STEP)
    assert second(api, ticket_of(api, patient), code=code_of(secret)).status_code == 200
    assert failed(second(api, ticket_of(api, patient), code=older), "code")


def test_code_that_enabled_the_app_cannot_be_reused(clock, patient, client_of, api):
    secret, _ = enrol(client_of(patient))
    assert failed(second(api, ticket_of(api, patient), code=code_of(secret)), "code")


@pytest.mark.parametrize(("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_code_is_accepted_within_30_seconds_of_clock_skew(enrolled, api, clock, steps, good):
    _, patient, secret, _ = enrolled
    clock.shift(5 * STEP)
    answer = second(api, ticket_of(api, patient), code=code_of(secret, timezone.now() + steps * STEP))
    assert answer.status_code == (200 if good else 401)


def test_recovery_code_works_once_in_any_spelling_and_notifies_its_owner(enrolled, api):
    _, patient, _, codes = enrolled
    assert second(api, ticket_of(api, patient), recoveryCode=codes[3].upper().replace("-", " ")).status_code == 200
    assert failed(second(api, ticket_of(api, patient), recoveryCode=codes[3]), "recoveryCode")
    assert second(api, ticket_of(api, patient), recoveryCode=codes[4]).status_code == 200
    assert Notice.objects.filter(event="account.recovery_code_used").count() == 2
    assert RecoveryCode.objects.filter(used_at=None).count() == 8


def test_code_of_another_user_is_rejected(enrolled, api, client_of, clock):
    _, patient, *_ = enrolled
    secret, codes = enrol(client_of(PatientFactory.create()))
    clock.shift(STEP)
    ticket = ticket_of(api, patient)
    assert failed(second(api, ticket, code=code_of(secret)), "code")
    assert failed(second(api, ticket, recoveryCode=codes[0]), "recoveryCode")


@pytest.mark.parametrize(
    "sent",
    [
        {}, {"code": ""}, {"code": "1" * 500}, {"code": 123456}, {"code": None}, {"code": ["1"]}, {"code": "\x00"},
        {"code": "123456", "recoveryCode": "x"}, {"recoveryCode": ""}, {"passkey": "x"}, {"passkey": []},
        {"passkey": {"a": "b" * 40000}},
    ],
    ids=str,
)  # fmt: skip
def test_malformed_second_step_is_a_field_error(enrolled, api, sent):
    _, patient, *_ = enrolled
    answer = second(api, ticket_of(api, patient), **sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["errors"]) == [next(iter(sent), "code")]


@pytest.mark.parametrize("code", ["１２３４５６", "abcdef", "-12345", "0", "١٢٣٤٥٦", "1e5"])
def test_malformed_code_is_rejected(enrolled, api, code):
    _, patient, *_ = enrolled
    assert failed(second(api, ticket_of(api, patient), code=code), "code")


def test_ticket_must_be_genuine_unexpired_and_unused(enrolled, api, clock):
    _, patient, secret, codes = enrolled
    ticket = ticket_of(api, patient)

    def dead(text):
        answer = second(api, text, code=code_of(secret))
        return (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")

    assert all(dead(text) for text in ("x", ticket[:-1], f"{ticket}x", f"a{ticket}", "a:b:c", ":", "eyJ9:1:2"))
    other = api.post("/api/auth/login/passkey/options").json()["data"]["ticket"]
    assert dead(other)
    assert second(api, ticket, code=code_of(secret)).status_code == 200
    answer = second(api, ticket, recoveryCode=codes[0])
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")
    late = ticket_of(api, patient)
    clock.shift(timedelta(minutes=5))
    assert dead(late)
    assert SpentTicket.objects.count() == 1
    run_round(timezone.now())
    assert SpentTicket.objects.count() == 0


def change_password(client, patient, codes):
    body = {"currentPassword": PASSWORD, "newPassword": "fresh-blue-kettle", "recoveryCode": codes[0]}
    assert client.put("/api/auth/password", body, format="json").status_code == 200


def end_elsewhere(client, patient, codes=()):
    other = Session.objects.create(user=patient, expires_at=timezone.now() + timedelta(hours=1))
    assert client.delete(f"/api/auth/sessions/{other.pk}").status_code == 200


def reset(client, patient, codes):
    call_command("reset_second_step", patient.email)


@pytest.mark.parametrize("act", [change_password, end_elsewhere, reset])
def test_ticket_is_invalid_after_credentials_change(enrolled, api, clock, act):
    client, patient, secret, codes = enrolled
    ticket = ticket_of(api, patient)
    clock.shift(timedelta(seconds=1))
    act(client, patient, codes)
    answer = second(api, ticket, code=code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


def test_ticket_survives_the_users_own_sign_out(enrolled, api, clock):
    client, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    clock.shift(timedelta(seconds=1))
    client.post("/api/auth/logout")
    assert second(api, ticket, code=code_of(secret)).status_code == 200


def test_second_step_reports_a_deactivated_account(enrolled, api):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    User.objects.update(status=AccountStatus.INACTIVE)
    answer = second(api, ticket, code=code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (403, "account_inactive")


def test_reactivation_does_not_revive_a_ticket(enrolled, api, clock):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    clock.shift(timedelta(seconds=1))
    set_user_status(patient, AccountStatus.INACTIVE, actor=None, now=timezone.now())
    set_user_status(patient, AccountStatus.ACTIVE, actor=None, now=timezone.now())
    answer = second(api, ticket, code=code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


# --- Tries -----------------------------------------------------------------------------------


def test_sixth_attempt_is_rejected_even_with_the_correct_code(enrolled, api, clock):
    _, patient, secret, _ = enrolled
    tries = [second(api, ticket_of(api, patient), code="000000") for _ in range(5)]
    assert all(failed(answer, "code") for answer in tries)
    sixth = second(api, ticket_of(api, patient), code=code_of(secret))
    assert (sixth.status_code, sixth.json()["code"], sixth["Retry-After"]) == (429, "too_many", "901")
    # The owner elsewhere still gets in.
    ticket = ticket_of(api, patient, REMOTE_ADDR="203.0.113.9")
    elsewhere = api.post(SECOND, {"ticket": ticket, "code": code_of(secret)}, format="json", REMOTE_ADDR="203.0.113.9")
    assert elsewhere.status_code == 200
    clock.shift(timedelta(minutes=15, seconds=1))
    assert second(api, ticket_of(api, patient), code=code_of(secret)).status_code == 200


def test_second_step_attempts_are_limited_across_networks(enrolled, api, monkeypatch):
    _, patient, *_ = enrolled
    monkeypatch.setattr(login, "second_step_user_limit", RateLimit("second-step-person", 6))
    answers = []
    for n in range(8):
        where = {"REMOTE_ADDR": f"198.51.100.{n}"}
        ticket = ticket_of(api, patient, **where)
        answers.append(api.post(SECOND, {"ticket": ticket, "code": "000000"}, format="json", **where).status_code)
    assert answers == [401] * 6 + [429] * 2


def test_failure_is_audited_and_success_resets_the_attempts(enrolled, api, clock):
    _, patient, secret, _ = enrolled
    for _ in range(3):
        for _ in range(4):
            assert failed(second(api, ticket_of(api, patient), code="000000"), "code")
        clock.shift(STEP)
        assert second(api, ticket_of(api, patient), code=code_of(secret)).status_code == 200
    rows = AuditEvent.objects.filter(event="account.sign_in_failed")
    assert set(rows.values_list("outcome", "agent_id", "entity_id")) == {("4", None, str(patient.pk))}
    assert [row.detail for row in rows] == [{"reason": "second step: code"}] * 12


# --- New codes, off, lost --------------------------------------------------------------------


def test_new_recovery_codes_replace_the_old_ones(enrolled, api):
    client, patient, _, old = enrolled
    answer = client.post(CODES, {"currentPassword": PASSWORD, "recoveryCode": old[1]}, format="json")
    new = answer.json()["data"]["recoveryCodes"]
    assert (answer.status_code, len(new), set(new) & set(old)) == (201, 10, set())
    assert failed(second(api, ticket_of(api, patient), recoveryCode=old[0]), "recoveryCode")
    assert second(api, ticket_of(api, patient), recoveryCode=new[0]).status_code == 200
    assert Notice.objects.filter(event="account.recovery_codes_made").count() == 1


def test_recovery_codes_require_a_second_step(patient, client_of):
    answer = client_of(patient).post(CODES, {"currentPassword": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("way", ["code", "recoveryCode"])
def test_disabling_the_app_takes_password_and_code(enrolled, api, way):
    client, patient, secret, codes = enrolled
    sent = {"code": code_of(secret)} if way == "code" else {"recoveryCode": codes[0]}
    answer = client.post(OFF, {"currentPassword": PASSWORD, **sent}, format="json")
    assert (answer.status_code, answer.json()["message"]) == (200, "Your authenticator app is off")
    assert "token" in log_in(api, patient).json()["data"]
    assert not AuthenticatorApp.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert Notice.objects.filter(event="account.authenticator_removed").count() == 1
    assert client.post(OFF, {"currentPassword": PASSWORD, **sent}, format="json").status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"code": "000000"}, "currentPassword"),
        ({"currentPassword": "wrong", "recoveryCode": "mine"}, "currentPassword"),
        ({"currentPassword": PASSWORD}, "code"),
        ({"currentPassword": PASSWORD, "code": "000000"}, "code"),
        ({"currentPassword": PASSWORD, "recoveryCode": "aaaa"}, "recoveryCode"),
        ({"currentPassword": PASSWORD, "code": "000000", "recoveryCode": "aaaa"}, "code"),
    ],
)
def test_app_stays_enabled_without_password_and_code(enrolled, body, field):
    client, *_ = enrolled
    answer = client.post(OFF, body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert User.objects.get().second_step_at is not None


def test_disabling_attempts_are_limited(enrolled):
    client, _, secret, _ = enrolled
    for _ in range(5):
        client.post(OFF, {"currentPassword": PASSWORD, "code": "000000"}, format="json")
    answer = client.post(OFF, {"currentPassword": PASSWORD, "code": code_of(secret)}, format="json")
    assert answer.status_code == 429


def test_password_reset_keeps_the_second_step(enrolled, api, clock):
    _, patient, secret, _ = enrolled
    link = signed_links.build_link(signed_links.PASSWORD_RESET, patient, timezone.now())
    reset_password(link.split("token=")[1], "fresh-blue-kettle", timezone.now())
    body = {"email": patient.email, "password": "fresh-blue-kettle", "role": "patient"}
    due = api.post(LOGIN, body, format="json").json()["data"]
    assert list(due) == ["secondStep"]
    assert second(api, due["secondStep"]["ticket"], code=code_of(secret)).status_code == 200


def test_operator_removes_a_lost_second_step(enrolled, api, capsys):
    client, patient, *_ = enrolled
    call_command("reset_second_step", "ADA@example.com")
    assert "is removed" in capsys.readouterr().out
    assert client.get(STANDING).status_code == 401
    assert "token" in log_in(api, patient).json()["data"]
    event = AuditEvent.objects.get(event="account.second_step_reset")
    assert (event.action, event.agent_id, event.entity_id) == ("D", None, str(patient.pk))
    assert Notice.objects.filter(event="account.second_step_reset", recipient=patient).count() == 1
    call_command("reset_second_step", "ada@example.com")
    assert "no second step" in capsys.readouterr().out
    assert AuditEvent.objects.filter(event="account.second_step_reset").count() == 1
    with pytest.raises(CommandError):
        call_command("reset_second_step", "nobody@example.com")


def test_closing_an_account_deletes_its_secrets(enrolled):
    _, patient, *_ = enrolled
    end_account(patient.pk, actor=None, now=timezone.now())
    assert (AuthenticatorApp.objects.count(), RecoveryCode.objects.count()) == (0, 0)
    assert User.objects.get().second_step_at is None


def test_recovery_codes_are_unique_with_at_least_112_random_bits():
    codes = [normalize_code(generate_code()) for _ in range(2000)]
    assert len(set(codes)) == 2000
    # Every place takes every letter of the alphabet; so many tries miss one of them once in 10^26 runs.
    seen = [set(letters) for letters in zip(*codes, strict=True)]
    assert len(set(map(frozenset, seen))) == 1
    assert sum(math.log2(len(letters)) for letters in seen) > 112


def test_second_step_routes_require_a_session(api, db):
    for method, path in (("get", STANDING), ("post", APP), ("put", APP), ("post", OFF), ("post", CODES)):
        assert getattr(api, method)(path, {}, format="json").status_code == 401


# --- Whose it is -----------------------------------------------------------------------------


@pytest.fixture
def neighbor(clock, client_of, other_patient):
    """Somebody else with an app, a passkey and recovery codes, two of them used."""
    client = client_of(other_patient)
    secret, codes = enrol(client)
    Passkey.objects.create(
        user=other_patient, name="Theirs", credential_id="theirs", public_key=b"", created_at=timezone.now()
    )
    RecoveryCode.objects.filter(code_hash__in=[hash_code(other_patient, code) for code in codes[:2]]).update(
        used_at=timezone.now()
    )
    other_patient.refresh_from_db()
    return client, other_patient, secret, codes


def count_factors(person):
    return (
        AuthenticatorApp.objects.filter(user=person).count(),
        Passkey.objects.filter(user=person).count(),
        RecoveryCode.objects.filter(user=person).count(),
    )


def test_factors_of_another_user_do_not_count(neighbor, patient, client_of, api, clock):
    client = client_of(patient)
    assert client.get(STANDING).json()["data"]["secondStep"]["recoveryCodesLeft"] == 0
    assert client.get(PASSKEYS).json()["data"] == {"passkeys": []}
    secret, _ = enrol(client)
    assert client.get(STANDING).json()["data"]["secondStep"]["recoveryCodesLeft"] == 10
    assert log_in(api, patient).json()["data"]["secondStep"]["methods"] == ["code", "recoveryCode"]
    RecoveryCode.objects.filter(user=patient).delete()
    assert log_in(api, patient).json()["data"]["secondStep"]["methods"] == ["code"]
    # Neither does it keep the step on when users turn their own app off.
    clock.shift(STEP)
    answer = client.post(OFF, {"currentPassword": PASSWORD, "code": code_of(secret)}, format="json")
    assert answer.status_code == 200
    assert "token" in log_in(api, patient).json()["data"]
    assert count_factors(neighbor[1]) == (1, 1, 10)


def test_user_with_only_a_passkey_is_not_offered_app_codes(neighbor, patient, client_of, api):
    Device().join(client_of(patient))
    RecoveryCode.objects.filter(user=patient).delete()
    assert log_in(api, patient).json()["data"]["secondStep"]["methods"] == ["passkey"]


@pytest.mark.parametrize("act", ["new codes", "reset", "end"])
def test_removing_factors_affects_one_user_only(act, neighbor, patient, client_of, clock):
    client = client_of(patient)
    codes = enrol(client)[1]
    if act == "new codes":
        body = {"currentPassword": PASSWORD, "recoveryCode": codes[0]}
        assert client.post(CODES, body, format="json").status_code == 201
    elif act == "reset":
        call_command("reset_second_step", patient.email)
    else:
        end_account(patient.pk, actor=None, now=timezone.now())
    assert count_factors(neighbor[1]) == (1, 1, 10)
    assert neighbor[0].get(STANDING).json()["data"]["secondStep"]["recoveryCodesLeft"] == 8


def test_recovery_codes_of_another_user_cannot_be_reset(neighbor, patient, capsys):
    call_command("reset_second_step", patient.email)
    assert "no second step" in capsys.readouterr().out
    assert not AuditEvent.objects.filter(event="account.second_step_reset").exists()


def test_first_code_requires_the_users_own_secret(neighbor, patient, client_of):
    answer = client_of(patient).put(APP, {"code": "123456"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


def test_ticket_survives_removal_of_another_users_factor(neighbor, enrolled, api, clock):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    clock.shift(timedelta(seconds=1))
    end_elsewhere(neighbor[0], neighbor[1])
    assert second(api, ticket, code=code_of(secret)).status_code == 200


# --- Tickets that are spent, or whose person has gone -----------------------------------------


def test_used_ticket_allows_no_more_attempts(enrolled, api):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    assert second(api, ticket, code=code_of(secret)).status_code == 200
    answer = second(api, ticket, code="000000")
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


def test_second_concurrent_use_of_a_ticket_is_rejected(enrolled, api, monkeypatch):
    _, patient, _, codes = enrolled
    ticket = ticket_of(api, patient)
    right = login.verify_second_step

    def overtaken(user, sent, text, now):
        SpentTicket.objects.create(digest=challenge_tokens.hash_ticket(text), ends_at=now + timedelta(minutes=5))
        return right(user, sent, text, now)

    monkeypatch.setattr(login, "verify_second_step", overtaken)
    sessions = Session.objects.count()
    answer = second(api, ticket, recoveryCode=codes[0])
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")
    assert Session.objects.count() == sessions


def test_ticket_is_used_once_despite_stale_reads(clock):
    text = challenge_tokens.issue_ticket(challenge_tokens.SECOND_STEP, timezone.now(), "somebody")
    ticket = challenge_tokens.read_ticket(challenge_tokens.SECOND_STEP, text, timezone.now())
    challenge_tokens.spend_ticket(ticket)
    # Also where no handler of the API turns what the database says into this.
    with pytest.raises(DomainError, match="ticket_invalid"):
        challenge_tokens.spend_ticket(ticket)


def test_ticket_is_invalid_after_the_account_is_closed(enrolled, api):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    # By whatever road: password and address are as they were.
    User.objects.filter(pk=patient.pk).update(ended_at=timezone.now())
    answer = second(api, ticket, code=code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")
    with pytest.raises(DomainError, match="ticket_invalid"):
        login.repeat_second_step(ticket, timezone.now())


def test_attempt_on_a_deactivated_account_is_audited(enrolled, api):
    _, patient, secret, _ = enrolled
    ticket = ticket_of(api, patient)
    User.objects.update(status=AccountStatus.INACTIVE)
    second(api, ticket, code=code_of(secret))
    event = AuditEvent.objects.get(event="account.sign_in_failed")
    assert (event.entity_id, event.detail) == (str(patient.pk), {"reason": "inactive"})
    # Nor does a wrong code learn less than a right one, or the account's standing would tell which it was.
    assert second(api, ticket, code="000000").json()["code"] == "account_inactive"


def test_second_step_attempts_count_for_the_network(enrolled, api, monkeypatch):
    _, patient, *_ = enrolled
    ticket = ticket_of(api, patient)
    monkeypatch.setattr(login, "address_limit", NetworkRateLimit("sign-in-address", 3))
    answers = [second(api, ticket, code="000000").status_code for _ in range(4)]
    assert answers == [401, 401, 401, 429]
