"""Test that each appointment whose clinical text a doctor reads is logged once."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from accounts.models import AuditEvent
from accounts.tests.files.hostile_files import pdf
from appointments.access_log import log_access
from appointments.models import Appointment
from appointments.tests.factories import make_appointment
from config.api.fields import format_utc

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()


def readings():
    return [
        (row.agent_id, row.agent_role, row.action, row.entity_type, row.entity_id, row.detail)
        for row in AuditEvent.objects.filter(event="record.read").order_by("id")
    ]


def reading(doctor, appointment, what):
    return (doctor.pk, "doctor", "R", "appointment", str(appointment.pk), {"what": what})


@pytest.fixture
def appointment(users):
    return make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2))


def test_list_logs_reads_of_appointments_with_clinical_text(users, client_of, appointment):
    make_appointment(users.doctor, users.other_patient, TODAY + timedelta(days=3), symptoms="")
    noted = make_appointment(
        users.doctor, users.other_patient, TODAY - timedelta(days=3), symptoms="", record_version=1, status="completed"
    )
    client = client_of(users.doctor.user)
    assert client.get("/api/appointments").status_code == 200
    assert sorted(readings()) == sorted(
        [reading(users.doctor, appointment, "list"), reading(users.doctor, noted, "list")]
    )
    assert client.get("/api/appointments?scope=records").status_code == 200
    assert readings()[2:] == [reading(users.doctor, noted, "records")]


def test_single_appointment_is_logged_regardless_of_its_content(users, client_of):
    bare = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2), symptoms="")
    client = client_of(users.doctor.user)
    assert client.get(f"/api/appointments/{bare.pk}").status_code == 200
    assert client.put(f"/api/appointments/{bare.pk}/status", {"status": "confirmed"}, format="json").status_code == 200
    assert readings() == [reading(users.doctor, bare, "visit")] * 2


def test_reads_by_patients_and_admins_are_not_logged(users, client_of, appointment):
    for person in (users.patient, users.admin):
        client = client_of(person)
        assert client.get("/api/appointments").status_code == 200
        assert client.get(f"/api/appointments/{appointment.pk}").status_code == 200
        log_access([appointment], person, "visit")
    assert readings() == []


def test_undisplayed_appointments_are_not_logged(users, client_of, appointment):
    stranger = client_of(users.other_doctor.user)
    assert stranger.get(f"/api/appointments/{appointment.pk}").status_code == 404
    assert stranger.get("/api/appointments").status_code == 200
    assert readings() == []


def test_many_reads_are_logged_in_one_insert(users, django_assert_num_queries):
    appointments = [make_appointment(users.doctor, users.patient, TODAY + timedelta(days=day)) for day in range(1, 31)]
    with django_assert_num_queries(1):
        log_access(appointments, users.doctor.user, "dashboard")
    assert readings() == [reading(users.doctor, appointment, "dashboard") for appointment in appointments]
    with django_assert_num_queries(0):
        log_access([], users.doctor.user, "dashboard")


# --- Every call that shows one appointment ------------------------------------------------------------


def test_each_view_logs_what_it_showed(users, client_of):
    appointment = make_appointment(
        users.doctor, users.patient, TODAY - timedelta(days=1), status="confirmed", symptoms=""
    )
    client = client_of(users.doctor.user)
    base = f"/api/appointments/{appointment.pk}"
    file = SimpleUploadedFile("report.pdf", pdf(), "application/pdf")
    attachment = client.post(f"{base}/attachments", {"file": file}, format="multipart").json()["data"]["attachment"]
    client.put(f"{base}/visit/draft", {"content": {}, "revision": 0}, format="json")
    client.delete(f"{base}/visit/draft")
    # Neither a file that is added nor a draft shows what stands in the record.
    assert readings() == []
    client.put(f"{base}/visit", {"prescription": {"items": [{"medicine": "Water"}]}}, format="json")
    for rest in ("visit", "visit/versions", "prescription.pdf", f"attachments/{attachment['_id']}"):
        assert client.get(f"{base}/{rest}").status_code == 200
    what = ["visit", "visit", "versions", "prescription", "attachment"]
    assert readings() == [reading(users.doctor, appointment, one) for one in what]


def test_earlier_appointments_beside_a_record_are_logged_too(users, client_of, appointment):
    told = make_appointment(users.doctor, users.patient, TODAY - timedelta(days=9), status="completed")
    make_appointment(users.doctor, users.patient, TODAY - timedelta(days=8), status="completed", symptoms="")
    assert client_of(users.doctor.user).get(f"/api/appointments/{appointment.pk}/visit").status_code == 200
    assert readings() == [reading(users.doctor, appointment, "visit"), reading(users.doctor, told, "visit")]


def test_rejected_and_missing_reads_are_not_logged(users, client_of, appointment):
    client = client_of(users.doctor.user)
    base = f"/api/appointments/{appointment.pk}"
    assert client.get(f"{base}/prescription.pdf").status_code == 404
    assert client.get(f"{base}/attachments/{appointment.pk}").status_code == 404
    assert client.put(f"{base}/visit", {"diagnosis": "x"}, format="json").status_code == 409
    assert client.get(f"{base}/visit/versions?page=0").status_code == 400
    assert readings() == []


# --- What the patient is told -------------------------------------------------------------------------


def readers(client, appointment, query=""):
    answer = client.get(f"/api/appointments/{appointment.pk}/readers{query}")
    assert answer.status_code == 200, answer.json()
    return answer.json()["data"]


def test_patient_sees_who_read_what(users, client_of, appointment):
    doctor = client_of(users.doctor.user)
    for _ in range(3):
        doctor.get("/api/appointments")
    doctor.get(f"/api/appointments/{appointment.pk}/visit")
    rows = list(AuditEvent.objects.filter(event="record.read").order_by("-id"))
    data = readers(client_of(users.patient), appointment)
    who = {"name": users.doctor.user.name, "role": "doctor"}
    assert data["readers"] == [
        {**who, "what": "visit", "times": 1, "at": format_utc(rows[0].recorded_at)},
        {**who, "what": "list", "times": 3, "at": format_utc(rows[1].recorded_at)},
    ]
    assert data["pagination"] == {"page": 1, "pageSize": 20, "hasNext": False, "count": 2, "countIsExact": True}


def test_access_log_days_are_in_the_time_zone_of_the_clinic(users, client_of, appointment):
    """Two readings on either side of the clinic's midnight are two rows, and of UTC's midnight one."""
    Appointment.objects.update(time_zone="America/New_York")
    moments = [datetime(2026, 3, 5, hour, tzinfo=UTC) for hour in (4, 6, 23)] + [datetime(2026, 3, 6, 2, tzinfo=UTC)]
    for moment in moments:
        with time_machine.travel(moment, tick=False):
            log_access([appointment], users.doctor.user, "visit")
    rows = readers(client_of(users.patient), appointment)["readers"]
    assert [(row["times"], row["at"]) for row in rows] == [(3, "2026-03-06T02:00:00Z"), (1, "2026-03-05T04:00:00Z")]


def test_only_reads_of_this_appointment_are_shown(users, client_of, appointment):
    other = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=5))
    log_access([other], users.doctor.user, "visit")
    assert readers(client_of(users.patient), appointment)["readers"] == []


@pytest.mark.parametrize("rows", [1, 30])
def test_access_log_is_paginated_with_constant_queries(rows, users, client_of, appointment, django_assert_num_queries):
    for number in range(rows):
        with time_machine.travel(timezone.now() - timedelta(days=2 * number), tick=False):
            log_access([appointment], users.doctor.user, "visit")
    client = client_of(users.patient)
    # The session; the appointment with its proposals; the rows, their count, their names.
    with django_assert_num_queries(6):
        data = readers(client, appointment, "?pageSize=10")
    assert (len(data["readers"]), data["pagination"]["count"]) == (min(rows, 10), rows)


def test_only_the_patient_sees_the_access_log(users, client_of, appointment):
    people = (users.other_patient, users.doctor.user, users.other_doctor.user, users.admin)
    statuses = [client_of(person).get(f"/api/appointments/{appointment.pk}/readers").status_code for person in people]
    assert statuses == [404, 403, 403, 403]
