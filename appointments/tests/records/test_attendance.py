"""Test attendance: set on completion and corrected afterwards."""

import json
from datetime import UTC, date, datetime

import pytest
import time_machine

from accounts.models import AuditEvent, Notice
from appointments.models import Appointment
from appointments.tests.factories import make_appointment

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def appointment(users):
    return make_appointment(users.doctor, users.patient, date(2030, 1, 7), "09:00", status="confirmed")


@pytest.fixture
def put(users, client_of):
    def send(appointment, who=None, **body):
        return client_of(who or users.doctor.user).generic(
            "PUT", f"/api/appointments/{appointment.pk}/status", json.dumps(body), content_type="application/json"
        )

    return send


def told(answer):
    return answer.status_code, answer.json()["data"]["appointment"]["attended"]


@pytest.mark.parametrize(("said", "kept"), [({}, True), ({"attended": True}, True), ({"attended": False}, False)])
def test_completing_stores_attendance(said, kept, put, appointment):
    assert appointment.attended is None
    answer = put(appointment, status="completed", **said)
    assert told(answer) == (200, kept)
    assert answer.json()["message"] == "Appointment marked as completed successfully!"
    appointment.refresh_from_db()
    assert (appointment.status, appointment.attended) == ("completed", kept)
    detail = {"from": "confirmed", "to": "completed"} | ({} if kept else {"attended": False})
    assert AuditEvent.objects.get(event="appointment.completed").detail == detail


def test_attendance_can_be_corrected_both_ways(put, appointment, users):
    put(appointment, status="completed")
    assert told(put(appointment, status="completed", attended=False)) == (200, False)
    # The same again changes nothing, and neither does not saying it.
    assert told(put(appointment, status="completed", attended=False)) == (200, False)
    assert told(put(appointment, status="completed")) == (200, False)
    assert told(put(appointment, status="completed", attended=True)) == (200, True)
    corrected = AuditEvent.objects.filter(event="appointment.attendance_corrected").order_by("pk")
    assert [(row.agent_id, row.detail) for row in corrected] == [
        (users.doctor.pk, {"attended": False}),
        (users.doctor.pk, {"attended": True}),
    ]
    assert Appointment.objects.get().version == 4
    assert Notice.objects.filter(event="appointment.completed").count() == 1


def test_appointment_cannot_be_missed_before_its_start(put, users, clock):
    clock.move_to("2030-01-07T15:50:00Z")
    later = make_appointment(users.doctor, users.patient, date(2030, 1, 7), "11:00", status="confirmed")
    for _ in range(2):
        answer = put(later, status="completed", attended=False)
        assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
        assert answer.json()["errors"] == {"attended": ["An appointment that has not started can't be missed."]}
        later.refresh_from_db()
        assert later.attended is not False
        # Completed early, it can't be called missed afterwards either.
        assert told(put(later, status="completed")) == (200, True)


def test_appointment_can_be_missed_from_its_start_on(put, users):
    now = make_appointment(users.doctor, users.patient, date(2030, 1, 7), "10:00", status="confirmed")
    assert told(put(now, status="completed", attended=False)) == (200, False)


@pytest.mark.parametrize("status", ["pending", "confirmed", "cancelled"])
@pytest.mark.parametrize("attended", [True, False])
def test_only_completed_appointments_have_attendance(status, attended, put, appointment):
    answer = put(appointment, status=status, attended=attended)
    assert (answer.status_code, answer.json()["errors"]) == (
        400,
        {"attended": ["Only a completed appointment was attended or missed."]},
    )
    appointment.refresh_from_db()
    assert (appointment.status, appointment.attended) == ("confirmed", None)


@pytest.mark.parametrize("value", [None, "perhaps", [], {}, 7, "\x00"])
def test_invalid_attendance_is_a_field_error(value, put, appointment):
    answer = put(appointment, status="completed", attended=value)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["attended"])


@pytest.mark.parametrize("value", [None, 7, ["completed"], {"a": 1}, "Completed", ""])
def test_invalid_status_is_a_field_error(value, put, appointment):
    answer = put(appointment, status=value)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["status"])


def test_only_the_doctor_sets_attendance(put, appointment, users):
    put(appointment, status="completed")
    assert put(appointment, users.admin, status="completed", attended=False).status_code == 409
    assert put(appointment, users.other_doctor.user, status="completed", attended=False).status_code == 404
    assert put(appointment, users.patient, status="completed", attended=False).status_code == 403
    assert Appointment.objects.get().attended is True


def test_patient_sees_the_no_show_and_the_fee_is_not_earned(put, appointment, users, client_of):
    put(appointment, status="completed", attended=False)
    shown = client_of(users.patient).get(f"/api/appointments/{appointment.pk}").json()["data"]["appointment"]
    assert (shown["status"], shown["attended"], shown["bookedBy"]) == ("completed", False, "patient")
    doctor = client_of(users.doctor.user)
    assert doctor.get("/api/doctors/dashboard").json()["data"]["totals"]["earnings"] == []
    put(appointment, status="completed", attended=True)
    assert doctor.get("/api/doctors/dashboard").json()["data"]["totals"]["earnings"] == [
        {"currency": "USD", "amount": 120.0}
    ]
