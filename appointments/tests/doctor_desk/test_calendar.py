"""A doctor's calendar: days, hours, appointments and kept times, on the clinic's own clock."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from django.db.models import F

from accounts.models import AuditEvent
from appointments.models import Appointment
from appointments.scheduling.rescheduling import propose_time
from appointments.tests.factories import make_appointment, make_proposal
from doctors.models import BlockedTime, DayOverride, Reservation

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
def calendar(users, client_of):
    def read(**query):
        answer = client_of(users.doctor.user).get("/api/doctors/calendar", query)
        assert answer.status_code == 200, answer.json()
        return answer.json()["data"]

    return read


def test_calendar_week_shows_hours_days_off_and_blocked_times(calendar, users):
    doctor = users.doctor
    DayOverride.objects.create(doctor=doctor, date=MONDAY + timedelta(days=1), hours=[], reason="Training")
    DayOverride.objects.create(
        doctor=doctor, date=MONDAY + timedelta(days=5), hours=[[720, 780], [600, 660]], reason="Open day"
    )
    later = BlockedTime.objects.create(doctor=doctor, date=MONDAY, start_minute=900, end_minute=1440, reason="School")
    early = BlockedTime.objects.create(doctor=doctor, date=MONDAY, start_minute=540, end_minute=600)
    BlockedTime.objects.create(doctor=users.other_doctor, date=MONDAY, start_minute=0, end_minute=60)
    BlockedTime.objects.create(doctor=doctor, date=MONDAY + timedelta(days=7), start_minute=0, end_minute=60)

    def day(number, hours=DAY, off=False, reason="", blocked=(), free=()):
        return {
            "date": (MONDAY + timedelta(days=number)).isoformat(),
            "hours": list(hours),
            "dayOff": off,
            "reason": reason,
            "blocked": list(blocked),
            "freeTimes": list(free),
        }

    hourly = [f"{hour:02}:00" for hour in (9, 10, 11, 12, 14, 15, 16, 17)]
    assert calendar() == {
        "timeZone": "America/New_York",
        "today": "2030-01-07",
        "visitMinutes": 60,
        "bufferMinutes": 0,
        "absences": [],
        "days": [
            day(
                0,
                free=["11:00", "12:00", "14:00"],
                blocked=[
                    {"_id": str(early.pk), "date": "2030-01-07", "start": "09:00", "end": "10:00", "reason": ""},
                    {"_id": str(later.pk), "date": "2030-01-07", "start": "15:00", "end": "24:00", "reason": "School"},
                ],
            ),
            day(1, hours=[], off=True, reason="Training"),
            day(2, free=hourly),
            day(3, free=hourly),
            day(4, free=hourly),
            day(
                5,
                free=["10:00", "12:00"],
                hours=[{"start": "10:00", "end": "11:00"}, {"start": "12:00", "end": "13:00"}],
                reason="Open day",
            ),
            # A weekday without hours is no day off.
            day(6, hours=[]),
        ],
        "visits": [],
        "kept": [],
    }


def test_calendar_shows_appointments(calendar, users):
    doctor, patient = users.doctor, users.patient
    tuesday = MONDAY + timedelta(days=1)
    make_appointment(doctor, patient, MONDAY - timedelta(days=1), "23:00", status="confirmed")
    done = make_appointment(doctor, patient, MONDAY, "08:00", status="completed", attended=False)
    asks = make_appointment(
        doctor, patient, MONDAY, "11:00", status="confirmed", cancel_requested_at=NOW, outside_hours=True
    )
    off = make_appointment(doctor, users.other_patient, tuesday, "09:00", status="cancelled", cancel_requested_at=NOW)
    ran_out = make_appointment(doctor, patient, tuesday, "10:00", respond_by=NOW)
    moves = make_appointment(doctor, patient, tuesday, "14:00", booked_by="doctor")
    make_appointment(doctor, patient, MONDAY + timedelta(days=2), "00:00", status="confirmed")
    make_appointment(users.other_doctor, users.other_patient, MONDAY, "09:00", status="confirmed")
    make_proposal(moves, "doctor")
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
        "bufferMinutes": 0,
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


def test_calendar_shows_holds_and_proposals(calendar, users):
    def reservation(kind, starts_at, minutes=60, expires_at=NOW + timedelta(minutes=5), doctor=users.doctor):
        ends_at = starts_at + timedelta(minutes=minutes)
        Reservation.objects.create(
            kind=kind, doctor=doctor, starts_at=starts_at, ends_at=ends_at,
            busy_until=ends_at + timedelta(minutes=10), expires_at=expires_at,
        )  # fmt: skip

    reservation("hold", datetime(2030, 1, 8, 4, 30, tzinfo=UTC), 25)
    reservation("proposal", datetime(2030, 1, 7, 20, tzinfo=UTC))
    reservation("hold", datetime(2030, 1, 8, 5, 10, tzinfo=UTC))
    reservation("hold", datetime(2030, 1, 7, 4, tzinfo=UTC), 50)
    reservation("hold", datetime(2030, 1, 7, 16, tzinfo=UTC), expires_at=NOW)
    reservation("hold", datetime(2030, 1, 7, 18, tzinfo=UTC), doctor=users.other_doctor)
    make_appointment(users.doctor, users.patient, MONDAY, "16:30")
    assert calendar(days=1)["kept"] == [
        {"kind": "proposal", "date": "2030-01-07", "time": "15:00", "minutes": 60, "patientName": ""},
        {"kind": "hold", "date": "2030-01-07", "time": "23:30", "minutes": 25, "patientName": ""},
    ]


def test_calendar_shows_at_most_200_cancelled_appointments_and_all_others(calendar, users):
    appointment = make_appointment(users.doctor, users.patient, MONDAY, status="cancelled")
    Appointment.objects.bulk_create(copies(appointment, 205))
    make_appointment(users.doctor, users.patient, MONDAY, "17:00", status="confirmed")
    statuses = [row["status"] for row in calendar(days=1)["visits"]]
    assert (statuses.count("cancelled"), statuses.count("confirmed")) == (200, 1)


def copies(appointment, count):
    fields = {
        field.attname: getattr(appointment, field.attname)
        for field in appointment._meta.concrete_fields
        if field.name != "id"
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
def test_first_and_last_dates_are_handled(first, days, dates, calendar):
    assert [day["date"] for day in calendar(**{"from": first}, days=days)["days"]] == dates


def test_override_of_an_earlier_day_is_still_shown(calendar, users):
    DayOverride.objects.create(doctor=users.doctor, date=date(2029, 12, 24), hours=[], reason="Holidays")
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
def test_invalid_dates_are_field_errors(query, field, users, client_of):
    answer = client_of(users.doctor.user).get("/api/doctors/calendar", query)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


@pytest.mark.parametrize("rows", [1, 20])
def test_calendar_takes_the_same_queries_for_one_row_and_twenty(rows, users, client_of, django_assert_num_queries):
    for number in range(rows):
        when = MONDAY + timedelta(days=number % 7)
        make_appointment(users.doctor, users.patient, when, f"{10 + number // 7}:00", status="confirmed")
        make_appointment(users.doctor, users.patient, when, f"{10 + number // 7}:00", status="cancelled")
    client = client_of(users.doctor.user)
    # The session, the doctor, appointments, cancelled ones, weekly hours, dated ones, what is blocked, free times,
    # absences, what is kept, whose data was read.
    with django_assert_num_queries(11):
        assert len(client.get("/api/doctors/calendar").json()["data"]["visits"]) == 2 * rows


# --- One grid with the patients' -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("appointment", "buffer", "notice", "instantly"),
    [
        (60, 0, 0, False),
        (25, 5, 0, True),
        (35, 10, 90, False),
        (50, 13, 0, False),
        (7, 4, 600, True),
        (240, 45, 0, True),
    ],
)
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kathmandu"])
def test_the_calendar_offers_exactly_what_patients_are_offered(
    appointment, buffer, notice, instantly, zone, calendar, users, client
):
    doctor = users.doctor
    for name, value in {
        "appointment_minutes": appointment, "buffer_minutes": buffer, "min_notice_minutes": notice,
        "instant_confirmation": instantly, "time_zone": zone,
    }.items():  # fmt: skip
        setattr(doctor, name, value)
    doctor.save()
    doctor.weekly_hours.filter(weekday=2).update(start_minute=F("start_minute") + 7)
    doctor.weekly_hours.create(weekday=3, start_minute=20 * 60 + 10, end_minute=27 * 60)
    DayOverride.objects.create(doctor=doctor, date=MONDAY + timedelta(days=1), hours=[[615, 905]])
    BlockedTime.objects.create(doctor=doctor, date=MONDAY, start_minute=870, end_minute=920)
    doctor.absences.create(
        from_date=MONDAY + timedelta(days=4), from_minute=15 * 60, to_date=MONDAY + timedelta(days=5), to_minute=1440
    )
    make_appointment(doctor, users.patient, MONDAY + timedelta(days=2), "10:20", status="confirmed")
    Reservation.objects.create(
        kind="hold", doctor=doctor, starts_at=NOW + timedelta(hours=5), ends_at=NOW + timedelta(hours=6),
        busy_until=NOW + timedelta(hours=6), expires_at=NOW + timedelta(minutes=5),
    )  # fmt: skip
    offered = client.get(f"/api/doctors/{doctor.pk}/slots", {"from": "2030-01-07", "days": 7}).json()["data"]["slots"]
    shown = calendar(**{"from": "2030-01-07"}, days=7)["days"]
    assert [(day["date"], day["freeTimes"]) for day in shown] == [(day["date"], day["times"]) for day in offered]
    assert sum(len(day["freeTimes"]) for day in shown) >= 5


def test_past_days_offer_nothing(calendar, users):
    assert [day["freeTimes"] for day in calendar(**{"from": "2030-01-01"}, days=6)["days"]] == [[]] * 6


def test_night_shift_is_shown_on_both_dates(calendar, users):
    users.doctor.weekly_hours.create(weekday=0, start_minute=20 * 60, end_minute=27 * 60)
    late = make_appointment(users.doctor, users.patient, MONDAY, "23:30", status="confirmed")
    (tuesday,) = calendar(**{"from": "2030-01-08"}, days=1)["days"]
    assert tuesday["hours"][0] == {"start": "00:00", "end": "03:00"}
    assert [row["_id"] for row in calendar(**{"from": "2030-01-08"}, days=1)["visits"]] == [str(late.pk)]
    (monday,) = calendar(**{"from": "2030-01-07"}, days=1)["days"]
    assert monday["hours"][-1] == {"start": "20:00", "end": "24:00"}


def test_an_appointment_keeps_the_buffer_it_was_booked_with(calendar, users, client):
    users.doctor.buffer_minutes = 60
    users.doctor.save()
    make_appointment(users.doctor, users.patient, MONDAY + timedelta(days=1), "09:00", status="confirmed")
    users.doctor.buffer_minutes = 0
    users.doctor.save()
    data = calendar(**{"from": "2030-01-08"}, days=1)
    assert (data["bufferMinutes"], [row["bufferMinutes"] for row in data["visits"]]) == (0, [60])
    # The list, the explanation and the calendar agree that 10:00 is taken.
    assert data["days"][0]["freeTimes"][0] == "11:00"


def test_a_proposed_time_names_its_patient(calendar, users):
    appointment = make_appointment(users.doctor, users.patient, MONDAY, "14:00", status="confirmed")
    propose_time(appointment, MONDAY + timedelta(days=1), time(10), "", actor=users.doctor.user, now=NOW)
    (kept,) = calendar(**{"from": "2030-01-08"}, days=1)["kept"]
    assert (kept["kind"], kept["time"], kept["patientName"]) == ("proposal", "10:00", users.patient.name)
