"""Test holds."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from appointments import views
from appointments.models import Appointment
from appointments.scheduling.expiry import release_holds
from doctors.models import DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TUESDAY = "2030-01-08"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


def hold(client, doctor, time="09:00", **more):
    body = {"doctorId": str(doctor.pk), "appointmentDate": TUESDAY, "appointmentTime": time, **more}
    return client.post("/api/appointments/hold", body, format="json")


def book(client, doctor, time="09:00", **more):
    body = {"doctorId": str(doctor.pk), "appointmentDate": TUESDAY, "appointmentTime": time, **more}
    return client.post("/api/appointments", body, format="json")


def times(client, doctor, **query):
    answer = client.get(f"/api/doctors/{doctor.pk}/slots", {"from": TUESDAY, "days": 1, **query})
    return answer.json()["data"]["slots"][0]["times"]


def test_held_time_is_taken_for_others_and_free_for_its_holder(users, client_of):
    holder, other = client_of(users.patient), client_of(users.other_patient)
    answer = hold(holder, users.doctor)
    assert (answer.status_code, answer.json()["data"]["expiresAt"]) == (201, "2030-01-07T15:05:00Z")
    assert "09:00" not in times(other, users.doctor)
    assert "09:00" in times(holder, users.doctor)
    refused = book(other, users.doctor)
    assert (refused.status_code, refused.json()["code"], refused.json()["data"]["reason"]) == (
        409,
        "slot_taken",
        "held",
    )
    assert hold(other, users.doctor).json()["code"] == "slot_taken"
    assert book(holder, users.doctor).status_code == 201
    assert list(Reservation.objects.values_list("kind", "secret_hash")) == [("appointment", "")]


def test_visitor_books_a_hold_with_its_secret_after_login(users, client_of):
    visitor = APIClient()
    secret = hold(visitor, users.doctor).json()["data"]["holdId"]
    assert "09:00" not in times(visitor, users.doctor)
    assert "09:00" in times(visitor, users.doctor, holdId=secret)
    assert Reservation.objects.get().secret_hash != secret
    patient = client_of(users.patient)
    assert book(patient, users.doctor).json()["code"] == "slot_taken"
    assert book(patient, users.doctor, holdId=secret).status_code == 201
    assert Reservation.objects.get().patient_id == users.patient.pk


def test_repeated_hold_is_extended_up_to_a_limit(users, client_of, clock):
    client = client_of(users.patient)
    secret = hold(client, users.doctor).json()["data"]["holdId"]
    for minute in range(4, 33, 4):
        clock.move_to(datetime.fromisoformat(NOW) + timedelta(minutes=minute))
        answer = hold(client, users.doctor, holdId=secret)
        if minute <= 28:
            kept = datetime.fromisoformat(NOW) + timedelta(minutes=min(minute + 5, 30))
            assert answer.json()["data"]["expiresAt"] == kept.strftime("%Y-%m-%dT%H:%M:%SZ")
            assert answer.json()["data"]["holdId"] == secret
    # The hold has run out at half past, and the same person can't hold the time again for as long as it lasted.
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "hold_paused", "1680")
    clock.shift(timedelta(minutes=28))
    assert hold(client, users.doctor).json()["data"]["holdId"] != secret
    assert Reservation.objects.count() == 1


def test_user_has_one_hold(users, client_of):
    client = client_of(users.patient)
    hold(client, users.doctor, "09:00")
    hold(client, users.doctor, "10:00")
    assert "09:00" in times(client_of(users.other_patient), users.doctor)
    assert Reservation.objects.count() == 1


def test_hold_expires(users, client_of, clock):
    hold(client_of(users.patient), users.doctor)
    clock.shift(timedelta(minutes=5))
    assert book(client_of(users.other_patient), users.doctor).status_code == 201


def test_released_hold_is_free_immediately(users, client_of):
    client = client_of(users.patient)
    secret = hold(client, users.doctor).json()["data"]["holdId"]
    assert APIClient().delete(f"/api/appointments/hold/{secret}").status_code == 200
    assert "09:00" in times(client_of(users.other_patient), users.doctor)
    assert APIClient().delete(f"/api/appointments/hold/{secret}").json()["code"] == "not_found"


def test_expired_hold_does_not_prevent_booking(users, client_of, clock):
    secret = hold(client_of(users.patient), users.doctor).json()["data"]["holdId"]
    clock.shift(timedelta(minutes=9))
    assert book(client_of(users.patient), users.doctor, holdId=secret).status_code == 201


def test_time_of_an_own_appointment_cannot_be_held(users, client_of):
    client = client_of(users.patient)
    book(client, users.doctor)
    assert hold(client, users.other_doctor).json()["code"] == "patient_busy"


def test_holding_an_own_booked_time_reports_the_own_appointment(users, client_of):
    client = client_of(users.patient)
    appointment = book(client, users.doctor).json()["data"]["appointment"]
    answer = hold(client, users.doctor)
    assert (answer.status_code, answer.json()["code"], answer.json()["message"], answer.json()["data"]) == (
        409,
        "already_booked",
        "You've already booked this time.",
        {"appointmentId": appointment["_id"]},
    )
    assert hold(client_of(users.other_patient), users.doctor).json()["code"] == "slot_taken"
    assert hold(APIClient(), users.doctor).json()["code"] == "slot_taken"
    # Booking's own answer to the same wish is the appointment.
    again = book(client, users.doctor)
    assert (again.status_code, again.json()["data"]["appointment"]["_id"]) == (200, appointment["_id"])
    client.put(f"/api/appointments/{appointment['_id']}/cancel")
    assert hold(client, users.doctor).status_code == 201


def test_holds_per_network_are_limited(users, settings):
    settings.MAX_HOLDS_PER_IP = 2
    assert [hold(APIClient(), users.doctor, time).status_code for time in ("09:00", "10:00", "11:00")] == [
        201,
        201,
        429,
    ]


@pytest.mark.parametrize("who", ["doctor", "admin"])
def test_only_patients_and_visitors_can_hold(who, users, client_of):
    person = users.doctor.user if who == "doctor" else users.admin
    assert hold(client_of(person), users.doctor).json()["code"] == "wrong_role"


def test_a_hold_takes_the_length_that_appointments_have_when_it_is_booked(users, client_of):
    client = client_of(users.patient)
    hold(client, users.doctor)
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(appointment_minutes=30, buffer_minutes=10)
    shown = book(client, users.doctor).json()["data"]["appointment"]
    assert (shown["startsAt"], shown["endsAt"]) == ("2030-01-08T14:00:00Z", "2030-01-08T14:30:00Z")
    reservation = Reservation.objects.get()
    assert reservation.busy_until - reservation.starts_at == timedelta(minutes=40)


def test_releasing_a_hold_keeps_an_appointment_booked_meanwhile(users, client_of):
    client = client_of(users.patient)
    hold(client, users.doctor)
    read_before = Reservation.objects.get().pk
    book(client, users.doctor)
    assert release_holds(Reservation.objects.filter(pk=read_before), timezone.now()) == 0
    assert Appointment.objects.get().reservation_id == read_before


def test_booking_another_time_releases_the_hold(users, client_of):
    client = client_of(users.patient)
    hold(client, users.doctor, "09:00")
    assert book(client, users.doctor, "11:00").status_code == 201
    assert "09:00" in times(client_of(users.other_patient), users.doctor)
    assert Appointment.objects.count() == Reservation.objects.count() == 1


@pytest.mark.parametrize("is_renewed", [False, True])
@pytest.mark.parametrize(("instant", "due"), [(False, "2030-01-08T13:30:00Z"), (True, None)])
def test_hold_contains_the_response_deadline(instant, due, is_renewed, users, client_of):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(instant_confirmation=instant)
    client = client_of(users.patient)
    data = hold(client, users.doctor).json()["data"]
    if is_renewed:
        data = hold(client, users.doctor, holdId=data["holdId"]).json()["data"]
    assert data["respondBy"] == due
    shown = book(client, users.doctor, holdId=data["holdId"]).json()["data"]["appointment"]
    assert (shown["respondBy"], shown["status"]) == (due, "confirmed" if instant else "pending")


def test_hold_requests_are_rate_limited(users, client_of, monkeypatch):
    monkeypatch.setattr(views, "network_hold_limit", NetworkRateLimit("holds-address", 2))
    monkeypatch.setattr(views, "patient_hold_limit", RateLimit("holds-person", 2))
    visitor, patient = APIClient(), client_of(users.patient)
    answers = [hold(client, users.doctor, time) for client, time in ((visitor, "09:00"), (patient, "10:00"))]
    secrets = [answer.json()["data"]["holdId"] for answer in answers]
    for client, time, secret in ((visitor, "09:00", secrets[0]), (patient, "10:00", secrets[1])):
        assert client.delete(f"/api/appointments/hold/{secret}").status_code == 200
        again = [hold(client, users.doctor, time).status_code for _ in range(2)]
        assert again[1] == 429
    assert hold(client_of(users.other_patient), users.doctor, "11:00").status_code == 201
