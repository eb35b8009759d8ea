"""Opening a doctor's account: every rule of the specification, and no field that a hostile value gets through."""

import json
from typing import Any

import pytest

from accounts.models import AuditEvent, User
from doctors.models import DoctorProfile, WeeklyHours

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


TEXT = ["\x00", "a\x00b", "\ud800", "x" * 60_000, ["a"], {"a": 1}, 5, True]
LINE = [*TEXT, "left\u202eright", "two\nlines", "a\u200eb"]
HOSTILE: dict[str, list[Any]] = {
    "specialization": ["Magic", "cardiology", [], {}, 5, "\x00", "Cardiology\x00"],
    "experience": [-1, 81, 2.5, "two", [], {}, "NaN", 1e400, "9" * 1000],
    "licenseNumber": [*LINE, "x" * 65],
    "consultationFee": [-0.01, "-1", 1.005, "NaN", "Infinity", 10**9, "free", [], {}, True],
    "hospital": ["", "Example", [], 5, {}],
    "workingDays": ["monday", ["Monday"], ["someday"], [1], {"monday": True}, [["monday"]], 5],
    "workingHours": [
        "09:00", [], {"start": "09:00"}, {"start": "18:00", "end": "09:00"}, {"start": "9:00", "end": "10:00"},
        {"start": "09:00", "end": "09:00"}, {"start": "13:00", "end": "14:00"}, {"start": "09:00:30", "end": "17:00"},
    ],
    "bio": [*TEXT, "x" * 2001, "left\u202eright"],
    "timeZone": ["Mars/Olympus", "../../etc/passwd", "x" * 100, "\x00", 5, [], "localtime"],
    "email": ["", "a", "a@b", "a@example.com\x00", "a b@example.com", ["a@example.com"], "x" * 300 + "@example.com", 5],
    "name": ["", " ", *LINE, "<b>Dora</b>", "Dora 😀", "…"],
    "role": ["patient", "admin", "", [], 5],
    "agreedToPrivacy": [False, None, "yes", 1],
}  # fmt: skip
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
