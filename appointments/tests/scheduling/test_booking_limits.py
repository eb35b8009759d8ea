"""Test that the limits of pending requests and of bookings per hour are exact for concurrent bookings."""

import os
import threading
from collections import Counter
from datetime import date, timedelta

import httpx
import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import Role
from appointments.models import Appointment, Status
from appointments.scheduling import booking_limits
from appointments.tests.factories import make_appointment
from appointments.tests.scheduling.concurrency import DOCTOR_FIELDS, list_free_slots, register_user
from config.api.errors import DomainError
from doctors.models import DoctorProfile

NOW = "2030-01-07T15:00:00Z"
TIMES = ("09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00")
RACERS = 20
ROUNDS = int(os.environ.get("CAP_ROUNDS", "1"))


@pytest.fixture
def book(users, client_of):
    def post(number):
        day = date(2030, 1, 8) + timedelta(days=7 * (number // len(TIMES)))
        body = {
            "doctorId": str(users.doctor.pk),
            "appointmentDate": day.isoformat(),
            "appointmentTime": TIMES[number % len(TIMES)],
        }
        # Signed in again, however late it is: only the caps are tested here.
        return client_of(users.patient).post("/api/appointments", body, format="json")

    with time_machine.travel(NOW, tick=False) as clock:
        post.clock = clock
        yield post


def test_pending_requests_are_limited(book, users, client_of, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT = 3
    assert [book(number).status_code for number in range(3)] == [201] * 3
    refused = book(3)
    assert (refused.status_code, refused.json()["code"], refused.json()["data"]) == (409, "requests_full", {"limit": 3})
    assert refused.json()["message"].startswith("You have 3 requests waiting for an answer, and may have 3.")
    assert Appointment.objects.count() == 3
    # Asking again for one that stands is no new request.
    assert book(1).status_code == 200
    # One that is cancelled makes room for another.
    first = Appointment.objects.order_by("starts_at").first()
    assert client_of(users.patient).put(f"/api/appointments/{first.pk}/cancel").status_code == 200
    assert book(0).status_code == 201
    assert book(3).status_code == 409


def test_expired_request_does_not_count(book, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT = 2
    assert [book(number).status_code for number in range(3)] == [201, 201, 409]
    Appointment.objects.update(respond_by=timezone.now())
    assert book(2).status_code == 201


def test_answered_request_does_not_count(book, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT = 2
    assert [book(number).status_code for number in range(3)] == [201, 201, 409]
    Appointment.objects.filter(time="09:00").update(status=Status.CONFIRMED, respond_by=None)
    assert book(2).status_code == 201


def test_bookings_per_hour_are_limited(book, users, settings):
    settings.MAX_BOOKINGS_PER_HOUR = 3
    DoctorProfile.objects.update(instant_confirmation=True)
    assert book(0).status_code == 201
    book.clock.shift(timedelta(minutes=10))
    assert [book(number).status_code for number in (1, 2)] == [201, 201]
    book.clock.shift(timedelta(minutes=5))
    refused = book(3)
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (429, "booked_too_often", "2700")
    assert refused.json()["message"] == (
        "You have booked 3 appointments within an hour, which is the most. Please try again in 45 minutes."
    )
    # What was booked and cancelled counts too: it took the time away meanwhile.
    Appointment.objects.filter(time="10:00").update(status=Status.CANCELLED, reservation=None)
    assert book(3).status_code == 429
    book.clock.shift(timedelta(seconds=2699))
    assert book(3)["Retry-After"] == "1"
    book.clock.shift(timedelta(seconds=1))
    assert book(3).status_code == 201
    assert book(4).status_code == 429


def test_limits_of_patients_and_doctors_are_independent(book, users, client_of, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT = settings.MAX_BOOKINGS_PER_HOUR = 1
    settings.MAX_DESK_BOOKINGS_PER_HOUR = 2
    assert [book(number).status_code for number in range(2)] == [201, 409]
    desk = client_of(users.doctor.user)

    def for_patient(number):
        body = {"appointmentDate": "2030-01-09", "appointmentTime": TIMES[number]}
        return desk.post(f"/api/doctors/patients/{users.patient.pk}/appointments", body, format="json")

    assert [for_patient(number).status_code for number in range(3)] == [201, 201, 429]
    refused = for_patient(2)
    assert (refused.json()["code"], refused["Retry-After"]) == ("booked_too_often", "3600")
    assert refused.json()["message"].startswith("This desk has booked 2 appointments within an hour")
    assert for_patient(1).status_code == 200
    # What the doctor booked is not counted for the patient.
    Appointment.objects.filter(booked_by=Role.PATIENT).delete()
    assert book(2).status_code == 201


def test_limits_are_part_of_the_site_configuration(api, db, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT, settings.MAX_BOOKINGS_PER_HOUR = 4, 9
    policies = api.get("/api/config").json()["data"]["policies"]
    assert (policies["openRequestsPerPatient"], policies["bookingsPerHour"]) == (4, 9)


def count(patient):
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(booking_limits.COUNTS_SQL, booking_limits.build_count_parameters(patient, now))
        booking_limits.refuse_too_many_of_patient(patient, booking_limits.Counts(*cursor.fetchone()), now)


def test_counting_takes_one_query_for_any_number_of_appointments(users, django_assert_num_queries):
    for number in range(5):
        make_appointment(users.doctor, users.patient, date(2030, 1, 8), TIMES[number])
        with django_assert_num_queries(1):
            count(users.patient)


def race(client, address, bodies):
    """Send all bodies at the same moment; return how often each status and code came."""
    got = []
    start = threading.Barrier(len(bodies))

    def run(body):
        start.wait(timeout=60)
        answer = httpx.post(client.base_url.join(address), json=body, headers=client.headers, timeout=60)
        got.append(f"{answer.status_code} {answer.json().get('code', '')}".strip())

    threads = [threading.Thread(target=run, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(got)


def test_limits_are_exact_for_20_concurrent_bookings(real_server):
    server = real_server(
        workers=2, MAX_OPEN_REQUESTS_PER_PATIENT="5", MAX_BOOKINGS_PER_HOUR="8", MAX_DESK_BOOKINGS_PER_HOUR="6",
        MAX_DAYS_AHEAD="700",
    )  # fmt: skip
    waits, at_once = (
        register_user(server, "doctor", number, **DOCTOR_FIELDS | {"licenseNumber": f"TEST-CAP-{number}"})
        for number in range(2)
    )
    slow, quick = (one.get("/api/auth/profile").json()["data"]["user"]["_id"] for one in (waits, at_once))
    server.sql("UPDATE doctors_doctorprofile SET approval = 'approved'")
    true = "1" if server.is_sqlite else "true"
    server.sql(f"UPDATE doctors_doctorprofile SET instant_confirmation = {true} WHERE license_number = 'TEST-CAP-1'")
    for number in range(ROUNDS):
        patient, regular = (
            register_user(server, "patient", 2 * number),
            register_user(server, "patient", 2 * number + 1),
        )
        slots = list_free_slots(patient, slow)[:RACERS]
        got = race(patient, "/api/appointments", [{"doctorId": slow, **slot} for slot in slots])
        assert got == {"201": 5, "409 requests_full": RACERS - 5}
        slots = list_free_slots(regular, quick)
        got = race(regular, "/api/appointments", [{"doctorId": quick, **slot} for slot in slots[:RACERS]])
        assert got == {"201": 8, "429 booked_too_often": RACERS - 8}
        of_regular = regular.get("/api/auth/profile").json()["data"]["user"]["_id"]
        got = race(at_once, f"/api/doctors/patients/{of_regular}/appointments", slots[RACERS : 2 * RACERS])
        done = 6 if number == 0 else 0
        assert got == {"201": done, "429 booked_too_often": RACERS - done} if done else {"429 booked_too_often": RACERS}
        for client in (patient, regular):
            client.close()
    for client in (waits, at_once):
        client.close()
    assert server.sql("SELECT count(*) FROM appointments_appointment") == [(13 * ROUNDS + 6,)]


def test_requests_and_bookings_of_another_patient_do_not_count(book, users, settings):
    settings.MAX_OPEN_REQUESTS_PER_PATIENT, settings.MAX_BOOKINGS_PER_HOUR = 2, 2
    settings.MAX_DESK_BOOKINGS_PER_HOUR = 2
    day = timezone.now().date() + timedelta(days=8)
    for number in range(4):
        by = Role.PATIENT if number < 2 else Role.DOCTOR
        make_appointment(
            users.other_doctor, users.other_patient, day, f"{9 + number}:00", booked_by=by, created_at=timezone.now()
        )
    booking_limits.refuse_too_many_of_doctor(users.doctor, timezone.now())
    with pytest.raises(DomainError, match="booked_too_often"):
        booking_limits.refuse_too_many_of_doctor(users.other_doctor, timezone.now())
    with pytest.raises(DomainError, match="requests_full"):
        count(users.other_patient)
    assert book(0).status_code == 201
