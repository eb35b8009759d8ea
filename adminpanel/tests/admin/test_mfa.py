"""Test the second step required of staff, in the API and on the staff site."""

import html
import json
import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import get_resolver

from accounts.auth.totp import WRONG_CODE_MESSAGE
from accounts.models import AuditEvent, Session, User
from accounts.tests.auth.authenticators import PASSKEYS, Device, code_of, enrol, log_in
from accounts.tests.factories import PASSWORD, AdminFactory, PatientFactory
from adminpanel import admin_site
from adminpanel.tests.admin.staff import client_for, paths_of
from adminpanel.tests.contracts.access_matrix import list_routes

LOGIN = "/staff/login/"
# What stays open to those who must set a second step up first.
OPEN = {
    ("profile", "get"), ("logout", "post"), ("second-step", "get"), ("second-step-app", "post"),
    ("second-step-app", "put"), ("second-step-turn-app-off", "post"), ("second-step-begin-proof", "post"),
    ("second-step-make-recovery-codes", "post"), ("passkey-list", "get"),
    ("passkey-list", "post"), ("passkey-begin", "post"), ("passkey-detail", "put"), ("passkey-remove", "post"),
}  # fmt: skip


@pytest.fixture
def clock(db):
    with time_machine.travel("2026-03-02T12:00:00Z", tick=False) as travel:
        yield travel


@pytest.fixture
def required(settings):
    settings.STAFF_SECOND_STEP = "required"


@pytest.fixture
def superuser(clock):
    return AdminFactory.create(name="Kim Chief", email="kim@example.com", is_staff=True, is_superuser=True)


@pytest.fixture
def enrolled(superuser, client_of, clock):
    """A member of staff with an app, whose first code is spent."""
    secret, codes = enrol(client_of(superuser))
    clock.shift(timedelta(seconds=30))
    superuser.refresh_from_db()
    return superuser, secret, codes


def enter(**form):
    client = Client()
    return client, client.post(LOGIN, form)


def first(superuser, **more):
    client, answer = enter(username=superuser.email, password=PASSWORD, **more)
    ticket = re.search(r'name="ticket" value="([^"]+)"', answer.content.decode())
    return client, answer, html.unescape(ticket[1]) if ticket else ""


def then(client, ticket, **sent):
    return client.post(LOGIN, {"ticket": ticket, **sent})


# --- Required --------------------------------------------------------------------------------


def test_all_routes_except_second_step_setup_are_blocked(required, superuser, client_of):
    any_id = "0198c0de-0000-7000-8000-000000000000"
    shut, tried = set(), set()
    for pattern in list_routes(get_resolver()):
        view = getattr(pattern.callback, "cls", None)
        blind = () in (getattr(view, "authentication_classes", ()), initial(pattern).get("authentication_classes"))
        if view is None or blind:
            continue
        path = "/api/" + re.sub(r"<[^>]+>", any_id, re.sub(r"<int:[^>]+>", "1", str(pattern.pattern)))
        for method in [name for name in getattr(pattern.callback, "actions", {}) if name != "head"]:
            # A client each: one of the calls signs out.
            answer = getattr(client_of(superuser), method)(path, {} if method != "get" else None, format="json")
            tried.add((pattern.name, method))
            if answer.status_code == 403 and answer.json()["code"] == "second_step_required":
                shut.add((pattern.name, method))
    assert len(tried) > 60
    assert tried - shut == OPEN


def initial(pattern):
    return getattr(pattern.callback, "initkwargs", {})


def test_disabled_requirement_blocks_nothing_and_other_roles_are_exempt(settings, superuser, client_of, users):
    assert client_of(superuser).get("/api/admin/dashboard").status_code == 200
    settings.STAFF_SECOND_STEP = "required"
    assert client_of(users.patient).get("/api/appointments").status_code == 200
    assert client_of(users.doctor.user).get("/api/doctors/dashboard").status_code == 200


def test_every_admin_needs_a_second_step(required, clock, client_of):
    answer = client_of(AdminFactory.create()).get("/api/admin/dashboard")
    assert (answer.status_code, answer.json()["code"]) == (403, "second_step_required")


def test_admin_sets_up_a_second_step_and_continues(required, superuser, client_of, clock):
    client, other = client_of(superuser), client_of(superuser)
    assert client.get("/api/auth/profile").json()["data"]["user"]["secondStepDue"] is True
    assert client.get("/api/auth/second-step").json()["data"]["secondStep"]["due"] is True
    enrol(client)
    assert client.get("/api/auth/profile").json()["data"]["user"]["secondStepDue"] is False
    assert client.get("/api/admin/dashboard").status_code == 200
    # A session that the password alone has opened does not profit.
    assert other.get("/api/admin/dashboard").status_code == 401


def test_passkey_satisfies_the_requirement(required, superuser, client_of):
    client = client_of(superuser)
    Device().join(client)
    assert client.get("/api/admin/dashboard").status_code == 200


def test_removing_the_last_factor_blocks_access_again(required, enrolled, client_of):
    superuser, secret, _ = enrolled
    client = client_of(superuser)
    body = {"currentPassword": PASSWORD, "code": code_of(secret)}
    assert client.post("/api/auth/second-step/app/off", body, format="json").status_code == 200
    assert client.get("/api/admin/dashboard").status_code == 403


def test_staff_site_requires_a_second_step(required, superuser, settings):
    client, answer, ticket = first(superuser)
    assert (answer.status_code, ticket, "staff" in client.cookies) == (403, "", False)
    assert "/profile" in answer.content.decode()
    assert Session.objects.filter(ended_at=None).count() == 0


def test_existing_staff_session_is_blocked(superuser, settings):
    client = client_for(superuser)
    assert client.get("/staff/").status_code == 200
    settings.STAFF_SECOND_STEP = "required"
    for path in ("/staff/", "/staff/accounts/user/", f"/staff/accounts/user/{superuser.pk}/change/", "/staff/nothing/"):
        answer = client.get(path)
        assert (answer.status_code, "/profile" in answer.content.decode()) == (403, True)
    assert client.post("/staff/accounts/user/", {"action": "end"}).status_code == 403
    assert client.post("/staff/logout/").status_code == 302


def test_no_staff_page_bypasses_the_requirement(superuser, settings, required):
    client = client_for(superuser)
    seen = 0
    for resolver in get_resolver().url_patterns:
        if getattr(resolver, "app_name", "") != "admin":
            continue
        for path in paths_of(resolver, "/staff/"):
            answer = client.get(path)
            if path in {LOGIN, "/staff/logout/"}:
                continue
            assert answer.status_code == 403, path
            seen += 1
    assert seen > 60


# --- The site's own form ---------------------------------------------------------------------


def test_staff_login_requires_the_second_step(enrolled):
    superuser, secret, _ = enrolled
    client, answer, ticket = first(superuser, next="/staff/accounts/user/")
    assert (answer.status_code, "staff" in client.cookies) == (200, False)
    assert 'autocomplete="one-time-code"' in answer.content.decode()
    done = then(client, ticket, code=code_of(secret), next="/staff/accounts/user/")
    assert (done.status_code, done["Location"]) == (302, "/staff/accounts/user/")
    assert client.get("/staff/").status_code == 200


def test_recovery_code_is_accepted_in_the_same_field(enrolled):
    superuser, _, codes = enrolled
    client, _, ticket = first(superuser)
    assert then(client, ticket, code=codes[0].upper()).status_code == 302
    client, _, ticket = first(superuser)
    assert then(client, ticket, code=codes[0]).status_code == 401


def test_wrong_codes_are_reported_and_limited(enrolled):
    superuser, secret, _ = enrolled
    client, _, ticket = first(superuser)
    for _ in range(5):
        answer = then(client, ticket, code="000000")
        assert (answer.status_code, html.escape(WRONG_CODE_MESSAGE) in answer.content.decode()) == (401, True)
        ticket = html.unescape(re.search(r'name="ticket" value="([^"]+)"', answer.content.decode())[1])
    assert then(client, ticket, code=code_of(secret)).status_code == 429
    assert "staff" not in client.cookies


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"ticket": "x", "code": "123456"}, 400), ({"ticket": ""}, 400), ({"ticket": "x" * 700}, 400),
        ({"ticket": "mine"}, 401), ({"ticket": "mine", "passkey": "{"}, 401),
        ({"ticket": "mine", "passkey": "[" * 5000}, 401), ({"ticket": "mine", "passkey": "7"}, 401),
        # Half a letter, and a NUL, as JSON writes them; no database takes either.
        ({"ticket": "mine", "passkey": '{"id": "\\ud800"}'}, 401),
        ({"ticket": "mine", "passkey": '{"id": "\\u0000"}'}, 401),
        ({"ticket": "mine", "code": "\x00"}, 400), ({"ticket": "mine", "code": "x" * 41}, 400),
    ],
    ids=str,
)  # fmt: skip
def test_malformed_second_steps_are_rejected(enrolled, sent, status):
    superuser, *_ = enrolled
    client, _, ticket = first(superuser)
    answer = client.post(LOGIN, {name: ticket if value == "mine" else value for name, value in sent.items()})
    assert answer.status_code == status
    assert "staff" not in client.cookies


def test_passkey_logs_in_to_the_staff_site(superuser, client_of):
    device = Device()
    device.join(client_of(superuser))
    client, answer, ticket = first(superuser)
    options = json.loads(html.unescape(re.search(r'data-options="([^"]+)"', answer.content.decode())[1]))
    assert "staff/passkey.js" in answer.content.decode()
    assert then(client, ticket, passkey=json.dumps(device.sign(options))).status_code == 302


def test_admin_without_staff_status_is_rejected_before_the_second_step(client_of, clock, api):
    desk = AdminFactory.create(email="desk@example.com")
    secret, _ = enrol(client_of(desk))
    clock.shift(timedelta(seconds=30))
    client, answer, ticket = first(desk)
    assert (answer.status_code, ticket) == (401, "")
    assert "Login failed" in answer.content.decode()
    # A ticket of the API opens nothing here.
    due = log_in(api, desk).json()["data"]["secondStep"]
    assert then(client, due["ticket"], code=code_of(secret)).status_code == 401
    assert "staff" not in client.cookies
    assert AuditEvent.objects.filter(event="staff.refused").count() == 1


def test_patient_ticket_is_rejected(client_of, clock, api):
    person = PatientFactory.create()
    secret, _ = enrol(client_of(person))
    clock.shift(timedelta(seconds=30))
    due = log_in(api, person).json()["data"]["secondStep"]
    client = Client()
    assert then(client, due["ticket"], code=code_of(secret)).status_code == 401
    assert "staff" not in client.cookies


def test_used_codes_are_rejected_by_both_logins(enrolled, api):
    superuser, secret, _ = enrolled
    code = code_of(secret)
    client, _, ticket = first(superuser)
    assert then(client, ticket, code=code).status_code == 302
    due = log_in(api, superuser).json()["data"]["secondStep"]
    answer = api.post("/api/auth/login/second", {"ticket": due["ticket"], "code": code}, format="json")
    assert answer.status_code == 401


@pytest.mark.parametrize("what", ["the ticket runs out", "the account ends"])
def test_expired_ticket_returns_to_the_first_step(what, enrolled, clock, monkeypatch):
    superuser, *_ = enrolled
    client, _, ticket = first(superuser)
    again = admin_site.repeat_second_step

    def overtaken(text, now):
        if what == "the account ends":
            User.objects.filter(pk=superuser.pk).update(ended_at=now)
        return again(text, now + timedelta(minutes=5) if what == "the ticket runs out" else now)

    monkeypatch.setattr(admin_site, "repeat_second_step", overtaken)
    answer = then(client, ticket, code="000000")
    page = answer.content.decode()
    assert (answer.status_code, 'name="ticket"' in page, 'name="password"' in page) == (401, False, True)
    assert html.escape(WRONG_CODE_MESSAGE) in page


def test_cross_site_form_is_rejected(enrolled):
    superuser, secret, _ = enrolled
    _, _, ticket = first(superuser)
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(LOGIN, {"ticket": ticket, "code": code_of(secret)}).status_code == 403


def test_staff_manage_only_their_own_passkeys(superuser, client_of, users):
    added = Device().join(client_of(superuser))["passkey"]
    answer = client_of(users.admin).post(
        f"{PASSKEYS}/{added['_id']}/remove", {"currentPassword": PASSWORD}, format="json"
    )
    assert answer.status_code == 404
