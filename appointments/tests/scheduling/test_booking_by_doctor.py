"""Test bookings by a doctor for a patient."""

import json
from datetime import UTC, date, datetime

import pytest
import time_machine

from accounts.models import AccountStatus, AuditEvent, Notice
from appointments.models import Appointment, PatientOfDoctor
from appointments.models.doctor_patient import build_upsert
from appointments.tests.factories import make_appointment
from config.db.raw_sql import insert
from doctors.availability.calendar import refresh_next_free
from doctors.models import Approval, BlockedTime, DayOverride, DoctorProfile, Reservation

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
TUESDAY = "2030-01-08"
SATURDAY = "2030-01-12"


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def book(users, client_of):
    insert(build_upsert(users.doctor.pk, users.patient, datetime(2029, 1, 1, tzinfo=UTC)))

    def post(patient=None, doctor=None, **fields):
        body = {"appointmentDate": TUESDAY, "appointmentTime": "09:00", **fields}
        return client_of((doctor or users.doctor).user).generic(
            "POST",
            f"/api/doctors/patients/{(patient or users.patient).pk}/appointments",
            json.dumps(body),
            content_type="application/json",
        )

    return post


def change(doctor, **fields):
    for name, value in fields.items():
        setattr(doctor, name, value)
    doctor.save()


def rows():
    return (
        Appointment.objects.count(),
        Reservation.objects.count(),
        Notice.objects.count(),
        AuditEvent.objects.filter(event="appointment.booked").count(),
    )


def refused(answer, status, code, reason=None):
    got = (answer.status_code, answer.json()["code"], answer.json()["data"].get("reason"))
    assert got == (status, code, reason)
    assert rows()[3] == 0
    return answer.json()


def test_appointment_is_confirmed_immediately_and_the_patient_notified(book, users):
    answer = book(symptoms="Called about a cough.")
    assert (answer.status_code, answer.json()["message"]) == (201, "Appointment booked successfully!")
    shown = answer.json()["data"]["appointment"]
    assert {
        name: shown[name] for name in ("status", "bookedBy", "outsideHours", "respondBy", "attended", "symptoms")
    } == {
        "status": "confirmed",
        "bookedBy": "doctor",
        "outsideHours": False,
        "respondBy": None,
        "attended": None,
        "symptoms": "Called about a cough.",
    }
    assert (shown["appointmentDate"], shown["appointmentTime"], shown["patient"]["_id"]) == (
        TUESDAY,
        "09:00",
        str(users.patient.pk),
    )
    appointment = Appointment.objects.get()
    assert (appointment.reservation.kind, appointment.reservation.expires_at) == ("appointment", None)
    assert list(Notice.objects.values_list("event", "recipient_id", "detail")) == [
        ("appointment.booked", person, {"by": "doctor"}) for person in (users.patient.pk, users.doctor.pk)
    ]
    assert list(
        AuditEvent.objects.filter(event="appointment.booked").values_list("agent_id", "agent_role", "entity_id")
    ) == [(users.doctor.pk, "doctor", str(appointment.pk))]
    assert PatientOfDoctor.objects.get(patient=users.patient).last_booked_at == NOW


def test_booking_updates_the_next_free_time(book, users, django_capture_on_commit_callbacks):
    refresh_next_free([users.doctor.pk], NOW)
    assert DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at == datetime(2030, 1, 7, 16, tzinfo=UTC)
    with django_capture_on_commit_callbacks(execute=True):
        assert book(appointmentDate="2030-01-07", appointmentTime="11:00").status_code == 201
    assert DoctorProfile.objects.get(pk=users.doctor.pk).next_free_at == datetime(2030, 1, 7, 17, tzinfo=UTC)


def test_repeated_booking_returns_the_existing_appointment(book):
    first = book().json()["data"]["appointment"]["_id"]
    before = rows()
    answer = book(symptoms="Again.")
    assert (answer.status_code, answer.json()["data"]["appointment"]["_id"]) == (200, first)
    assert answer.json()["message"] == "This patient has this appointment already."
    assert rows() == before
    extra = book(appointmentDate=SATURDAY, outsideHours=True).json()["data"]["appointment"]["_id"]
    for flag in (True, False):
        answer = book(appointmentDate=SATURDAY, outsideHours=flag)
        assert (answer.status_code, answer.json()["data"]["appointment"]["_id"]) == (200, extra)


def test_existing_request_of_the_patient_is_returned(book, users):
    asked = make_appointment(users.doctor, users.patient, date(2030, 1, 8))
    answer = book()
    assert (answer.status_code, answer.json()["data"]["appointment"]["_id"]) == (200, str(asked.pk))
    assert answer.json()["data"]["appointment"]["status"] == "pending"


# A time that is not offered: why, and whether it is marked once the doctor overrules that.
NOT_OFFERED = {
    "another minute": ({"appointmentTime": "09:07"}, "off_grid", False),
    "lunch": ({"appointmentTime": "13:00"}, "outside_hours", True),
    "evening": ({"appointmentTime": "21:00"}, "outside_hours", True),
    "until midnight": ({"appointmentTime": "23:00"}, "outside_hours", True),
    "Saturday": ({"appointmentDate": SATURDAY}, "day_off", True),
    "too soon": ({"appointmentDate": "2030-01-07", "appointmentTime": "12:00"}, "too_soon", False),
    "too soon at another minute": ({"appointmentDate": "2030-01-07", "appointmentTime": "11:30"}, "off_grid", False),
    "too soon and out of hours": ({"appointmentDate": "2030-01-07", "appointmentTime": "12:30"}, "outside_hours", True),
    "too far": ({"appointmentDate": "2030-09-09"}, "too_far", False),
    "too far on a Sunday": ({"appointmentDate": "2030-09-08"}, "too_far", True),
    "blocked": ({"appointmentDate": "2030-01-09"}, "outside_hours", True),
    "day off": ({"appointmentDate": "2030-01-10"}, "day_off", True),
}


@pytest.mark.parametrize("case", list(NOT_OFFERED))
def test_a_time_that_is_not_offered_is_booked_only_when_asked_to(case, book, users):
    fields, reason, marked = NOT_OFFERED[case]
    change(users.doctor, min_notice_minutes=180)
    BlockedTime.objects.create(doctor=users.doctor, date=date(2030, 1, 9), start_minute=540, end_minute=600)
    DayOverride.objects.create(doctor=users.doctor, date=date(2030, 1, 10), hours=[])
    body = refused(book(**fields), 409, "time_not_offered", reason)
    assert len(body["data"]["alternatives"]) == 3
    assert list(body["errors"]) == ["appointmentTime"]
    refused(book(**fields, outsideHours=False), 409, "time_not_offered", reason)
    answer = book(**fields, outsideHours=True)
    shown = answer.json()["data"]["appointment"]
    assert (answer.status_code, shown["outsideHours"], shown["status"]) == (201, marked, "confirmed")


def test_an_offered_time_is_not_marked_although_all_times_are_allowed(book):
    assert book(outsideHours=True).json()["data"]["appointment"]["outsideHours"] is False


def test_a_later_block_asks_about_an_appointment_at_another_minute(book, users, client_of):
    inside = book(appointmentTime="09:07", outsideHours=True).json()["data"]["appointment"]["_id"]
    evening = book(appointmentTime="21:00", outsideHours=True).json()["data"]["appointment"]["_id"]
    body = {"date": TUESDAY, "start": "08:00", "end": "24:00"}
    answer = client_of(users.doctor.user).post("/api/doctors/schedule/blocked", body, format="json")
    # The evening was outside the hours already, but not blocked.
    assert [row["_id"] for row in answer.json()["data"]["affected"]] == [inside, evening]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"appointmentDate": "2030-01-07", "appointmentTime": "10:00"}, "past"),
        ({"appointmentDate": "2030-01-06"}, "past"),
        ({"appointmentDate": "0001-01-01"}, "past"),
        ({"appointmentDate": "2032-03-09"}, "too_far"),
        ({"appointmentDate": "9999-12-31", "appointmentTime": "23:59"}, "too_far"),
    ],
)
def test_outside_hours_does_not_override_other_reasons(fields, reason, book):
    refused(book(**fields, outsideHours=True), 409, "time_not_offered", reason)


@pytest.mark.parametrize(
    ("day", "time", "now", "expected"),
    [
        # The clocks skip from 02:00 to 03:00, and show 01:00 to 02:00 twice.
        ("2030-03-10", "02:30", "2030-03-08T15:00:00Z", 409),
        ("2030-03-10", "01:30", "2030-03-08T15:00:00Z", 201),
        ("2030-03-10", "03:00", "2030-03-08T15:00:00Z", 201),
        ("2030-11-03", "01:30", "2030-11-01T15:00:00Z", 201),
        ("2030-11-03", "00:30", "2030-11-01T15:00:00Z", 201),
    ],
)
def test_daylight_saving_changes_are_handled(day, time, now, expected, book, clock):
    clock.move_to(now)
    answer = book(appointmentDate=day, appointmentTime=time, outsideHours=True)
    assert answer.status_code == expected, answer.json()
    if expected == 409:
        assert (answer.json()["code"], answer.json()["data"]["reason"]) == ("time_not_offered", "off_grid")


@pytest.mark.parametrize("outside", [True, False])
def test_taken_and_held_times_are_always_rejected(outside, book, users):
    time = "21:00" if outside else "09:00"
    make_appointment(users.doctor, users.other_patient, date(2030, 1, 8), "20:30" if outside else "09:00")
    body = refused(book(appointmentTime=time, outsideHours=outside), 409, "slot_taken", "taken")
    assert len(body["data"]["alternatives"]) == 3
    Reservation.objects.update(kind=Reservation.Kind.HOLD, expires_at=datetime(2030, 1, 8, 1, tzinfo=UTC))
    refused(book(appointmentTime=time, outsideHours=outside), 409, "slot_taken", "held")


def test_buffer_applies_outside_the_hours_too(book, users):
    change(users.doctor, buffer_minutes=15)
    make_appointment(users.doctor, users.other_patient, date(2030, 1, 8), "20:00")
    refused(book(appointmentTime="21:14", outsideHours=True), 409, "slot_taken", "taken")
    assert book(appointmentTime="21:15", outsideHours=True).status_code == 201


def test_same_wall_clock_time_in_another_zone_is_no_conflict(book, users):
    """Nine o'clock in New York is not nine o'clock in Tokyo; a doctor is not shown where else a patient goes."""
    change(users.other_doctor, time_zone="Asia/Tokyo")
    elsewhere = make_appointment(users.other_doctor, users.patient, date(2030, 1, 8), "09:00")
    make_appointment(users.doctor, users.other_patient, date(2030, 1, 8), "09:00")
    body = refused(book(), 409, "slot_taken", "taken")
    assert str(elsewhere.pk) not in json.dumps(body)


def test_busy_patient_is_rejected_with_a_message_for_the_doctor(book, users):
    make_appointment(users.other_doctor, users.patient, date(2030, 1, 8), "09:30")
    body = refused(book(outsideHours=True), 409, "patient_busy", "patient_busy")
    assert body["message"] == "This patient already has an appointment at this time."
    assert body["errors"] == {"appointmentTime": ["This patient already has an appointment at this time."]}


def hold(doctor, patient, starts_at, ends_at):
    return Reservation.objects.create(
        kind=Reservation.Kind.HOLD,
        doctor=doctor,
        patient=patient,
        starts_at=starts_at,
        ends_at=ends_at,
        busy_until=ends_at,
        expires_at=datetime(2030, 1, 7, 15, 5, tzinfo=UTC),
    )


def test_only_overlapping_holds_of_the_patient_are_released(book, users):
    nine, ten, eleven = (datetime(2030, 1, 8, hour, tzinfo=UTC) for hour in (14, 15, 16))
    own = hold(users.doctor, users.patient, nine, ten)
    elsewhere = hold(users.other_doctor, users.patient, ten, eleven)
    answer = book()
    assert answer.status_code == 201, answer.json()
    assert set(Reservation.objects.values_list("pk", "kind")) == {(own.pk, "appointment"), (elsewhere.pk, "hold")}
    assert Reservation.objects.get(pk=own.pk).expires_at is None
    assert book(appointmentTime="10:00").status_code == 201
    assert not Reservation.objects.filter(kind="hold").exists()


def test_only_ones_own_patients_can_be_booked_for(book, users):
    for person in (users.other_patient, users.admin, users.other_doctor.user):
        refused(book(person), 404, "not_found")
    refused(book(doctor=users.other_doctor), 404, "not_found")


@pytest.mark.parametrize("fields", [{"status": AccountStatus.INACTIVE}, {"ended_at": NOW}])
def test_deactivated_account_cannot_be_booked_for(fields, book, users):
    change(users.patient, **fields)
    refused(book(), 409, "patient_unavailable")


@pytest.mark.parametrize("approval", [Approval.PENDING, Approval.REJECTED, Approval.REVOKED])
def test_unapproved_doctor_cannot_book(approval, book, users):
    change(users.doctor, approval=approval)
    refused(book(), 404, "doctor_unavailable")


@pytest.mark.parametrize(
    ("fields", "marked"),
    [
        ({"appointmentDate": 7}, ["appointmentDate"]),
        ({"appointmentDate": "2030-02-30"}, ["appointmentDate"]),
        ({"appointmentDate": ["2030-01-08"]}, ["appointmentDate"]),
        ({"appointmentTime": "9:00"}, ["appointmentTime"]),
        ({"appointmentTime": "24:00"}, ["appointmentTime"]),
        ({"appointmentTime": {"hour": 9}}, ["appointmentTime"]),
        ({"symptoms": "a\x00b"}, ["symptoms"]),
        ({"symptoms": None}, ["symptoms"]),
        ({"symptoms": "a" * 2001}, ["symptoms"]),
        ({"symptoms": "\ud800"}, ["symptoms"]),
        ({"outsideHours": None}, ["outsideHours"]),
        ({"outsideHours": "perhaps"}, ["outsideHours"]),
        ({"outsideHours": [True]}, ["outsideHours"]),
    ],
)
def test_invalid_values_are_field_errors(fields, marked, book):
    answer = book(**fields)
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (400, "invalid", marked)
    assert rows() == (0, 0, 0, 0)


@pytest.mark.parametrize("missing", ["appointmentDate", "appointmentTime"])
def test_missing_date_or_time_has_its_message(missing, book):
    answer = book(**{missing: None})
    assert (answer.status_code, answer.json()["code"]) == (400, "date_time_required")
    assert answer.json()["errors"] == {missing: ["Please select date and time"]}


def test_patient_cannot_cancel_it_but_can_say_cannot_make_it(book, users, client_of):
    pk = book().json()["data"]["appointment"]["_id"]
    patient = client_of(users.patient)
    assert patient.put(f"/api/appointments/{pk}/cancel").status_code == 409
    assert patient.post(f"/api/appointments/{pk}/cancel-request").status_code == 200
