"""Test booking: what it writes, what it rejects, and that a rejection changes nothing."""

import json
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEvent, Notice
from accounts.tests.factories import PatientFactory
from accounts.text.phone_numbers import format_phone
from accounts.throttling.rate_limit import RateLimit
from appointments import views
from appointments.models import Appointment
from appointments.scheduling.booking import build_slot_error
from appointments.tests.factories import make_appointment
from doctors.availability.calendar import Calendar
from doctors.models import BlockedTime, DayOverride, DoctorProfile, Reservation
from doctors.tests.factories import DoctorFactory

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TUESDAY = "2030-01-08"


@pytest.fixture(autouse=True)
def monday():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def book(users, client_of):
    def post(patient=None, doctor=None, **fields):
        body = {"doctorId": str((doctor or users.doctor).pk), "appointmentDate": TUESDAY, "appointmentTime": "09:00"}
        # Dumped here, since a lone surrogate has no UTF-8 form but does have a JSON one.
        return client_of(patient or users.patient).generic(
            "POST", "/api/appointments", json.dumps({**body, **fields}), content_type="application/json"
        )

    return post


def rows():
    return (
        Appointment.objects.count(),
        Reservation.objects.count(),
        Notice.objects.filter(subject_type="appointment").count(),
    )


def test_booking_writes_appointment_reservation_audit_event_and_both_notices(book, users):
    answer = book(symptoms="A cough.", notes="After six o'clock by phone.")
    assert (answer.status_code, answer.json()["message"]) == (201, "Appointment booked successfully!")
    appointment = Appointment.objects.get()
    shown = answer.json()["data"]["appointment"]
    assert shown == {
        "_id": str(appointment.pk),
        "doctor": {
            "_id": str(users.doctor.pk),
            "name": users.doctor.user.name,
            "specialization": "Cardiology",
            "profilePicture": None,
        },
        "patient": {
            "_id": str(users.patient.pk),
            "name": users.patient.name,
            "email": users.patient.email,
            "phone": format_phone(users.patient.phone),
        },
        "hospital": {
            "name": "Example General",
            "address": {
                "street": "2 Sample Road",
                "city": "Springfield",
                "state": "NY",
                "zipCode": "00000",
                "country": "US",
            },
            "phone": "(202) 555-0199",
        },
        "appointmentDate": TUESDAY,
        "appointmentTime": "09:00",
        "timeZone": "America/New_York",
        "startsAt": "2030-01-08T14:00:00Z",
        "endsAt": "2030-01-08T15:00:00Z",
        "status": "pending",
        "symptoms": "A cough.",
        "notes": {"patient": "After six o'clock by phone.", "doctor": ""},
        "diagnosis": "",
        "prescription": {"notes": "", "items": []},
        "followUpDays": None,
        "record": {"version": 0, "writtenAt": None},
        "consultationFee": 120.0,
        "currency": "USD",
        "createdAt": "2030-01-07T15:00:00Z",
        # Half of the 23 hours left is in the evening: the next 08:30 of the clinic.
        "respondBy": "2030-01-08T13:30:00Z",
        "cancelledBy": None,
        "cancelReason": "",
        "cancelReply": "",
        "declined": False,
        "cancelRequest": None,
        "proposal": None,
        "outsideHours": False,
        "attended": None,
        "bookedBy": "patient",
        "cancelUntil": None,
        "rescheduleUntil": "2030-01-08T13:30:00Z",
        "completableFrom": "2030-01-08T13:45:00Z",
        "completedAt": None,
        "reopenUntil": None,
        "undoUntil": None,
        "version": 1,
    }
    assert (appointment.reservation.starts_at, appointment.reservation.busy_until) == (
        appointment.starts_at,
        appointment.ends_at,
    )
    # Unanswered, the request gives its time back at its deadline.
    assert appointment.reservation.expires_at == appointment.respond_by
    assert list(AuditEvent.objects.filter(event="appointment.booked").values_list("agent_id", "entity_id")) == [
        (users.patient.pk, str(appointment.pk))
    ]
    assert set(Notice.objects.filter(event="appointment.booked").values_list("recipient_id", flat=True)) == {
        users.patient.pk,
        users.doctor.pk,
    }


def test_request_must_be_answered_within_48_hours(book):
    shown = book(appointmentDate="2030-01-18").json()["data"]["appointment"]
    assert shown["respondBy"] == "2030-01-09T15:00:00Z"


def test_instant_confirmation_confirms_immediately(book, users):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(instant_confirmation=True)
    shown = book().json()["data"]["appointment"]
    assert (shown["status"], shown["respondBy"]) == ("confirmed", None)


def test_repeated_booking_returns_the_existing_appointment(book):
    first = book(symptoms="First.")
    again = book(symptoms="Second.")
    assert (again.status_code, again.json()["data"]) == (200, first.json()["data"])
    assert rows() == (1, 1, 2)


def test_a_taken_time_is_refused_with_the_nearest_free_ones(book, users):
    book(appointmentTime="10:00")
    answer = book(patient=users.other_patient, appointmentTime="10:00")
    assert (answer.status_code, answer.json()["code"]) == (409, "slot_taken")
    assert list(answer.json()["errors"]) == ["appointmentTime"]
    assert answer.json()["data"] == {
        "reason": "taken",
        "alternatives": [
            {"date": TUESDAY, "time": time, "startsAt": f"2030-01-08T{hour}:00:00Z"}
            for time, hour in (("09:00", 14), ("11:00", 16), ("12:00", 17))
        ],
    }
    assert rows() == (1, 1, 2)


def test_a_cancelled_appointment_frees_its_time(book, users, client_of):
    first = book().json()["data"]["appointment"]
    client_of(users.patient).put(f"/api/appointments/{first['_id']}/cancel")
    assert book(patient=users.other_patient).status_code == 201


def test_patient_cannot_have_overlapping_appointments(book, users):
    book()
    answer = book(doctor=users.other_doctor)
    assert (answer.status_code, answer.json()["code"]) == (409, "patient_busy")
    # What is offered instead does not clash with the appointment that the patient has.
    assert "09:00" not in [free["time"] for free in answer.json()["data"]["alternatives"] if free["date"] == TUESDAY]
    assert rows() == (1, 1, 2)


def test_lost_time_that_is_free_again_is_not_reported_as_busy(users):
    """A constraint refused it, and what stood in the way has gone since."""
    slot = Calendar.read(users.doctor, timezone.now()).find_slot(date(2030, 1, 8), time(9))
    # Others are elsewhere at that time.
    make_appointment(users.other_doctor, users.other_patient, date(2030, 1, 8), "09:00")

    def code(patient):
        return build_slot_error(slot, users.doctor, patient, date(2030, 1, 8), time(9), timezone.now()).code

    assert (code(users.patient), code(users.other_patient), code(None)) == ("slot_taken", "patient_busy", "slot_taken")


def test_intervals_are_compared_not_starts(book, users):
    long = DoctorFactory(appointment_minutes=90)
    make_appointment(users.doctor, users.patient, date(2030, 1, 8), "10:00")
    assert book(doctor=long, appointmentTime="09:00").json()["code"] == "patient_busy"


@pytest.mark.parametrize(
    ("day", "time", "reason"),
    [
        ("2030-01-07", "09:00", "past"),
        ("2030-01-06", "09:00", "past"),
        ("2031-01-07", "09:00", "too_far"),
        ("9999-12-31", "09:00", "too_far"),
        ("2030-01-12", "09:00", "day_off"),
        (TUESDAY, "13:00", "outside_hours"),
        (TUESDAY, "08:00", "outside_hours"),
        (TUESDAY, "09:30", "off_grid"),
    ],
)
def test_a_time_that_is_not_offered_is_refused_with_its_reason(day, time, reason, book):
    answer = book(appointmentDate=day, appointmentTime=time)
    assert (answer.status_code, answer.json()["code"]) == (409, "time_not_offered")
    assert answer.json()["data"]["reason"] == reason
    assert answer.json()["data"]["alternatives"]
    assert rows() == (0, 0, 0)


def test_notice_days_off_and_blocked_hours_are_enforced(book, users):
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(min_notice_minutes=48 * 60)
    assert book().json()["data"]["reason"] == "too_soon"
    DayOverride.objects.create(doctor=users.doctor, date=date(2030, 1, 10), hours=[])
    assert book(appointmentDate="2030-01-10").json()["data"]["reason"] == "day_off"
    BlockedTime.objects.create(doctor=users.doctor, date=date(2030, 1, 11), start_minute=540, end_minute=600)
    assert book(appointmentDate="2030-01-11").json()["data"]["reason"] == "outside_hours"
    assert book(appointmentDate="2030-01-11", appointmentTime="10:00").status_code == 201


def test_held_time_is_taken_until_the_hold_expires(book, users):
    start = datetime(2030, 1, 8, 9, tzinfo=ZoneInfo("America/New_York"))
    end = start + timedelta(hours=1)
    Reservation.objects.create(
        kind="hold", doctor=users.doctor, patient=None, starts_at=start, ends_at=end, busy_until=end,
        expires_at=timezone.now() + timedelta(minutes=5),
    )  # fmt: skip
    answer = book()
    assert (answer.status_code, answer.json()["code"], answer.json()["data"]["reason"]) == (409, "slot_taken", "held")
    with time_machine.travel(timezone.now() + timedelta(minutes=6), tick=False):
        assert book().status_code == 201
    assert Reservation.objects.count() == 1


@pytest.mark.parametrize("kind", ["unknown", "unapproved", "stopped"])
def test_a_doctor_who_cannot_be_booked_is_not_found(kind, book, users):
    doctor = {"unapproved": users.unapproved_doctor}.get(kind, users.doctor)
    if kind == "stopped":
        doctor.user.status = "inactive"
        doctor.user.save()
    more = {"doctorId": "00000000-0000-7000-8000-000000000000"} if kind == "unknown" else {}
    answer = book(doctor=doctor, **more)
    assert (answer.status_code, answer.json()["code"]) == (404, "doctor_unavailable")
    assert answer.json()["message"] == "Doctor not found or unavailable."
    assert list(answer.json()["errors"]) == ["doctorId"]
    assert rows() == (0, 0, 0)


@pytest.mark.parametrize("missing", [["appointmentDate"], ["appointmentTime"], ["appointmentDate", "appointmentTime"]])
def test_date_and_time_are_required(missing, book):
    answer = book(**dict.fromkeys(missing, ""))
    assert (answer.status_code, answer.json()["code"]) == (400, "date_time_required")
    assert (answer.json()["message"], sorted(answer.json()["errors"])) == ("Please select date and time", missing)


HOSTILE_TEXT = ["a\x00b", "\ud800", "x" * 2001, "x" * 1_000_000, ["a"], {"a": 1}, 5, True, None, "right\u202eleft"]
HOSTILE: dict[str, list[Any]] = {
    "doctorId": ["", "1", "x" * 1000, None, [], 5, "00000000-0000-0000-0000-00000000000g", "\x00"],
    "appointmentDate": [
        "2026-02-30",
        "2030-13-01",
        "tomorrow",
        "8.1.2030",
        "2030-1-8",
        20300108,
        [],
        {},
        True,
        "２０３０-01-08",
    ],
    "appointmentTime": ["9:00", "09:00:30", "25:00", "24:00", "0900", 9, ["09:00"], {}, "٠٩:٠٠", "09:00\n"],
    "symptoms": HOSTILE_TEXT,
    "notes": HOSTILE_TEXT,
}


@pytest.mark.parametrize(
    ("field", "value"),
    [(field, value) for field, values in HOSTILE.items() for value in values],
    ids=lambda v: repr(v)[:40],
)
def test_bad_input_names_its_field_and_changes_nothing(field, value, book):
    answer = book(**{field: value})
    assert answer.status_code == 400, answer.json()
    assert list(answer.json()["errors"]) == [field]
    assert rows() == (0, 0, 0)


def test_unknown_fields_change_nothing(book, users):
    shown = book(
        _id="00000000-0000-7000-8000-000000000000",
        id="00000000-0000-7000-8000-000000000000",
        status="completed",
        patientId=str(users.other_patient.pk),
        consultationFee=0,
        role="admin",
    ).json()["data"]["appointment"]
    assert (shown["status"], shown["patient"]["_id"], shown["consultationFee"]) == (
        "pending",
        str(users.patient.pk),
        120.0,
    )


@pytest.mark.parametrize("body", ["{", "[]", '"x"', "null", "NaN", '{"a": NaN}', "\xff", "[" * 100_000])
def test_a_body_that_is_no_json_object_is_malformed(body, users, client_of):
    answer = client_of(users.patient).generic(
        "POST", "/api/appointments", body.encode("latin-1"), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_another_content_type_is_refused(users, client_of):
    answer = client_of(users.patient).generic("POST", "/api/appointments", b"<a/>", content_type="application/xml")
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


def test_an_oversized_body_is_refused(users, client_of):
    answer = client_of(users.patient).generic(
        "POST", "/api/appointments", b" " * (7 * 1024 * 1024), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


def test_appointment_keeps_its_data_after_a_profile_change(book, users, client_of):
    book()
    DoctorProfile.objects.filter(pk=users.doctor.pk).update(consultation_fee=999, hospital_name="Elsewhere")
    users.doctor.user.name = "Another Name"
    users.doctor.user.save()
    shown = client_of(users.patient).get("/api/appointments").json()["data"]["appointments"][0]
    assert (shown["consultationFee"], shown["hospital"]["name"]) == (120.0, "Example General")
    assert shown["doctor"]["name"] != "Another Name"


def test_every_listed_time_can_be_booked(book, client, users):
    slots = client.get(f"/api/doctors/{users.doctor.pk}/slots", {"days": 3}).json()["data"]["slots"]
    listed = [(day["date"], time) for day in slots for time in day["times"]]
    assert listed
    for day, text in listed:
        assert book(patient=PatientFactory(), appointmentDate=day, appointmentTime=text).status_code == 201
    again = client.get(f"/api/doctors/{users.doctor.pk}/slots", {"days": 3}).json()["data"]["slots"]
    assert [day["times"] for day in again] == [[], [], []]


@pytest.mark.parametrize("zone", ["Europe/London", "America/New_York"])
def test_an_appointment_keeps_its_wall_clock_time_across_a_clock_change(zone, book):
    doctor = DoctorFactory(time_zone=zone)
    for day in ("2030-03-08", "2030-04-05"):
        shown = book(doctor=doctor, appointmentDate=day).json()["data"]["appointment"]
        assert shown["appointmentTime"] == "09:00"
        local = datetime.fromisoformat(shown["startsAt"]).astimezone(ZoneInfo(zone))
        assert (local.date().isoformat(), local.hour) == (day, 9)


def test_doctor_can_propose_without_a_limit(book, users, client_of, monkeypatch):
    monkeypatch.setattr(views, "patient_change_limit", RateLimit("appointment-changes", 1))
    appointment = book(appointmentDate=TUESDAY, appointmentTime="09:00").json()["data"]["appointment"]["_id"]
    doctor, later = client_of(users.doctor.user), {"appointmentDate": TUESDAY, "appointmentTime": "14:00"}
    for _ in range(3):
        answer = doctor.post(f"/api/appointments/{appointment}/proposal", later, format="json")
        assert answer.status_code == 201, answer.json()["code"]
        assert (
            doctor.put(f"/api/appointments/{appointment}/proposal", {"accept": False}, format="json").status_code == 200
        )


def test_patient_cannot_flood_a_doctors_mailbox(book, users, client_of, monkeypatch):
    """Each booking, move and proposal is a mail to the doctor: taken back or refused, it counts."""
    monkeypatch.setattr(views, "patient_change_limit", RateLimit("appointment-changes", 3))
    client = client_of(users.patient)
    first, later = ({"appointmentDate": TUESDAY, "appointmentTime": time} for time in ("09:00", "14:00"))
    appointment = book(**first).json()["data"]["appointment"]["_id"]
    assert client.put(f"/api/appointments/{appointment}/reschedule", later, format="json").status_code == 200
    assert client.put(f"/api/appointments/{appointment}/cancel", {}, format="json").status_code == 200
    assert client.post(f"/api/appointments/{appointment}/proposal", first, format="json").status_code == 409

    standing = rows()
    for answer in (
        book(**first),
        client.put(f"/api/appointments/{appointment}/reschedule", first, format="json"),
        client.post(f"/api/appointments/{appointment}/proposal", first, format="json"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert int(answer["Retry-After"]) > 0
    assert rows() == standing
    # Nobody else waits for it.
    assert book(patient=PatientFactory.create(), **first).status_code == 201


def test_appointments_of_others_do_not_limit_the_alternatives(users):
    day, now = date(2030, 1, 8), timezone.now()
    calendar = Calendar.read(users.doctor, now)
    before = calendar.list_alternatives(day, time(9), users.patient)
    for hour in range(9, 17):
        make_appointment(users.other_doctor, users.other_patient, day, f"{hour:02}:00", status="confirmed")
    assert calendar.list_alternatives(day, time(9), users.patient) == before
    make_appointment(users.other_doctor, users.patient, day, "17:00", status="confirmed")
    assert time(17) not in [
        slot.time for slot in calendar.list_alternatives(day, time(17), users.patient) if slot.date == day
    ]


def on_postgresql():
    return connection.vendor == "postgresql"


@pytest.mark.parametrize("appointments", [0, 20])
def test_booking_takes_the_same_queries_for_any_number_of_reservations(
    appointments, book, users, client_of, django_assert_num_queries
):
    for number in range(appointments):
        day = date(2030, 1, 9) + timedelta(days=7 * (number // 4) + number % 2)
        make_appointment(users.doctor, users.other_patient, day, f"{9 + number % 4}:00")
    client = client_of(users.patient)
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": TUESDAY, "appointmentTime": "09:00"}
    # The session; a transaction's two ends; both locks (none on SQLite, which asks for the patient's account alone);
    # doctor and counts; the calendar; reservation, appointment, pair, audit row and notices, which PostgreSQL takes
    # together.
    with django_assert_num_queries(7 if on_postgresql() else 11):
        assert client.post("/api/appointments", body, format="json").status_code == 201
    # A loser reads the patient's own times for the alternatives, and nothing twice; a savepoint is undone in two steps.
    other = client_of(PatientFactory.create())
    with django_assert_num_queries(8):
        answer = other.post("/api/appointments", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "slot_taken")
    assert [slot["time"] for slot in answer.json()["data"]["alternatives"]] == ["10:00", "11:00", "12:00"]


def test_nearest_times_do_not_depend_on_the_first_range_read(users):
    """Booked out for long stretches before and after what is read first, so that the nearest lie beyond it."""
    now = timezone.now()
    doctor = users.doctor
    free = [slot for _, slots in Calendar.read(doctor, now).list_free_slots(date(2030, 1, 7), 60) for slot in slots]
    Reservation.objects.bulk_create(
        Reservation(
            kind="appointment", doctor=doctor, starts_at=slot.starts_at_utc, ends_at=slot.ends_at_utc,
            busy_until=slot.busy_until_utc,
        )
        for slot in free[9:150] + free[160:]
    )  # fmt: skip
    for day in (date(2030, 1, 7) + timedelta(days=number) for number in range(0, 60, 3)):
        whole = Calendar.read(doctor, now).list_alternatives(day, time(10))
        for known in (1, 4, 9, 30):
            until = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo("UTC")) + timedelta(days=known)
            assert Calendar.read(doctor, now, until=until).list_alternatives(day, time(10)) == whole


@pytest.mark.parametrize(("time", "is_looked_for"), [("09:00", True), ("10:00", False)])
def test_next_free_time_is_searched_only_when_it_was_taken(
    time, is_looked_for, book, users, django_capture_on_commit_callbacks
):
    DoctorProfile.objects.update(next_free_at=datetime(2030, 1, 8, 14, tzinfo=ZoneInfo("UTC")))
    with django_capture_on_commit_callbacks() as callbacks:
        assert book(appointmentTime=time).status_code == 201
    assert len(callbacks) == is_looked_for


def test_text_is_stored_as_sent(book):
    text = "Quotes \"and' back\\slashes, {braces}, %s, \ttabs,\nlines, null, ⚕️ and 😷."
    assert book(symptoms=text, notes="null").status_code == 201
    appointment = Appointment.objects.get()
    assert (appointment.symptoms, appointment.patient_notes, appointment.prescription_items) == (text, "null", [])
    assert appointment.consultation_fee == appointment.doctor.consultation_fee
