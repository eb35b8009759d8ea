"""Test medical records and their versions."""

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from accounts.models import AuditEvent, Notice, PatientDetails
from accounts.text.phone_numbers import format_phone
from appointments.models import Appointment, AppointmentRecord, RecordDraft
from appointments.records.services import write_record
from appointments.tests.factories import make_appointment
from config.api.fields import format_utc

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()
ITEM = {"medicine": "Amoxicillin", "dose": "500 mg", "frequency": "three times a day", "days": 7}
FULL = {
    "diagnosis": "A common cold.",
    "notes": "Throat a little red.",
    "prescription": {"notes": "Rest.", "items": [ITEM, {**ITEM, "medicine": "Honey", "days": None}]},
    "followUpDays": 14,
}
NOTHING = {
    "version": 0,
    "writtenAt": None,
    "diagnosis": "",
    "notes": "",
    "prescription": {"notes": "", "items": []},
    "followUpDays": None,
}


@pytest.fixture
def appointment(users):
    return make_appointment(users.doctor, users.patient, TODAY - timedelta(days=1), status="confirmed")


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


def address(appointment, rest=""):
    return f"/api/appointments/{appointment.pk}/visit{rest}"


def write(client, appointment, **changes):
    return client.put(address(appointment), changes, format="json")


def written(client, appointment, **changes):
    answer = write(client, appointment, **changes)
    assert answer.status_code == 200, answer.json()
    return answer.json()["data"]["record"]


def events(appointment, name="record.written"):
    return list(AuditEvent.objects.filter(event=name, entity_id=str(appointment.pk)).order_by("id"))


def told(appointment):
    return list(
        Notice.objects.filter(subject_id=str(appointment.pk))
        .order_by("id")
        .values_list("event", "version", "recipient")
    )


# --- Writing ----------------------------------------------------------------------------------


def test_record_is_written_completely(users, doctor, appointment):
    answer = write(doctor, appointment, **FULL, version=0)
    assert (answer.status_code, answer.json()["message"]) == (200, "Record saved")
    row = AppointmentRecord.objects.get()
    record = {**FULL, "version": 1, "writtenAt": format_utc(row.written_at)}
    shown = answer.json()["data"]
    assert set(shown) == {"appointment", "record"}
    assert shown["record"] == record
    assert {name: shown["appointment"][name] for name in ("diagnosis", "prescription", "followUpDays", "record")} == {
        "diagnosis": "A common cold.",
        "prescription": FULL["prescription"],
        "followUpDays": 14,
        "record": {"version": 1, "writtenAt": record["writtenAt"]},
    }
    assert shown["appointment"]["notes"] == {"patient": "", "doctor": "Throat a little red."}
    assert doctor.get(address(appointment)).json()["data"]["record"] == record
    assert row.written_by == users.doctor.user
    event = events(appointment)[0]
    assert (event.agent_id, event.action, event.detail) == (users.doctor.pk, "C", {"version": 1})
    # Until the appointment is completed, its patient is not told of every word.
    assert told(appointment) == []


def test_absent_fields_stay_unchanged(doctor, appointment):
    written(doctor, appointment, **FULL)
    record = written(doctor, appointment, prescription={"notes": "Rest, and warm drinks."})
    assert {**record, "writtenAt": None} == {
        **FULL,
        "prescription": {"notes": "Rest, and warm drinks.", "items": FULL["prescription"]["items"]},
        "version": 2,
        "writtenAt": None,
    }
    assert written(doctor, appointment, followUpDays=None)["followUpDays"] is None
    assert written(doctor, appointment, prescription={"items": []})["prescription"] == {
        "notes": "Rest, and warm drinks.",
        "items": [],
    }


def test_write_builds_on_the_latest_version(users, doctor, appointment):
    read_before = Appointment.objects.get(pk=appointment.pk)
    written(doctor, appointment, diagnosis="A cold.")
    write_record(read_before, {"notes": "Rest."}, actor=users.doctor.user, now=timezone.now())
    newest = AppointmentRecord.objects.latest("version")
    assert (newest.version, newest.diagnosis, newest.notes) == (2, "A cold.", "Rest.")


def test_versions_are_immutable_and_listed(users, doctor, appointment, client_of):
    for word in ("one", "two", "three"):
        written(doctor, appointment, diagnosis=word)
    for client in (doctor, client_of(users.patient)):
        data = client.get(address(appointment, "/versions?pageSize=2")).json()["data"]
        assert [(row["version"], row["diagnosis"]) for row in data["versions"]] == [(3, "three"), (2, "two")]
        assert set(data["versions"][0]) == set(NOTHING)
        assert data["pagination"] == {"page": 1, "pageSize": 2, "hasNext": True, "count": 3, "countIsExact": True}
    last = doctor.get(address(appointment, "/versions?pageSize=2&page=2")).json()["data"]["versions"]
    assert [(row["version"], row["diagnosis"]) for row in last] == [(1, "one")]
    assert [event.detail for event in events(appointment)] == [{"version": number} for number in (1, 2, 3)]
    assert [event.action for event in events(appointment)] == ["C", "U", "U"]


def test_a_write_that_changes_nothing_adds_no_version(doctor, appointment):
    assert written(doctor, appointment) == NOTHING
    assert written(doctor, appointment, diagnosis="", notes="", prescription={"notes": "", "items": []}) == NOTHING
    first = written(doctor, appointment, **FULL)
    # Sent again after an answer was lost: `version` is the old one, what it wants stands.
    assert written(doctor, appointment, **FULL, version=0) == first
    assert AppointmentRecord.objects.count() == 1
    assert len(events(appointment)) == 1


def test_write_from_an_older_version_returns_the_current_one(doctor, appointment):
    written(doctor, appointment, diagnosis="one")
    stands = written(doctor, appointment, diagnosis="two", version=1)
    answer = write(doctor, appointment, diagnosis="three", version=1)
    assert (answer.status_code, answer.json()["code"]) == (409, "record_changed")
    assert answer.json()["data"] == {"record": stands}
    assert doctor.get(address(appointment)).json()["data"]["record"] == stands
    assert write(doctor, appointment, diagnosis="three", version=7).status_code == 409


@pytest.mark.parametrize("status", ["pending", "cancelled"])
def test_only_a_confirmed_or_completed_appointment_has_a_record(status, users, doctor):
    appointment = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2), status=status)
    answer = write(doctor, appointment, **FULL)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert answer.json()["errors"] == {"status": [f"A {status} appointment can't have a record."]}
    assert AppointmentRecord.objects.count() == 0


def test_patient_of_a_completed_appointment_is_notified_of_each_version(users, doctor, appointment):
    written(doctor, appointment, diagnosis="one")
    appointment.refresh_from_db()
    appointment.status, appointment.attended = "completed", True
    appointment.save()
    written(doctor, appointment, diagnosis="two")
    written(doctor, appointment, diagnosis="three")
    assert told(appointment) == [("record.written", number, users.patient.pk) for number in (2, 3)]


def test_only_the_doctor_of_the_appointment_writes_the_record(users, client_of, appointment):
    statuses = {
        name: write(client_of(person), appointment, **FULL).status_code
        for name, person in {
            "patient": users.patient,
            "other doctor": users.other_doctor.user,
            "admin": users.admin,
        }.items()
    }
    assert statuses == {"patient": 403, "other doctor": 404, "admin": 403}
    assert AppointmentRecord.objects.count() == 0


def test_writing_takes_the_same_queries_for_any_number_of_versions(doctor, appointment, django_assert_max_num_queries):
    for number in range(12):
        with django_assert_max_num_queries(14):
            written(doctor, appointment, diagnosis=f"word {number}")


# --- What can't be taken -------------------------------------------------------------------------

LONG = "x" * 4001
DEEP: dict[str, object] = {"a": {}}
for _ in range(60):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"diagnosis": LONG}, ["diagnosis"]),
        ({"diagnosis": 5}, ["diagnosis"]),
        ({"diagnosis": None}, ["diagnosis"]),
        ({"diagnosis": ["x"]}, ["diagnosis"]),
        ({"diagnosis": "a\u0000b"}, ["diagnosis"]),
        ({"notes": "right\u202eleft"}, ["notes"]),
        ({"notes": {"doctor": "x"}}, ["notes"]),
        ({"followUpDays": 0}, ["followUpDays"]),
        ({"followUpDays": 731}, ["followUpDays"]),
        ({"followUpDays": "14"}, ["followUpDays"]),
        ({"followUpDays": 1.5}, ["followUpDays"]),
        ({"followUpDays": True}, ["followUpDays"]),
        ({"followUpDays": 10**40}, ["followUpDays"]),
        ({"version": -1}, ["version"]),
        ({"version": "1"}, ["version"]),
        ({"version": None}, ["version"]),
        ({"version": 2**63}, ["version"]),
        ({"prescription": None}, ["prescription"]),
        ({"prescription": "Rest."}, ["prescription"]),
        ({"prescription": []}, ["prescription"]),
        ({"prescription": {"notes": LONG}}, ["prescription.notes"]),
        ({"prescription": {"notes": None}}, ["prescription.notes"]),
        ({"prescription": {"items": None}}, ["prescription.items"]),
        ({"prescription": {"items": {}}}, ["prescription.items"]),
        ({"prescription": {"items": "Amoxicillin"}}, ["prescription.items"]),
        ({"prescription": {"items": [ITEM] * 31}}, ["prescription.items"]),
        ({"prescription": {"items": [ITEM, "x", None, 5]}}, [f"prescription.items.{number}" for number in (1, 2, 3)]),
        ({"prescription": {"items": [{}]}}, ["prescription.items.0.medicine"]),
        ({"prescription": {"items": [{**ITEM, "medicine": " "}]}}, ["prescription.items.0.medicine"]),
        ({"prescription": {"items": [{**ITEM, "medicine": "x" * 201}]}}, ["prescription.items.0.medicine"]),
        ({"prescription": {"items": [ITEM, {**ITEM, "medicine": "two\nlines"}]}}, ["prescription.items.1.medicine"]),
        ({"prescription": {"items": [{**ITEM, "dose": "x" * 101}]}}, ["prescription.items.0.dose"]),
        ({"prescription": {"items": [{**ITEM, "frequency": DEEP}]}}, ["prescription.items.0.frequency"]),
        ({"prescription": {"items": [{**ITEM, "days": 0}]}}, ["prescription.items.0.days"]),
        ({"prescription": {"items": [{**ITEM, "days": 366}]}}, ["prescription.items.0.days"]),
        ({"prescription": {"items": [{**ITEM, "days": "7"}]}}, ["prescription.items.0.days"]),
        ({"diagnosis": 1, "prescription": {"items": [{"days": []}]}, "followUpDays": {}},
         ["diagnosis", "followUpDays", "prescription.items.0.days", "prescription.items.0.medicine"]),
    ],
)  # fmt: skip
def test_invalid_record_is_a_field_error(body, fields, doctor, appointment):
    answer = write(doctor, appointment, **body)
    assert (answer.status_code, sorted(answer.json()["errors"])) == (400, fields)
    # The same inside the call that completes an appointment.
    whole = doctor.put(
        f"/api/appointments/{appointment.pk}/status", {"status": "completed", "visit": body}, format="json"
    )
    assert (whole.status_code, sorted(whole.json()["errors"])) == (400, [f"visit.{field}" for field in fields])
    appointment.refresh_from_db()
    assert (appointment.record_version, appointment.status) == (0, "confirmed")


def test_lone_surrogates_and_malformed_records_are_rejected(doctor, appointment):
    raw = b'{"diagnosis": "\\ud800"}'
    answer = doctor.generic("PUT", address(appointment), raw, content_type="application/json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["diagnosis"])
    assert doctor.generic("PUT", address(appointment), b"[]", content_type="application/json").status_code == 400


def test_text_is_normalized(doctor, appointment):
    record = written(
        doctor,
        appointment,
        diagnosis="  Cafe\u0301 <b>no markup</b>\r\nsecond line 😷 ",
        prescription={"items": [{"medicine": " Paracetamol ", "dose": "", "unknown": {"deep": DEEP}}]},
    )
    assert record["diagnosis"] == "Café <b>no markup</b>\nsecond line 😷"
    assert record["prescription"]["items"] == [{"medicine": "Paracetamol", "dose": "", "frequency": "", "days": None}]


def test_values_at_the_limits_are_accepted(doctor, appointment):
    item = {"medicine": "m" * 200, "dose": "d" * 100, "frequency": "f" * 100, "days": 365}
    full = {
        "diagnosis": "d" * 4000,
        "notes": "n" * 4000,
        "prescription": {"notes": "p" * 4000, "items": [item] * 30},
        "followUpDays": 730,
    }
    assert {**written(doctor, appointment, **full), "writtenAt": None} == {**full, "version": 1, "writtenAt": None}


# --- Completing ------------------------------------------------------------------------------------


def complete(client, appointment, **more):
    return client.put(f"/api/appointments/{appointment.pk}/status", {"status": "completed", **more}, format="json")


def test_completing_saves_the_record(users, doctor, appointment):
    answer = complete(doctor, appointment, visit={**FULL, "version": 0})
    assert answer.status_code == 200, answer.json()
    shown = answer.json()["data"]["appointment"]
    assert (shown["status"], shown["diagnosis"], shown["record"]["version"]) == ("completed", "A common cold.", 1)
    appointment.refresh_from_db()
    assert (appointment.status, appointment.attended, appointment.record_version) == ("completed", True, 1)
    # One message for one act.
    assert told(appointment) == [("appointment.completed", 2, users.patient.pk)]
    assert len(events(appointment)) == 1


def test_completing_with_a_record_is_atomic(doctor, appointment):
    written(doctor, appointment, diagnosis="one")
    answer = complete(doctor, appointment, visit={"diagnosis": "two", "version": 0})
    assert (answer.status_code, answer.json()["code"]) == (409, "record_changed")
    appointment.refresh_from_db()
    assert (appointment.status, appointment.record_version, appointment.version) == ("confirmed", 1, 1)
    assert told(appointment) == []
    assert events(appointment, "appointment.completed") == []


def test_completing_again_writes_changes(users, doctor, appointment):
    complete(doctor, appointment, visit={"diagnosis": "one"})
    assert complete(doctor, appointment, visit={"diagnosis": "one", "version": 0}).status_code == 200
    assert complete(doctor, appointment, visit={"diagnosis": "two", "version": 1}).status_code == 200
    assert [row.diagnosis for row in AppointmentRecord.objects.order_by("version")] == ["one", "two"]
    assert told(appointment) == [
        ("appointment.completed", 2, users.patient.pk),
        ("record.written", 2, users.patient.pk),
    ]


@pytest.mark.parametrize("status", ["pending", "confirmed", "cancelled"])
def test_only_completing_accepts_a_record(status, doctor, appointment):
    body = {"status": status, "visit": FULL, "reason": "x"}
    answer = doctor.put(f"/api/appointments/{appointment.pk}/status", body, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["visit"])


def test_an_admin_writes_no_record_by_completing(users, client_of, appointment):
    answer = complete(client_of(users.admin), appointment, visit=FULL)
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    appointment.refresh_from_db()
    assert (appointment.status, appointment.record_version) == ("confirmed", 0)


# --- Reading ------------------------------------------------------------------------------------------


def test_doctor_sees_the_whole_record_page(users, doctor, appointment):
    PatientDetails.objects.filter(user=users.patient).update(blood_group="A+")
    users.patient.date_of_birth = TODAY.replace(year=TODAY.year - 40, day=1, month=1)
    users.patient.save()
    earlier = make_appointment(users.doctor, users.patient, TODAY - timedelta(days=30), status="completed")
    make_appointment(users.doctor, users.patient, TODAY - timedelta(days=20), status="cancelled")
    make_appointment(users.doctor, users.patient, TODAY + timedelta(days=20), status="confirmed")
    make_appointment(users.other_doctor, users.patient, TODAY - timedelta(days=10), status="completed")
    make_appointment(users.doctor, users.other_patient, TODAY - timedelta(days=9), status="completed")
    data = doctor.get(address(appointment)).json()["data"]
    assert set(data) == {"appointment", "record", "attachments", "draft", "past", "patient"}
    assert data["appointment"] == doctor.get(f"/api/appointments/{appointment.pk}").json()["data"]["appointment"]
    assert (data["record"], data["attachments"], data["draft"]) == (NOTHING, [], None)
    assert data["past"] == [doctor.get(f"/api/appointments/{earlier.pk}").json()["data"]["appointment"]]
    assert data["patient"] == {
        "_id": str(users.patient.pk),
        "name": users.patient.name,
        "email": users.patient.email,
        "phone": format_phone(users.patient.phone),
        "gender": users.patient.gender,
        "dateOfBirth": users.patient.date_of_birth.isoformat(),
        "age": 40,
        "bloodGroup": "A+",
        "profilePicture": None,
    }


def test_history_is_the_latest_five_newest_first(users, doctor, appointment):
    for days in range(2, 9):
        make_appointment(users.doctor, users.patient, TODAY - timedelta(days=days), status="completed")
    past = doctor.get(address(appointment)).json()["data"]["past"]
    assert [row["appointmentDate"] for row in past] == [
        (TODAY - timedelta(days=days)).isoformat() for days in range(2, 7)
    ]


def test_upcoming_appointment_is_not_in_the_history(users, doctor):
    later = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=9), status="confirmed")
    make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2), status="confirmed")
    over = make_appointment(users.doctor, users.patient, TODAY - timedelta(days=2), status="confirmed")
    past = doctor.get(address(later)).json()["data"]["past"]
    assert [row["_id"] for row in past] == [str(over.pk)]


def test_patient_sees_their_part_of_the_record(users, client_of, doctor, appointment):
    make_appointment(users.doctor, users.patient, TODAY - timedelta(days=30), status="completed")
    record = written(doctor, appointment, **FULL)
    doctor.put(address(appointment, "/draft"), {"content": {"diagnosis": "hm"}, "revision": 0}, format="json")
    data = client_of(users.patient).get(address(appointment)).json()["data"]
    assert data["record"] == record
    assert (data["draft"], data["past"], data["patient"]) == (None, [], None)


def test_closed_account_of_a_patient_shows_no_contact(users, doctor, appointment):
    users.patient.ended_at, users.patient.picture = timezone.now(), "pictures/one.webp"
    users.patient.save()
    PatientDetails.objects.filter(user=users.patient).delete()
    patient = doctor.get(address(appointment)).json()["data"]["patient"]
    assert (patient["email"], patient["phone"], patient["profilePicture"], patient["bloodGroup"]) == ("", "", None, "")


@pytest.mark.parametrize("call", ["", "/versions"])
def test_strangers_get_404_and_admins_403(call, users, client_of, appointment):
    people = (users.other_patient, users.other_doctor.user, users.admin)
    assert [client_of(person).get(address(appointment, call)).status_code for person in people] == [404, 404, 403]


@pytest.mark.parametrize("earlier", [0, 3, 9])
def test_record_page_takes_the_same_queries_with_and_without_history(
    earlier, users, doctor, appointment, django_assert_num_queries
):
    for days in range(earlier):
        make_appointment(users.doctor, users.patient, TODAY - timedelta(days=days + 2), status="completed")
    # The session; the appointment, its proposals, its files, its draft; the past and its proposals; that it was read,
    # and whose data.
    with django_assert_num_queries(9 if earlier else 8):
        assert len(doctor.get(address(appointment)).json()["data"]["past"]) == min(earlier, 5)


def test_without_the_lock_the_database_rejects_a_duplicate_version(users, appointment):
    """The negative control: a version that somebody else has written meanwhile can't be inserted again."""
    write_record(appointment, {"diagnosis": "one"}, actor=users.doctor.user, now=timezone.now())
    with pytest.raises(IntegrityError, match=r"one_record_per_version|appointments_appointmentrecord\.appointment_id"):
        AppointmentRecord.objects.create(
            appointment=appointment, version=1, written_at=timezone.now(), written_by=users.doctor.user
        )


def test_writing_deletes_the_draft(users, doctor, appointment):
    for body in ({"diagnosis": "one"}, {"diagnosis": "one"}):
        RecordDraft.objects.create(appointment=appointment, content={"notes": "hm"}, saved_at=timezone.now())
        written(doctor, appointment, **body)
        assert RecordDraft.objects.count() == 0
