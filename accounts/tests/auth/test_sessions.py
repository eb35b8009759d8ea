"""Test the lifetime of sessions and tokens."""

import base64
import json
import os
import random
import string
from datetime import UTC, datetime, timedelta

import jwt
import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.management import CommandError, call_command
from django.test import RequestFactory
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.auth.account_status import set_user_status
from accounts.auth.sessions import create_session, end_other_sessions, end_sessions, list_active_sessions, open_session
from accounts.models import AccountStatus, AuditEvent, Role, Session, User
from accounts.tests.factories import PatientFactory, UserFactory

PROFILE = "/api/auth/profile"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


def token_of(user: User) -> str:
    return open_session(user, RequestFactory().get("/"), timezone.now())


DEVICES = "/api/auth/sessions"


def send_request(token: str, address: str = PROFILE, scheme: str = "Bearer"):
    return APIClient().get(address, HTTP_AUTHORIZATION=f"{scheme} {token}")


def is_over(answer) -> bool:
    assert answer["WWW-Authenticate"] == "Bearer"
    return (answer.status_code, answer.json()["code"]) == (401, "session_ended")


def signed(**claims) -> str:
    return jwt.encode(claims, django_settings.SECRET_KEY, algorithm="HS256")


def test_token_contains_only_session_and_user(patient):
    with time_machine.travel(NOON, tick=False):
        claims = jwt.decode(token_of(patient), options={"verify_signature": False})

    session = Session.objects.get()
    assert claims == {
        "sub": str(patient.pk),
        "sid": str(session.pk),
        "aud": "wellhour",
        "iss": "wellhour",
        "iat": int(NOON.timestamp()),
        "exp": int(NOON.timestamp()) + 12 * 3600,
    }


def test_session_and_user_are_read_in_one_query(patient, django_assert_num_queries):
    token = token_of(patient)

    with django_assert_num_queries(2):  # and one for what only a patient has
        assert send_request(token).status_code == 200


def test_response_does_not_ask_for_a_bearer_token(api, db):
    answer = api.get(PROFILE)

    assert (answer.status_code, answer.json()["code"], answer["WWW-Authenticate"]) == (401, "not_signed_in", "Bearer")


def test_signing_out_ends_the_session_permanently(patient, client_of):
    client = client_of(patient)

    answer = client.post("/api/auth/logout")

    assert (answer.status_code, answer.json()) == (200, {"success": True, "message": "Signed out", "data": {}})
    assert is_over(client.get(PROFILE))
    assert is_over(client.post("/api/auth/logout"))
    assert Session.objects.get().ended_because == "signed_out"
    assert AuditEvent.objects.filter(event="account.signed_out", agent_id=patient.pk).count() == 1


def test_signing_out_keeps_other_sessions(patient, client_of):
    here, there = client_of(patient), client_of(patient)

    here.post("/api/auth/logout")

    assert there.get(PROFILE).status_code == 200


@pytest.mark.parametrize(("role", "minutes"), [(Role.PATIENT, 30), (Role.DOCTOR, 15), (Role.ADMIN, 15)])
def test_session_ends_after_the_idle_timeout_of_its_role(db, role, minutes):
    with time_machine.travel(NOON, tick=False) as clock:
        token = token_of(UserFactory.create(role=role))
        clock.shift(timedelta(minutes=minutes, seconds=-1))
        assert send_request(token, DEVICES).status_code == 200
        # That was a sign of life: the limit counts from there.
        clock.shift(timedelta(minutes=minutes, seconds=-1))
        assert send_request(token, DEVICES).status_code == 200
        clock.shift(timedelta(minutes=minutes))
        assert is_over(send_request(token, DEVICES))


def test_a_session_in_use_ends_after_twelve_hours(patient):
    with time_machine.travel(NOON, tick=False) as clock:
        token = token_of(patient)
        for _ in range(12 * 3 - 1):
            clock.shift(timedelta(minutes=20))
            assert send_request(token).status_code == 200
        clock.shift(timedelta(minutes=20))
        assert is_over(send_request(token))


def test_session_activity_is_written_at_most_once_a_minute(patient, django_assert_num_queries):
    with time_machine.travel(NOON, tick=False) as clock:
        token = token_of(patient)
        clock.shift(timedelta(seconds=59))
        with django_assert_num_queries(2):
            send_request(token)
        assert Session.objects.get().last_seen_at == NOON
        clock.shift(timedelta(seconds=1))
        with django_assert_num_queries(3):
            send_request(token)
        with django_assert_num_queries(2):
            send_request(token)
        assert Session.objects.get().last_seen_at == NOON + timedelta(seconds=60)


def test_deactivation_ends_every_session_and_reactivation_revives_none(patient, admin):
    token = token_of(patient)

    set_user_status(patient, AccountStatus.INACTIVE, actor=admin, now=timezone.now())
    assert is_over(send_request(token))
    set_user_status(patient, AccountStatus.ACTIVE, actor=admin, now=timezone.now())
    assert is_over(send_request(token))
    assert send_request(token_of(patient)).status_code == 200
    assert list(AuditEvent.objects.order_by("id").values_list("event", "agent_id", "entity_id")) == [
        ("account.deactivated", admin.pk, str(patient.pk)),
        ("account.activated", admin.pk, str(patient.pk)),
    ]


def test_setting_the_current_account_status_changes_nothing(patient, admin):
    set_user_status(patient, AccountStatus.ACTIVE, actor=admin, now=timezone.now())

    assert AuditEvent.objects.count() == 0


@pytest.mark.parametrize("change", [{"status": "inactive"}, {"ended_at": NOON}])
def test_open_session_of_a_deactivated_user_cannot_act(patient, change):
    token = token_of(patient)
    User.objects.update(**change)

    assert is_over(send_request(token))


def test_token_of_a_deleted_user_is_rejected(patient):
    token = token_of(patient)
    User.objects.all().delete()

    assert is_over(send_request(token))


def hostile_tokens(user: User) -> dict[str, str]:
    """Tokens that someone might try, by what was done to them."""
    good = token_of(user)
    header, payload, signature = good.split(".")
    claims = jwt.decode(good, options={"verify_signature": False})
    session = Session.objects.get()
    other = PatientFactory.create()
    other_session = Session.objects.create(user=other, expires_at=session.expires_at)
    now = int(timezone.now().timestamp())

    def encoded(value) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    return {
        "empty parts": "..",
        "rubbish": "rubbish",
        "not ascii": "\u00e9\u00e9\u00e9",
        "cut short": good[:-2],
        "no signature": f"{header}.{payload}.",
        "another payload": f"{header}.{encoded(claims | {'sub': str(other.pk)})}.{signature}",
        "none algorithm": f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{payload}.",
        "none algorithm, capital": f"{encoded({'alg': 'NONE', 'typ': 'JWT'})}.{payload}.{signature}",
        "another algorithm": jwt.encode(claims, django_settings.SECRET_KEY * 2, algorithm="HS512"),
        "another key": jwt.encode(claims, "another-key-of-sufficient-length-000000", algorithm="HS256"),
        "another person's session": signed(**claims | {"sid": str(other_session.pk)}),
        "another person": signed(**claims | {"sub": str(other.pk)}),
        "another audience": signed(**claims | {"aud": "elsewhere"}),
        "another issuer": signed(**claims | {"iss": "elsewhere"}),
        "no audience": signed(**{name: value for name, value in claims.items() if name != "aud"}),
        "no session": signed(**{name: value for name, value in claims.items() if name != "sid"}),
        "no person": signed(**{name: value for name, value in claims.items() if name != "sub"}),
        "no expiry": signed(**{name: value for name, value in claims.items() if name != "exp"}),
        "unknown session": signed(**claims | {"sid": "0198c0de-0000-7000-8000-000000000000"}),
        "session that is no id": signed(**claims | {"sid": "'; DROP TABLE accounts_session; --"}),
        "session that is a number": signed(**claims | {"sid": 7}),
        "session that is a list": signed(**claims | {"sid": [str(session.pk)]}),
        "expired": signed(**claims | {"exp": now - 60}),
        "expiry that is a text": signed(**claims | {"exp": "tomorrow"}),
        "expiry beyond time": signed(**claims | {"exp": 10**30}),
        "issued tomorrow": signed(**claims | {"iat": now + 86400}),
        "two tokens": f"{good} {good}",
        "very long": "a" * 100_000,
        "a NUL": f"{good}\x00",
    }


def test_forged_or_edited_token_is_rejected_on_public_routes_too(patient, subtests):
    for what, token in hostile_tokens(patient).items():
        with subtests.test(what):
            assert is_over(send_request(token))
            # The directory is open to all, and still says so of a token that is none.
            assert is_over(APIClient().get("/api/doctors", HTTP_AUTHORIZATION=f"Bearer {token}"))


def meaning(token: str) -> tuple[bytes, ...]:
    """Return what the parts of a token stand for: the last character of a part has bits that mean nothing."""
    return tuple(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in token.split("."))


def test_token_with_any_changed_character_is_rejected(patient):
    good = token_of(patient)
    alphabet = string.ascii_letters + string.digits + "-_"
    refused = 0
    for place, character in enumerate(good):
        if character == ".":
            continue
        edited = good[:place] + alphabet[(alphabet.index(character) + 1) % 64] + good[place + 1 :]
        assert is_over(send_request(edited))
        refused += 1
    assert refused == len(good) - 2


FORGED_TOKENS = int(os.environ.get("FORGED_TOKENS", "150"))


def test_random_tokens_are_refused(patient):
    good = token_of(patient)
    chance = random.Random(7)
    for number in range(FORGED_TOKENS):
        junk = bytes(chance.randrange(1, 256) for _ in range(chance.randrange(1, 400))).decode("latin-1")
        part = base64.urlsafe_b64encode(chance.randbytes(chance.randrange(1, 90))).decode()
        parts = good.split(".")
        parts[number % 3] = part
        for token in (junk, ".".join(parts), ".".join(parts[: 1 + number % 4]), part):
            answer = send_request(token.replace("\r", "").replace("\n", ""))
            assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")


@pytest.mark.parametrize("change", [{"password": "another"}, {"role": Role.ADMIN}], ids=["password", "role"])
def test_any_password_or_role_change_ends_the_session(patient, client_of, change):
    client = client_of(patient)
    assert client.get(PROFILE).status_code == 200
    User.objects.filter(pk=patient.pk).update(**change)

    assert is_over(client.get(PROFILE))
    # Nor is it shown as one of the person's.
    patient.refresh_from_db()
    assert list_active_sessions(patient, timezone.now()) == []


def test_clock_set_back_does_not_extend_a_session(patient):
    with time_machine.travel(NOON, tick=False) as clock:
        token = token_of(patient)
        clock.shift(timedelta(minutes=20))
        assert send_request(token).status_code == 200
        # Machines' clocks differ a little.
        clock.shift(timedelta(seconds=-30))
        assert send_request(token).status_code == 200
        clock.shift(timedelta(minutes=-10))
        assert is_over(send_request(token))
        # Before it was opened, too.
        clock.shift(timedelta(minutes=-60))
        assert is_over(send_request(token))


def test_clock_jump_ahead_ends_idle_sessions(patient):
    with time_machine.travel(NOON, tick=False) as clock:
        token = token_of(patient)
        clock.shift(timedelta(days=400))
        assert is_over(send_request(token))


def test_operator_signs_out_one_user_or_everyone(patient, other_patient, client_of, capsys):
    one, again, other = client_of(patient), client_of(patient), client_of(other_patient)
    long_ago = timezone.now() - timedelta(days=2)
    # Over by itself, and not counted.
    Session.objects.create(user=patient, created_at=long_ago, last_seen_at=long_ago, expires_at=long_ago)
    call_command("end_sessions", "ADA@example.com")
    assert [client.get(PROFILE).status_code for client in (one, again, other)] == [401, 401, 200]
    assert capsys.readouterr().out == "2 sessions ended.\n"
    # Nobody is kept out.
    assert client_of(patient).get(PROFILE).status_code == 200
    call_command("end_sessions", everybody=True)
    assert is_over(other.get(PROFILE))
    assert capsys.readouterr().out == "2 sessions ended.\n"
    call_command("end_sessions", everybody=True)
    events = AuditEvent.objects.filter(event="account.sessions_ended").order_by("pk")
    told = [(event.agent_id, event.entity_id, event.detail) for event in events]
    assert told == [(None, str(patient.pk), {"sessions": 2}), (None, "", {"sessions": 2})]


@pytest.mark.parametrize("words", [(), ("ada@example.com", "--everybody"), ("nobody@example.com",)])
def test_operator_must_name_the_sessions_to_end(patient, client_of, words):
    client = client_of(patient)
    with pytest.raises(CommandError):
        call_command("end_sessions", *words)
    assert client.get(PROFILE).status_code == 200


def test_user_signs_out_other_sessions(patient, other_patient, client_of):
    here, there, elsewhere, theirs = (
        client_of(patient),
        client_of(patient),
        client_of(patient),
        client_of(other_patient),
    )

    answer = here.delete(DEVICES)

    assert (answer.status_code, answer.json()["message"]) == (200, "Signed out everywhere else")
    assert is_over(there.get(PROFILE))
    assert is_over(elsewhere.get(PROFILE))
    assert here.get(PROFILE).status_code == theirs.get(PROFILE).status_code == 200
    assert sorted(Session.objects.filter(ended_at__isnull=False).values_list("ended_because", flat=True)) == [
        "ended_elsewhere",
        "ended_elsewhere",
    ]
    events = AuditEvent.objects.filter(event="account.other_sessions_ended")
    assert [(event.agent_id, event.entity_id, event.action) for event in events] == [(patient.pk, str(patient.pk), "E")]
    # Where there is nothing left to end, nothing is written.
    assert here.delete(DEVICES).status_code == 200
    assert events.count() == 1


def test_session_row_overrides_claims_of_the_token(patient):
    with time_machine.travel(NOON, tick=False):
        claims = jwt.decode(token_of(patient), options={"verify_signature": False})
        token = signed(**claims | {"exp": claims["exp"] + 10 * 86400})
    with time_machine.travel(NOON + timedelta(hours=12), tick=False):
        Session.objects.update(last_seen_at=NOON + timedelta(hours=12))
        assert is_over(send_request(token))


@pytest.mark.parametrize("header", ["", "Bearer", "Basic YTpi", "Token abc"])
def test_other_authorization_schemes_are_ignored(db, header):
    answer = APIClient().get(PROFILE, HTTP_AUTHORIZATION=header)

    assert (answer.status_code, answer.json()["code"]) in [(401, "not_signed_in"), (401, "session_ended")]


def test_authorization_scheme_is_case_insensitive(patient):
    assert send_request(token_of(patient), scheme="bearer").status_code == 200


def test_user_sees_only_active_sessions(patient, other_patient, client_of):
    with time_machine.travel(NOON, tick=False) as clock:
        client_of(patient)  # will be idle for too long
        clock.shift(timedelta(minutes=25))
        ended, there = client_of(patient), client_of(patient)
        ended.post("/api/auth/logout")
        client_of(other_patient)
        clock.shift(timedelta(minutes=10))
        here = client_of(patient)
        there.get(PROFILE)
        clock.shift(timedelta(seconds=1))

        answer = here.get(DEVICES)

    assert answer.status_code == 200
    sessions = answer.json()["data"]["sessions"]
    assert sorted((session["current"], session["createdAt"], session["lastSeenAt"]) for session in sessions) == [
        (False, "2026-03-02T12:25:00Z", "2026-03-02T12:35:00Z"),
        (True, "2026-03-02T12:35:00Z", "2026-03-02T12:35:00Z"),
    ]
    assert sorted(sessions[0]) == ["_id", "createdAt", "current", "ipAddress", "lastSeenAt", "userAgent"]
    assert {session["userAgent"] for session in sessions} == {"Invented Browser 1.0"}


def test_user_ends_one_of_their_sessions(patient, client_of):
    here, there = client_of(patient), client_of(patient)
    other = next(s for s in here.get(DEVICES).json()["data"]["sessions"] if not s["current"])

    answer = here.delete(f"/api/auth/sessions/{other['_id']}")

    assert (answer.status_code, answer.json()["message"]) == (200, "Session ended")
    assert is_over(there.get(PROFILE))
    assert here.get(PROFILE).status_code == 200
    assert here.delete(f"/api/auth/sessions/{other['_id']}").status_code == 404
    assert Session.objects.get(pk=other["_id"]).ended_because == "ended_elsewhere"


def test_ended_session_is_not_ended_again(patient, client_of):
    now, client = timezone.now(), client_of(patient)
    over, outlived = (create_session(patient, RequestFactory().get("/"), now) for _ in range(2))
    Session.objects.filter(pk=over.pk).update(ended_at=now, ended_because="password_changed")
    Session.objects.filter(pk=outlived.pk).update(expires_at=now - timedelta(seconds=1))
    for session in (over, outlived):
        assert client.delete(f"/api/auth/sessions/{session.pk}").status_code == 404
    end_sessions(patient.sessions.all(), "account_ended", now + timedelta(minutes=1))
    reasons = dict(Session.objects.values_list("pk", "ended_because"))
    assert (reasons[over.pk], reasons[outlived.pk]) == ("password_changed", "account_ended")


def test_user_cannot_end_the_session_of_another_user(patient, other_patient, client_of):
    theirs = client_of(other_patient)
    session = Session.objects.get(user=other_patient)

    answer = client_of(patient).delete(f"/api/auth/sessions/{session.pk}")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert theirs.get(PROFILE).status_code == 200


@pytest.mark.parametrize("pk", ["1", "x", "00000000-0000-0000-0000-000000000000", "%00", "..%2f"])
def test_unknown_session_is_not_found(patient, client_of, pk):
    answer = client_of(patient).delete(f"/api/auth/sessions/{pk}")

    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_expired_session_does_not_count_as_signed_out_elsewhere(patient):
    now = timezone.now()
    here, there = (
        Session.objects.create(user=patient, expires_at=now + timedelta(hours=hours)) for hours in (1, -1)
    )  # fmt: skip
    assert end_other_sessions(here, now) == 0
    there.refresh_from_db()
    assert there.ended_at is None
    assert not AuditEvent.objects.filter(event="account.other_sessions_ended").exists()
