"""Every route that changes a factor passes the guard: found by what a valid call of each route writes."""

from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.utils import timezone

from accounts import views
from accounts.auth import reauthentication
from accounts.credentials.signed_links import NEW_EMAIL
from accounts.models import User
from accounts.tests.factories import PASSWORD
from adminpanel.tests.contracts.populated_site import PopulatedSite
from adminpanel.tests.contracts.response_recorder import read_content
from adminpanel.tests.contracts.valid_calls import CALLS, Call, send, token

pytestmark = pytest.mark.django_db

TABLES = ("accounts_authenticatorapp", "accounts_passkey", "accounts_recoverycode")
COLUMNS = ('"password"', '"pending_email"', '"second_step_at"', '"email"')

# What writes to them without the guard, and why it may.
WITHOUT = {
    "take the second step": "uses a recovery code up",
    "sign in by passkey": "counts the use of a passkey",
    "turn it on": "finishes what passed the guard when the secret was made",
    "add a passkey": "finishes what passed the guard when the ticket was made",
    "rename a passkey": "changes no more than a label",
    "register a patient": "makes the account",
    "register a doctor": "makes the account",
    "set a new one": "shows the mailbox, and leaves the second step on",
    "drop a new address": "withdraws a change",
    "close one's account": "ends the account, after the password",
    "delete a user": "an admin ends the account, on the trail",
    "delete a doctor": "an admin ends the account, on the trail",
    "confirm another address": "finishes what passed the guard when the address was asked for",
}
GUARDED = {
    "begin an app", "turn it off", "make recovery codes", "begin a passkey", "remove a passkey", "change the password",
    "ask for another address", "ask for another address as a doctor", "ask for another address as an admin",
}  # fmt: skip


def is_factor_change(sql: str) -> bool:
    """Return whether a statement writes to what people sign in with."""
    words = sql.replace("`", '"').lstrip()
    if not words.startswith(("INSERT", "UPDATE", "DELETE")):
        return False
    table = words.split('"')[1] if '"' in words else ""
    if table in TABLES:
        return True
    if table != "accounts_user":
        return False
    return words.startswith("INSERT") or any(column in words.partition(" WHERE ")[0] for column in COLUMNS)


@contextmanager
def watched():
    """Note each write to a factor, and whether the guard was passed before it."""
    written: list[str] = []

    def note(execute, sql, params, many, context):
        if is_factor_change(sql):
            written.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield written


@pytest.fixture
def passed_checks(monkeypatch):
    """Who passed the guard."""
    people = []
    checked = reauthentication.Reauthentication.authorize_change

    def authorize_change(self, *args, **kwargs):
        people.append(self.user.pk)
        return checked(self, *args, **kwargs)

    monkeypatch.setattr(reauthentication.Reauthentication, "authorize_change", authorize_change)
    return people


def add_link(site: PopulatedSite) -> None:
    """Ask for another address, so that its mailbox has a link."""
    body = {"currentPassword": PASSWORD, "email": "newer@example.com"}
    assert site.clients["patient owner"].put("/api/auth/profile", body, format="json").status_code == 200
    site.users.patient.refresh_from_db()


# Ways of calling a route that stand nowhere else.
MORE = {
    "ask for another address": Call(
        "profile", "PUT", "patient owner", lambda site: {"currentPassword": PASSWORD, "email": "newer@example.com"}
    ),
    "ask for another address as a doctor": Call(
        "doctor-profile", "PUT", "other doctor",
        lambda site: {"currentPassword": PASSWORD, "email": "newer@example.com"},
    ),
    "ask for another address as an admin": Call(
        "profile", "PUT", "admin", lambda site: {"currentPassword": PASSWORD, "email": "newer@example.com"}
    ),
    "confirm another address": Call(
        "email-confirm", "POST", "anonymous", lambda site: {"token": token(NEW_EMAIL, site.users.patient)},
        prepare=add_link,
    ),
}  # fmt: skip


def send_and_watch(name: str, call: Call, site: PopulatedSite, passed_checks: list[str]) -> tuple[bool, bool]:
    """Make a call and undo it; returns whether it changed a factor, and whether it passed the guard."""
    cache.clear()
    with transaction.atomic():
        call.prepare(site)
        address = call.get_address(site)
        passed_checks.clear()
        with watched() as written:
            answer = send(replace(call, address=lambda _: address), site)
        assert (name, answer.status_code) == (name, call.status)
        read_content(answer)
        transaction.set_rollback(True)
    return bool(written), bool(passed_checks)


def test_every_route_that_changes_a_factor_requires_reauthentication(populated_site, passed_checks):
    unguarded, guarded = set(), set()
    for name, call in {**CALLS, **MORE}.items():
        writes, passes = send_and_watch(name, call, populated_site, passed_checks)
        if passes:
            guarded.add(name)
        elif writes:
            unguarded.add(name)
    assert unguarded == set(WITHOUT)
    assert guarded == GUARDED


@pytest.mark.parametrize("name", sorted(GUARDED))
def test_guarded_route_requires_an_existing_factor(name, populated_site, passed_checks):
    call = {**CALLS, **MORE}[name]
    call.prepare(populated_site)
    # A second step whose factor nobody sends; what the call sends of another one goes.
    User.objects.filter(ended_at=None).update(second_step_at=timezone.now())
    body = {key: value for key, value in call.body(populated_site).items() if key not in {"code", "recoveryCode"}}
    address = call.get_address(populated_site)
    with watched() as written:
        answer = send(replace(call, body=lambda _: body, address=lambda _: address), populated_site)
    assert (answer.status_code, list(answer.json()["errors"]), written) == (400, ["code"], [])


def test_check_finds_a_change_without_reauthentication(populated_site, passed_checks):
    """The control: a call that writes to a factor without the guard is found."""

    def change(user, proof, new, session, now):
        user.password = "unguarded"
        user.save(update_fields=["password"])

    name = "change the password"
    assert send_and_watch(name, CALLS[name], populated_site, passed_checks) == (True, True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(views, "change_password", change)
        assert send_and_watch(name, CALLS[name], populated_site, passed_checks) == (True, False)
    assert send_and_watch("rename", CALLS["change a patient"], populated_site, passed_checks) == (False, False)
