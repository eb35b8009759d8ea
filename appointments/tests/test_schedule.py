"""A doctor's schedule: what is taken, what is refused, and which visits it would strand."""

import json
from datetime import date

import pytest
import time_machine

from appointments.models import Appointment, Proposal
from appointments.tests.factories import make_visit
from doctors.models import BlockedTime, DayOverride, DoctorProfile, WeeklyHours

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = "2030-01-07T15:00:00Z"
TUESDAY = date(2030, 1, 8)
MORNINGS = {
    day: [{"start": "08:00", "end": "12:00"}] for day in ("monday", "tuesday", "wednesday", "thursday", "friday")
}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def put(cast, client_of):
    def send(preview=False, **changes):
        address = f"/api/doctors/schedule{'?preview=true' if preview else ''}"
        return client_of(cast.doctor.user).generic("PUT", address, json.dumps(changes), content_type="application/json")

    return send


def state(doctor):
    profile = DoctorProfile.objects.filter(pk=doctor.pk).values().get()
    rows = [list(model.objects.filter(doctor=doctor).values()) for model in (WeeklyHours, DayOverride, BlockedTime)]
    return profile, rows, list(Appointment.objects.values())


def test_a_new_doctors_schedule_reads_as_the_specifications_hours(cast, client_of):
    schedule = client_of(cast.doctor.user).get("/api/doctors/schedule").json()["data"]["schedule"]
    day = [{"start": "09:00", "end": "13:00"}, {"start": "14:00", "end": "18:00"}]
    assert schedule == {
        "timeZone": "America/New_York",
        "visitMinutes": 60,
        "bufferMinutes": 0,
        "minNoticeMinutes": 0,
        "maxDaysAhead": 180,
        "instantConfirmation": False,
        "weeklyHours": {
            **dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), day),
            "saturday": [],
            "sunday": [],
        },
        "overrides": [],
        "blocked": [],
    }


def test_what_is_saved_reads_back_and_is_offered(put, cast, client):
    changes = {
        "timeZone": "Europe/Berlin",
        "visitMinutes": 20,
        "bufferMinutes": 10,
        "minNoticeMinutes": 120,
        "maxDaysAhead": 30,
        "instantConfirmation": True,
        "weeklyHours": {**MORNINGS, "saturday": [{"start": "22:00", "end": "24:00"}], "sunday": []},
        "overrides": [
            {"date": "2030-01-09", "hours": [], "reason": "Training"},
            {"date": "2030-01-13", "hours": [{"start": "10:00", "end": "11:00"}], "reason": ""},
        ],
        "blocked": [{"date": "2030-01-10", "start": "08:30", "end": "11:30", "reason": "School"}],
    }
    answer = put(**changes)
    assert (answer.status_code, answer.json()["message"]) == (200, "Schedule saved")
    assert answer.json()["data"] == {"schedule": changes, "affected": []}
    days = client.get(f"/api/doctors/{cast.doctor.pk}/slots", {"from": "2030-01-08", "days": 6}).json()["data"]["slots"]
    assert [day["times"] for day in days] == [
        ["08:00", "08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30"],
        [],
        ["08:00", "11:30"],
        ["08:00", "08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30"],
        ["22:00", "22:30", "23:00", "23:30"],
        ["10:00", "10:30"],
    ]


def test_what_is_absent_stays(put, cast):
    put(
        overrides=[{"date": "2030-01-09", "hours": []}],
        blocked=[{"date": "2030-01-10", "start": "09:00", "end": "10:00"}],
    )
    before = state(cast.doctor)
    assert put().status_code == 200
    assert state(cast.doctor) == before


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"timeZone": "Mars/Olympus"}, "timeZone"),
        ({"visitMinutes": 4}, "visitMinutes"),
        ({"visitMinutes": 241}, "visitMinutes"),
        ({"visitMinutes": "x"}, "visitMinutes"),
        ({"bufferMinutes": -1}, "bufferMinutes"),
        ({"minNoticeMinutes": 10**9}, "minNoticeMinutes"),
        ({"maxDaysAhead": 0}, "maxDaysAhead"),
        ({"weeklyHours": []}, "weeklyHours"),
        ({"weeklyHours": {"someday": []}}, "weeklyHours.someday"),
        ({"weeklyHours": {"monday": "09:00"}}, "weeklyHours.monday"),
        ({"weeklyHours": {"monday": [{"start": "09:00", "end": "09:00"}]}}, "weeklyHours.monday.0.end"),
        ({"weeklyHours": {"monday": [{"start": "10:00", "end": "09:00"}]}}, "weeklyHours.monday.0.end"),
        ({"weeklyHours": {"monday": [{"start": "9:00", "end": "10:00"}]}}, "weeklyHours.monday.0.start"),
        ({"weeklyHours": {"monday": [{"start": "09:00", "end": "25:00"}]}}, "weeklyHours.monday.0.end"),
        ({"weeklyHours": {"monday": [{"start": "24:00", "end": "24:00"}]}}, "weeklyHours.monday.0.end"),
        (
            {"weeklyHours": {"monday": [{"start": "09:00", "end": "11:00"}, {"start": "10:59", "end": "12:00"}]}},
            "weeklyHours.monday",
        ),
        ({"weeklyHours": {"monday": [{"start": "09:00", "end": "09:05"}] * 25}}, "weeklyHours.monday"),
        ({"overrides": [{"date": "2030-02-30", "hours": []}]}, "overrides.0.date"),
        ({"overrides": [{"date": "2030-01-09", "hours": []}] * 2}, "overrides"),
        ({"overrides": [{"date": "2030-01-09"}]}, "overrides.0.hours"),
        ({"overrides": [{"date": "2030-01-09", "hours": [], "reason": "a\u0000b"}]}, "overrides.0.reason"),
        ({"blocked": [{"date": "2030-01-09", "start": "10:00", "end": "09:00"}]}, "blocked.0.end"),
        ({"blocked": [{"date": "2030-01-09", "start": "09:00", "end": "10:00"}] * 2}, "blocked"),
        ({"blocked": {}}, "blocked"),
        ({"visits": {"x": "keep"}}, "visits"),
        ({"visits": {"00000000-0000-7000-8000-000000000000": "burn"}}, "visits.00000000-0000-7000-8000-000000000000"),
        ({"visits": {"00000000-0000-7000-8000-000000000000": "keep"}}, "visits.00000000-0000-7000-8000-000000000000"),
    ],
)  # fmt: skip
def test_a_bad_schedule_names_its_field_and_changes_nothing(changes, field, put, cast):
    before = state(cast.doctor)
    answer = put(**changes)
    assert answer.status_code == 400, answer.json()
    assert [name for name in answer.json()["errors"] if name.startswith(field)] == list(answer.json()["errors"])
    assert answer.json()["errors"]
    assert state(cast.doctor) == before


def test_a_preview_lists_what_a_day_off_strands_and_changes_nothing(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY, "09:00")
    make_visit(cast.doctor, cast.other_patient, date(2030, 1, 9), "09:00")
    before = state(cast.doctor)
    answer = put(preview=True, overrides=[{"date": "2030-01-08", "hours": []}])
    assert answer.json()["data"]["affected"] == [
        {
            "_id": str(visit.pk),
            "patientName": cast.patient.name,
            "appointmentDate": "2030-01-08",
            "appointmentTime": "09:00",
            "startsAt": "2030-01-08T14:00:00Z",
            "status": "pending",
            "mayCancel": True,
            "alternatives": [
                {"date": "2030-01-07", "time": "15:00", "startsAt": "2030-01-07T20:00:00Z"},
                {"date": "2030-01-07", "time": "16:00", "startsAt": "2030-01-07T21:00:00Z"},
                {"date": "2030-01-07", "time": "17:00", "startsAt": "2030-01-07T22:00:00Z"},
            ],
        }
    ]
    assert state(cast.doctor) == before


def test_saving_asks_first_and_keeps_nothing_half_done(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY)
    before = state(cast.doctor)
    answer = put(weeklyHours=MORNINGS | {"tuesday": []}, bufferMinutes=5)
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    assert [one["_id"] for one in answer.json()["data"]["affected"]] == [str(visit.pk)]
    assert state(cast.doctor) == before


DAY_OFF = {"overrides": [{"date": "2030-01-08", "hours": [], "reason": "Ill"}]}


def test_a_kept_visit_is_marked_and_asked_about_once(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY)
    assert put(**DAY_OFF, visits={str(visit.pk): "keep"}).status_code == 200
    visit.refresh_from_db()
    assert visit.outside_hours
    assert put(bufferMinutes=5).json()["data"]["affected"] == []
    put(overrides=[])
    visit.refresh_from_db()
    assert not visit.outside_hours


def test_a_waiting_visit_can_be_cancelled_with_the_change(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY)
    assert put(**DAY_OFF, visits={str(visit.pk): "cancel"}, reason="The doctor is ill.").status_code == 200
    visit.refresh_from_db()
    assert (visit.status, visit.cancelled_by, visit.cancel_reason) == ("cancelled", "doctor", "The doctor is ill.")


def test_a_confirmed_visit_is_not_cancelled_where_the_rules_forbid_it(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY, status="confirmed")
    before = state(cast.doctor)
    assert put(preview=True, **DAY_OFF).json()["data"]["affected"][0]["mayCancel"] is False
    assert put(**DAY_OFF, visits={str(visit.pk): "cancel"}).json()["code"] == "illegal_transition"
    assert state(cast.doctor) == before


def test_another_time_can_be_proposed_with_the_change(put, cast):
    visit = make_visit(cast.doctor, cast.patient, TUESDAY, status="confirmed")
    decision = {str(visit.pk): {"date": "2030-01-09", "time": "10:00"}}
    assert put(**DAY_OFF, visits=decision).status_code == 200
    proposal = Proposal.objects.get()
    assert (proposal.appointment_id, proposal.date, f"{proposal.time:%H:%M}") == (visit.pk, date(2030, 1, 9), "10:00")
    visit.refresh_from_db()
    assert visit.outside_hours


def test_the_profiles_working_hours_strand_nobody_either(cast, client_of):
    make_visit(cast.doctor, cast.patient, TUESDAY, "09:00")
    before = state(cast.doctor)
    client = client_of(cast.doctor.user)
    answer = client.put("/api/doctors/profile", {"workingHours": {"start": "10:00", "end": "18:00"}}, format="json")
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (
        409, "visits_affected", ["workingHours"],
    )  # fmt: skip
    assert state(cast.doctor) == before
    answer = client.put("/api/doctors/profile", {"workingHours": {"start": "08:00", "end": "18:00"}}, format="json")
    assert answer.status_code == 200


@pytest.mark.parametrize("who", ["anonymous", "patient", "doctor", "other doctor", "admin"])
def test_only_the_doctor_and_staff_learn_the_reason(who, cast, client_of, api):
    person = {
        "patient": cast.patient,
        "doctor": cast.doctor.user,
        "other doctor": cast.other_doctor.user,
        "admin": cast.admin,
    }.get(who)
    client = client_of(person) if person else api
    make_visit(cast.doctor, cast.patient, TUESDAY, "09:00")
    for time, is_open, reason in (("09:00", False, "taken"), ("10:00", True, None), ("13:00", False, "outside_hours")):
        answer = client.get(f"/api/doctors/{cast.doctor.pk}/slots/explain", {"date": "2030-01-08", "time": time})
        told = {"reason": reason} if who in {"doctor", "admin"} else {}
        assert (answer.status_code, answer.json()["data"]) == (200, {"open": is_open, **told})


def test_a_doctor_who_is_not_listed_is_explained_to_insiders_only(cast, client_of, api):
    address = f"/api/doctors/{cast.unapproved_doctor.pk}/slots/explain"
    query = {"date": "2030-01-08", "time": "09:00"}
    assert api.get(address, query).status_code == 404
    own = client_of(cast.unapproved_doctor.user).get(address, query).json()["data"]
    assert own == {"open": False, "reason": "not_accepting"}


def test_another_zone_in_the_profile_strands_nobody_either(cast, client_of):
    make_visit(cast.doctor, cast.patient, TUESDAY, "09:00")
    before = state(cast.doctor)
    answer = client_of(cast.doctor.user).put("/api/doctors/profile", {"timeZone": "Asia/Tokyo"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    assert state(cast.doctor) == before


@pytest.mark.parametrize("field", ["monday", "overrides"])
def test_endless_hours_are_refused_before_they_are_read(put, field):
    spans = [1] * 1000
    changes = (
        {"weeklyHours": {"monday": spans}}
        if field == "monday"
        else {"overrides": [{"date": "2030-01-09", "hours": spans}]}
    )
    answer = put(**changes)
    assert answer.status_code == 400
    assert len(answer.json()["errors"]) == 1
