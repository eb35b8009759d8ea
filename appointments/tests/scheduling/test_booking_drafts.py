"""Test drafts of the booking form: one per patient and doctor, deleted on booking."""

from datetime import timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from accounts.models import AccountStatus
from adminpanel.account.export import iterate_sections
from appointments.models import Appointment, BookingDraft
from appointments.scheduling.account_closure import end_account
from appointments.scheduling.booking_drafts import (
    DRAFT_RETENTION,
    MAX_DRAFTS_PER_PATIENT,
    delete_old_drafts,
    save_draft,
)
from config.api.errors import DomainError
from doctors.tests.factories import DoctorFactory

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TYPED = {"symptoms": "My knee hu", "notes": "After six \n"}


@pytest.fixture(autouse=True)
def monday():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def client(users, client_of):
    return client_of(users.patient)


def address(doctor):
    return f"/api/appointments/drafts/{doctor.pk}"


def put(client, doctor, **changes):
    return client.put(address(doctor), {**TYPED, **changes}, format="json")


def draft_of(client, doctor):
    answer = client.get(address(doctor))
    assert answer.status_code == 200
    return answer.json()["data"]["draft"]


def test_draft_is_returned_as_typed(client, users):
    assert draft_of(client, users.doctor) is None
    answer = put(client, users.doctor)
    saved = {**TYPED, "savedAt": "2030-01-07T15:00:00Z"}
    assert (answer.status_code, answer.json()["data"]) == (200, {"draft": saved})
    assert draft_of(client, users.doctor) == saved
    put(client, users.doctor, symptoms="My knee hurts")
    assert draft_of(client, users.doctor)["symptoms"] == "My knee hurts"
    assert BookingDraft.objects.count() == 1


def test_draft_belongs_to_one_patient_and_one_doctor(client, users, client_of):
    put(client, users.doctor)
    assert draft_of(client_of(users.other_patient), users.doctor) is None
    assert draft_of(client, users.other_doctor) is None


def test_blank_text_and_delete_both_end_the_draft(client, users):
    put(client, users.doctor)
    assert put(client, users.doctor, symptoms=" ", notes="\n").json()["data"] == {"draft": None}
    assert not BookingDraft.objects.exists()
    put(client, users.doctor)
    for _ in range(2):
        assert client.delete(address(users.doctor)).status_code == 200
    assert not BookingDraft.objects.exists()


def test_patient_can_delete_a_draft_for_a_doctor_who_can_no_longer_be_booked(client, users):
    put(client, users.doctor)
    users.doctor.user.status = AccountStatus.INACTIVE
    users.doctor.user.save()
    assert client.get(address(users.doctor)).status_code == 404
    assert client.delete(address(users.doctor)).status_code == 200
    assert not BookingDraft.objects.exists()


def test_draft_cannot_be_saved_for_an_account_that_was_just_closed(users):
    now = timezone.now()
    end_account(users.patient.pk, actor=users.admin, now=now)
    # The request was let in before the account ended.
    with pytest.raises(DomainError, match="signed out"):
        save_draft(users.patient, users.doctor.pk, **TYPED, now=now)
    assert not BookingDraft.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"symptoms": "x" * 2001, "notes": ""}, "symptoms"),
        ({"symptoms": "", "notes": "x" * 2001}, "notes"),
        ({"symptoms": "a\x00b", "notes": ""}, "symptoms"),
        ({"symptoms": 7, "notes": ""}, "symptoms"),
        ({"symptoms": "x"}, "notes"),
    ],
)
def test_draft_has_the_limits_of_the_form(body, field, client, users):
    put(client, users.doctor)
    answer = client.put(address(users.doctor), body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])
    assert draft_of(client, users.doctor)["symptoms"] == TYPED["symptoms"]


def test_draft_requires_a_bookable_doctor(client, users):
    stopped = DoctorFactory.create(user__status=AccountStatus.INACTIVE)
    for doctor in (users.unapproved_doctor, stopped):
        for answer in (put(client, doctor), client.get(address(doctor))):
            assert (answer.status_code, answer.json()["code"]) == (404, "doctor_unavailable")
    assert not BookingDraft.objects.exists()


def test_oldest_drafts_of_a_patient_are_replaced(users):
    now = timezone.now()
    doctors = [DoctorFactory.create() for _ in range(MAX_DRAFTS_PER_PATIENT + 1)]
    save_draft(users.other_patient, doctors[0].pk, symptoms="Mine", notes="", now=now - timedelta(days=1))
    for number, doctor in enumerate(doctors):
        save_draft(users.patient, doctor.pk, symptoms="x", notes="", now=now + timedelta(seconds=number))
    kept = BookingDraft.objects.filter(patient=users.patient).values_list("doctor", flat=True)
    assert set(kept) == {doctor.pk for doctor in doctors[1:]}
    assert BookingDraft.objects.filter(patient=users.other_patient).count() == 1


def test_booking_deletes_the_draft_of_that_doctor_alone(client, users, client_of):
    put(client, users.doctor)
    put(client, users.other_doctor)
    put(client_of(users.other_patient), users.doctor)
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-08", "appointmentTime": "09:00"}
    taken = {**body, "appointmentTime": "03:00"}
    assert client.post("/api/appointments", taken, format="json").status_code == 409
    assert BookingDraft.objects.count() == 3
    assert client.post("/api/appointments", {**body, **TYPED}, format="json").status_code == 201
    assert Appointment.objects.get().symptoms == "My knee hu"
    left = set(BookingDraft.objects.values_list("patient", "doctor"))
    assert left == {(users.patient.pk, users.other_doctor.pk), (users.other_patient.pk, users.doctor.pk)}
    # A second window sends the same form again: what it had saved goes too.
    put(client, users.doctor)
    assert client.post("/api/appointments", {**body, **TYPED}, format="json").status_code == 200
    assert draft_of(client, users.doctor) is None


def test_old_drafts_are_deleted(users):
    now = timezone.now()
    save_draft(users.patient, users.doctor.pk, symptoms="old", notes="", now=now - DRAFT_RETENTION)
    save_draft(
        users.patient, users.other_doctor.pk, symptoms="new", notes="", now=now - DRAFT_RETENTION + timedelta(seconds=1)
    )
    assert delete_old_drafts(now) == 1
    assert [draft.symptoms for draft in BookingDraft.objects.all()] == ["new"]
    assert delete_old_drafts(now) == 0


def test_drafts_are_part_of_the_export_and_end_with_the_account(users):
    now = timezone.now()
    save_draft(users.patient, users.doctor.pk, **TYPED, now=now)
    rows = {name: list(rows) for name, rows in iterate_sections(users.patient)}["booking-drafts"]
    assert [(row["doctor_id"], row["symptoms"]) for row in rows] == [(users.doctor.pk, "My knee hu")]
    end_account(users.patient.pk, actor=users.admin, now=now)
    assert not BookingDraft.objects.exists()


def test_drafts_are_erased_with_the_person(users):
    save_draft(users.patient, users.doctor.pk, **TYPED, now=timezone.now())
    call_command("erase_person", users.patient.email, "--yes")
    assert not BookingDraft.objects.exists()
