"""Test that the database rejects overlapping reservations, on both engines."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.tests.factories import PatientFactory
from doctors.availability import constraints
from doctors.models import Reservation
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

TEN = datetime(2030, 1, 7, 10, tzinfo=UTC)


def reservation(doctor, patient, start=TEN, minutes=60, buffer=0):
    with transaction.atomic():
        return Reservation.objects.create(
            kind="appointment",
            doctor=doctor,
            patient=patient,
            starts_at=start,
            ends_at=start + timedelta(minutes=minutes),
            busy_until=start + timedelta(minutes=minutes + buffer),
        )


@pytest.mark.parametrize("shift", [-59, -30, 0, 1, 59])
def test_two_reservations_of_one_doctor_may_not_overlap(shift):
    doctor = DoctorFactory()
    reservation(doctor, PatientFactory())
    with pytest.raises(IntegrityError, match=constraints.DOCTOR_CONSTRAINT):
        reservation(doctor, PatientFactory(), TEN + timedelta(minutes=shift))


@pytest.mark.parametrize("shift", [-59, 0, 59])
def test_two_reservations_of_one_patient_may_not_overlap(shift):
    patient = PatientFactory()
    reservation(DoctorFactory(), patient)
    with pytest.raises(IntegrityError, match=constraints.PATIENT_CONSTRAINT):
        reservation(DoctorFactory(), patient, TEN + timedelta(minutes=shift))


@pytest.mark.parametrize("shift", [-60, 60])
def test_reservations_that_touch_do_not_overlap(shift):
    doctor, patient = DoctorFactory(), PatientFactory()
    reservation(doctor, patient)
    reservation(doctor, patient, TEN + timedelta(minutes=shift))
    assert Reservation.objects.count() == 2


def test_the_buffer_keeps_the_doctor_busy_but_not_the_patient():
    doctor, patient = DoctorFactory(), PatientFactory()
    reservation(doctor, patient, buffer=15)
    reservation(DoctorFactory(), patient, TEN + timedelta(minutes=60))
    with pytest.raises(IntegrityError, match=constraints.DOCTOR_CONSTRAINT):
        reservation(doctor, PatientFactory(), TEN + timedelta(minutes=60))


def test_moving_a_reservation_onto_another_is_refused_too():
    doctor = DoctorFactory()
    reservation(doctor, PatientFactory())
    later = reservation(doctor, PatientFactory(), TEN + timedelta(hours=2))
    later.starts_at, later.ends_at, later.busy_until = TEN, TEN + timedelta(hours=1), TEN + timedelta(hours=1)
    with pytest.raises(IntegrityError, match=constraints.DOCTOR_CONSTRAINT), transaction.atomic():
        later.save()


def test_signed_out_holds_of_nobody_do_not_overlap_as_a_patient():
    reservation(DoctorFactory(), None)
    reservation(DoctorFactory(), None)
    assert Reservation.objects.count() == 2


def test_a_proposal_may_overlap_the_reservation_it_moves_and_no_other():
    doctor, patient = DoctorFactory(), PatientFactory()
    own = reservation(doctor, patient)
    half = {"doctor": doctor, "patient": patient, "kind": "proposal", "moves": own.pk}
    times = {
        "starts_at": TEN + timedelta(minutes=30),
        "ends_at": TEN + timedelta(minutes=90),
        "busy_until": TEN + timedelta(minutes=90),
    }
    Reservation.objects.create(**half, **times)
    with pytest.raises(IntegrityError, match=constraints.DOCTOR_CONSTRAINT), transaction.atomic():
        Reservation.objects.create(**{**half, "patient": None, "moves": None}, **times)
    with pytest.raises(IntegrityError, match=constraints.DOCTOR_CONSTRAINT):
        reservation(doctor, PatientFactory(), TEN + timedelta(minutes=60))


def test_constraints_exist_after_migrate():
    assert constraints.list_missing_constraints(connection) == set()


@pytest.mark.django_db(transaction=True)
def test_missing_constraints_are_detected_and_restored(client):
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"DROP TRIGGER {constraints.DOCTOR_CONSTRAINT}_insert")
        else:
            cursor.execute(f"ALTER TABLE doctors_reservation DROP CONSTRAINT {constraints.DOCTOR_CONSTRAINT}")
    try:
        answer = client.get("/readyz")
        assert answer.status_code == 503
        assert len(answer.json()["amiss"]) == 1
        # The negative control: without the refusal two reservations of one doctor do overlap.
        doctor = DoctorFactory()
        reservation(doctor, PatientFactory())
        reservation(doctor, PatientFactory())
        Reservation.objects.all().delete()
    finally:
        constraints.create_constraints(None, using="default")
    assert client.get("/readyz").json()["amiss"] == []
