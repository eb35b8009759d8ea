"""The doctor's desk at a glance: its figures, its lists, and at what cost."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine

from accounts.models import AuditEvent
from appointments.models import Appointment
from appointments.tests.factories import make_appointment, make_proposal

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
MONDAY = date(2030, 1, 7)
LISTS = ("waiting", "waitingForPatient", "asking", "next", "today", "unfinished", "recent")


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def desk(users, client_of):
    def read(doctor=None):
        answer = client_of((doctor or users.doctor).user).get("/api/doctors/dashboard")
        assert answer.status_code == 200, answer.json()
        return answer.json()["data"]

    return read


def test_dashboard_of_a_new_doctor_is_empty(desk):
    assert desk() == {
        "totals": {
            "appointments": 0,
            "today": 0,
            "todayLeft": 0,
            "patients": 0,
            "waiting": 0,
            "waitingForPatient": 0,
            "unfinished": 0,
            "earnings": [],
        },
        **{name: [] for name in LISTS},
    }


def test_each_appointment_is_in_its_dashboard_lists(desk, users):
    doctor, patient, other = users.doctor, users.patient, users.other_patient

    def at(days, time, status, who=patient, **fields):
        return make_appointment(doctor, who, MONDAY + timedelta(days=days), time, status=status, **fields)

    appointments = {
        "last month": at(-30, "09:00", "completed"),
        "missed": at(-20, "09:00", "completed", attended=False, consultation_fee=Decimal("999.00")),
        "left open": at(-3, "09:00", "confirmed"),
        "left open yesterday": at(-1, "17:00", "confirmed"),
        "this morning": at(0, "08:00", "completed", consultation_fee=Decimal("80.50")),
        "running": at(0, "09:30", "confirmed"),
        "called off": at(0, "11:00", "cancelled"),
        "this afternoon": at(0, "16:00", "confirmed", other),
        "request of today": at(0, "17:00", "pending", other),
        "ran out": at(0, "18:00", "pending", respond_by=NOW),
        "cannot come": at(2, "09:00", "confirmed", cancel_requested_at=NOW - timedelta(hours=1)),
        "another time": at(3, "09:00", "confirmed"),
        "doctor's own proposal": at(4, "09:00", "confirmed"),
        "proposal ran out": at(5, "09:00", "confirmed"),
        "urgent": at(9, "09:00", "pending", respond_by=NOW + timedelta(minutes=5)),
        "patient": at(8, "09:00", "pending", respond_by=NOW + timedelta(hours=20)),
        "answered by a proposal": at(7, "09:00", "pending", respond_by=NOW + timedelta(hours=2)),
    }
    make_proposal(appointments["another time"], "patient")
    make_proposal(appointments["doctor's own proposal"], "doctor")
    make_proposal(appointments["answered by a proposal"], "doctor")
    make_proposal(appointments["proposal ran out"], "patient", expires_at=NOW)
    Appointment.objects.update(updated_at=NOW - timedelta(days=60))
    Appointment.objects.filter(pk=appointments["urgent"].pk).update(updated_at=NOW - timedelta(minutes=1))
    Appointment.objects.filter(pk=appointments["called off"].pk).update(updated_at=NOW - timedelta(hours=30))
    make_appointment(users.other_doctor, patient, MONDAY + timedelta(days=10), status="completed")
    names = {str(appointment.pk): name for name, appointment in appointments.items()}
    data = desk()
    assert {name: [names[row["_id"]] for row in data[name]] for name in LISTS} == {
        # The one that runs out first comes first, and today's deadline is its start.
        "waiting": ["urgent", "request of today", "patient"],
        # The doctor has answered these: they left the doctor's queue.
        "waitingForPatient": ["doctor's own proposal", "answered by a proposal"],
        "asking": ["cannot come", "another time"],
        "next": ["running", "this afternoon", "cannot come", "another time", "doctor's own proposal"],
        "today": ["this morning", "running", "this afternoon", "request of today"],
        "unfinished": ["left open yesterday", "left open"],
        # A change a minute ago, the starts of today and of yesterday, and a cancellation in between.
        "recent": ["urgent", "running", "this morning", "left open yesterday", "called off"],
    }
    assert data["totals"] == {
        "appointments": 17,
        "today": 4,
        "todayLeft": 3,
        "patients": 2,
        "waiting": 5,
        "waitingForPatient": 2,
        "unfinished": 2,
        # A patient who did not come owes nothing here.
        "earnings": [{"currency": "USD", "amount": 200.5}],
    }


@pytest.mark.parametrize(
    ("status", "attended", "left"),
    [("confirmed", None, 1), ("pending", None, 1), ("completed", True, 0), ("completed", False, 0)],
)
def test_remaining_today_depends_on_the_status(status, attended, left, desk, users):
    make_appointment(
        users.doctor,
        users.patient,
        MONDAY,
        "09:30",
        status=status,
        attended=attended,
        respond_by=NOW + timedelta(hours=1),
    )
    totals = desk()["totals"]
    assert (totals["today"], totals["todayLeft"]) == (1, left)


def test_recent_appointments_are_those_with_the_latest_activity(desk, users):
    far = [make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=n + 20)) for n in range(6)]
    past = [
        make_appointment(users.doctor, users.patient, MONDAY - timedelta(days=n + 1), status="completed")
        for n in range(3)
    ]
    Appointment.objects.update(updated_at=NOW - timedelta(days=30))
    moved = far[2]
    Appointment.objects.filter(pk=moved.pk).update(updated_at=NOW - timedelta(hours=1))
    Appointment.objects.filter(pk=far[5].pk).update(updated_at=NOW - timedelta(days=29))
    expected = [moved, *past, far[5]]
    assert [row["_id"] for row in desk()["recent"]] == [str(appointment.pk) for appointment in expected]


def test_requests_with_one_deadline_come_soonest_first_and_a_cancel_request_before_a_move(desk, users):
    at_half_past_eight = NOW + timedelta(hours=22, minutes=30)
    later = make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=5), respond_by=at_half_past_eight)
    sooner = make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=2), respond_by=at_half_past_eight)
    short_notice = make_appointment(
        users.doctor, users.patient, MONDAY + timedelta(days=9), respond_by=NOW + timedelta(minutes=30)
    )
    wish = make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=1), status="confirmed")
    make_proposal(wish, "patient")
    cancel = make_appointment(
        users.doctor, users.patient, MONDAY + timedelta(days=3), status="confirmed", cancel_requested_at=NOW
    )
    data = desk()
    assert [row["_id"] for row in data["waiting"]] == [
        str(appointment.pk) for appointment in (short_notice, sooner, later)
    ]
    assert [row["_id"] for row in data["asking"]] == [str(appointment.pk) for appointment in (cancel, wish)]


def test_earnings_are_grouped_by_currency(desk, users):
    make_appointment(users.doctor, users.patient, date(2029, 5, 7), status="completed")
    make_appointment(users.doctor, users.patient, date(2029, 5, 8), status="completed", currency="EUR")
    make_appointment(users.doctor, users.patient, date(2029, 5, 9), status="completed", currency="EUR")
    assert desk()["totals"]["earnings"] == [{"currency": "EUR", "amount": 240.0}, {"currency": "USD", "amount": 120.0}]


@pytest.mark.parametrize(
    ("zone", "now", "today"),
    [
        ("Pacific/Auckland", "2030-01-07T15:00:00Z", date(2030, 1, 8)),
        ("America/Los_Angeles", "2030-01-08T07:59:00Z", date(2030, 1, 7)),
        ("America/Los_Angeles", "2030-01-08T08:00:00Z", date(2030, 1, 8)),
        # The night the clocks go forward.
        ("Europe/Berlin", "2030-03-31T00:30:00Z", date(2030, 3, 31)),
    ],
)
def test_today_is_in_the_time_zone_of_the_clinic(zone, now, today, desk, users, clock):
    users.doctor.time_zone = zone
    users.doctor.save()
    for days in (-1, 0, 1):
        for time in ("00:30", "23:00"):
            make_appointment(users.doctor, users.patient, today + timedelta(days=days), time, status="confirmed")
    clock.move_to(now)
    data = desk()
    assert [(row["appointmentDate"], row["appointmentTime"]) for row in data["today"]] == [
        (today.isoformat(), "00:30"),
        (today.isoformat(), "23:00"),
    ]
    assert data["totals"]["today"] == 2


def test_lists_are_limited_and_totals_exact(desk, users):
    for number in range(12):
        make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=number + 1))
        make_appointment(users.doctor, users.patient, MONDAY - timedelta(days=number + 1), status="confirmed")
        make_appointment(
            users.doctor, users.patient, MONDAY + timedelta(days=number + 1), "14:00", status="confirmed",
            cancel_requested_at=NOW,
        )  # fmt: skip
    data = desk()
    assert {name: len(data[name]) for name in LISTS} == {
        "waiting": 10,
        "waitingForPatient": 0,
        "asking": 10,
        "next": 5,
        "today": 0,
        "unfinished": 10,
        "recent": 5,
    }
    assert (data["totals"]["waiting"], data["totals"]["unfinished"], data["totals"]["appointments"]) == (24, 12, 36)


def test_day_list_is_limited_to_100_appointments(desk, users):
    users.doctor.appointment_minutes = 5
    users.doctor.save()
    for number in range(103):
        make_appointment(users.doctor, users.patient, MONDAY, f"{number // 12 + 11:02}:{number % 12 * 5:02}")
    data = desk()
    assert (len(data["today"]), data["totals"]["today"], data["totals"]["todayLeft"]) == (100, 103, 103)


def test_each_appointment_with_clinical_text_is_logged_as_read_once(desk, users):
    told = make_appointment(users.doctor, users.patient, MONDAY, "16:00", status="confirmed")
    make_appointment(users.doctor, users.patient, MONDAY, "17:00", status="confirmed", symptoms="")
    assert len(desk()["recent"]) == 2
    read = AuditEvent.objects.filter(event="record.read")
    assert list(read.values_list("entity_id", "agent_id", "detail")) == [
        (str(told.pk), users.doctor.pk, {"what": "dashboard"})
    ]


@pytest.mark.parametrize("rows", [1, 20])
def test_dashboard_takes_the_same_queries_for_one_row_and_twenty(rows, users, client_of, django_assert_num_queries):
    for number in range(rows):
        for day, status in ((1, "pending"), (1, "confirmed"), (-1, "confirmed"), (-1, "completed")):
            time = "09:00" if status == "confirmed" else "14:00"
            when = MONDAY + timedelta(days=day * (number + 1))
            make_appointment(users.doctor, users.patient, when, time, status=status)
    assert Appointment.objects.count() == 4 * rows
    client = client_of(users.doctor.user)
    # The session, the doctor, seven figures, eight lists, their appointments with their proposals, what was read, and
    # whose data.
    with django_assert_num_queries(21):
        assert client.get("/api/doctors/dashboard").status_code == 200
