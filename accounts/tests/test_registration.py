"""Test the registration of patients."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from django.utils import timezone

from accounts.models import AuditEvent, Notice, PatientDetails, User
from accounts.notifications.rate_alerts import AlertThreshold
from accounts.registration import register_patient
from accounts.tests.registration_form import form
from accounts.throttling.rate_limit import NetworkRateLimit

ADDRESS = "/api/auth/register/patient"


def test_a_registered_patient_is_signed_in_at_once(api, db):
    answer = api.post(ADDRESS, form(), format="json")

    assert answer.status_code == 201
    body = answer.json()
    assert (body["success"], body["message"]) == (True, "Registration successful")
    assert sorted(body["data"]) == ["token", "user"]
    user = User.objects.get()
    assert body["data"]["user"] == {
        "_id": str(user.pk),
        "name": "Nora Newcomer",
        "email": "nora@example.com",
        "phone": "(202) 555-0110",
        "gender": "female",
        "dateOfBirth": "1990-02-28",
        "role": "patient",
        "status": "active",
        "createdAt": user.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "profilePicture": None,
        "pendingEmail": None,
        "emailConfirmed": False,
        "address": {
            "street": "1 Quay",
            "city": "Springfield",
            "state": "Illinois",
            "zipCode": "62701",
            "country": "US",
        },
        "bloodGroup": "AB-",
    }
    assert user.last_login == user.created_at == user.sessions.get().created_at
    profile = api.get("/api/auth/profile", HTTP_AUTHORIZATION=f"Bearer {body['data']['token']}")
    assert (profile.status_code, profile.json()["data"]["user"]) == (200, body["data"]["user"])


def test_registration_stores_audit_event_notice_and_consent_date(api, db):
    before = timezone.now()
    api.post(ADDRESS, form(), format="json")

    user = User.objects.get()
    assert user.check_password("quiet-harbour-9")
    assert user.agreed_to_privacy_at is not None
    assert user.agreed_to_privacy_at >= before
    event = AuditEvent.objects.get(event="account.registered")
    assert (event.agent_id, event.entity_id, event.source_address) == (user.pk, str(user.pk), "127.0.0.1")
    assert len(event.request_id) == 32
    assert list(Notice.objects.values_list("event", "recipient", "delivered_at")) == [
        ("account.registered", user.pk, None)
    ]


def test_address_and_blood_group_are_optional(api, db):
    sent = form()
    del sent["address"], sent["bloodGroup"], sent["gender"], sent["timeZone"]

    answer = api.post(ADDRESS, sent, format="json")

    assert answer.status_code == 201
    user = answer.json()["data"]["user"]
    assert (user["gender"], user["bloodGroup"]) == ("male", "")
    assert user["address"] == {"street": "", "city": "", "state": "", "zipCode": "", "country": "US"}


@pytest.mark.parametrize(
    ("changes", "message", "fields"),
    [
        (
            {"password": "abc", "confirmPassword": "abd", "name": ""},
            "Passwords do not match",
            ["confirmPassword", "name", "password"],
        ),
        ({"confirmPassword": "else-where-9"}, "Passwords do not match", ["confirmPassword"]),
        (
            {"password": "abc", "confirmPassword": "abc", "phone": "x"},
            "Password must be at least 6 characters long",
            ["password", "phone"],
        ),
        ({"name": "", "phone": "x"}, "Please check the marked fields.", ["name", "phone"]),
    ],
)
def test_message_is_the_first_error_and_errors_name_every_field(api, db, changes, message, fields):
    answer = api.post(ADDRESS, form(**changes), format="json")

    assert answer.status_code == 400
    body = answer.json()
    assert (body["code"], body["message"], sorted(body["errors"])) == ("invalid", message, fields)
    assert User.objects.count() == 0


def test_minimum_password_length_is_a_setting(api, db, settings):
    settings.PASSWORD_MIN_LENGTH = 20

    answer = api.post(ADDRESS, form(), format="json")

    assert answer.json()["message"] == "Password must be at least 20 characters long"


@pytest.mark.parametrize(
    ("password", "errors"),
    [
        ("password1", ["This password is too common."]),
        ("nora-newcomer", ["The password is too similar to the name."]),
        ("nora@example.com", ["The password is too similar to the email."]),
    ],
)
def test_weak_passwords_are_refused(api, db, password, errors):
    answer = api.post(ADDRESS, form(password=password, confirmPassword=password), format="json")

    assert (answer.status_code, answer.json()["errors"]) == (400, {"password": errors})


@pytest.mark.parametrize(
    "password", [f"{'a long way to quiet harbours, ' * 5}"[:128], "  kept with its blanks  ", "Schlüssel zum 港 🔑"]
)
def test_password_is_used_exactly_as_typed(api, db, password):
    """NIST SP 800-63B 5.1.1.2 asks for 64 characters and more, of any kind, none of them cut off."""
    assert api.post(ADDRESS, form(password=password, confirmPassword=password), format="json").status_code == 201

    def sign_in(typed):
        sent = {"email": "nora@example.com", "password": typed, "role": "patient"}
        return api.post("/api/auth/login", sent, format="json").status_code

    assert [sign_in(typed) for typed in (password, password[:-1], password.strip(" "))] == [
        200,
        401,
        200 if password == password.strip(" ") else 401,
    ]


@pytest.mark.parametrize("role", ["doctor", "admin"])
def test_role_in_the_body_must_match_the_route(api, db, role):
    answer = api.post(ADDRESS, form(role=role), format="json")

    assert answer.status_code == 400
    assert answer.json()["errors"] == {"role": ["This address registers a patient only."]}
    assert User.objects.count() == 0


@pytest.mark.parametrize("agreed", [False, None, "true", 1, [], {}])
def test_registration_requires_consent(api, db, agreed):
    answer = api.post(ADDRESS, form(agreedToPrivacy=agreed), format="json")

    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["agreedToPrivacy"])


@pytest.mark.parametrize(
    "spelling",
    [
        "ada@example.com",
        "ADA@EXAMPLE.COM",
        "\uff21da@example.com",  # full-width A
        "ad\uff41@\uff45xample.com",
        " ada@example.com ",
        "ada@\u2147xample.com",  # double-struck e
    ],
)
def test_all_spellings_of_an_email_are_one_account(api, patient, spelling):
    answer = api.post(ADDRESS, form(email=spelling), format="json")

    assert answer.status_code == 409
    body = answer.json()
    assert (body["code"], body["errors"]) == (
        "email_taken",
        {"email": ["An account with this email address already exists."]},
    )
    assert User.objects.count() == 1


def test_an_international_domain_is_one_account_in_both_spellings(api, db):
    assert api.post(ADDRESS, form(email="nora@b\u00fccher.example"), format="json").status_code == 201

    again = api.post(ADDRESS, form(email="Nora@xn--bcher-kva.example"), format="json")
    decomposed = api.post(ADDRESS, form(email="nora@bu\u0308cher.example"), format="json")

    assert [again.status_code, decomposed.status_code] == [409, 409]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("nora@faß.example", "nora@xn--fa-hia.example"),
        ("NORA@FAẞ.example", "nora@xn--fa-hia.example"),
        ("nora@fass.example", "nora@fass.example"),
        ("nora@βόλος.example", "nora@xn--nxasmm1c.example"),
        ("nora@mail。b\u00fccher.example", "nora@mail.xn--bcher-kva.example"),
        ("straße@example.com", None),
    ],
)
def test_different_mailboxes_are_different_accounts(api, db, typed, kept):
    """The link for a forgotten password would go to the other one's owner."""
    answer = api.post(ADDRESS, form(email=typed), format="json")
    assert answer.status_code == (201 if kept else 400)
    assert list(User.objects.values_list("email", flat=True)) == ([kept] if kept else [])


def test_unknown_fields_change_nothing(api, db):
    smuggled = {
        "id": "0", "_id": "0", "status": "inactive", "isApproved": True, "is_staff": True, "is_superuser": True,
        "createdAt": "2000-01-01T00:00:00Z", "specialization": "Cardiology", "groups": [1], "picture": "x",
    }  # fmt: skip

    answer = api.post(ADDRESS, form(**smuggled), format="json")

    assert answer.status_code == 201
    user = User.objects.get()
    assert (user.role, user.status, user.is_staff, user.is_superuser, user.picture) == (
        "patient", "active", False, False, "",
    )  # fmt: skip
    assert str(user.pk) != "0"
    assert user.created_at.year > 2000


def test_registrations_from_one_ip_are_limited(api, db, monkeypatch):
    monkeypatch.setattr("accounts.registration.address_limit", NetworkRateLimit("registration", 2))
    statuses = [
        api.post(ADDRESS, form(email=f"nora{number}@example.com"), format="json").status_code for number in range(3)
    ]

    assert statuses == [201, 201, 429]
    assert User.objects.count() == 2


def test_flood_of_registrations_does_not_lock_others_out(api, admin, monkeypatch):
    """Beyond the mark each network has a few more, its mails wait, and admins are told once."""
    monkeypatch.setattr("accounts.registration.alert_threshold", AlertThreshold("registration-overall", 2))

    def register(n, address):
        return api.post(ADDRESS, form(email=f"nora{n}@example.com"), format="json", REMOTE_ADDR=address)

    assert [register(n, f"198.51.100.{n}").status_code for n in range(6)] == [201] * 6
    last = [register(n, "198.51.100.5") for n in range(6, 9)]

    assert [answer.status_code for answer in last] == [201, 201, 429]
    assert 1 <= int(last[2]["Retry-After"]) <= 901
    welcomes = Notice.objects.filter(event="account.registered").order_by("id")
    now = timezone.now()
    assert [notice.due_at > now for notice in welcomes] == [False] * 2 + [True] * 6
    (told,) = Notice.objects.filter(event="limit.mark_passed")
    assert (told.recipient_id, told.detail) == (admin.pk, {"limit": "registration-overall", "max_attempts": 2})
    assert AuditEvent.objects.filter(event="limit.mark_passed").count() == 1


def test_taken_email_is_disclosed_a_limited_number_of_times(api, patient, monkeypatch):
    """A taken address counts as a free one does: the deliberate way to ask has its limit."""
    monkeypatch.setattr("accounts.registration.address_limit", NetworkRateLimit("registration", 3))
    answers = [api.post(ADDRESS, form(email=patient.email), format="json").status_code for _ in range(5)]

    assert answers == [409, 409, 409, 429, 429]
    assert AuditEvent.objects.filter(event="limit.exhausted", detail__limit="registration").count() == 1


def test_concurrent_registrations_of_one_email_have_one_winner(real_server):
    server = real_server(workers=2)
    start = threading.Barrier(8)

    def register(_):
        start.wait(timeout=60)
        return httpx.post(server.url + ADDRESS, json=form(), timeout=30)

    with ThreadPoolExecutor(8) as racers:
        answers = list(racers.map(register, range(8)))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    lost = [answer.json() for answer in answers if answer.status_code == 409]
    assert {body["code"] for body in lost} == {"email_taken"}
    assert all(body["errors"]["email"] for body in lost)
    for table in ("accounts_user", "accounts_patientdetails", "accounts_notice"):
        assert server.sql(f"SELECT count(*) FROM {table}") == [(1,)]


def test_unique_constraint_catches_a_stale_check(api, patient, monkeypatch):
    # The race, staged: the look-up sees nobody, the insert meets the row.
    monkeypatch.setattr("django.db.models.query.QuerySet.exists", lambda self: False)

    answer = api.post(ADDRESS, form(email=patient.email), format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "email_taken")
    assert answer.json()["errors"] == {"email": ["An account with this email address already exists."]}
    assert AuditEvent.objects.count() == 0


def test_failed_registration_leaves_no_partial_account(db, monkeypatch):
    monkeypatch.setattr(PatientDetails, "save", lambda *args, **kwargs: 1 / 0)
    complete: dict[str, Any] = {
        "email": "nora@example.com", "name": "Nora", "phone": "", "gender": "female", "date_of_birth": None,
        "password": "quiet-harbour-9", "blood_group": "", "address": {},
    }  # fmt: skip

    with pytest.raises(ZeroDivisionError):
        register_patient(complete, timezone.now())

    assert User.objects.count() == AuditEvent.objects.count() == Notice.objects.count() == 0
