"""Test passkeys: managing them, using them as second step or instead of a password, and rejecting forged responses."""

import base64
import json
from datetime import timedelta

import hypothesis
import pytest
import time_machine
import webauthn
from django.test import override_settings
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from accounts.auth import passkeys
from accounts.credentials import challenge_tokens
from accounts.models import AccountStatus, AuditEvent, Notice, Passkey, RecoveryCode, SpentTicket, User
from accounts.tests.auth.authenticators import PASSKEYS, SECOND, Device, code_of, enrol, log_in
from accounts.tests.factories import PASSWORD, PatientFactory
from config.api.errors import DomainError

BEGIN = f"{PASSKEYS}/options"
ALONE = "/api/auth/login/passkey"


@pytest.fixture
def clock(db):
    with time_machine.travel("2026-03-02T12:00:00Z", tick=False) as travel:
        yield travel


@pytest.fixture
def held(clock, patient, client_of):
    """A patient with a passkey, and the device that holds it."""
    client, device = client_of(patient), Device()
    added = device.join(client)
    patient.refresh_from_db()
    return client, patient, device, added


def begin(client, **proof):
    return client.post(BEGIN, {"currentPassword": PASSWORD, **proof}, format="json").json()["data"]


def add(client, asked, made, name="Phone"):
    return client.post(PASSKEYS, {"ticket": asked["ticket"], "name": name, "passkey": made}, format="json")


def second(api, user, device, **more):
    due = log_in(api, user).json()["data"]["secondStep"]
    return api.post(SECOND, {"ticket": due["ticket"], "passkey": device.sign(due["passkey"]), **more}, format="json")


def alone(api, device, role="patient", **changes):
    asked = api.post(f"{ALONE}/options").json()["data"]
    body = {"ticket": asked["ticket"], "role": role, "passkey": device.sign(asked["options"]), **changes}
    return api.post(ALONE, body, format="json")


def outcome(answer):
    return answer.status_code, answer.json().get("code", "")


# --- Adding ----------------------------------------------------------------------------------


def test_passkey_is_added_with_the_password(clock, patient, client_of):
    here, there = client_of(patient), client_of(patient)
    asked = begin(here)
    options = asked["options"]
    assert options["rp"] == {"name": "Wellhour", "id": "127.0.0.1"}
    assert options["user"] == {
        "id": base64.urlsafe_b64encode(patient.pk.bytes).rstrip(b"=").decode(),
        "name": "ada@example.com",
        "displayName": "Ada Patient",
    }
    assert options["attestation"] == "none"
    device = Device()

    answer = add(here, asked, device.make(options), "Kitchen laptop")

    data = answer.json()["data"]
    assert (answer.status_code, sorted(data), len(data["recoveryCodes"])) == (201, ["passkey", "recoveryCodes"], 10)
    assert data["passkey"] == {
        "_id": str(Passkey.objects.get().pk), "name": "Kitchen laptop", "createdAt": "2026-03-02T12:00:00Z",
        "lastUsedAt": None,
    }  # fmt: skip
    assert here.get(PASSKEYS).json()["data"] == {"passkeys": [data["passkey"]]}
    assert there.get(PASSKEYS).status_code == 401
    assert Notice.objects.filter(event="account.passkey_added", recipient=patient).count() == 1
    # The second one brings no codes, and a device that has one is not asked again.
    more = begin(here, **device.prove(here))
    assert [one["id"] for one in more["options"]["excludeCredentials"]] == list(device.keys)
    again = add(here, more, Device().make(more["options"])).json()["data"]
    assert again["recoveryCodes"] is None


@pytest.mark.parametrize("password", ["", "wrong-one"])
def test_adding_a_passkey_requires_the_password(patient, client_of, password):
    answer = client_of(patient).post(BEGIN, {"currentPassword": password}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["currentPassword"])


def test_a_ticket_adds_one_passkey(clock, patient, client_of, other_patient):
    client, device = client_of(patient), Device()
    asked = begin(client)
    made = device.make(asked["options"])
    assert outcome(add(client_of(other_patient), asked, made)) == (400, "ticket_invalid")
    clock.shift(timedelta(minutes=10))
    assert outcome(add(client, asked, made)) == (400, "ticket_invalid")
    fresh = begin(client)
    made = device.make(fresh["options"])
    assert outcome(add(client, fresh, made)) == (201, "")
    assert outcome(add(client, fresh, made)) == (400, "ticket_invalid")
    assert Passkey.objects.count() == 1


@pytest.mark.parametrize(
    "device",
    [
        Device(origin="https://evil.example"),
        Device(origin="http://127.0.0.1:8000.evil.example"),
        Device(origin="http://localhost:8000"),
        Device(rp_id="evil.example"),
    ],
    ids=["origin", "origin that begins alike", "host header's", "party"],
)
def test_passkey_made_for_another_site_is_rejected(clock, patient, client_of, device):
    client = client_of(patient)
    asked = client.post(
        BEGIN, {"currentPassword": PASSWORD}, format="json", HTTP_HOST=device.origin.split("//")[1].split(":")[0]
        if "localhost" in device.origin else "127.0.0.1",
    ).json()["data"]  # fmt: skip
    answer = add(client, asked, device.make(asked["options"]))
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["passkey"])
    assert not Passkey.objects.exists()


def test_response_to_another_challenge_is_rejected(clock, patient, client_of):
    client = client_of(patient)
    first, then = begin(client), begin(client)
    answer = add(client, then, Device().make(first["options"]))
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["passkey"])


def test_a_passkey_belongs_to_one_account(held, client_of, other_patient):
    client = client_of(other_patient)
    asked = begin(client)
    made = Device().make(asked["options"])
    Passkey.objects.update(credential_id=made["id"])
    assert outcome(add(client, asked, made)) == (409, "passkey_taken")


def test_user_has_at_most_twenty_passkeys(held):
    client, patient, _, added = held
    first, last = ({"recoveryCode": code} for code in added["recoveryCodes"][:2])
    asked = begin(client, **first)
    for n in range(19):
        Passkey.objects.create(user=patient, name="x", credential_id=f"c{n}", public_key=b"", created_at=timezone.now())
    assert outcome(add(client, asked, Device().make(asked["options"]))) == (409, "passkeys_full")
    body = {"currentPassword": PASSWORD, **last}
    assert outcome(client.post(BEGIN, body, format="json")) == (409, "passkeys_full")
    # What was refused has used nothing up.
    assert RecoveryCode.objects.filter(user=patient, used_at=None).count() == 9


# --- Names and ends --------------------------------------------------------------------------


def test_only_the_owner_renames_and_removes_a_passkey(held, api, client_of, other_patient):
    client, patient, device, added = held
    path = f"{PASSKEYS}/{added['passkey']['_id']}"
    stranger = client_of(other_patient)
    again = {"currentPassword": PASSWORD}
    codes = iter(added["recoveryCodes"])
    assert outcome(stranger.put(path, {"name": "Mine"}, format="json")) == (404, "not_found")
    assert outcome(stranger.post(f"{path}/remove", again, format="json")) == (404, "not_found")

    renamed = client.put(path, {"name": "Desk"}, format="json")
    assert (renamed.status_code, renamed.json()["data"]["passkey"]["name"]) == (200, "Desk")
    proof = {"recoveryCode": next(codes)}
    assert client.post(f"{path}/remove", {"currentPassword": "wrong", **proof}, format="json").status_code == 400
    assert client.post(f"{path}/remove", {**again, **proof}, format="json").status_code == 200
    assert outcome(client.post(f"{path}/remove", again, format="json")) == (404, "not_found")

    assert outcome(alone(api, device)) == (401, "login_failed")
    # It was the only second step: the password is enough again.
    assert "token" in log_in(api, patient).json()["data"]
    assert not RecoveryCode.objects.exists()
    assert Notice.objects.filter(event="account.passkey_removed").count() == 1
    names = AuditEvent.objects.filter(entity_type="passkey").order_by("id").values_list("event", flat=True)
    assert list(names) == ["account.passkey_added", "account.passkey_renamed", "account.passkey_removed"]


def test_removing_a_passkey_keeps_the_app(held, api, clock):
    client, patient, _, added = held
    secret, _ = enrol(client, recoveryCode=added["recoveryCodes"][0])
    clock.shift(timedelta(seconds=30))
    body = {"currentPassword": PASSWORD, "code": code_of(secret)}
    assert client.post(f"{PASSKEYS}/{added['passkey']['_id']}/remove", body, format="json").status_code == 200
    assert log_in(api, patient).json()["data"]["secondStep"]["methods"] == ["code", "recoveryCode"]


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "a\nb", "a\u202eb", 7, None])
def test_invalid_passkey_name_is_a_field_error(held, name):
    client, _, _, added = held
    answer = client.put(f"{PASSKEYS}/{added['passkey']['_id']}", {"name": name}, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["name"])


# --- Signing in ------------------------------------------------------------------------------


def test_a_passkey_is_a_second_step(held, api, clock):
    _, patient, device, _ = held
    clock.shift(timedelta(days=1))
    due = log_in(api, patient).json()["data"]["secondStep"]
    assert due["methods"] == ["passkey", "recoveryCode"]
    assert [one["id"] for one in due["passkey"]["allowCredentials"]] == list(device.keys)
    answer = api.post(SECOND, {"ticket": due["ticket"], "passkey": device.sign(due["passkey"])}, format="json")
    assert (answer.status_code, sorted(answer.json()["data"])) == (200, ["token", "user"])
    passkey = Passkey.objects.get()
    assert (passkey.sign_count, passkey.last_used_at) == (device.count, timezone.now())
    assert AuditEvent.objects.latest("id").detail == {"with": "passkey"}


def test_passkey_alone_signs_in_with_user_verification(held, api):
    _, patient, device, _ = held
    asked = api.post(f"{ALONE}/options").json()["data"]["options"]
    assert (asked["allowCredentials"], asked["userVerification"]) == ([], "required")
    answer = alone(api, device)
    assert (answer.status_code, answer.json()["data"]["user"]["_id"]) == (200, str(patient.pk))
    device.verifies = False
    assert outcome(alone(api, device)) == (401, "login_failed")
    # Beside the password, holding it is enough.
    assert outcome(second(api, patient, device)) == (200, "")


@pytest.mark.parametrize("role", ["doctor", "admin"])
def test_passkey_of_another_role_names_the_role_of_the_account(held, api, role):
    device = held[2]
    answer = alone(api, device, role)
    assert (outcome(answer), answer.json()["data"]) == ((403, "wrong_role"), {"role": "patient"})
    assert AuditEvent.objects.latest("id").detail == {"reason": "role"}


def test_a_signature_works_once(held, api):
    device = held[2]
    asked = api.post(f"{ALONE}/options").json()["data"]
    device.counts = False
    body = {"ticket": asked["ticket"], "role": "patient", "passkey": device.sign(asked["options"])}
    Passkey.objects.update(sign_count=0)
    device.count = 0
    body["passkey"] = device.sign(asked["options"])
    assert outcome(api.post(ALONE, body, format="json")) == (200, "")
    assert outcome(api.post(ALONE, body, format="json")) == (400, "ticket_invalid")


def test_passkey_whose_counter_does_not_increase_is_rejected(held, api):
    _, patient, device, _ = held
    assert outcome(alone(api, device)) == (200, "")
    device.count -= 1
    assert outcome(alone(api, device)) == (401, "login_failed")
    device.count -= 1
    assert outcome(second(api, patient, device)) == (401, "second_step_failed")


def test_another_person_s_passkey_is_no_second_step(held, api, client_of):
    _, patient, *_ = held
    theirs = Device()
    theirs.join(client_of(PatientFactory.create()))
    assert outcome(second(api, patient, theirs)) == (401, "second_step_failed")


def test_passkey_with_another_user_handle_is_rejected(held, api):
    device = held[2]
    device.handle = PatientFactory.create().pk.bytes
    assert outcome(alone(api, device)) == (401, "login_failed")


def test_passkey_cannot_open_a_deactivated_or_closed_account(held, api):
    _, patient, device, _ = held
    User.objects.filter(pk=patient.pk).update(status=AccountStatus.INACTIVE)
    assert outcome(alone(api, device)) == (403, "account_inactive")
    User.objects.filter(pk=patient.pk).update(ended_at=timezone.now())
    assert outcome(alone(api, device)) == (401, "login_failed")


def test_passkey_tries_of_one_network_are_limited(held, api, monkeypatch, settings):
    from accounts.auth import login
    from accounts.throttling.rate_limit import NetworkRateLimit

    monkeypatch.setattr(login, "address_limit", NetworkRateLimit("sign-in-address", 3))
    stranger = Device()
    stranger.keys["unknown"] = next(iter(held[2].keys.values()))
    asked = [outcome(alone(api, stranger))[0] for _ in range(4)]
    assert asked == [401, 401, 401, 429]


@pytest.mark.parametrize("spoil", ["signature", "authenticatorData", "clientDataJSON", "userHandle"])
def test_modified_passkey_response_is_rejected(held, api, spoil):
    device = held[2]
    asked = api.post(f"{ALONE}/options").json()["data"]
    signed = device.sign(asked["options"])
    value = signed["response"][spoil]
    signed["response"][spoil] = value[:-6] + ("AAAAAA" if value[-6:] != "AAAAAA" else "BBBBBB")
    answer = api.post(ALONE, {"ticket": asked["ticket"], "role": "patient", "passkey": signed}, format="json")
    assert outcome(answer) == (401, "login_failed")


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30) | st.binary(max_size=60).map(
        lambda some: base64.urlsafe_b64encode(some).rstrip(b"=").decode()
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip


# Its examples are small; what is slow is a machine that does much else.
@hypothesis.settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.dictionaries(st.sampled_from(["id", "rawId", "type", "response", "clientExtensionResults"]), HOSTILE))
def test_arbitrary_passkey_input_is_rejected_without_a_crash(sent):
    person = User(email="a@example.com", name="A", role="patient")
    assert passkeys.verify_passkey(person, {**sent, "id": 7}, "ticket", timezone.now()) is False
    ground = passkeys.mfa_status.compute_credentials_digest(person)
    ticket = passkeys.challenge_tokens.issue_ticket(
        passkeys.challenge_tokens.PASSKEY_ADDING, timezone.now(), person.pk.hex, ground
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passkeys.challenge_tokens.SpentTicket.objects, "filter", lambda **_: Passkey.objects.none())
        with pytest.raises(DomainError) as refused:
            passkeys.add_passkey(person, ticket, "x", sent, None, timezone.now())
    assert list(refused.value.errors) == ["passkey"]


STRANGE: list[object] = [None, 7, "", "=", "é", "AAAA", [], {}, "A" * 20000]


@pytest.mark.parametrize("field", ["signature", "authenticatorData", "clientDataJSON", "userHandle", None])
@pytest.mark.parametrize(
    "value", [None, 7, "", "=", "é", "AAAA", [], {}, "A" * 20000], ids=lambda value: repr(value)[:12]
)
def test_malformed_part_of_a_passkey_response_is_rejected(held, api, field, value):
    device = held[2]
    asked = api.post(f"{ALONE}/options").json()["data"]
    signed = device.sign(asked["options"])
    if field is None:
        signed["response"] = value
    else:
        signed["response"][field] = value
    answer = api.post(ALONE, {"ticket": asked["ticket"], "role": "patient", "passkey": signed}, format="json")
    assert outcome(answer) == (401, "login_failed")


@pytest.mark.parametrize(
    ("base", "origin"),
    [
        ("https://visits.example.org", "https://visits.example.org"),
        ("https://Visits.example.org:443/", "https://visits.example.org"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://visits.example.org:8443/x", "https://visits.example.org:8443"),
    ],
)
def test_passkey_origin_is_the_sites_own(base, origin):
    with override_settings(BASE_URL=base):
        assert passkeys.get_origin() == origin


def test_options_are_plain_json(held, api):
    assert json.loads(json.dumps(api.post(f"{ALONE}/options").json()["data"]["options"]))["rpId"] == "127.0.0.1"


# --- Whose it is, and what is overtaken ----------------------------------------------------------


def test_passkeys_of_another_user_do_not_count_toward_the_limit(clock, patient, client_of, other_patient):
    for n in range(20):
        Passkey.objects.create(
            user=other_patient, name="x", credential_id=f"c{n}", public_key=b"", created_at=timezone.now()
        )
    client = client_of(patient)
    asked = begin(client)
    assert asked["options"].get("excludeCredentials", []) == []
    assert outcome(add(client, asked, Device().make(asked["options"]))) == (201, "")
    assert [one["name"] for one in client.get(PASSKEYS).json()["data"]["passkeys"]] == ["Phone"]


def test_password_change_during_passkey_creation_wins(clock, patient, client_of, monkeypatch):
    client = client_of(patient)
    asked = begin(client)
    verify = webauthn.verify_registration_response

    def overtaken(**kwargs):
        User.objects.filter(pk=patient.pk).update(password="changed")
        return verify(**kwargs)

    monkeypatch.setattr(webauthn, "verify_registration_response", overtaken)
    assert outcome(add(client, asked, Device().make(asked["options"]))) == (400, "ticket_invalid")
    assert not Passkey.objects.exists()


def test_passkey_ticket_is_invalid_after_a_password_change(clock, patient, client_of):
    client = client_of(patient)
    asked = begin(client)
    body = {"currentPassword": PASSWORD, "newPassword": "fresh-blue-kettle"}
    assert client.put("/api/auth/password", body, format="json").status_code == 200
    assert outcome(add(client, asked, Device().make(asked["options"]))) == (400, "ticket_invalid")


def spent_meanwhile(monkeypatch, module, name):
    """Let somebody else spend the ticket at the moment when `name` is called."""
    original, texts = getattr(module, name), []
    read = challenge_tokens.read_ticket

    def noted(kind, text, now):
        texts.append(text)
        return read(kind, text, now)

    def overtaken(*args, **more):
        SpentTicket.objects.create(
            digest=challenge_tokens.hash_ticket(texts[-1]), ends_at=timezone.now() + timedelta(minutes=5)
        )
        return original(*args, **more)

    monkeypatch.setattr(challenge_tokens, "read_ticket", noted)
    monkeypatch.setattr(module, name, overtaken)


def test_one_of_two_concurrent_additions_with_one_ticket_succeeds(clock, patient, client_of, monkeypatch):
    client = client_of(patient)
    asked = begin(client)
    spent_meanwhile(monkeypatch, webauthn, "verify_registration_response")
    assert outcome(add(client, asked, Device().make(asked["options"]))) == (400, "ticket_invalid")
    assert not Passkey.objects.exists()


def test_one_of_two_concurrent_logins_with_one_ticket_succeeds(held, api, monkeypatch):
    spent_meanwhile(monkeypatch, passkeys, "verify_passkey")
    assert outcome(alone(api, held[2])) == (400, "ticket_invalid")


def test_passkey_of_a_deactivated_account_is_audited(held, api):
    _, patient, device, _ = held
    User.objects.filter(pk=patient.pk).update(status=AccountStatus.INACTIVE)
    alone(api, device)
    event = AuditEvent.objects.latest("id")
    assert (event.event, event.entity_id, event.detail) == (
        "account.sign_in_failed", str(patient.pk), {"reason": "inactive"},
    )  # fmt: skip


def test_passkey_tickets_are_rate_limited(api, db, monkeypatch):
    from accounts.auth import mfa_views
    from accounts.throttling.rate_limit import NetworkRateLimit

    monkeypatch.setattr(mfa_views, "options_limit", NetworkRateLimit("passkey-options", 2))
    assert [api.post(f"{ALONE}/options").status_code for _ in range(3)] == [200, 200, 429]
