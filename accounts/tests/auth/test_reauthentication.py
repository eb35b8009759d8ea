"""Factors protect each other: each change asks for the password and, with a second step on, a current factor.

Which routes change factors is found by what they write:
`adminpanel/tests/contracts/test_reauthentication_routes.py`.
"""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.auth import reauthentication
from accounts.credentials import challenge_tokens
from accounts.credentials.encryption import encrypt_secret
from accounts.models import AuditEvent, AuthenticatorApp, Notice, Passkey, RecoveryCode, User
from accounts.tests.auth.authenticators import APP, PASSKEYS, PROOF, Device, code_of, enrol, log_in
from accounts.tests.factories import PASSWORD
from config.api.errors import DomainError

CODES = "/api/auth/second-step/recovery-codes"
STEP = timedelta(seconds=30)
NEW_PASSWORD = "seven-quiet-lamps"


@pytest.fixture
def clock(db):
    with time_machine.travel("2026-03-02T12:00:00Z", tick=False) as travel:
        yield travel


class Owner:
    """A person with an app and a passkey."""

    def __init__(self, client, user, clock):
        self.client, self.user, self.device = client, user, Device()
        self.secret, self.codes = enrol(client)
        clock.shift(STEP)
        self.passkey = self.device.join(client, code=code_of(self.secret))["passkey"]["_id"]
        clock.shift(STEP)
        user.refresh_from_db()

    def proofs(self):
        return {
            "code": lambda: {"code": code_of(self.secret)},
            "recoveryCode": lambda: {"recoveryCode": self.codes[0]},
            "passkey": lambda: self.device.prove(self.client),
        }

    def act(self, name, **proof):
        method, path, body = self.acts()[name]
        return getattr(self.client, method)(path, {"currentPassword": PASSWORD, **body, **proof}, format="json")

    def acts(self):
        return {
            "begin a passkey": ("post", f"{PASSKEYS}/options", {}),
            "remove a passkey": ("post", f"{PASSKEYS}/{self.passkey}/remove", {}),
            "turn the app off": ("post", f"{APP}/off", {}),
            "make recovery codes": ("post", CODES, {}),
            "change the password": ("put", "/api/auth/password", {"newPassword": NEW_PASSWORD}),
            "change the address": ("put", "/api/auth/profile", {"email": "new@example.com"}),
        }

    def state(self):
        self.user.refresh_from_db()
        return (
            self.user.password, self.user.pending_email, self.user.second_step_at,
            list(AuthenticatorApp.objects.filter(user=self.user).values_list("turned_on_at")),
            list(Passkey.objects.filter(user=self.user).values_list("pk")),
            list(RecoveryCode.objects.filter(user=self.user).values_list("code_hash", "used_at")),
        )  # fmt: skip


ACTS = (
    "begin a passkey", "remove a passkey", "turn the app off", "make recovery codes", "change the password",
    "change the address",
)  # fmt: skip
WAYS = ("code", "recoveryCode", "passkey")


@pytest.fixture
def owner(clock, patient, client_of):
    return Owner(client_of(patient), patient, clock)


@pytest.mark.parametrize("act", ACTS)
def test_the_password_alone_changes_no_factor(owner, act):
    before = owner.state()
    answer = owner.act(act)
    assert (answer.status_code, answer.json()["errors"]) == (400, {"code": [reauthentication.MISSING_FACTOR_MESSAGE]})
    assert owner.state() == before


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("way", WAYS)
def test_a_current_factor_beside_the_password_changes_it(owner, act, way):
    proof = owner.proofs()[way]()
    assert owner.act(act, **proof).status_code in {200, 201}
    # What was used is used up.
    if act == "begin a passkey":
        again = owner.act(act, **proof)
        field = [] if way == "passkey" else [way]
        assert (again.status_code, list(again.json()["errors"])) == (400, field)


@pytest.mark.parametrize("act", ACTS)
def test_factor_without_the_password_changes_nothing(owner, act):
    before = owner.state()
    answer = owner.act(act, code=code_of(owner.secret), currentPassword="wrong")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["currentPassword"])
    assert owner.state() == before


def wrong_proofs(owner, stranger):
    """Proofs that are none, and the field that says so; empty for a ticket that serves nothing."""
    begun = owner.client.post(PROOF).json()["data"]
    signing = log_in(owner.client, owner.user).json()["data"]["secondStep"]
    return {
        "a wrong code": ({"code": "000000"}, "code"),
        "a code that is none": ({"code": "x"}, "code"),
        "a wrong recovery code": ({"recoveryCode": "aaaa"}, "recoveryCode"),
        "another's code": ({"code": code_of(stranger.secret)}, "code"),
        "another's recovery code": ({"recoveryCode": stranger.codes[0]}, "recoveryCode"),
        "another's passkey": (
            {"ticket": begun["ticket"], "passkey": stranger.device.sign(begun["options"])}, "passkey",
        ),
        "another's ticket": (stranger.device.prove(stranger.client), ""),
        "a ticket of a sign-in": (
            {"ticket": signing["ticket"], "passkey": owner.device.sign(signing["passkey"])}, "",
        ),
        "a passkey without a ticket": ({"passkey": owner.device.sign(begun["options"])}, "passkey"),
        "what another challenge signed": (
            {"ticket": begun["ticket"], "passkey": owner.device.sign(signing["passkey"])}, "passkey",
        ),
        "no browser's answer": ({"ticket": begun["ticket"], "passkey": {}}, "passkey"),
        "two at once": ({"code": code_of(owner.secret), "recoveryCode": owner.codes[0]}, "code"),
    }  # fmt: skip


WRONG = (
    "a wrong code", "a code that is none", "a wrong recovery code", "another's code", "another's recovery code",
    "another's passkey", "another's ticket", "a ticket of a sign-in", "a passkey without a ticket",
    "what another challenge signed", "no browser's answer", "two at once",
)  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_invalid_proof_is_a_field_error_and_changes_nothing(owner, other_patient, client_of, clock, kind):
    stranger = Owner(client_of(other_patient), other_patient, clock)
    proof, field = wrong_proofs(owner, stranger)[kind]
    before = owner.state()
    answer = owner.act("make recovery codes", **proof)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field] if field else [])
    assert answer.json()["code"] == ("invalid" if field else "ticket_invalid")
    assert owner.state() == before


def test_proof_expires_after_five_minutes(owner, clock):
    proof = owner.device.prove(owner.client)
    clock.shift(timedelta(minutes=5))
    assert owner.act("make recovery codes", **proof).json()["code"] == "ticket_invalid"


def test_newly_created_recovery_codes_cannot_remove_the_app(owner):
    """Finding 9: codes that came for the password alone turned the app off."""
    made = owner.act("make recovery codes")
    assert "recoveryCodes" not in made.json()["data"]
    assert owner.act("turn the app off").status_code == 400
    owner.user.refresh_from_db()
    assert owner.user.second_step_at is not None


def test_adding_an_app_with_a_passkey_present_requires_the_passkey(clock, patient, client_of):
    client, device = client_of(patient), Device()
    device.join(client)
    body = {"currentPassword": PASSWORD}
    assert list(client.post(APP, body, format="json").json()["errors"]) == ["code"]
    assert not AuthenticatorApp.objects.exists()
    assert client.post(APP, {**body, **device.prove(client)}, format="json").status_code == 201


def test_app_setup_by_password_is_invalid_once_a_second_step_exists(clock, patient, client_of):
    client, device = client_of(patient), Device()
    secret = client.post(APP, {"currentPassword": PASSWORD}, format="json").json()["data"]["secret"]["text"]
    device.join(client)
    answer = client.put(APP, {"code": code_of(secret)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "ticket_invalid")


def test_passkey_setup_by_password_is_invalid_once_a_second_step_exists(clock, patient, client_of):
    client, device = client_of(patient), Device()
    asked = client.post(f"{PASSKEYS}/options", {"currentPassword": PASSWORD}, format="json").json()["data"]
    enrol(client)
    body = {"ticket": asked["ticket"], "name": "Late", "passkey": device.make(asked["options"])}
    assert client.post(PASSKEYS, body, format="json").json()["code"] == "ticket_invalid"


def test_first_factor_requires_the_password_only(clock, patient, client_of):
    client = client_of(patient)
    assert client.post(PROOF).status_code == 404
    assert client.get("/api/auth/second-step").json()["data"]["secondStep"]["methods"] == []
    enrol(client)
    assert client.get("/api/auth/second-step").json()["data"]["secondStep"]["methods"] == ["code", "recoveryCode"]


def test_without_a_second_step_the_password_changes_password_and_email(clock, patient, client_of):
    client = client_of(patient)
    body = {"currentPassword": PASSWORD, "email": "new@example.com"}
    assert client.put("/api/auth/profile", body, format="json").status_code == 200
    body = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    assert client.put("/api/auth/password", body, format="json").status_code == 200


def test_a_name_changes_without_any_proof(owner):
    assert owner.client.put("/api/auth/profile", {"name": "Ada Renamed"}, format="json").status_code == 200


def test_factor_attempts_are_counted_across_all_changes(owner):
    answers = [owner.act(act, code="000000").status_code for act in ACTS[:5]]
    assert answers == [400] * 5
    refused = owner.act("make recovery codes", code=code_of(owner.secret))
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")


def test_correct_factor_resets_the_attempts(owner, clock):
    for _ in range(3):
        for _ in range(4):
            assert owner.act("begin a passkey", code="000000").status_code == 400
        assert owner.act("begin a passkey", code=code_of(owner.secret)).status_code == 200
        clock.shift(STEP)


def test_rejected_factor_is_audited(owner):
    owner.act("make recovery codes", code="000000")
    owner.act("make recovery codes", recoveryCode="aaaa")
    rows = AuditEvent.objects.filter(event="account.factor_refused")
    assert list(rows.order_by("id").values_list("outcome", "agent_id", "entity_id", "detail")) == [
        ("4", owner.user.pk, str(owner.user.pk), {"with": "code"}),
        ("4", owner.user.pk, str(owner.user.pk), {"with": "recoveryCode"}),
    ]


def test_used_recovery_code_notifies_its_owner(owner):
    owner.act("make recovery codes", recoveryCode=owner.codes[0])
    told = Notice.objects.filter(recipient=owner.user).values_list("event", flat=True)
    assert {"account.recovery_code_used", "account.recovery_codes_made"} <= set(told)


@pytest.mark.parametrize("change", ["second step", "password"])
def test_account_changed_since_the_password_check_is_rejected(clock, patient, change):
    """Both had checked the password before either had locked the row."""
    checked = reauthentication.reauthenticate(patient, reauthentication.Proof(password=PASSWORD))
    if change == "password":
        User.objects.filter(pk=patient.pk).update(password="another")
    else:
        AuthenticatorApp.objects.create(
            user=patient, secret=encrypt_secret("A" * 32), started_at=timezone.now(), turned_on_at=timezone.now()
        )
        User.objects.filter(pk=patient.pk).update(second_step_at=timezone.now())
    with pytest.raises(DomainError) as refused, checked.authorize_change(timezone.now()):
        pytest.fail("let through")
    assert refused.value.code == ("invalid" if change == "password" else "ticket_invalid")


def test_proof_ticket_is_used_once_despite_stale_reads(owner, clock):
    now = timezone.now()
    proof = reauthentication.Proof(password=PASSWORD, **owner.device.prove(owner.client))
    checked = reauthentication.reauthenticate(owner.user, proof)
    with checked.authorize_change(now):
        pass
    with pytest.raises(DomainError, match="ticket_invalid"), checked.authorize_change(now):
        pytest.fail("let through twice")
    with pytest.raises(DomainError, match="ticket_invalid"):
        challenge_tokens.read_ticket(challenge_tokens.FACTOR_PROOF, proof.ticket, now)


def test_starting_proofs_is_rate_limited(owner, monkeypatch):
    statuses = {owner.client.post(PROOF).status_code for _ in range(61)}
    assert statuses == {200, 429}
