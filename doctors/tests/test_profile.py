"""Test the profile of a doctor: sent fields change, absent or unchanged fields do not."""

import io
import json
from datetime import timedelta

import pytest
from django.utils import timezone
from PIL import Image

from accounts.models import AuditEvent
from doctors.models import Approval, DoctorProfile, WeeklyHours
from doctors.tests.hostile_values import HOSTILE

pytestmark = pytest.mark.django_db

ADDRESS = "/api/doctors/profile"


@pytest.fixture
def put(users, client_of):
    def send(**changes):
        return client_of(users.doctor.user).generic(
            "PUT", ADDRESS, json.dumps(changes), content_type="application/json"
        )

    return send


def state(doctor):
    """Everything that a change could touch."""
    hours = list(WeeklyHours.objects.filter(doctor=doctor).values_list("weekday", "start_minute", "end_minute"))
    profile = DoctorProfile.objects.filter(pk=doctor.pk).values().get()
    profile.pop("next_free_at")
    return profile, hours


def test_absent_fields_stay_unchanged(put, users):
    profile, hours = state(users.doctor)
    answer = put(bio="New words.")
    assert (answer.status_code, answer.json()["message"]) == (200, "Profile updated successfully")
    assert answer.json()["data"]["user"]["bio"] == "New words."
    assert state(users.doctor) == ({**profile, "bio": "New words."}, hours)


def test_unchanged_profile_changes_nothing(put, users, client_of):
    before = state(users.doctor)
    user = client_of(users.doctor.user).get("/api/auth/profile").json()["data"]["user"]
    sent = {name: value for name, value in user.items() if name not in {"email", "role", "status", "createdAt", "_id"}}
    answer = put(**sent)
    assert (answer.status_code, answer.json()["data"]["user"]) == (200, user)
    assert state(users.doctor) == before
    assert not AuditEvent.objects.filter(event="account.profile_changed").exists()


def set_hours(doctor, *rows):
    WeeklyHours.objects.filter(doctor=doctor).delete()
    for day, start, end in rows:
        WeeklyHours.objects.create(doctor=doctor, weekday=day, start_minute=start, end_minute=end)


NOT_UNIFORM = {
    "a day of its own": [(0, 540, 780), (0, 840, 1080), (1, 540, 720)],
    "two breaks": [(1, 480, 600), (1, 615, 720), (1, 900, 1080)],
    "no lunch break": [(0, 540, 1080), (1, 540, 1080)],
    "another lunch break": [(0, 540, 720), (0, 780, 1080)],
    "hours past midnight": [(0, 1200, 1620)],
    "hours until midnight": [(0, 540, 1440), (1, 600, 1440)],
}


@pytest.mark.parametrize("rows", NOT_UNIFORM.values(), ids=NOT_UNIFORM)
@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"workingDays": ["monday", "sunday"]}, ["workingDays"]),
        ({"workingHours": {"start": "07:00", "end": "19:00"}}, ["workingHours"]),
        (
            {"workingDays": ["friday"], "workingHours": {"start": "07:00", "end": "19:00"}},
            ["workingDays", "workingHours"],
        ),
        ({"workingDays": []}, ["workingDays"]),
    ],
)
def test_profile_cannot_overwrite_a_schedule_that_is_not_uniform(put, users, rows, change, fields):
    set_hours(users.doctor, *rows)
    before = state(users.doctor)

    answer = put(bio="New words.", **change)

    assert (answer.status_code, answer.json()["code"]) == (409, "schedule_not_uniform")
    assert sorted(answer.json()["errors"]) == fields
    assert state(users.doctor) == before


@pytest.mark.parametrize("rows", NOT_UNIFORM.values(), ids=NOT_UNIFORM)
def test_values_of_a_schedule_that_is_not_uniform_can_be_sent_back(put, users, client_of, rows):
    set_hours(users.doctor, *rows)
    before = state(users.doctor)
    user = client_of(users.doctor.user).get("/api/auth/profile").json()["data"]["user"]

    answer = put(workingDays=user["workingDays"], workingHours=user["workingHours"])

    assert (answer.status_code, user["hasUniformHours"]) == (200, False)
    assert state(users.doctor) == before


def test_profile_writes_days_and_hours_of_a_uniform_week(put, users):
    user = put(workingDays=["tuesday", "thursday"]).json()["data"]["user"]

    assert (user["workingDays"], user["hasUniformHours"]) == (["tuesday", "thursday"], True)
    spans = [{"start": "09:00", "end": "13:00"}, {"start": "14:00", "end": "18:00"}]
    off = {key: [] for key in ("monday", "wednesday", "friday", "saturday", "sunday")}
    assert user["weeklyHours"] == off | {"tuesday": spans, "thursday": spans}
    assert put(workingDays=[]).json()["data"]["user"]["hasUniformHours"] is True


def test_page_shows_the_hours_of_each_weekday(users, client):
    set_hours(users.doctor, (0, 540, 720), (6, 420, 1140))

    page = client.get(f"/api/doctors/{users.doctor.pk}").json()["data"]["doctor"]
    card = client.get("/api/doctors").json()["data"]["doctors"][0]

    assert page["weeklyHours"] == {
        "monday": [{"start": "09:00", "end": "12:00"}],
        **{key: [] for key in ("tuesday", "wednesday", "thursday", "friday", "saturday")},
        "sunday": [{"start": "07:00", "end": "19:00"}],
    }
    # The specification's two fields stay readable: days, and from the first start to the last end.
    assert (page["workingDays"], page["workingHours"]) == (["monday", "sunday"], {"start": "07:00", "end": "19:00"})
    assert "weeklyHours" not in card


def test_new_hours_change_the_offered_slots(put, users, client, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        put(workingHours={"start": "15:00", "end": "17:00"})
    monday = timezone.now().date() + timedelta(days=7 - timezone.now().weekday())
    data = client.get(f"/api/doctors/{users.doctor.pk}/slots", {"from": monday.isoformat(), "days": 1}).json()["data"]
    assert data["slots"][0]["times"] == ["15:00", "16:00"]
    users.doctor.refresh_from_db()
    assert users.doctor.next_free_at.astimezone(timezone.zoneinfo.ZoneInfo("America/New_York")).hour in {15, 16}


@pytest.mark.parametrize("change", [{"licenseNumber": "TEST-NEW"}, {"specialization": "Urology"}])
def test_changing_verified_data_requires_confirmation_and_new_approval(change, put, users):
    before = state(users.doctor)
    answer = put(**change)
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (
        409,
        "review_required",
        list(change),
    )
    assert state(users.doctor) == before
    answer = put(**change, confirmReview=True)
    assert (answer.status_code, answer.json()["data"]["user"]["approval"]["state"]) == (200, "pending")
    assert DoctorProfile.objects.get(pk=users.doctor.pk).approval == Approval.PENDING


def test_pending_doctor_changes_the_license_without_confirmation(users, client_of):
    answer = client_of(users.unapproved_doctor.user).put(ADDRESS, {"licenseNumber": "TEST-NEW"}, format="json")
    assert (answer.status_code, answer.json()["data"]["user"]["licenseNumber"]) == (200, "TEST-NEW")


def test_a_multipart_form_carries_json_parts_and_a_picture(users, client_of):
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "teal").save(picture, "PNG")
    picture.seek(0)
    picture.name = "me.png"
    answer = client_of(users.doctor.user).put(
        ADDRESS,
        {
            "name": "Dora Renamed",
            "experience": "14",
            "consultationFee": "99.90",
            "hospital": json.dumps({"name": "New Clinic", "address": {"city": "Cork"}}),
            "workingDays": json.dumps(["sunday"]),
            "workingHours": json.dumps({"start": "10:00", "end": "12:00"}),
            "image": picture,
        },
        format="multipart",
    )
    user = answer.json()["data"]["user"]
    assert answer.status_code == 200
    assert (user["name"], user["experience"], user["consultationFee"]) == ("Dora Renamed", 14, 99.9)
    assert (user["hospital"]["name"], user["hospital"]["address"]["city"]) == ("New Clinic", "Cork")
    # Parts of the address that were not sent stay.
    assert user["hospital"]["address"]["street"] == "2 Sample Road"
    assert (user["workingDays"], user["workingHours"]) == (["sunday"], {"start": "10:00", "end": "12:00"})
    assert user["profilePicture"].startswith("/media/pictures/")


@pytest.mark.parametrize("part", ["hospital", "workingDays", "workingHours"])
def test_malformed_json_part_is_a_field_error(part, users, client_of):
    before = state(users.doctor)
    answer = client_of(users.doctor.user).put(ADDRESS, {part: "{not json"}, format="multipart")
    assert (answer.status_code, {name.split(".")[0] for name in answer.json()["errors"]}) == (400, {part})
    assert state(users.doctor) == before


OWN = [field for field in HOSTILE if field not in {"role", "agreedToPrivacy", "email"}]
# An empty mapping says nothing, so it changes nothing.
CASES = [(field, value) for field in OWN for value in HOSTILE[field] if value != {} or field != "hospital"]


@pytest.mark.parametrize(("field", "value"), CASES, ids=lambda value: repr(value)[:30])
def test_hostile_value_is_a_field_error_and_changes_nothing(field, value, put, users):
    before = state(users.doctor)
    answer = put(**{field: value})
    assert answer.status_code == 400, answer.json()
    assert {name.split(".")[0] for name in answer.json()["errors"]} in ({field}, set())
    assert state(users.doctor) == before


@pytest.mark.parametrize("days", [["monday"] * 8, [1] * 1000, "monday", {"monday": 1}])
def test_too_many_days_get_one_error_message(days, users, client_of):
    answer = client_of(users.doctor.user).put("/api/doctors/profile", {"workingDays": days}, format="json")
    assert answer.status_code == 400
    assert [name for name in answer.json()["errors"] if name.startswith("workingDays")] == ["workingDays"]
