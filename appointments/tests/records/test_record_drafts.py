"""Test record drafts: saved while typing, never a record, never overwritten silently."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from appointments.models import AppointmentRecord, RecordDraft
from appointments.tests.factories import make_appointment

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()
HALF = {
    "diagnosis": "A comm",
    "notes": "Throat a little \n",
    "prescription": {
        "notes": "",
        "items": [
            {"medicine": "", "dose": "5", "frequency": " ", "days": "1"},
            {"medicine": "Honey", "days": None},
            {},
        ],
    },
    "followUpDays": "fort",
}


@pytest.fixture
def appointment(users):
    return make_appointment(users.doctor, users.patient, TODAY - timedelta(days=1), status="confirmed")


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


def address(appointment):
    return f"/api/appointments/{appointment.pk}/visit/draft"


def save(client, appointment, content, revision):
    return client.put(address(appointment), {"content": content, "revision": revision}, format="json")


def shown(client, appointment):
    return client.get(f"/api/appointments/{appointment.pk}/visit").json()["data"]["draft"]


def test_unfinished_record_is_saved_as_typed(doctor, appointment):
    answer = save(doctor, appointment, HALF, 0)
    assert (answer.status_code, answer.json()["message"]) == (200, "Draft saved")
    draft = answer.json()["data"]["draft"]
    assert (draft["content"], draft["revision"], set(draft)) == (HALF, 1, {"content", "revision", "savedAt"})
    assert shown(doctor, appointment) == draft
    later = save(doctor, appointment, {"followUpDays": 14}, 1).json()["data"]["draft"]
    assert (later["content"], later["revision"]) == ({"followUpDays": 14}, 2)
    assert shown(doctor, appointment) == later


def test_draft_is_not_a_record_and_notifies_nobody(doctor, appointment):
    save(doctor, appointment, HALF, 0)
    appointment.refresh_from_db()
    assert (appointment.diagnosis, appointment.record_version, AppointmentRecord.objects.count()) == ("", 0, 0)
    assert (Notice.objects.count(), AuditEvent.objects.filter(event__startswith="record.written").count()) == (0, 0)


def test_draft_of_another_window_is_not_overwritten(doctor, appointment):
    save(doctor, appointment, {"diagnosis": "one"}, 0)
    stands = save(doctor, appointment, {"diagnosis": "two"}, 1).json()["data"]["draft"]
    for revision in (0, 1, 3):
        answer = save(doctor, appointment, {"diagnosis": "other"}, revision)
        assert (answer.status_code, answer.json()["code"]) == (409, "draft_changed")
        assert answer.json()["data"] == {"draft": stands}
    assert shown(doctor, appointment) == stands


def test_deleted_draft_is_reported_as_a_conflict(doctor, appointment):
    save(doctor, appointment, {"diagnosis": "one"}, 0)
    assert (
        doctor.put(f"/api/appointments/{appointment.pk}/visit", {"diagnosis": "one"}, format="json").status_code == 200
    )
    answer = save(doctor, appointment, {"diagnosis": "two"}, 1)
    assert (answer.status_code, answer.json()["code"], answer.json()["data"]) == (409, "draft_changed", {"draft": None})


def test_deleting_a_draft_is_idempotent(doctor, appointment):
    save(doctor, appointment, HALF, 0)
    for _ in range(2):
        answer = doctor.delete(address(appointment))
        assert (answer.status_code, answer.json()["message"]) == (200, "Draft thrown away")
    assert shown(doctor, appointment) is None
    assert save(doctor, appointment, HALF, 0).status_code == 200


@pytest.mark.parametrize("status", ["pending", "cancelled"])
def test_draft_requires_a_writable_record(status, users, doctor):
    appointment = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2), status=status)
    answer = save(doctor, appointment, HALF, 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert doctor.delete(address(appointment)).status_code == 200


@pytest.mark.parametrize("method", ["put", "delete"])
def test_only_the_doctor_of_the_appointment_has_a_draft(method, users, client_of, appointment):
    save(client_of(users.doctor.user), appointment, HALF, 0)
    body = {"content": {}, "revision": 1}
    statuses = [
        getattr(client_of(person), method)(address(appointment), body, format="json").status_code
        for person in (users.patient, users.other_patient, users.other_doctor.user, users.admin)
    ]
    assert statuses == [403, 403, 404, 403]
    assert RecordDraft.objects.get().content == HALF


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        (None, ["content"]),
        ("x", ["content"]),
        ([], ["content"]),
        ({"diagnosis": "x" * 4001}, ["content.diagnosis"]),
        ({"diagnosis": 5}, ["content.diagnosis"]),
        ({"notes": None}, ["content.notes"]),
        ({"notes": "a\u0000"}, ["content.notes"]),
        ({"followUpDays": 1.5}, ["content.followUpDays"]),
        ({"followUpDays": True}, ["content.followUpDays"]),
        ({"followUpDays": 2**40}, ["content.followUpDays"]),
        ({"followUpDays": "x" * 21}, ["content.followUpDays"]),
        ({"followUpDays": "\u0000"}, ["content.followUpDays"]),
        ({"followUpDays": {}}, ["content.followUpDays"]),
        ({"prescription": []}, ["content.prescription"]),
        ({"prescription": {"items": [{}] * 31}}, ["content.prescription.items"]),
        ({"prescription": {"items": [None, {"medicine": "x" * 201, "days": []}]}},
         [f"content.prescription.items.{part}" for part in ("0", "1.days", "1.medicine")]),
        ({"prescription": {"items": [{"dose": ["x"]}]}}, ["content.prescription.items.0.dose"]),
    ],
)  # fmt: skip
def test_invalid_draft_is_a_field_error(content, fields, doctor, appointment):
    answer = save(doctor, appointment, content, 0)
    assert (answer.status_code, sorted(answer.json()["errors"])) == (400, fields)
    assert RecordDraft.objects.count() == 0


@pytest.mark.parametrize("revision", [-1, "0", None, 0.0, True, 2**31, [], {}])
def test_a_revision_is_a_whole_number(revision, doctor, appointment):
    answer = save(doctor, appointment, {}, revision)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["revision"])
    assert list(doctor.put(address(appointment), {}, format="json").json()["errors"]) == ["content", "revision"]


def test_unknown_parts_are_not_stored(doctor, appointment):
    draft = save(doctor, appointment, {"diagnosis": "one", "secret": {"a": 1}, "prescription": {"x": 1}}, 0).json()[
        "data"
    ]
    assert draft["draft"]["content"] == {"diagnosis": "one", "prescription": {}}
