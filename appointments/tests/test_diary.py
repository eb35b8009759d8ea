"""A doctor's calendar: days, hours, visits and kept times, on the clinic's own clock."""

from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.models import AuditEvent
from appointments.models import Appointment
from appointments.tests.factories import make_visit
from appointments.tests.test_dashboard import propose
from doctors.models import BlockedTime, Claim, DayOverride

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
MONDAY = date(2030, 1, 7)
DAY = [{"start": "09:00", "end": "13:00"}, {"start": "14:00", "end": "18:00"}]
CLINICAL = {"symptoms", "notes", "diagnosis", "prescription", "followUpDays", "record"}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def calendar(cast, client_of):
    def read(**query):
        answer = client_of(cast.doctor.user).get("/api/doctors/calendar", query)
        assert answer.status_code == 200, answer.json()
        return answer.json()["data"]

    return read


def test_a_week_with_hours_days_off_and_what_is_blocked(calendar, cast):
    doctor = cast.doctor
    DayOverride.objects.create(doctor=doctor, date=MONDAY + timedelta(days=1), hours=[], reason="Training")
    DayOverride.objects.create(
        doctor=doctor, date=MONDAY + timedelta(days=5), hours=[[720, 780], [600, 660]], reason="Open day"
    )
    later = BlockedTime.objects.create(doctor=doctor, date=MONDAY, start_minute=900, end_minute=1440, reason="School")
    early = BlockedTime.objects.create(doctor=doctor, date=MONDAY, start_minute=540, end_minute=600)
    BlockedTime.objects.create(doctor=cast.other_doctor, date=MONDAY, start_minute=0, end_minute=60)
    BlockedTime.objects.create(doctor=doctor, date=MONDAY + timedelta(days=7), start_minute=0, end_minute=60)

    def day(number, hours=DAY, off=False, reason="", blocked=()):
        return {
            "date": (MONDAY + timedelta(days=number)).isoformat(),
            "hours": list(hours),
            "dayOff": off,
            "reason": reason,
            "blocked": list(blocked),
        }

    assert calendar() == {
        "timeZone": "America/New_York",
        "today": "2030-01-07",
        "visitMinutes": 60,
        "days": [
            day(
                0,
                blocked=[
                    {"_id": str(early.pk), "date": "2030-01-07", "start": "09:00", "end": "10:00", "reason": ""},
                    {"_id": str(later.pk), "date": "2030-01-07", "start": "15:00", "end": "24:00", "reason": "School"},
                ],
            ),
            day(1, hours=[], off=True, reason="Training"),
            day(2),
            day(3),
            day(4),
            day(5, hours=[{"start": "10:00", "end": "11:00"}, {"start": "12:00", "end": "13:00"}], reason="Open day"),
            # A weekday without hours is no day off.
            day(6, hours=[]),
        ],
        "visits": [],
        "kept": [],
    }


def test_visits_as_a_calendar_shows_them(calendar, cast):
    doctor, patient = cast.doctor, cast.patient
    tuesday = MONDAY + timedelta(days=1)
    make_visit(doctor, patient, MONDAY - timedelta(days=1), "23:00", status="confirmed")
    done = make_visit(doctor, patient, MONDAY, "08:00", status="completed", attended=False)
    asks = make_visit(doctor, patient, MONDAY, "11:00", status="confirmed", cancel_requested_at=NOW, outside_hours=True)
    off = make_visit(doctor, cast.other_patient, tuesday, "09:00", status="cancelled", cancel_requested_at=NOW)
    ran_out = make_visit(doctor, patient, tuesday, "10:00", respond_by=NOW)
    moves = make_visit(doctor, patient, tuesday, "14:00", booked_by="doctor")
    make_visit(doctor, patient, MONDAY + timedelta(days=2), "00:00", status="confirmed")
    make_visit(cast.other_doctor, cast.other_patient, MONDAY, "09:00", status="confirmed")
    propose(moves, "doctor")
    data = calendar(**{"from": "2030-01-07"}, days=2)
    assert [day["date"] for day in data["days"]] == ["2030-01-07", "2030-01-08"]
    assert data["visits"][0] == {
        "_id": str(done.pk),
        "patient": {"_id": str(patient.pk), "name": patient.name},
        "appointmentDate": "2030-01-07",
        "appointmentTime": "08:00",
        "startsAt": "2030-01-07T13:00:00Z",
        "endsAt": "2030-01-07T14:00:00Z",
        "minutes": 60,
        "status": "completed",
        "attended": False,
        "outsideHours": False,
        "bookedBy": "patient",
        "cancelRequest": False,
        "proposal": False,
    }
    names = ("status", "outsideHours", "bookedBy", "cancelRequest", "proposal")
    assert [(row["_id"], *(row[name] for name in names)) for row in data["visits"][1:]] == [
        (str(asks.pk), "confirmed", True, "patient", True, False),
        (str(off.pk), "cancelled", False, "patient", False, False),
        (str(ran_out.pk), "cancelled", False, "patient", False, False),
        (str(moves.pk), "pending", False, "doctor", False, True),
    ]
    assert all(not CLINICAL & set(row) for row in data["visits"])
    # Nothing clinical is shown, so nothing was read.
    assert not AuditEvent.objects.filter(event="record.read").exists()


def test_times_that_are_kept_for_somebody(calendar, cast):
    def claim(kind, starts_at, minutes=60, expires_at=NOW + timedelta(minutes=5), doctor=cast.doctor):
        ends_at = starts_at + timedelta(minutes=minutes)
        Claim.objects.create(
            kind=kind, doctor=doctor, starts_at=starts_at, ends_at=ends_at,
            busy_until=ends_at + timedelta(minutes=10), expires_at=expires_at,
        )  # fmt: skip

    claim("hold", datetime(2030, 1, 8, 4, 30, tzinfo=UTC), 25)
    claim("proposal", datetime(2030, 1, 7, 20, tzinfo=UTC))
    claim("hold", datetime(2030, 1, 8, 5, 10, tzinfo=UTC))
    claim("hold", datetime(2030, 1, 7, 4, tzinfo=UTC), 50)
    claim("hold", datetime(2030, 1, 7, 16, tzinfo=UTC), expires_at=NOW)
    claim("hold", datetime(2030, 1, 7, 18, tzinfo=UTC), doctor=cast.other_doctor)
    make_visit(cast.doctor, cast.patient, MONDAY, "16:30")
    assert calendar(days=1)["kept"] == [
        {"kind": "proposal", "date": "2030-01-07", "time": "15:00", "minutes": 60},
        {"kind": "hold", "date": "2030-01-07", "time": "23:30", "minutes": 25},
    ]


def test_at_most_two_hundred_cancelled_visits_and_all_others(calendar, cast):
    visit = make_visit(cast.doctor, cast.patient, MONDAY, status="cancelled")
    Appointment.objects.bulk_create(copies(visit, 205))
    make_visit(cast.doctor, cast.patient, MONDAY, "17:00", status="confirmed")
    statuses = [row["status"] for row in calendar(days=1)["visits"]]
    assert (statuses.count("cancelled"), statuses.count("confirmed")) == (200, 1)


def copies(visit, count):
    fields = {
        field.attname: getattr(visit, field.attname) for field in visit._meta.concrete_fields if field.name != "id"
    }
    return [Appointment(**fields) for _ in range(count)]


@pytest.mark.parametrize(
    ("first", "days", "dates"),
    [
        ("9999-12-30", 7, ["9999-12-30", "9999-12-31"]),
        ("0001-01-01", 2, ["0001-01-01", "0001-01-02"]),
        ("2030-03-10", 1, ["2030-03-10"]),
        ("2028-02-28", 2, ["2028-02-28", "2028-02-29"]),
    ],
)
def test_the_edges_of_the_calendar(first, days, dates, calendar):
    assert [day["date"] for day in calendar(**{"from": first}, days=days)["days"]] == dates


def test_an_earlier_days_override_is_still_shown(calendar, cast):
    DayOverride.objects.create(doctor=cast.doctor, date=date(2029, 12, 24), hours=[], reason="Holidays")
    (day,) = calendar(**{"from": "2029-12-24"}, days=1)["days"]
    assert (day["hours"], day["dayOff"], day["reason"]) == ([], True, "Holidays")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "2030-02-30"}, "from"),
        ({"from": "today"}, "from"),
        ({"from": "2030-01-07\x00"}, "from"),
        ({"days": 0}, "days"),
        ({"days": 8}, "days"),
        ({"days": "seven"}, "days"),
        ({"days": "9" * 400}, "days"),
    ],
)
def test_bad_days_name_themselves(query, field, cast, client_of):
    answer = client_of(cast.doctor.user).get("/api/doctors/calendar", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


@pytest.mark.parametrize("rows", [1, 20])
def test_a_calendar_costs_the_same_for_one_row_and_for_twenty(rows, cast, client_of, django_assert_num_queries):
    for number in range(rows):
        when = MONDAY + timedelta(days=number % 7)
        make_visit(cast.doctor, cast.patient, when, f"{10 + number // 7}:00", status="confirmed")
        make_visit(cast.doctor, cast.patient, when, f"{10 + number // 7}:00", status="cancelled")
    client = client_of(cast.doctor.user)
    # The session, the doctor, visits, cancelled ones, weekly hours, dated ones, what is blocked, what is kept.
    with django_assert_num_queries(8):
        assert len(client.get("/api/doctors/calendar").json()["data"]["visits"]) == 2 * rows
