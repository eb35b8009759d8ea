"""Test reading and updating a profile."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.auth.account_status import set_user_status
from accounts.models import AccountStatus, AuditEvent, Notice, PatientDetails, User
from accounts.tests.factories import PASSWORD, UserFactory
from accounts.tests.files import pictures as made

PROFILE = "/api/auth/profile"
ADDRESS = {
    "street": "12 Invented Lane",
    "city": "Springfield",
    "state": "Illinois",
    "zipCode": "62701",
    "country": "US",
}


def put(client, **changes):
    return client.put(PROFILE, changes, format="json")


def test_a_patient_reads_their_profile(patient, client_of):
    answer = client_of(patient).get(PROFILE)

    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json()["data"]["user"] == {
        "_id": str(patient.pk),
        "name": "Ada Patient",
        "email": "ada@example.com",
        "phone": "(202) 555-0101",
        "gender": "other",
        "dateOfBirth": "1985-06-15",
        "role": "patient",
        "status": "active",
        "createdAt": patient.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "profilePicture": None,
        "pendingEmail": None,
        "emailConfirmed": True,
        "address": ADDRESS,
        "bloodGroup": "O+",
    }


def test_an_admin_s_profile_has_the_common_fields_only(admin, client_of):
    user = client_of(admin).get(PROFILE).json()["data"]["user"]

    assert sorted(user) == [
        "_id", "createdAt", "dateOfBirth", "email", "emailConfirmed", "gender", "name", "pendingEmail", "phone",
        "profilePicture", "role", "secondStepDue", "status",
    ]  # fmt: skip


def test_patient_without_saved_details_has_empty_ones(client_of, db):
    client = client_of(UserFactory.create())

    user = client.get(PROFILE).json()["data"]["user"]
    assert user["address"] == {"street": "", "city": "", "state": "", "zipCode": "", "country": "US"}
    assert user["bloodGroup"] == ""
    assert put(client, bloodGroup="A-").json()["data"]["user"]["bloodGroup"] == "A-"


def test_profile_accepts_a_multipart_form(patient, client_of):
    answer = client_of(patient).put(
        PROFILE,
        {
            "name": "Ada Renamed",
            "phone": "(202) 555-0177",
            "gender": "female",
            "dateOfBirth": "1984-02-29",
            "address": json.dumps({"street": "3 New Street", "city": "Shelbyville"}),
            "bloodGroup": "B+",
            "image": SimpleUploadedFile("me.png", made.picture("PNG"), "image/png"),
        },
        format="multipart",
    )

    assert (answer.status_code, answer.json()["message"]) == (200, "Profile updated successfully")
    user = answer.json()["data"]["user"]
    assert (user["name"], user["phone"], user["gender"], user["dateOfBirth"], user["bloodGroup"]) == (
        "Ada Renamed", "(202) 555-0177", "female", "1984-02-29", "B+",
    )  # fmt: skip
    # What is absent stays, inside the address too.
    assert user["address"] == ADDRESS | {"street": "3 New Street", "city": "Shelbyville"}
    assert user["profilePicture"] is not None
    assert client_of(patient).get(PROFILE).json()["data"]["user"] == user
    event = AuditEvent.objects.get()
    assert (event.event, event.detail) == (
        "account.profile_changed",
        {"fields": ["blood_group", "city", "date_of_birth", "gender", "name", "phone", "picture", "street"]},
    )


def test_unchanged_values_change_nothing(patient, client_of):
    client = client_of(patient)
    user = client.get(PROFILE).json()["data"]["user"]

    answer = put(client, **user, role_="admin")

    assert (answer.status_code, answer.json()["data"]["user"]) == (200, user)
    assert AuditEvent.objects.count() == Notice.objects.count() == 0


def test_empty_update_changes_nothing(patient, client_of):
    assert put(client_of(patient)).status_code == 200
    assert AuditEvent.objects.count() == 0


def test_current_address_on_one_line_changes_nothing(patient, client_of):
    line = "12 Invented Lane, Springfield, Illinois 62701"

    answer = put(client_of(patient), address=f" {line} ")

    assert (answer.status_code, answer.json()["data"]["user"]["address"]) == (200, ADDRESS)
    assert AuditEvent.objects.count() == 0


ADDRESS_LINES = json.loads(Path(settings.BASE_DIR, "frontend/src/lib/addressLines.json").read_text())


@pytest.mark.parametrize(("line", "parts"), ADDRESS_LINES)
def test_address_on_one_line_is_split_and_other_parts_stay(patient, client_of, line, parts):
    answer = put(client_of(patient), address=line)

    assert answer.json()["data"]["user"]["address"] == ADDRESS | parts


def test_part_of_an_address_line_that_is_too_long_is_refused(patient, client_of):
    answer = put(client_of(patient), address=f"1 Elm Road, {'x' * 101}, MA 02108")

    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["address.city"])


def test_longest_address_can_be_sent_back_on_one_line(patient, client_of):
    PatientDetails.objects.update(street="s" * 200, city="c" * 100, state="t" * 100, zip_code="9" * 20)
    line = PatientDetails.objects.get().address_line

    assert put(client_of(patient), address=line).status_code == 200
    assert AuditEvent.objects.count() == 0


def test_the_same_line_in_another_unicode_form_changes_nothing(patient, client_of):
    PatientDetails.objects.update(street="Stra\u00dfe \u00e9", city="", state="", zip_code="")

    put(client_of(patient), address="Stra\u00dfe e\u0301")

    assert AuditEvent.objects.count() == 0


def test_unknown_fields_change_nothing(patient, other_patient, client_of):
    before = User.objects.filter(pk=patient.pk).values().get()

    answer = put(
        client_of(patient),
        _id=str(other_patient.pk), id=str(other_patient.pk), role="admin", status="inactive", isApproved=True,
        is_staff=True, is_superuser=True, createdAt="2000-01-01T00:00:00Z", password="stolen-password-1",
        pendingEmail="x@example.com", picture="../../etc/passwd", ended_at=None, user=str(other_patient.pk),
    )  # fmt: skip

    assert answer.status_code == 200
    assert User.objects.filter(pk=patient.pk).values().get() == before
    assert AuditEvent.objects.count() == 0


def test_an_admin_changes_the_common_fields_only(admin, client_of):
    answer = put(client_of(admin), name="Ingrid Renamed", address=ADDRESS, bloodGroup="A+")

    assert (answer.status_code, answer.json()["data"]["user"]["name"]) == (200, "Ingrid Renamed")
    assert PatientDetails.objects.count() == 0


def test_an_unchanged_e_mail_needs_no_password(patient, client_of):
    answer = put(client_of(patient), email="ADA@example.com")

    assert (answer.status_code, answer.json()["data"]["user"]["pendingEmail"]) == (200, None)


def test_a_new_e_mail_waits_until_it_is_confirmed(patient, client_of):
    client = client_of(patient)

    answer = put(client, email="New.Ada@Example.com", currentPassword=PASSWORD)

    user = answer.json()["data"]["user"]
    assert (answer.status_code, user["email"], user["pendingEmail"]) == (200, "ada@example.com", "new.ada@example.com")
    # The address in use hears of it, and the new one is asked.
    asked = ["email.change_requested", "email.confirmation_sent"]
    assert list(Notice.objects.values_list("event", "recipient", "address")) == [
        (asked[0], patient.pk, ""),
        (asked[1], patient.pk, "new.ada@example.com"),
    ]
    # The same wish again is the one that stands, and needs no password.
    assert put(client, email="new.ada@example.com").status_code == 200
    assert Notice.objects.count() == 2
    assert put(client, email="third@example.com", currentPassword=PASSWORD).status_code == 200
    assert list(Notice.objects.values_list("event", "version")) == [(event, n) for n in (1, 2) for event in asked]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "Enter your current password."),
        ({"currentPassword": ""}, "Enter your current password."),
        ({"currentPassword": "not-this-one"}, "This is not your current password."),
    ],
)
def test_a_new_e_mail_needs_the_current_password(patient, client_of, changes, message):
    answer = put(client_of(patient), email="new@example.com", name="Ada Renamed", **changes)

    assert (answer.status_code, answer.json()["errors"]) == (400, {"currentPassword": [message]})
    patient.refresh_from_db()
    assert (patient.name, patient.pending_email) == ("Ada Patient", "")


def test_another_account_s_email_waits_like_a_free_one(patient, other_patient, client_of):
    taken, free = (
        put(client_of(patient), email=email, currentPassword=PASSWORD)
        for email in ("OMAR@example.com", "free@example.com")
    )

    assert (taken.status_code, free.status_code) == (200, 200)
    assert taken.json()["data"]["user"]["pendingEmail"] == "omar@example.com"
    assert taken.json()["message"] == free.json()["message"]
    assert User.objects.get(pk=other_patient.pk).email == "omar@example.com"


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", ""), ("name", None), ("gender", ""), ("dateOfBirth", ""), ("dateOfBirth", None), ("email", "")],
)
def test_required_fields_cannot_be_emptied(patient, client_of, field, value):
    answer = put(client_of(patient), **{field: value})

    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_phone_and_blood_group_can_be_emptied(patient, client_of):
    user = put(client_of(patient), phone="", bloodGroup="").json()["data"]["user"]

    assert (user["phone"], user["bloodGroup"]) == ("", "")


def test_update_uses_concurrently_saved_values(patient, client_of):
    client = client_of(patient)
    set_user_status(patient, AccountStatus.INACTIVE, actor=None, now=timezone.now())

    assert put(client, name="Ada Renamed").status_code == 401


def test_trailing_slash_is_optional(patient, client_of):
    client = client_of(patient)

    assert client.get(PROFILE + "/").json() == client.get(PROFILE).json()
    assert client.put(PROFILE + "/", {"name": "Ada Renamed"}, format="json").status_code == 200
