"""Test that unanswered requests expire."""

from datetime import date, datetime, timedelta

import pytest
import time_machine
from django.test import TestCase
from django.utils import timezone

from accounts.leases import acquire_lease
from accounts.models import AuditEvent, Heartbeat, Notice
from adminpanel.operations.housekeeping import WORKER_NAME, run_round
from appointments.models import Appointment, Cause
from appointments.tests.factories import make_appointment
from doctors.availability.calendar import refresh_next_free
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

NOW = datetime.fromisoformat("2030-01-07T15:00:00Z")
FRIDAY = date(2030, 1, 18)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def confirm_instantly(doctor):
    """Let a doctor offer times until they begin: requests need an hour's notice."""
    DoctorProfile.objects.filter(pk=doctor.pk).update(instant_confirmation=True)
    refresh_next_free([doctor.pk], timezone.now())
    doctor.refresh_from_db()


@pytest.fixture
def overdue(users, clock):
    appointment = make_appointment(users.doctor, users.patient, FRIDAY, respond_by=NOW + timedelta(hours=48))
    clock.shift(timedelta(hours=48))
    return appointment


def test_overdue_request_is_shown_as_expired(overdue, users, client_of):
    client = client_of(users.patient)
    data = client.get(f"/api/appointments/{overdue.pk}").json()["data"]
    shown = data["appointment"]
    assert (shown["status"], shown["cancelledBy"], shown["cancelReason"]) == ("cancelled", "system", "expired")
    assert shown["respondBy"] is None
    assert [free["date"] for free in data["alternatives"]] == ["2030-01-18"] * 3
    for query, rows in (
        ({"status": "pending"}, 0),
        ({"status": "cancelled"}, 1),
        ({"scope": "upcoming"}, 0),
        ({"scope": "past"}, 1),
    ):
        assert len(client.get("/api/appointments", query).json()["data"]["appointments"]) == rows
    assert Appointment.objects.get().status == "pending"


def test_an_overdue_request_can_no_longer_be_confirmed(overdue, users, client_of):
    answer = client_of(users.doctor.user).put(
        f"/api/appointments/{overdue.pk}/status", {"status": "confirmed"}, format="json"
    )
    assert answer.json()["code"] == "illegal_transition"


@pytest.mark.parametrize(("who", "call"), [("doctor", "status"), ("patient", "cancel"), ("admin", "cancel")])
def test_cancelling_an_overdue_request_changes_nothing(who, call, overdue, users, client_of):
    person = users.doctor.user if who == "doctor" else getattr(users, who)
    answer = client_of(person).put(
        f"/api/appointments/{overdue.pk}/{call}", {"status": "cancelled", "reason": "Too late."}, format="json"
    )
    data = answer.json()["data"]
    assert (answer.status_code, data["changed"]) == (200, False)
    assert (data["appointment"]["cancelledBy"], data["appointment"]["cancelReason"]) == ("system", "expired")


def test_time_of_an_overdue_request_can_be_booked_immediately(overdue, users, client_of):
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-18", "appointmentTime": "09:00"}
    assert client_of(users.other_patient).post("/api/appointments", body, format="json").status_code == 201
    overdue.refresh_from_db()
    assert (overdue.status, overdue.cancelled_by, overdue.cancel_reason) == ("cancelled", "system", "expired")


def test_housekeeping_expires_it_once_and_notifies_both_sides(overdue, users):
    assert run_round(timezone.now())["requests"] == 1
    assert run_round(timezone.now())["requests"] == 0
    overdue.refresh_from_db()
    assert (overdue.status, Reservation.objects.count()) == ("cancelled", 0)
    told = Notice.objects.filter(event="appointment.expired").values_list("recipient_id", flat=True)
    assert set(told) == {users.patient.pk, users.doctor.pk}
    assert AuditEvent.objects.get(event="appointment.expired").agent_id is None


def test_a_request_within_its_deadline_is_left_alone(users):
    make_appointment(users.doctor, users.patient, FRIDAY, respond_by=NOW + timedelta(seconds=1))
    assert run_round(timezone.now())["requests"] == 0


def test_housekeeping_deletes_expired_holds_and_updates_next_free_times(users, clock):
    confirm_instantly(users.doctor)
    before = users.doctor.next_free_at
    clock.move_to(before + timedelta(minutes=1))
    done = run_round(timezone.now())
    assert done["next free times"] == DoctorProfile.objects.count()
    users.doctor.refresh_from_db()
    assert users.doctor.next_free_at == before + timedelta(hours=1)
    assert run_round(timezone.now())["next free times"] == 0


def test_one_process_at_a_time_runs_housekeeping(clock, db):
    assert acquire_lease("housekeeping", timezone.now(), "one")
    assert acquire_lease("housekeeping", timezone.now(), "one")
    assert not acquire_lease("housekeeping", timezone.now(), "two")
    clock.shift(timedelta(minutes=2))
    assert acquire_lease("housekeeping", timezone.now(), "two")
    assert not acquire_lease("housekeeping", timezone.now(), "one")


def test_readyz_reports_stalled_housekeeping(client, clock, db):
    assert client.get("/readyz").json()["housekeeping"] == "late"
    run_round(timezone.now())
    assert client.get("/readyz").json()["housekeeping"] == "ok"
    clock.shift(timedelta(minutes=4))
    answer = client.get("/readyz")
    # Readers never trust it, so the process still serves.
    assert (answer.status_code, answer.json()["housekeeping"]) == (200, "late")
    assert Heartbeat.objects.filter(name=WORKER_NAME).count() == 1


def test_doctor_at_the_end_of_the_booking_range_does_not_block_housekeeping(users, clock):
    # 14:00 with an hour's notice, looked at in the last second in which it can be booked.
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(min_notice_minutes=60, next_free_until=None)
    clock.move_to(datetime.fromisoformat("2030-01-07T18:00:00.400Z"))
    looked_at = run_round(timezone.now())["next free times"]
    assert looked_at == DoctorProfile.objects.count()


def test_expired_hold_restores_the_next_free_time(users, client_of, clock):
    confirm_instantly(users.doctor)
    run_round(timezone.now())
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-07", "appointmentTime": "11:00"}
    first = DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at
    assert client_of(users.patient).post("/api/appointments/hold", body, format="json").status_code == 201
    refresh_next_free([users.doctor.pk], timezone.now())
    assert DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at > first
    clock.shift(timedelta(minutes=6))
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert run_round(timezone.now())["holds"] == 1
    assert DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at == first


def test_a_request_whose_deadline_was_just_extended_does_not_expire(overdue):
    """The housekeeping has read the old deadline."""
    Appointment.objects.filter(pk=overdue.pk).update(respond_by=timezone.now() + timedelta(hours=5))
    assert overdue.is_overdue(timezone.now())
    assert not overdue.transition_to("cancelled", actor=None, now=timezone.now(), cause=Cause.EXPIRY)
    assert Appointment.objects.get().status == "pending"
