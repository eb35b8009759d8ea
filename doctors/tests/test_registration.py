"""Test the registration of doctors: every rule, and hostile values in every field."""

import json

import pytest

from accounts.models import AuditEvent, User
from doctors.models import DoctorProfile, WeeklyHours
from doctors.tests.hostile_values import HOSTILE

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Dora Example",
    "email": "dora@example.com",
    "password": "nine-green-boats",
    "confirmPassword": "nine-green-boats",
    "role": "doctor",
    "phone": "+1 202 555 0155",
    "dateOfBirth": "1980-05-17",
    "gender": "female",
    "agreedToPrivacy": True,
    "timeZone": "Europe/Dublin",
    "specialization": "Neurology",
    "experience": 12,
    "licenseNumber": "TEST-4711",
    "consultationFee": 95.5,
    "hospital": {
        "name": "Example Clinic",
        "address": {
            "street": "3 Sample Quay",
            "city": "Dublin",
            "state": "Leinster",
            "zipCode": "D00 X000",
            "country": "IE",
        },
        "phone": "+353 20 910 0000",
    },
    "workingHours": {"start": "08:00", "end": "16:00"},
    "workingDays": ["friday", "monday"],
    "bio": "Takes time to explain.",
}


def register(api, **changes):
    body = {name: value for name, value in {**FORM, **changes}.items() if value is not LEFT_OUT}
    return api.generic("POST", "/api/auth/register/doctor", json.dumps(body), content_type="application/json")


LEFT_OUT = object()


def test_a_new_doctor_is_signed_in_and_waits_for_approval(api):
    answer = register(api)
    assert (answer.status_code, sorted(answer.json()["data"])) == (201, ["token", "user"])
    user = answer.json()["data"]["user"]
    assert {
        name: user[name] for name in ("specialization", "experience", "licenseNumber", "consultationFee", "currency")
    } == {
        "specialization": "Neurology",
        "experience": 12,
        "licenseNumber": "TEST-4711",
        "consultationFee": 95.5,
        "currency": "USD",
    }
    assert user["hospital"] == FORM["hospital"]
    assert (user["workingDays"], user["workingHours"]) == (["monday", "friday"], {"start": "08:00", "end": "16:00"})
    assert (user["isApproved"], user["approval"]) == (False, {"state": "pending", "reason": ""})
    assert (user["timeZone"], user["instantConfirmation"]) == ("Europe/Dublin", False)
    assert user["rating"] == {"average": 0.0, "count": 0}
    assert set(WeeklyHours.objects.values_list("weekday", "start_minute", "end_minute")) == {
        (0, 480, 780), (0, 840, 960), (4, 480, 780), (4, 840, 960),
    }  # fmt: skip
    assert AuditEvent.objects.get(event="account.registered").detail == {"role": "doctor"}


def test_blank_hours_default_to_weekdays_nine_to_six(api):
    user = register(api, workingDays=LEFT_OUT, workingHours=LEFT_OUT).json()["data"]["user"]
    assert user["workingDays"] == ["monday", "tuesday", "wednesday", "thursday", "friday"]
    assert user["workingHours"] == {"start": "09:00", "end": "18:00"}


@pytest.mark.parametrize("missing", ["specialization", "experience", "licenseNumber", "consultationFee"])
@pytest.mark.parametrize("value", [LEFT_OUT, "", None], ids=["left out", "empty", "null"])
def test_missing_required_fields_have_their_messages(api, missing, value):
    answer = register(api, **{missing: value})
    assert (answer.status_code, answer.json()["message"]) == (400, "Please fill in all required doctor fields")
    assert list(answer.json()["errors"]) == [missing]
    assert not User.objects.exists()


def test_errors_are_reported_in_the_specified_order(api):
    wrong = {"password": "short", "confirmPassword": "other", "experience": ""}
    assert register(api, **wrong).json()["message"] == "Passwords do not match"
    wrong["confirmPassword"] = "short"
    assert register(api, **wrong).json()["message"] == "Password must be at least 6 characters long"
    wrong = {"experience": ""}
    assert register(api, **wrong).json()["message"] == "Please fill in all required doctor fields"


CASES = [(field, value) for field, values in HOSTILE.items() for value in values]


@pytest.mark.parametrize(("field", "value"), CASES, ids=lambda value: repr(value)[:30])
def test_hostile_value_is_a_field_error_and_creates_no_account(api, field, value):
    answer = register(api, **{field: value})
    assert answer.status_code == 400, answer.json()
    named = answer.json()["errors"]
    if named:
        assert {name.split(".")[0] for name in named} == {field}
    else:
        # What is no JSON at all has no field to name.
        assert answer.json()["code"] == "malformed"
    assert not User.objects.exists()
    assert not DoctorProfile.objects.exists()


@pytest.mark.parametrize("part", ["street", "city", "state", "zipCode"])
def test_hostile_part_of_the_hospital_address_is_a_field_error(api, part):
    hospital = {**FORM["hospital"], "address": {**FORM["hospital"]["address"], part: "a\x00b"}}
    answer = register(api, hospital=hospital)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [f"hospital.address.{part}"])


def test_unknown_fields_change_nothing(api):
    answer = register(
        api, isApproved=True, approval={"state": "approved"}, status="inactive", is_staff=True, isStaff=True,
        rating={"average": 5, "count": 99}, _id="00000000-0000-7000-8000-000000000000", instantConfirmation=True,
    )  # fmt: skip
    user = answer.json()["data"]["user"]
    assert (user["isApproved"], user["status"], user["rating"]["count"], user["instantConfirmation"]) == (
        False, "active", 0, False,
    )  # fmt: skip
    assert user["_id"] != "00000000-0000-7000-8000-000000000000"
    assert not User.objects.get().is_staff


def test_known_email_is_rejected_in_any_spelling(api):
    register(api)
    answer = register(api, email="DORA@Example.com")
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (409, "email_taken", ["email"])
    assert DoctorProfile.objects.count() == 1
