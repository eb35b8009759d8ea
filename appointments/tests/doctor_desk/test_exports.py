"""Lists to take away: what stands in them, and that no spreadsheet runs a cell."""

import csv
from datetime import UTC, date, datetime
from decimal import Decimal
from io import StringIO

import pytest
import time_machine

from accounts.models import AuditEvent
from accounts.tests.factories import PatientFactory
from accounts.text.phone_numbers import format_phone
from appointments.models.doctor_patient import build_upsert
from appointments.tests.factories import make_appointment
from config.db.raw_sql import insert
from config.http import csv as spreadsheets
from config.http.csv import escape_formula, lines

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def export(users, client_of):
    def read(name, **query):
        answer = client_of(users.doctor.user).get(f"/api/doctors/{name}.csv", query)
        assert answer.status_code == 200, answer.json()
        text = b"".join(answer.streaming_content).decode()
        return answer, text

    return read


def parsed(text):
    assert text.startswith("\ufeff")
    return list(csv.reader(StringIO(text.removeprefix("\ufeff"), newline="")))


def test_export_contains_patients(export, users):
    person = PatientFactory.create(name="Zoë O'Neil", email="zoe@example.com", phone="+1 202 555 0123", gender="female")
    make_appointment(
        users.doctor, person, date(2029, 12, 3), status="completed", created_at=datetime(2029, 12, 1, 3, tzinfo=UTC)
    )
    make_appointment(users.doctor, person, date(2030, 1, 9), status="confirmed")
    ended = PatientFactory.create(name="Gone Away", date_of_birth=None)
    make_appointment(
        users.doctor, ended, date(2029, 12, 4), status="cancelled", created_at=datetime(2029, 11, 1, tzinfo=UTC)
    )
    ended.ended_at = NOW
    ended.save()
    make_appointment(users.other_doctor, users.patient, date(2030, 1, 9))
    answer, text = export("patients")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="patients-2030-01-07.csv"'
    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert parsed(text) == [
        [
            *("Name", "Email", "Phone", "Gender", "Date of birth", "Age"),
            *("Patient since", "Appointments", "Last appointment", "Next appointment"),
        ],
        [
            *("Zoë O'Neil", "zoe@example.com", "(202) 555-0123", "female", "1985-06-15", "44"),
            # Still the last day of November at the clinic.
            *("2029-11-30", "2", "2029-12-03", "2030-01-09"),
        ],
        ["Gone Away", "", "", "other", "", "", "2029-10-31", "0", "", ""],
    ]
    assert text.count("\r\n") == 3
    assert list(
        AuditEvent.objects.filter(event="export.patients").values_list("agent_id", "entity_type", "entity_id")
    ) == [(users.doctor.pk, "doctor", str(users.doctor.pk))]


def test_export_contains_appointments(export, users):
    patient = users.patient
    make_appointment(
        users.doctor, patient, date(2029, 12, 3), status="completed", attended=False, diagnosis="Secret",
        doctor_notes="Secret", prescription_notes="Secret", consultation_fee=Decimal("80.50"),
        created_at=datetime(2029, 12, 1, 3, tzinfo=UTC),
    )  # fmt: skip
    make_appointment(
        users.doctor, patient, date(2030, 1, 9), "10:00", respond_by=NOW, booked_by="doctor", outside_hours=True,
        created_at=NOW, symptoms="Secret", patient_notes="Secret", cancel_reason="Secret",
    )  # fmt: skip
    make_appointment(users.other_doctor, patient, date(2030, 1, 10))
    answer, text = export("appointments")
    assert answer["Content-Disposition"] == 'attachment; filename="appointments-2030-01-07.csv"'
    assert "Secret" not in text
    person = (patient.name, patient.email, format_phone(patient.phone))
    assert parsed(text) == [
        [
            *("Date", "Time", "Time zone", "Patient", "Email", "Phone", "Status", "Attended", "Booked by"),
            *("Outside hours", "Fee", "Currency", "Booked at"),
        ],
        [
            *("2030-01-09", "10:00", "America/New_York", *person, "cancelled", "", "doctor"),
            *("yes", "120.00", "USD", "2030-01-07T15:00:00Z"),
        ],
        [
            *("2029-12-03", "09:00", "America/New_York", *person, "no-show", "no", "patient"),
            *("no", "80.50", "USD", "2029-12-01T03:00:00Z"),
        ],
    ]
    assert AuditEvent.objects.filter(event="export.appointments", agent_id=users.doctor.pk).count() == 1
    assert not AuditEvent.objects.filter(event="record.read").exists()


def test_exported_appointments_have_the_order_of_the_list(export, users, client_of):
    for day in (date(2029, 12, 3), date(2029, 12, 4), date(2030, 1, 9), date(2030, 1, 10)):
        make_appointment(users.doctor, users.patient, day, status="completed" if day < NOW.date() else "confirmed")
    for query in ({}, {"ordering": "startsAt"}, {"ordering": "nearest"}, {"scope": "upcoming"}, {"scope": "past"}):
        _, text = export("appointments", **query)
        listed = client_of(users.doctor.user).get("/api/appointments", query).json()["data"]["appointments"]
        assert [row[0] for row in parsed(text)[1:]] == [appointment["appointmentDate"] for appointment in listed], query
        assert listed


@pytest.mark.parametrize("name", ["patients", "appointments"])
def test_empty_export_has_a_header(name, export):
    assert len(parsed(export(name)[1])) == 1


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1+202", "'+1+202"),
        ("+1 202*3", "'+1 202*3"),
        ("+1 202 555 0123\n=1+1", "'+1 202 555 0123\n=1+1"),
        ("+SUM(1)", "'+SUM(1)"),
        ("+1-202-555-0123", "'+1-202-555-0123"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("+1 202-555-0100 =1", "'+1 202-555-0100 =1"),
        ("+353 86 603 7129", "+353 86 603 7129"),
        ("+1 202-555-0100 ext. 12", "+1 202-555-0100 ext. 12"),
        ("-2", "'-2"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("\nx", "'\nx"),
        ("＝1", "'＝1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠x", "'＠x"),
        ("  =1", "'  =1"),
        ("\u00a0=1", "'\u00a0=1"),
        ("a=1", "a=1"),
        ("", ""),
        (7, "7"),
        ("'=1", "'=1"),
    ],
)
def test_no_exported_cell_is_a_formula(cell, written):
    assert escape_formula(cell) == written


@pytest.mark.parametrize(
    "phone",
    [
        "+353 86 603 7129",
        "+1 202 555 0123",
        "+1 (202) 555 0123",
        "+353866037129",
        "+1 202 555 0100 ext. 12",
        "020 7946 0018 x3",
        "(202) 555-0123",
    ],
)
def test_a_phone_number_survives_unchanged(phone):
    assert escape_formula(phone) == phone


def test_a_name_that_looks_like_a_formula_or_like_two_cells_stays_one_cell(export, users):
    # No form takes such a name; what was imported otherwise may hold one.
    for name in ('=HYPERLINK("http://x")', 'A";=1+1;"', "a, b\r\n=c"):
        make_appointment(
            users.doctor,
            PatientFactory.create(name=name, email=f"{len(name)}@example.com"),
            date(2030, 1, 9),
            f"{len(name) % 9 + 9:02}:00",
        )
    cells = {row[0] for row in parsed(export("patients", ordering="name")[1])[1:]}
    assert cells == {'\'=HYPERLINK("http://x")', 'A";=1+1;"', "a, b\r\n=c"}


def test_exports_take_the_filters_of_their_lists(export, users):
    ada = PatientFactory.create(name="Ada Lund", gender="female")
    make_appointment(users.doctor, ada, date(2030, 1, 9), status="confirmed")
    make_appointment(users.doctor, users.patient, date(2030, 1, 10))
    assert [row[0] for row in parsed(export("patients", gender="female")[1])[1:]] == ["Ada Lund"]
    assert [row[0] for row in parsed(export("patients", search="lund")[1])[1:]] == ["Ada Lund"]
    assert [row[3] for row in parsed(export("appointments", status="confirmed")[1])[1:]] == ["Ada Lund"]
    assert [row[0] for row in parsed(export("appointments", ordering="startsAt")[1])[1:]] == [
        "2030-01-09",
        "2030-01-10",
    ]


def test_invalid_filter_is_a_json_error(users, client_of):
    client = client_of(users.doctor.user)
    for name, query in (("patients", {"gender": "x"}), ("appointments", {"status": "x"})):
        answer = client.get(f"/api/doctors/{name}.csv", query, HTTP_ACCEPT="text/csv")
        assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (
            400,
            "application/json",
            "invalid",
        )
    assert not AuditEvent.objects.filter(event__startswith="export").exists()


def test_all_rows_are_exported_in_chunks(export, users, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(spreadsheets, "BATCH", 4)
    people = [PatientFactory.create() for _ in range(10)]
    for person in people:
        insert(build_upsert(users.doctor.pk, person, NOW))
    pieces = list(lines(("number",), ((number,) for number in range(10))))
    assert len(pieces) == 3
    assert len(parsed(export("patients")[1])) == 11


@pytest.mark.parametrize("name", ["patients", "appointments"])
def test_csv_is_returned_for_csv_or_any_accept_header(name, users, client_of):
    client = client_of(users.doctor.user)
    for accept in ("text/csv", "*/*", "application/json", "text/html,*/*;q=0.1"):
        answer = client.get(f"/api/doctors/{name}.csv", HTTP_ACCEPT=accept)
        assert (answer.status_code, answer.getvalue()[:3]) == (200, b"\xef\xbb\xbf")
