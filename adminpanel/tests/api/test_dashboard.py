"""Test the admin dashboard, appointment list and audit log."""

import csv
from datetime import time, timedelta
from io import StringIO

import pytest
import time_machine
from django.utils import timezone

from accounts import leases
from accounts.audit.log import Action, record_event
from accounts.models import AuditEvent, Notice, User
from accounts.notifications.delivery import deliver_notices
from accounts.notifications.outbox import notify_user
from accounts.tests.factories import PatientFactory
from adminpanel.operations.housekeeping import WORKER_NAME, run_round
from adminpanel.queries import dashboard as dashboard_queries
from appointments.models import Appointment
from appointments.scheduling.rescheduling import propose_time
from appointments.tests.factories import make_appointment
from config.version import VERSION
from doctors.tests.factories import DoctorFactory
from doctors.verification.decisions import open_case

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(users, client_of):
    return client_of(users.admin)


@pytest.fixture
def today():
    return timezone.now().date()


def data(answer):
    assert answer.status_code == 200, answer.json()
    return answer.json()["data"]


def test_dashboard_counts_rows(desk, users, today):
    make_appointment(users.doctor, users.patient, today + timedelta(days=2))
    make_appointment(users.doctor, users.patient, today - timedelta(days=2), status="confirmed")
    make_appointment(users.doctor, users.patient, today - timedelta(days=3), status="completed")
    assert data(desk.get("/api/admin/dashboard"))["totals"] == {
        "users": 7, "patients": 3, "doctors": 3, "approvedDoctors": 2, "pendingDoctors": 1, "appointments": 3,
        "unfinished": 1, "newApplications": 0, "renewals": 0,
    }  # fmt: skip


def test_closed_account_is_not_a_new_user(desk, users):
    before = data(desk.get("/api/admin/dashboard"))["comparison"]["newUsers"]["last24Hours"]
    User.objects.filter(pk=users.other_patient.pk).update(ended_at=timezone.now())
    assert data(desk.get("/api/admin/dashboard"))["comparison"]["newUsers"]["last24Hours"] == before - 1


def test_pending_decisions_are_listed_oldest_first(desk, users):
    now = timezone.now()
    waiting = [
        open_case(DoctorFactory.create(approval="pending", approved_at=None), now - timedelta(days=days))
        for days in (1, 5, 3)
    ]
    shown = data(desk.get("/api/admin/dashboard"))["decisions"]
    assert [one["_id"] for one in shown] == [str(waiting[n].pk) for n in (1, 2, 0)]
    assert set(shown[0]["doctor"]) == {"_id", "name", "email", "specialization", "hospital", "profilePicture"}


def test_unresolved_past_appointments_are_shown(desk, users, today):
    fine = make_appointment(users.other_doctor, users.other_patient, today + timedelta(days=2), symptoms="A secret.")
    lost = [
        make_appointment(users.doctor, users.patient, today + timedelta(days=3), symptoms="A secret."),
        make_appointment(users.other_doctor, users.deactivated, today + timedelta(days=4)),
    ]
    make_appointment(users.doctor, users.patient, today - timedelta(days=3), status="confirmed")
    assert data(desk.get("/api/admin/dashboard"))["stranded"]["count"] == 1
    desk.put(f"/api/admin/users/{users.doctor.pk}/status", {"status": "inactive"}, format="json")
    answer = desk.get("/api/admin/dashboard")
    stranded = data(answer)["stranded"]
    assert (stranded["count"], [one["_id"] for one in stranded["appointments"]]) == (2, [str(one.pk) for one in lost])
    assert str(fine.pk) not in answer.content.decode()
    assert "A secret." not in answer.content.decode()


def test_appointments_kept_outside_hours_are_on_the_worklist(desk, users, today):
    kept = make_appointment(
        users.doctor, users.patient, today + timedelta(days=3), status="confirmed", outside_hours=True
    )
    make_appointment(
        users.doctor, users.other_patient, today + timedelta(days=4), status="confirmed", outside_hours=True,
        booked_by="doctor",
    )  # fmt: skip
    stranded = data(desk.get("/api/admin/dashboard"))["stranded"]
    assert [(one["_id"], one["outsideHours"]) for one in stranded["appointments"]] == [(str(kept.pk), True)]


def test_health_reports_stalled_housekeeping(desk):
    assert data(desk.get("/api/admin/dashboard"))["health"]["housekeeping"] == {"beatAt": None, "late": True}
    record_event("appointment.looked_at", Action.READ, "appointment", "1", actor=None)
    later = timezone.now() + timedelta(minutes=10)
    run_round(later)
    health = data(desk.get("/api/admin/dashboard"))["health"]
    assert health["version"] == VERSION
    assert health["housekeeping"]["late"] is False
    assert health["audit"]["sealedAt"] is not None
    assert health["audit"]["unsealed"] == 0


def test_audit_log_is_late_when_a_row_is_unsealed_for_over_an_hour(users):
    """Neither a first row that nobody has sealed yet nor one that follows a quiet week is."""

    def audit(at):
        # The housekeeping is about, and seals what has settled in its own time.
        leases.record_heartbeat(WORKER_NAME, at)
        return dashboard_queries.get_health(at)["audit"]

    now = timezone.now()
    assert audit(now) == {"sealedAt": None, "unsealed": 0, "late": False}
    record_event("appointment.looked_at", Action.READ, "appointment", "1", actor=None)
    assert audit(now) == {"sealedAt": None, "unsealed": 1, "late": False}
    assert audit(now + timedelta(minutes=61))["late"] is True
    run_round(now + timedelta(minutes=61))
    assert audit(now + timedelta(minutes=61))["late"] is False
    week = now + timedelta(days=7)
    with time_machine.travel(week):
        record_event("appointment.looked_at", Action.READ, "appointment", "2", actor=None)
    assert audit(week)["late"] is False
    assert audit(week + timedelta(minutes=61))["late"] is True


def test_audit_log_is_late_when_sealing_is_stalled(users):
    now = timezone.now()
    assert dashboard_queries.get_health(now)["audit"]["late"] is False
    record_event("appointment.looked_at", Action.READ, "appointment", "1", actor=None)
    assert dashboard_queries.get_health(now)["audit"] == {"sealedAt": None, "unsealed": 1, "late": True}


def test_health_counts_waiting_and_failed_messages(desk, users):
    def notices():
        return data(desk.get("/api/admin/dashboard"))["health"]["notices"]

    assert notices() == {"waiting": 0, "failed": 0, "beatAt": None, "late": True}
    for _ in range(2):
        notify_user("account.registered", users.patient)
    notify_user("account.registered", users.other_patient)
    Notice.objects.filter(recipient=users.other_patient).update(state="failed")
    later = timezone.now() + timedelta(minutes=10)
    assert (notices()["waiting"], notices()["failed"]) == (2, 1)
    deliver_notices(timezone.now())
    shown = notices()
    assert (shown["waiting"], shown["failed"], shown["late"]) == (0, 1, False)
    assert shown["beatAt"] < later.isoformat()


@pytest.mark.parametrize("rows", [1, 15])
def test_dashboard_takes_the_same_queries_for_one_row_and_many(desk, users, today, rows, django_assert_num_queries):
    for number in range(rows):
        doctor = DoctorFactory.create(approval="pending", approved_at=None)
        open_case(doctor, timezone.now())
        make_appointment(doctor, PatientFactory.create(), today + timedelta(days=1 + number))
    with django_assert_num_queries(21):
        desk.get("/api/admin/dashboard")


def test_appointment_list_starts_with_upcoming_then_latest(desk, users, today):
    days = (30, -1, 2, -9, 5)
    appointments = {day: make_appointment(users.doctor, users.patient, today + timedelta(days=day)) for day in days}
    pages = [data(desk.get("/api/admin/records", {"page": page, "pageSize": 2})) for page in (1, 2, 3)]
    shown = [one["_id"] for page in pages for one in page["appointments"]]
    assert shown == [str(appointments[day].pk) for day in (2, 5, 30, -1, -9)]
    assert [page["pagination"]["count"] for page in pages] == [5, 5, 5]


def test_appointment_list_has_every_appointment_and_no_clinical_text(desk, users, today):
    first = make_appointment(
        users.doctor, users.patient, today - timedelta(days=2), status="completed", symptoms="A secret."
    )
    second = make_appointment(users.other_doctor, users.other_patient, today + timedelta(days=2))
    Appointment.objects.filter(pk=first.pk).update(attended=False, diagnosis="Another secret.")
    answer = desk.get("/api/admin/records")
    assert [one["_id"] for one in data(answer)["appointments"]] == [str(second.pk), str(first.pk)]
    assert "secret" not in answer.content.decode()
    for query, found in [
        ({"attended": "false"}, [first]),
        ({"attended": "true"}, []),
        ({"status": "pending"}, [second]),
        ({"to": today.isoformat()}, [first]),
        ({"from": today.isoformat()}, [second]),
        ({"search": users.doctor.user.name + " " + users.patient.name}, [first]),
        ({"search": "%"}, []),
    ]:
        shown = data(desk.get("/api/admin/records", query))["appointments"]
        assert [one["_id"] for one in shown] == [str(one.pk) for one in found], query


def test_every_figure_links_to_its_rows(desk, users, today):
    """The rows behind a figure are as many as it says, however it is narrowed."""
    over = [
        make_appointment(users.doctor, users.patient, today - timedelta(days=3 + n), status=status)
        for n, status in enumerate(("completed", "completed", "cancelled", "confirmed", "cancelled"))
    ]
    ahead = make_appointment(users.other_doctor, users.other_patient, today + timedelta(days=9), status="confirmed")
    now = timezone.now()
    Appointment.objects.filter(pk=over[0].pk).update(attended=False)
    Appointment.objects.filter(pk__in=[one.pk for one in over]).update(specialization="Neurology", hospital_city="Oslo")
    Appointment.objects.filter(pk=ahead.pk).update(specialization="Urology", hospital_city="Bergen")
    Appointment.objects.update(created_at=now - timedelta(days=20), updated_at=now)
    # One was booked, and one cancelled, before the days that are looked at.
    Appointment.objects.filter(pk=over[0].pk).update(created_at=now - timedelta(days=40))
    Appointment.objects.filter(pk=over[4].pk).update(updated_at=now - timedelta(days=40))
    days = {"from": (today - timedelta(days=29)).isoformat(), "to": today.isoformat()}

    def rows(**query):
        return data(desk.get("/api/admin/records", {**days, **query}))["pagination"]["count"]

    for place in ({}, {"specialization": "Neurology"}, {"city": "oslo"}, {"specialization": "Urology", "city": "Oslo"}):
        totals = data(desk.get("/api/admin/analytics", {**days, **place}))["totals"]
        counted = [totals[name] for name in ("bookings", "completed", "noShows")]
        cancelled = sum(
            totals[name] for name in ("cancelledByPatient", "cancelledByDoctor", "cancelledByAdmin", "expired")
        )
        assert [*counted, cancelled] == [
            rows(**place, dates="booked"),
            rows(**place, attended="true"),
            rows(**place, attended="false"),
            rows(**place, dates="cancelled"),
        ], place
    assert (rows(dates="booked"), rows(dates="cancelled"), rows(city="Oslo", dates="booked")) == (5, 1, 4)
    unfinished = data(desk.get("/api/admin/records", {"status": "unfinished"}))["appointments"]
    assert [one["_id"] for one in unfinished] == [str(over[3].pk)]


def test_cancellation_by_staff_has_a_reason_shown_to_both_sides(desk, users, today, client_of):
    appointment = make_appointment(users.doctor, users.patient, today + timedelta(days=2), status="confirmed")
    address = f"/api/admin/appointments/{appointment.pk}/cancel"
    for body in ({}, {"reason": " "}, {"reason": None}, {"reason": 5}):
        answer = desk.put(address, body, format="json")
        assert (answer.status_code, list(answer.json()["errors"])) == (400, ["reason"])
    assert data(desk.put(address, {"reason": "The clinic is closed."}, format="json"))["appointment"]["status"] == (
        "cancelled"
    )
    for person in (users.patient, users.doctor.user, users.admin):
        shown = data(client_of(person).get(f"/api/appointments/{appointment.pk}"))["appointment"]
        assert (shown["cancelledBy"], shown["cancelReason"]) == ("admin", "The clinic is closed.")


WORDS = "My chemotherapy begins."


def own_words(users, day):
    """Bring appointments on which patient and doctor have told each other why, in each of the ways that there are."""
    asked = make_appointment(
        users.doctor, users.patient, day, status="confirmed", cancel_requested_at=timezone.now(),
        cancel_request_reason=WORDS,
    )  # fmt: skip
    moved = make_appointment(users.doctor, users.other_patient, day, "11:00", status="confirmed")
    propose_time(moved, day, time(15), WORDS, actor=users.doctor.user, now=timezone.now())
    cancelled = [
        make_appointment(users.doctor, users.patient, day + timedelta(days=1 + number), status="cancelled",
        cancelled_by=by, cancel_reason=WORDS) for number, by in enumerate(("patient", "doctor"))
    ]  # fmt: skip
    cancelled.append(
        make_appointment(
            users.doctor, users.patient, day + timedelta(days=3), status="cancelled", cancelled_by="patient",
            cancel_reply=WORDS,
        )
    )  # fmt: skip
    return [asked, moved, *cancelled]


def test_messages_between_patient_and_doctor_are_hidden_from_admins(desk, users, today, client_of):
    appointments = own_words(users, today + timedelta(days=7 - today.weekday()))
    shown = {
        str(appointment.pk): data(client_of(users.doctor.user).get(f"/api/appointments/{appointment.pk}"))[
            "appointment"
        ]
        for appointment in appointments
    }
    assert all(WORDS in str(appointment) for appointment in shown.values())
    addresses = ["/api/appointments", "/api/admin/records", "/api/admin/dashboard"]
    addresses += [f"/api/appointments/{appointment.pk}" for appointment in appointments]
    addresses += [f"/api/admin/users/{users.patient.pk}", f"/api/admin/doctors/{users.doctor.pk}"]
    for address in addresses:
        answer = desk.get(address)
        assert answer.status_code == 200, address
        assert WORDS not in answer.content.decode(), address
    for pk in (users.patient.pk, users.doctor.pk):
        assert WORDS not in desk.delete(f"/api/admin/users/{pk}?preview=true").content.decode()
    # That something was said is no secret.
    asked, moved = (
        data(desk.get(f"/api/appointments/{appointment.pk}"))["appointment"] for appointment in appointments[:2]
    )
    assert (asked["cancelRequest"]["reason"], moved["proposal"]["reason"]) == ("", "")
    assert moved["proposal"]["appointmentTime"] == "15:00"


def test_audit_log_is_filtered_and_reading_it_is_audited(desk, users):
    AuditEvent.objects.create(event="account.signed_in", action="E", agent_id=users.patient.pk, entity_type="user")
    AuditEvent.objects.create(event="account.sign_in_failed", action="E", outcome="4", entity_type="user")
    AuditEvent.objects.create(event="appointment.booked", action="C", entity_type="appointment", entity_id="7")
    rows = data(desk.get("/api/admin/audit"))["events"]
    assert [one["event"] for one in rows] == ["appointment.booked", "account.sign_in_failed", "account.signed_in"]
    assert rows[2]["agentName"] == users.patient.name
    for query, found in [
        ({"event": "account."}, ["account.sign_in_failed", "account.signed_in"]),
        ({"event": "appointment.booked"}, ["appointment.booked"]),
        ({"agent": str(users.patient.pk)}, ["account.signed_in"]),
        ({"outcome": "4"}, ["account.sign_in_failed"]),
        ({"entityType": "appointment", "entity": "7"}, ["appointment.booked"]),
        ({"event": "a", "to": "2020-01-01"}, []),
        ({"event": "audit"}, ["audit.read"] * 7),
    ]:
        assert [one["event"] for one in data(desk.get("/api/admin/audit", query))["events"]] == found, query


def test_the_audit_log_is_searched_by_the_name_and_the_short_id_it_shows(desk, users, today):
    patient = users.patient
    patient.name = "José Álvarez"
    patient.save()
    appointment = make_appointment(users.doctor, patient, today + timedelta(days=3))
    mine = {"agent_id": patient.pk, "agent_role": "patient"}
    AuditEvent.objects.create(event="test.self", action="U", entity_type="user", entity_id=str(patient.pk), **mine)
    AuditEvent.objects.create(
        event="test.appointment", action="C", entity_type="appointment", entity_id=str(appointment.pk), **mine
    )
    other = users.other_patient
    AuditEvent.objects.create(event="test.other", action="U", entity_type="user", entity_id=str(other.pk))
    AuditEvent.objects.create(event="test.none", action="U", entity_type="demo", entity_id="demo")

    def found(**query):
        rows = data(desk.get("/api/admin/audit", {"event": "test.", **query}))["events"]
        return [one["event"].removeprefix("test.") for one in rows]

    rows = data(desk.get("/api/admin/audit", {"event": "test."}))["events"]
    assert [(one["agentName"], one["entityName"]) for one in rows] == [
        (None, None),
        (None, other.name),
        ("José Álvarez", f"José Álvarez with {users.doctor.user.name}"),
        ("José Álvarez", "José Álvarez"),
    ]
    for name in ("alvarez", "JOSE álvarez", str(patient.pk), str(patient.pk)[-8:], str(patient.pk)[-8:].upper()):
        assert found(agent=name) == ["appointment", "self"], name
    assert found(entity="jose") == ["appointment", "self"]
    assert found(entity=str(patient.pk)) == found(entity=str(patient.pk)[-8:]) == ["self"]
    assert found(entity=str(appointment.pk)[-8:]) == found(entity=str(appointment.pk).upper()) == ["appointment"]
    assert found(entity="demo") == ["none"]
    assert found(entity="zebra") == found(agent="zebra") == found(agent="0" * 8) == found(entity="%") == []


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("audit", "outcome=9", "outcome"), ("audit", "from=2026-13-01", "from"),
        ("records", "status=gone", "status"), ("records", "attended=perhaps", "attended"), ("records", "to=x", "to"),
        ("records", "dates=moved", "dates"), ("records", "specialization=Magic", "specialization"),
    ],
)  # fmt: skip
def test_invalid_query_is_a_field_error(desk, path, query, field):
    answer = desk.get(f"/api/admin/{path}?{query}")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_audit_log_is_exported_as_csv(desk, users):
    for n in range(3):
        record_event("test.done", Action.EXECUTE, "user", users.patient.pk, actor=users.patient, detail={"n": n})
    record_event("=other", Action.EXECUTE, "user", None, actor=None)
    answer = desk.get("/api/admin/audit.csv", {"event": "test."})
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert answer["Content-Disposition"] == f'attachment; filename="audit-{timezone.now().date()}.csv"'
    rows = list(csv.reader(StringIO(answer.getvalue().decode("utf-8-sig"))))
    assert [row[2] for row in rows] == ["Event", "test.done", "test.done", "test.done"]
    assert (rows[1][5:8], rows[1][-1]) == ([str(users.patient.pk), users.patient.name, "patient"], '{"n":2}')
    # Taking it away is on the trail, and no cell of it is run by a spreadsheet.
    everything = desk.get("/api/admin/audit.csv").getvalue().decode()
    assert '"audit.export"' in everything
    assert '"\'=other"' in everything
    assert AuditEvent.objects.filter(event="audit.export", agent_id=users.admin.pk).count() == 2
    assert desk.get("/api/admin/audit.csv", {"outcome": "9"}).status_code == 400
