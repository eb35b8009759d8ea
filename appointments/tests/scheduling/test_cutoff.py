"""Test until when patients can cancel and move a confirmed appointment immediately."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.models import AuditEvent, Notice
from appointments.models import Appointment, TimeChange
from appointments.tests.factories import make_appointment
from appointments.tests.response_fields import shown
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

# 10:00 of a Monday at the clinic in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
FRIDAY = date(2030, 1, 11)
# 09:00 of that Friday.
START = datetime(2030, 1, 11, 14, tzinfo=UTC)
LONG_AGO = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def set_doctor(doctor, **fields):
    DoctorProfile.objects.filter(pk=doctor.pk).update(**fields)


def confirmed(users, **fields):
    """Make an appointment that the doctor confirmed days ago."""
    return make_appointment(
        users.doctor,
        users.patient,
        FRIDAY,
        status="confirmed",
        **{"confirmed_at": LONG_AGO, "created_at": LONG_AGO} | fields,
    )


def test_default_cutoff_is_24_hours(users):
    assert users.doctor.cancel_cutoff_hours == 24


@pytest.mark.parametrize(
    ("hours", "before_start", "is_cancelled"),
    [
        (24, timedelta(hours=24, seconds=1), True),
        (24, timedelta(hours=24), False),
        (48, timedelta(hours=30), False),
        (0, timedelta(seconds=1), True),
        (None, timedelta(days=3), False),
    ],
)
def test_cannot_make_it_cancels_immediately_only_before_the_cutoff(
    hours, before_start, is_cancelled, users, call, clock
):
    set_doctor(users.doctor, cancel_cutoff_hours=hours)
    appointment = confirmed(users)
    clock.move_to(START - before_start)
    until = shown(call(users.patient, appointment))["cancelUntil"]
    assert until == (f"{START - timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}" if is_cancelled else None)
    answer = call(users.patient, appointment, "post", "/cancel-request", reason="Ill.")
    row = shown(answer)
    assert answer.json()["data"]["cancelled"] is is_cancelled
    if is_cancelled:
        assert (row["status"], row["cancelledBy"], row["cancelReason"]) == ("cancelled", "patient", "Ill.")
        assert Reservation.objects.count() == 0
        assert {
            (one.event, one.recipient_id, one.detail["by"], one.detail["from"]) for one in Notice.objects.all()
        } == {
            ("appointment.cancelled", person, "patient", "confirmed") for person in (users.patient.pk, users.doctor.pk)
        }
    else:
        assert (row["status"], row["cancelRequest"]["reason"]) == ("confirmed", "Ill.")
        assert [(one.event, one.recipient_id) for one in Notice.objects.all()] == [
            ("appointment.cancel_requested", users.doctor.pk)
        ]


def test_patient_cannot_cancel_a_confirmed_appointment(users, call):
    appointment = confirmed(users)
    answer = call(users.patient, appointment, "put", "/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert Appointment.objects.get().status == "confirmed"


@pytest.mark.parametrize("cutoff", [24, None])
def test_repeated_cannot_make_it_changes_nothing(cutoff, users, call):
    set_doctor(users.doctor, cancel_cutoff_hours=cutoff)
    appointment = confirmed(users)
    for reason in ("Ill.", "Very ill."):
        answer = call(users.patient, appointment, "post", "/cancel-request", reason=reason)
        assert (answer.status_code, answer.json()["data"]["cancelled"]) == (200, cutoff is not None)
    appointment.refresh_from_db()
    assert (appointment.version, appointment.cancel_reason or appointment.cancel_request_reason) == (2, "Ill.")


def test_a_request_to_cancel_can_be_withdrawn_until_it_is_answered(users, call):
    set_doctor(users.doctor, cancel_cutoff_hours=None)
    appointment = confirmed(users)
    call(users.patient, appointment, "post", "/cancel-request", reason="Ill.")
    answer = call(users.patient, appointment, "delete", "/cancel-request")
    assert (shown(answer)["cancelRequest"], answer.json()["data"]["changed"]) == (None, True)
    appointment.refresh_from_db()
    assert (appointment.status, appointment.cancel_request_reason, appointment.version) == ("confirmed", "", 3)
    assert list(
        Notice.objects.filter(event="appointment.cancel_request_withdrawn").values_list("recipient_id", flat=True)
    ) == [users.doctor.pk]
    assert AuditEvent.objects.filter(event="appointment.cancel_request_withdrawn").count() == 1
    again = call(users.patient, appointment, "delete", "/cancel-request")
    assert (again.status_code, again.json()["data"]["changed"]) == (200, False)
    # The doctor's one press is gone with it: there is nothing to accept.
    refused = call(users.doctor.user, appointment, "put", "/status", status="cancelled")
    assert refused.json()["errors"] == {"reason": ["Please give a reason."]}


def test_a_request_to_cancel_cannot_be_withdrawn_once_the_doctor_has_cancelled(users, call):
    set_doctor(users.doctor, cancel_cutoff_hours=None)
    appointment = confirmed(users)
    call(users.patient, appointment, "post", "/cancel-request", reason="Ill.")
    call(users.doctor.user, appointment, "put", "/status", status="cancelled")
    answer = call(users.patient, appointment, "delete", "/cancel-request")
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")


@pytest.mark.parametrize("actor", ["other_patient", "doctor", "admin"])
@pytest.mark.parametrize("method", ["post", "delete"])
def test_only_the_patient_sets_or_withdraws_cannot_make_it(method, actor, users, call):
    appointment = confirmed(users, cancel_requested_at=NOW if method == "delete" else None)
    person = users.doctor.user if actor == "doctor" else getattr(users, actor)
    answer = call(person, appointment, method, "/cancel-request")
    assert answer.status_code == (404 if actor == "other_patient" else 403)
    appointment.refresh_from_db()
    assert (appointment.status, appointment.version) == ("confirmed", 1)


# --- Taking an instant booking back ------------------------------------------------------------


@pytest.fixture
def booked(users, client_of):
    """Book the doctor, who confirms instantly and lets nobody cancel."""
    set_doctor(users.doctor, instant_confirmation=True, cancel_cutoff_hours=None)

    def book(time="09:00", day=FRIDAY):
        body = {"doctorId": str(users.doctor.pk), "appointmentDate": str(day), "appointmentTime": time}
        answer = client_of(users.patient).post("/api/appointments", body, format="json")
        assert answer.status_code == 201, answer.json()
        return Appointment.objects.get(pk=answer.json()["data"]["appointment"]["_id"])

    return book


@pytest.mark.parametrize(("minutes", "is_cancelled"), [(14.9, True), (15, False)])
def test_instant_booking_can_be_cancelled_for_15_minutes_despite_the_cutoff(
    minutes, is_cancelled, booked, users, call, clock
):
    appointment = booked()
    assert shown(call(users.patient, appointment))["cancelUntil"] == "2030-01-07T15:15:00Z"
    clock.move_to(NOW + timedelta(minutes=minutes))
    answer = call(users.patient, appointment, "post", "/cancel-request")
    assert (answer.status_code, answer.json()["data"]["cancelled"]) == (200, is_cancelled)


def test_instant_booking_can_be_cancelled_up_to_two_hours_before_the_start(booked, users, call):
    # 12:00 is two hours ahead, 14:00 four.
    soon, later = booked("12:00", date(2030, 1, 7)), booked("14:00", date(2030, 1, 7))
    assert shown(call(users.patient, soon))["cancelUntil"] is None
    assert shown(call(users.patient, later))["cancelUntil"] == "2030-01-07T15:15:00Z"
    assert call(users.patient, soon, "post", "/cancel-request").json()["data"]["cancelled"] is False


@pytest.mark.parametrize("fields", [{"confirmed_at": NOW}, {"booked_by": "doctor"}])
def test_other_recent_confirmations_cannot_be_cancelled_by_the_patient(fields, users, call):
    """Neither what the doctor has just confirmed nor what the desk has just booked."""
    set_doctor(users.doctor, cancel_cutoff_hours=None)
    appointment = confirmed(users, **{"confirmed_at": None, "created_at": NOW} | fields)
    assert shown(call(users.patient, appointment))["cancelUntil"] is None


# --- Moving at once ----------------------------------------------------------------------------


def to(time, day=FRIDAY):
    return {"appointmentDate": str(day), "appointmentTime": time}


@pytest.mark.parametrize(
    ("instant", "hours", "before_start", "is_moved"),
    [
        (True, 24, timedelta(hours=24, seconds=1), True),
        (True, 24, timedelta(hours=24), False),
        (True, None, timedelta(hours=90), False),
        (True, 0, timedelta(hours=3), True),
        (False, 24, timedelta(hours=90), False),
    ],
)
def test_confirmed_appointment_moves_immediately_only_before_an_instant_doctors_cutoff(
    instant, hours, before_start, is_moved, users, call, clock
):
    set_doctor(users.doctor, instant_confirmation=instant, cancel_cutoff_hours=hours)
    appointment = confirmed(users)
    clock.move_to(START - before_start)
    until = shown(call(users.patient, appointment))["rescheduleUntil"]
    assert until == (f"{START - timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}" if is_moved else None)
    answer = call(users.patient, appointment, "put", "/reschedule", **to("14:00"))
    appointment.refresh_from_db()
    if is_moved:
        row = shown(answer)
        assert (row["status"], row["appointmentTime"], row["respondBy"]) == ("confirmed", "14:00", None)
        assert (appointment.reservation.expires_at, TimeChange.objects.get().changed_by) == (None, "patient")
        assert {
            (one.event, one.recipient_id, one.detail["by"], one.detail["from"]) for one in Notice.objects.all()
        } == {("appointment.moved", person, "patient", "confirmed") for person in (users.patient.pk, users.doctor.pk)}
    else:
        assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
        assert (f"{appointment.time:%H:%M}", appointment.version) == ("09:00", 1)


def test_instant_booking_moves_immediately_while_it_can_be_cancelled(booked, users, call, clock):
    appointment = booked()
    assert shown(call(users.patient, appointment))["rescheduleUntil"] == "2030-01-07T15:15:00Z"
    assert shown(call(users.patient, appointment, "put", "/reschedule", **to("10:00")))["appointmentTime"] == "10:00"
    clock.move_to(NOW + timedelta(minutes=15))
    assert call(users.patient, appointment, "put", "/reschedule", **to("11:00")).json()["code"] == "illegal_transition"


def test_immediate_move_closes_open_questions_about_the_old_time(users, call):
    set_doctor(users.doctor, instant_confirmation=True)
    appointment = confirmed(users, cancel_requested_at=NOW, cancel_request_reason="Ill.")
    row = shown(call(users.patient, appointment, "put", "/reschedule", **to("14:00")))
    assert (row["cancelRequest"], row["appointmentTime"]) == (None, "14:00")


def test_pending_request_moves_immediately_until_its_deadline(users, call, clock):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=NOW + timedelta(hours=5))
    assert shown(call(users.patient, appointment))["rescheduleUntil"] == "2030-01-07T20:00:00Z"
    clock.shift(timedelta(hours=1))
    row = shown(call(users.patient, appointment, "put", "/reschedule", **to("14:00")))
    # 48 hours after 11:00 on Monday.
    assert (row["status"], row["respondBy"]) == ("pending", "2030-01-09T16:00:00Z")
