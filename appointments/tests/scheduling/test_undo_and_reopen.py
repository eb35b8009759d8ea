"""Test undoing a confirmation, reopening a completed appointment, and moves by the doctor."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from accounts.notifications.delivery import deliver_notices
from appointments.models import Appointment, AppointmentRecord, Proposal, TimeChange
from appointments.records.services import write_record
from appointments.scheduling.account_closure import end_account
from appointments.tests.factories import make_appointment
from appointments.tests.response_fields import shown
from appointments.transitions import change_status
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

# 10:00 of a Monday at the clinic in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
FRIDAY = date(2030, 1, 11)
DEADLINE = NOW + timedelta(hours=30)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def code(answer):
    return answer.status_code, answer.json().get("code")


ILLEGAL = (409, "illegal_transition")


# --- Undo --------------------------------------------------------------------------------------


@pytest.fixture
def confirmed(users, call):
    """A request that the doctor has just confirmed from the queue."""
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=DEADLINE)
    row = shown(call(users.doctor.user, appointment, "put", "/status", status="confirmed", undoable=True))
    assert (row["status"], row["undoUntil"]) == ("confirmed", "2030-01-07T15:00:10Z")
    appointment.refresh_from_db()
    return appointment


def test_undo_restores_the_deadline_and_notifies_nobody(confirmed, users, call, clock):
    assert Reservation.objects.get().expires_at is None
    clock.shift(timedelta(seconds=9.9))
    answer = call(users.doctor.user, confirmed, "post", "/undo")
    row = shown(answer)
    assert (row["status"], row["respondBy"], row["undoUntil"]) == ("pending", "2030-01-08T21:00:00Z", None)
    assert answer.json()["data"]["changed"] is True
    assert Reservation.objects.get().expires_at == DEADLINE
    confirmed.refresh_from_db()
    assert (confirmed.confirmed_at, confirmed.confirmed_by, confirmed.version) == (None, None, 3)
    trail = AuditEvent.objects.filter(action="U", entity_id=str(confirmed.pk)).order_by("pk")
    assert list(trail.values_list("event", "detail")) == [
        ("appointment.confirmed", {"from": "pending", "to": "confirmed"}),
        ("appointment.confirmation_undone", {"from": "confirmed", "to": "pending"}),
    ]
    clock.shift(timedelta(minutes=1))
    assert deliver_notices(timezone.now())["sent"] == 0
    # It is a request like any other again.
    assert shown(call(users.doctor.user, confirmed, "put", "/status", status="confirmed"))["status"] == "confirmed"


def test_the_notices_of_an_undoable_confirmation_wait_until_it_cannot_be_undone(confirmed, users, clock):
    notices = Notice.objects.filter(event="appointment.confirmed")
    assert {(one.recipient_id, one.due_at - NOW, one.detail["by"], one.detail["from"]) for one in notices} == {
        (person, timedelta(seconds=10), "doctor", "pending") for person in (users.patient.pk, users.doctor.pk)
    }


def test_plain_confirmation_cannot_be_undone_and_is_sent_immediately(users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=DEADLINE)
    assert shown(call(users.doctor.user, appointment, "put", "/status", status="confirmed"))["undoUntil"] is None
    assert set(Notice.objects.values_list("due_at", flat=True)) == {NOW}
    assert code(call(users.doctor.user, appointment, "post", "/undo")) == ILLEGAL


def test_undo_ends_after_ten_seconds(confirmed, users, call, clock):
    clock.shift(timedelta(seconds=10))
    assert shown(call(users.doctor.user, confirmed))["undoUntil"] is None
    assert code(call(users.doctor.user, confirmed, "post", "/undo")) == ILLEGAL
    assert Appointment.objects.get().status == "confirmed"


def test_undo_ends_with_the_deadline_of_the_request(users, call, clock):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=NOW + timedelta(seconds=4))
    row = shown(call(users.doctor.user, appointment, "put", "/status", status="confirmed", undoable=True))
    assert row["undoUntil"] == "2030-01-07T15:00:04Z"
    clock.shift(timedelta(seconds=4))
    assert code(call(users.doctor.user, appointment, "post", "/undo")) == ILLEGAL
    assert Appointment.objects.get().status == "confirmed"


def test_only_the_person_who_confirmed_can_undo(confirmed, users, call):
    """Another person at the same desk can't, and is not offered it."""
    Appointment.objects.filter(pk=confirmed.pk).update(confirmed_by=users.admin)
    assert shown(call(users.doctor.user, confirmed))["undoUntil"] is None
    assert code(call(users.doctor.user, confirmed, "post", "/undo")) == ILLEGAL
    assert shown(call(users.patient, confirmed))["undoUntil"] is None
    assert call(users.patient, confirmed, "post", "/undo").status_code == 403
    assert call(users.other_doctor.user, confirmed, "post", "/undo").status_code == 404


def test_undoing_twice_changes_nothing(confirmed, users, call):
    for changed in (True, False):
        answer = call(users.doctor.user, confirmed, "post", "/undo")
        assert (shown(answer)["status"], answer.json()["data"]["changed"]) == ("pending", changed)
    assert AuditEvent.objects.filter(event="appointment.confirmation_undone").count() == 1


def test_undo_by_status_is_refused(confirmed, users, call):
    assert code(call(users.doctor.user, confirmed, "put", "/status", status="pending")) == ILLEGAL


@pytest.mark.parametrize("act", ["patient proposes", "patient cannot come", "doctor writes"])
def test_confirmation_cannot_be_undone_after_a_later_action(act, confirmed, users, call):
    if act == "patient proposes":
        shown(
            call(users.patient, confirmed, "post", "/proposal", appointmentDate=str(FRIDAY), appointmentTime="11:00")
        )  # fmt: skip
    elif act == "patient cannot come":
        DoctorProfile.objects.update(cancel_cutoff_hours=None)
        shown(call(users.patient, confirmed, "post", "/cancel-request"))
    else:
        write_record(confirmed, {"notes": "Knows me from before."}, actor=users.doctor.user, now=timezone.now())
    assert code(call(users.doctor.user, confirmed, "post", "/undo")) == ILLEGAL
    assert Appointment.objects.get().status == "confirmed"


@pytest.mark.parametrize("status", ["cancelled", "completed"])
def test_only_a_confirmation_can_be_undoable(status, users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=DEADLINE)
    answer = call(users.doctor.user, appointment, "put", "/status", status=status, undoable=True)
    assert code(answer) == (400, "invalid")
    assert list(answer.json()["errors"]) == ["undoable"]


# --- Reopen ------------------------------------------------------------------------------------


@pytest.fixture
def completed(users, call):
    """An appointment of this morning that the doctor has just completed, with a record."""
    appointment = make_appointment(users.doctor, users.patient, date(2030, 1, 7), "09:00", status="confirmed")
    record = {"diagnosis": "A cold.", "version": 0}
    row = shown(call(users.doctor.user, appointment, "put", "/status", status="completed", visit=record))
    assert (row["completedAt"], row["reopenUntil"]) == ("2030-01-07T15:00:00Z", "2030-01-08T15:00:00Z")
    appointment.refresh_from_db()
    return appointment


def earnings(client):
    return [float(each["amount"]) for each in client.get("/api/doctors/dashboard").json()["data"]["totals"]["earnings"]]


def test_reopening_keeps_the_record_notifies_both_and_removes_the_fee(completed, users, call, client_of):
    client = client_of(users.doctor.user)
    assert earnings(client) == [120.0]
    answer = call(users.doctor.user, completed, "post", "/reopen")
    row = shown(answer)
    assert (row["status"], row["attended"], row["completedAt"], row["reopenUntil"]) == ("confirmed", None, None, None)
    assert (row["diagnosis"], row["record"]["version"], answer.json()["data"]["changed"]) == ("A cold.", 1, True)
    assert AppointmentRecord.objects.filter(appointment=completed).count() == 1
    assert earnings(client) in ([], [0.0])
    notices = Notice.objects.filter(event="appointment.reopened")
    assert {(one.recipient_id, one.detail["by"], one.detail["from"]) for one in notices} == {
        (person, "doctor", "completed") for person in (users.patient.pk, users.doctor.pk)
    }
    assert AuditEvent.objects.get(event="appointment.reopened").detail == {"from": "completed", "to": "confirmed"}
    again = call(users.doctor.user, completed, "post", "/reopen")
    assert (shown(again)["status"], again.json()["data"]["changed"]) == ("confirmed", False)
    # And it can be completed once more.
    row = shown(call(users.doctor.user, completed, "put", "/status", status="completed", attended=False))
    assert (row["status"], row["attended"]) == ("completed", False)
    assert AuditEvent.objects.filter(event="appointment.completed").count() == 2


@pytest.mark.parametrize(("hours", "expected"), [(23.99, (200, None)), (24, ILLEGAL)])
def test_an_appointment_can_be_reopened_for_24_hours(hours, expected, completed, users, call, clock):
    clock.shift(timedelta(hours=hours))
    assert (shown(call(users.doctor.user, completed))["reopenUntil"] is None) == (expected == ILLEGAL)
    assert code(call(users.doctor.user, completed, "post", "/reopen")) == expected


def test_only_the_doctor_reopens_and_not_by_status(completed, users, call):
    assert call(users.patient, completed, "post", "/reopen").status_code == 403
    assert call(users.admin, completed, "post", "/reopen").status_code == 403
    assert call(users.other_doctor.user, completed, "post", "/reopen").status_code == 404
    assert shown(call(users.patient, completed))["reopenUntil"] is None
    assert code(call(users.doctor.user, completed, "put", "/status", status="confirmed")) == ILLEGAL


def test_appointment_of_a_closed_account_cannot_be_reopened(completed, users, call):
    end_account(users.patient.pk, actor=users.admin, now=timezone.now())
    assert shown(call(users.doctor.user, completed))["reopenUntil"] is None
    assert code(call(users.doctor.user, completed, "post", "/reopen")) == ILLEGAL
    completed.refresh_from_db()
    assert completed.status == "completed"


@pytest.mark.parametrize("status", ["pending", "cancelled"])
def test_other_statuses_cannot_be_reopened(status, users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status=status)
    assert code(call(users.doctor.user, appointment, "post", "/reopen")) == ILLEGAL
    assert Appointment.objects.get().status == status


# --- Move at once ------------------------------------------------------------------------------


def to(time, day=FRIDAY, **more):
    return {"appointmentDate": str(day), "appointmentTime": time, **more}


@pytest.mark.parametrize("status", ["pending", "confirmed"])
def test_doctor_moves_an_appointment_immediately_and_confirms_a_request(status, users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status=status, respond_by=DEADLINE)
    answer = call(users.doctor.user, appointment, "post", "/move", **to("11:00", reason="As we said on the phone."))
    row = shown(answer)
    assert (row["status"], row["appointmentTime"], row["respondBy"]) == ("confirmed", "11:00", None)
    assert (answer.json()["data"]["changed"], answer.json()["message"]) == (True, "Appointment moved")
    appointment.refresh_from_db()
    assert (appointment.reservation.expires_at, appointment.reservation.starts_at) == (None, appointment.starts_at)
    assert (appointment.confirmed_at, appointment.confirmed_by) == (
        (NOW, users.doctor.user) if status == "pending" else (None, None)
    )
    change = TimeChange.objects.get()
    assert (change.changed_by, change.reason) == ("doctor", "As we said on the phone.")
    notices = Notice.objects.filter(event="appointment.moved")
    assert {(one.recipient_id, *sorted(one.detail.items())) for one in notices} == {
        (person, ("by", "doctor"), ("change", change.pk), ("from", status))
        for person in (users.patient.pk, users.doctor.pk)
    }
    again = call(users.doctor.user, appointment, "post", "/move", **to("11:00"))
    assert (again.status_code, again.json()["data"]["changed"], TimeChange.objects.count()) == (200, False, 1)


def test_patient_sees_the_reason_of_a_move_and_an_admin_does_not(users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    call(users.doctor.user, appointment, "post", "/move", **to("11:00", reason="Your scan needs more time."))
    reasons = [
        call(person, appointment).json()["data"]["history"][0]["reason"]
        for person in (users.patient, users.doctor.user, users.admin)
    ]
    assert reasons == ["Your scan needs more time.", "Your scan needs more time.", ""]


def test_rejecting_a_move_is_cannot_make_it(users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed", confirmed_at=NOW)
    call(users.doctor.user, appointment, "post", "/move", **to("11:00", date(2030, 1, 8)))
    answer = call(users.patient, appointment, "post", "/cancel-request", reason="I work then.")
    # 25 hours ahead, one hour before the doctor's cutoff.
    assert (shown(answer)["status"], answer.json()["data"]["cancelled"]) == ("cancelled", True)


def test_move_withdraws_proposals_and_closes_requests(users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed", cancel_requested_at=NOW)
    call(users.patient, appointment, "post", "/proposal", **to("11:00"))
    row = shown(call(users.doctor.user, appointment, "post", "/move", **to("11:00")))
    assert (row["proposal"], row["cancelRequest"], row["appointmentTime"]) == (None, None, "11:00")
    assert (Proposal.objects.get().answer, Reservation.objects.count()) == ("withdrawn", 1)


@pytest.mark.parametrize(("outside", "expected"), [(False, (409, "time_not_offered")), (True, (200, None))])
def test_only_an_explicit_move_goes_outside_the_hours_and_is_marked(outside, expected, users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    answer = call(users.doctor.user, appointment, "post", "/move", **to("19:30", outsideHours=outside))
    assert code(answer) == expected
    appointment.refresh_from_db()
    assert (f"{appointment.time:%H:%M}", appointment.outside_hours) == (
        ("19:30", True) if outside else ("09:00", False)
    )
    if outside:
        row = shown(call(users.doctor.user, appointment, "post", "/move", **to("10:00")))
        assert row["outsideHours"] is False


def test_a_move_is_refused_where_the_time_is_taken_or_the_patient_is_busy(users, call):
    make_appointment(users.doctor, users.other_patient, FRIDAY, "11:00")
    make_appointment(users.other_doctor, users.patient, FRIDAY, "12:00")
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    assert code(call(users.doctor.user, appointment, "post", "/move", **to("11:00"))) == (409, "slot_taken")
    busy = call(users.doctor.user, appointment, "post", "/move", **to("12:00"))
    assert (*code(busy), busy.json()["message"]) == (
        409, "patient_busy", "This patient already has an appointment at this time."
    )  # fmt: skip
    appointment.refresh_from_db()
    assert (appointment.version, TimeChange.objects.count()) == (1, 0)


def test_holds_of_the_patient_do_not_block_a_move(users, call, client_of):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    body = {"doctorId": str(users.doctor.pk), **to("11:00")}
    assert client_of(users.patient).post("/api/appointments/hold", body, format="json").status_code == 201
    assert shown(call(users.doctor.user, appointment, "post", "/move", **to("11:00")))["appointmentTime"] == "11:00"
    assert Reservation.objects.get().kind == "appointment"


@pytest.mark.parametrize("status", ["completed", "cancelled"])
def test_ended_appointment_cannot_be_moved(status, users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status=status)
    assert code(call(users.doctor.user, appointment, "post", "/move", **to("11:00"))) == ILLEGAL


@pytest.mark.parametrize(("time", "expected"), [("09:00", ILLEGAL), ("09:30", (200, None))])
def test_started_appointment_can_be_moved_until_its_end(time, expected, users, call):
    appointment = make_appointment(users.doctor, users.patient, date(2030, 1, 7), time, status="confirmed")
    assert code(call(users.doctor.user, appointment, "post", "/move", **to("11:00"))) == expected


def test_only_its_doctor_moves_immediately(users, call):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    answers = [call(person, appointment, "post", "/move", **to("11:00")).status_code for person in (
        users.patient, users.other_patient, users.other_doctor.user, users.admin,
    )]  # fmt: skip
    assert answers == [403, 403, 404, 403]


def test_bulk_moves_send_the_doctor_no_single_notices(users):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, status="confirmed")
    change_status(appointment, "cancelled", actor=users.doctor.user, now=NOW, reason="Ill.", is_bulk=True)
    assert [(one.recipient_id, one.detail) for one in Notice.objects.all()] == [
        (users.patient.pk, {"by": "doctor", "from": "confirmed", "bulk": True})
    ]
