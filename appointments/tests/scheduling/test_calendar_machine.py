"""A machine that books, holds, moves, confirms, cancels and lets time pass, over HTTP, in any order.

After every step: no two reservations of a doctor or a patient overlap, every appointment's status came by a legal road,
what is listed can be booked and what is not listed can't.
"""

import os
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from rest_framework.test import APIClient

from accounts.auth.sessions import open_session
from accounts.tests.factories import AdminFactory, PatientFactory
from accounts.throttling.rate_limit import RateLimit
from adminpanel.operations.housekeeping import run_round
from appointments import views
from appointments.models import LIVE, Appointment, Status
from doctors.models import DoctorProfile, Reservation
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A Friday in London, two days before the clocks go forward.
START = datetime.fromisoformat("2030-03-29T08:00:00+00:00")
DAYS = 5
LEGAL = {
    (None, "pending"), (None, "confirmed"), ("pending", "confirmed"), ("pending", "cancelled"),
    ("confirmed", "completed"), ("confirmed", "cancelled"),
    # Undone, and reopened.
    ("confirmed", "pending"), ("completed", "confirmed"),
}  # fmt: skip
CLOCKS = st.sampled_from(["09:00", "09:30", "10:00", "11:00", "12:00", "13:00", "14:00", "17:00"])


class CalendarMachine(RuleBasedStateMachine):
    """Two doctors, two patients, and everything that can happen to their time."""

    appointments = Bundle("appointments")

    @initialize()
    def people(self) -> None:
        cache.clear()
        # The machine does in minutes what takes people months.
        self.limit = pytest.MonkeyPatch()
        self.limit.setattr(views, "patient_change_limit", RateLimit("appointment-changes", 10**6))
        self.traveller = time_machine.travel(START, tick=False)
        self.clock = self.traveller.start()
        self.doctors = [
            DoctorFactory(time_zone="Europe/London"),
            DoctorFactory(
                time_zone="Europe/London", appointment_minutes=30, buffer_minutes=10, instant_confirmation=True
            ),
        ]
        self.patients = [PatientFactory(), PatientFactory()]
        self.admin = AdminFactory()
        self.secrets = ["", ""]
        self.seen: dict[Any, str] = {}

    def teardown(self) -> None:
        if hasattr(self, "traveller"):
            self.traveller.stop()
            self.limit.undo()
            Appointment.objects.all().delete()
            Reservation.objects.all().delete()
            DoctorProfile.objects.all().delete()

    def client(self, person) -> APIClient:
        client = APIClient()
        token = open_session(person, client.request(PATH_INFO="/healthz").wsgi_request, timezone.now())
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
        return client

    def send(self, person, method: str, address: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        answer = getattr(self.client(person), method)(f"/api{address}", body or {}, format="json")
        assert answer.status_code < 500, answer.content
        return answer.status_code, answer.json()

    def day(self, number: int) -> date:
        return (timezone.now() + timedelta(days=number)).date()

    def listed(self, doctor, patient, day):
        query = {"from": day.isoformat(), "days": 1}
        answer = self.client(patient).get(f"/api/doctors/{doctor.pk}/slots", query)
        return answer.json()["data"]["slots"][0]["times"]

    who = st.integers(0, 1)
    near = st.integers(0, DAYS)

    @rule(target=appointments, doctor=who, patient=who, day=near, time=CLOCKS)
    def book(self, doctor, patient, day, time):
        doctor, patient, day = self.doctors[doctor], self.patients[patient], self.day(day)
        listed = self.listed(doctor, patient, day)
        body = {"doctorId": str(doctor.pk), "appointmentDate": day.isoformat(), "appointmentTime": time}
        status, answer = self.send(patient, "post", "/appointments", body)
        if time in listed:
            assert status == 201 or answer["code"] == "patient_busy", answer
        else:
            assert status in {200, 409}, answer
        return answer["data"]["appointment"]["_id"] if status in {200, 201} else None

    @rule(doctor=who, patient=who, day=near, time=CLOCKS)
    def hold(self, doctor, patient, day, time):
        number, doctor, day = patient, self.doctors[doctor], self.day(day)
        listed = self.listed(doctor, self.patients[number], day)
        body = {
            "doctorId": str(doctor.pk), "appointmentDate": day.isoformat(), "appointmentTime": time,
            "holdId": self.secrets[number],
        }  # fmt: skip
        status, answer = self.send(self.patients[number], "post", "/appointments/hold", body)
        if status == 201:
            assert time in listed
            self.secrets[number] = answer["data"]["holdId"]
        elif time in listed:
            assert answer["code"] == "patient_busy"

    @rule(
        appointment=appointments,
        target_status=st.sampled_from(["confirmed", "completed", "cancelled"]),
        undoable=st.booleans(),
    )
    def set_status(self, appointment, target_status, undoable):
        if appointment:
            doctor = Appointment.objects.get(pk=appointment).doctor.user
            body = {"status": target_status, "undoable": undoable and target_status == "confirmed", "reason": "Away."}
            self.send(doctor, "put", f"/appointments/{appointment}/status", body)

    @rule(appointment=appointments, call=st.sampled_from(["undo", "reopen"]))
    def take_back(self, appointment, call):
        if appointment:
            doctor = Appointment.objects.get(pk=appointment).doctor.user
            self.send(doctor, "post", f"/appointments/{appointment}/{call}")

    @rule(appointment=appointments, method=st.sampled_from(["post", "delete"]))
    def cannot_come(self, appointment, method):
        if appointment:
            patient = Appointment.objects.get(pk=appointment).patient
            status, answer = self.send(patient, method, f"/appointments/{appointment}/cancel-request")
            if method == "post" and status == 200:
                row = answer["data"]["appointment"]
                assert answer["data"]["cancelled"] == (row["status"] == "cancelled")

    @rule(appointment=appointments, day=near, time=CLOCKS, outside=st.booleans())
    def move_by_desk(self, appointment, day, time, outside):
        if appointment:
            doctor = Appointment.objects.get(pk=appointment).doctor.user
            body = {
                "appointmentDate": self.day(day).isoformat(), "appointmentTime": time, "outsideHours": outside,
            }  # fmt: skip
            status, answer = self.send(doctor, "post", f"/appointments/{appointment}/move", body)
            if status == 200 and answer["data"]["changed"]:
                assert answer["data"]["appointment"]["status"] == "confirmed"

    @rule(appointment=appointments, as_admin=st.booleans())
    def cancel(self, appointment, as_admin):
        if appointment:
            person = self.admin if as_admin else Appointment.objects.get(pk=appointment).patient
            self.send(person, "put", f"/appointments/{appointment}/cancel", {"reason": "Changed plans."})

    @rule(appointment=appointments, day=near, time=CLOCKS)
    def reschedule(self, appointment, day, time):
        if appointment:
            patient = Appointment.objects.get(pk=appointment).patient
            body = {"appointmentDate": self.day(day).isoformat(), "appointmentTime": time}
            self.send(patient, "put", f"/appointments/{appointment}/reschedule", body)

    @rule(appointment=appointments, by_doctor=st.booleans(), day=near, time=CLOCKS)
    def propose(self, appointment, by_doctor, day, time):
        if appointment:
            row = Appointment.objects.get(pk=appointment)
            body = {"appointmentDate": self.day(day).isoformat(), "appointmentTime": time}
            self.send(
                row.doctor.user if by_doctor else row.patient, "post", f"/appointments/{appointment}/proposal", body
            )

    @rule(appointment=appointments, by_doctor=st.booleans(), accept=st.booleans())
    def answer(self, appointment, by_doctor, accept):
        if appointment:
            row = Appointment.objects.get(pk=appointment)
            self.send(
                row.doctor.user if by_doctor else row.patient,
                "put",
                f"/appointments/{appointment}/proposal",
                {"accept": accept},
            )

    @rule(doctor=who, day=near, decision=st.sampled_from(["keep", "cancel"]), off=st.booleans())
    def day_off(self, doctor, day, decision, off):
        person = self.doctors[doctor].user
        change = {"overrides": [{"date": self.day(day).isoformat(), "hours": []}] if off else []}
        status, answer = self.send(person, "put", "/doctors/schedule", change)
        if status == 409:
            appointments = {one["_id"]: decision for one in answer["data"]["affected"]}
            self.send(person, "put", "/doctors/schedule", {**change, "visits": appointments, "reason": "Away."})

    @rule(minutes=st.sampled_from([4, 6, 60, 600, 1440, 2880]))
    def time_passes(self, minutes):
        self.clock.shift(timedelta(minutes=minutes))

    @rule()
    def housekeeping(self):
        run_round(timezone.now())

    @invariant()
    def nothing_overlaps(self) -> None:
        if not hasattr(self, "doctors"):
            return
        for field, end in (("doctor_id", "busy_until"), ("patient_id", "ends_at")):
            by_owner: dict[object, list[Reservation]] = {}
            for reservation in Reservation.objects.order_by("starts_at"):
                by_owner.setdefault(getattr(reservation, field), []).append(reservation)
            by_owner.pop(None, None)
            for reservations in by_owner.values():
                for first, second in pairwise(reservations):
                    apart = getattr(first, end) <= second.starts_at
                    assert apart or first.moves == second.pk or second.moves == first.pk

    @invariant()
    def statuses_move_legally(self) -> None:
        for pk, status, reservation in Appointment.objects.values_list("pk", "status", "reservation"):
            before = self.seen.get(pk)
            assert before == status or (before, status) in LEGAL
            self.seen[pk] = status
            assert (reservation is not None) == (status in LIVE or status == Status.COMPLETED)


def test_calendar_invariants_hold_for_any_sequence_of_actions():
    run_state_machine_as_test(
        CalendarMachine,
        settings=settings(
            max_examples=int(os.environ.get("MACHINE_EXAMPLES", "15")),
            stateful_step_count=int(os.environ.get("MACHINE_STEPS", "25")),
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
