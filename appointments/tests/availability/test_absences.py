"""Time off from one date and time to another, as one entry."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
import time_machine

from accounts.models import AuditEvent
from appointments.models import Appointment
from appointments.tests.factories import make_appointment
from doctors.models import Absence

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TUESDAY = date(2030, 1, 8)
TUESDAY_NOON_TO_THURSDAY = {
    "from": {"date": "2030-01-08", "time": "12:00"},
    "to": {"date": "2030-01-10", "time": "10:00"},
}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


@pytest.fixture
def add(doctor):
    def post(preview=False, **fields):
        address = f"/api/doctors/schedule/absences{'?preview=true' if preview else ''}"
        return doctor.post(address, {**TUESDAY_NOON_TO_THURSDAY, **fields}, format="json")

    return post


@pytest.fixture
def offered(users, client):
    def read():
        query = {"from": "2030-01-08", "days": 3}
        days = client.get(f"/api/doctors/{users.doctor.pk}/slots", query).json()["data"]["slots"]
        return [day["times"] for day in days]

    return read


def test_time_off_is_one_entry_and_deleted_at_once(add, doctor, offered):
    before = offered()
    answer = add(reason="A wedding")
    assert (answer.status_code, answer.json()["message"]) == (201, "Time off saved")
    absence = answer.json()["data"]["absence"]
    assert absence == {"_id": absence["_id"], **TUESDAY_NOON_TO_THURSDAY, "reason": "A wedding"}
    assert offered() == [
        ["09:00", "10:00", "11:00"],
        [],
        ["10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00"],
    ]
    assert doctor.get("/api/doctors/schedule").json()["data"]["schedule"]["absences"] == [absence]
    calendar = doctor.get("/api/doctors/calendar", {"from": "2030-01-09", "days": 1}).json()["data"]
    assert calendar["absences"] == [absence]
    assert doctor.delete(f"/api/doctors/schedule/absences/{absence['_id']}").status_code == 200
    assert offered() == before
    assert not Absence.objects.exists()
    events = AuditEvent.objects.filter(event__startswith="schedule.").order_by("pk")
    assert list(events.values_list("event", flat=True)) == ["schedule.absence_added", "schedule.absence_removed"]


def test_repeated_time_off_returns_the_existing_entry(add):
    first = add().json()["data"]["absence"]
    again = add()
    assert (again.status_code, again.json()["data"]["absence"]) == (200, first)
    assert Absence.objects.count() == 1


def test_a_new_reason_for_the_same_time_off_replaces_the_old_one(add, doctor):
    first = add(reason="A wedding").json()["data"]["absence"]
    assert add(preview=True, reason="A funeral").status_code == 200
    assert Absence.objects.get().reason == "A wedding"
    for reason, kept, events in (("A funeral", "A funeral", 2), ("A funeral", "A funeral", 2), ("", "A funeral", 2)):
        again = add(reason=reason)
        assert (again.status_code, again.json()["data"]["absence"]) == (200, {**first, "reason": kept})
        assert AuditEvent.objects.filter(event__startswith="schedule.absence_").count() == events
    assert Absence.objects.get().reason == "A funeral"


def test_preview_lists_affected_appointments_and_changes_nothing(add, users):
    make_appointment(users.doctor, users.patient, TUESDAY, "11:00", status="confirmed")
    inside = make_appointment(users.doctor, users.other_patient, TUESDAY, "12:00", status="confirmed")
    answer = add(preview=True)
    assert (answer.status_code, answer.json()["data"]["absence"]) == (200, None)
    assert [row["_id"] for row in answer.json()["data"]["affected"]] == [str(inside.pk)]
    assert not Absence.objects.exists()
    assert add().json()["code"] == "visits_affected"
    assert not Absence.objects.exists()
    assert add(visits={str(inside.pk): "keep"}).status_code == 201
    inside.refresh_from_db()
    assert inside.outside_hours


def test_changed_time_off_asks_only_about_newly_affected_appointments(add, doctor, users, offered):
    kept = make_appointment(users.doctor, users.patient, TUESDAY, "12:00", status="confirmed")
    later = make_appointment(users.doctor, users.other_patient, date(2030, 1, 10), "14:00", status="confirmed")
    absence = add(visits={str(kept.pk): "keep"}).json()["data"]["absence"]
    address = f"/api/doctors/schedule/absences/{absence['_id']}"
    longer = {**TUESDAY_NOON_TO_THURSDAY, "to": {"date": "2030-01-10", "time": "24:00"}, "reason": "Ill"}
    preview = doctor.put(f"{address}?preview=true", longer, format="json").json()["data"]
    assert [row["_id"] for row in preview["affected"]] == [str(later.pk)]
    assert offered()[2] != []
    assert doctor.put(address, longer, format="json").status_code == 409
    answer = doctor.put(address, {**longer, "visits": {str(later.pk): "keep"}}, format="json")
    assert answer.status_code == 200, answer.json()
    assert answer.json()["data"]["absence"] == {"_id": absence["_id"], **longer}
    assert offered()[1:] == [[], []]
    # Shorter again: what is inside the hours once more is no longer marked.
    shorter = {**longer, "from": {"date": "2030-01-08", "time": "14:00"}}
    assert doctor.put(address, shorter, format="json").status_code == 200
    assert set(Appointment.objects.filter(outside_hours=True)) == {later}


@pytest.mark.parametrize(
    ("fields", "marked"),
    [
        ({"from": {"date": "2030-01-06", "time": "09:00"}}, "from.date"),
        ({"from": {"date": "2030-01-07", "time": "24:00"}}, "from.time"),
        ({"from": {"date": "2030-02-30", "time": "09:00"}}, "from.date"),
        ({"from": "2030-01-08"}, "from"),
        ({"from": None}, "from"),
        ({"to": {"date": "2030-01-07", "time": "12:00"}}, "to.date"),
        ({"to": {"date": "2030-01-08", "time": "12:00"}}, "to.time"),
        ({"to": {"date": "2031-03-01", "time": "12:00"}}, "to.date"),
        ({"to": {"date": "2030-01-09", "time": "25:00"}}, "to.time"),
        ({"to": {}}, "to"),
        (
            {"from": {"date": "2030-01-07", "time": "08:00"}, "to": {"date": "2030-01-07", "time": "10:00"}},
            "to.time",
        ),
        ({"reason": "a" * 201}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"visits": []}, "visits"),
        ({"visitsReason": "a" * 501}, "visitsReason"),
    ],
)
def test_bad_time_off_names_its_field_and_changes_nothing(fields, marked, add):
    answer = add(**fields)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert all(name.startswith(marked) for name in answer.json()["errors"])
    assert answer.json()["errors"]
    assert not Absence.objects.exists()


def test_time_off_may_begin_earlier_today_and_end_with_the_calendar(add):
    today = {"from": {"date": "2030-01-07", "time": "00:00"}, "to": {"date": "2030-01-07", "time": "24:00"}}
    assert add(**today).status_code == 201
    last = {"from": {"date": "9999-12-30", "time": "00:00"}, "to": {"date": "9999-12-31", "time": "24:00"}}
    assert add(**last).status_code == 201


def test_time_off_that_has_begun_can_still_be_changed(add, users, client_of, clock):
    absence = add().json()["data"]["absence"]
    clock.move_to("2030-01-09T15:00:00Z")
    doctor = client_of(users.doctor.user)
    address = f"/api/doctors/schedule/absences/{absence['_id']}"
    longer = {**TUESDAY_NOON_TO_THURSDAY, "to": {"date": "2030-01-11", "time": "24:00"}}
    assert doctor.put(address, longer, format="json").status_code == 200
    earlier = {**longer, "from": {"date": "2030-01-08", "time": "09:00"}}
    answer = doctor.put(address, earlier, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["from.date"])


def test_schedule_has_a_limited_number_of_times_off(add, users):
    Absence.objects.bulk_create(
        Absence(
            doctor=users.doctor, from_date=TUESDAY + timedelta(days=day), from_minute=0,
            to_date=TUESDAY + timedelta(days=day), to_minute=60,
        )
        for day in range(100)
    )  # fmt: skip
    assert add().json()["errors"] == {"from": ["At most 100 times off ahead."]}


def test_only_own_current_time_off_is_found(doctor, users):
    others = Absence.objects.create(
        doctor=users.other_doctor, from_date=TUESDAY, from_minute=0, to_date=TUESDAY, to_minute=60
    )
    past = Absence.objects.create(
        doctor=users.doctor, from_date=date(2030, 1, 5), from_minute=0, to_date=date(2030, 1, 6), to_minute=60
    )
    for pk in (others.pk, past.pk, uuid4()):
        address = f"/api/doctors/schedule/absences/{pk}"
        assert doctor.delete(address).status_code == 404
        assert doctor.put(address, TUESDAY_NOON_TO_THURSDAY, format="json").status_code == 404
    assert set(Absence.objects.all()) == {others, past}


def test_saving_the_schedule_keeps_time_off(add, doctor):
    absence = add().json()["data"]["absence"]
    schedule = doctor.get("/api/doctors/schedule").json()["data"]["schedule"]
    answer = doctor.put("/api/doctors/schedule", schedule, format="json")
    assert answer.json()["data"]["schedule"]["absences"] == [absence]
