"""A doctor's schedule: what is taken, what is refused, and which appointments it would strand."""

import json
from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notice
from accounts.tests.factories import PatientFactory
from accounts.text.phone_numbers import format_phone
from appointments.models import Appointment, Proposal
from appointments.scheduling.rescheduling import propose_time
from appointments.tests.factories import make_appointment
from doctors.models import BlockedTime, DayOverride, DoctorProfile, Reservation, WeeklyHours

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
def put(users, client_of):
    def send(preview=False, **changes):
        address = f"/api/doctors/schedule{'?preview=true' if preview else ''}"
        return client_of(users.doctor.user).generic(
            "PUT", address, json.dumps(changes), content_type="application/json"
        )

    return send


def state(doctor):
    profile = DoctorProfile.objects.filter(pk=doctor.pk).values().get()
    rows = [list(model.objects.filter(doctor=doctor).values()) for model in (WeeklyHours, DayOverride, BlockedTime)]
    return profile, rows, list(Appointment.objects.values())


def test_new_doctor_has_the_default_hours(users, client_of):
    schedule = client_of(users.doctor.user).get("/api/doctors/schedule").json()["data"]["schedule"]
    day = [{"start": "09:00", "end": "13:00"}, {"start": "14:00", "end": "18:00"}]
    assert schedule == {
        "timeZone": "America/New_York",
        "visitMinutes": 60,
        "bufferMinutes": 0,
        "minNoticeMinutes": 0,
        "maxDaysAhead": 180,
        "instantConfirmation": False,
        "cancelCutoffHours": 24,
        "weeklyHours": {
            **dict.fromkeys(("monday", "tuesday", "wednesday", "thursday", "friday"), day),
            "saturday": [],
            "sunday": [],
        },
        "overrides": [],
        "blocked": [],
        "absences": [],
    }


def test_saved_schedule_is_returned_and_offered(put, users, client):
    changes = {
        "timeZone": "Europe/Berlin",
        "visitMinutes": 20,
        "bufferMinutes": 10,
        "minNoticeMinutes": 120,
        "maxDaysAhead": 30,
        "instantConfirmation": True,
        "cancelCutoffHours": 48,
        "weeklyHours": {**MORNINGS, "saturday": [{"start": "22:00", "end": "24:00"}], "sunday": []},
        "overrides": [
            {"date": "2030-01-09", "hours": [], "reason": "Training"},
            {"date": "2030-01-13", "hours": [{"start": "10:00", "end": "11:00"}], "reason": ""},
        ],
        "blocked": [{"date": "2030-01-10", "start": "08:30", "end": "11:30", "reason": "School"}],
    }
    answer = put(**changes)
    assert (answer.status_code, answer.json()["message"]) == (200, "Schedule saved")
    assert answer.json()["data"] == {"schedule": {**changes, "absences": []}, "affected": []}
    days = client.get(f"/api/doctors/{users.doctor.pk}/slots", {"from": "2030-01-08", "days": 6}).json()["data"][
        "slots"
    ]
    assert [day["times"] for day in days] == [
        ["08:00", "08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30"],
        [],
        ["08:00", "11:30"],
        ["08:00", "08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "11:30"],
        ["22:00", "22:30", "23:00", "23:30"],
        ["10:00", "10:30"],
    ]


def test_absent_fields_stay_unchanged(put, users):
    put(
        overrides=[{"date": "2030-01-09", "hours": []}],
        blocked=[{"date": "2030-01-10", "start": "09:00", "end": "10:00"}],
    )
    before = state(users.doctor)
    assert put().status_code == 200
    assert state(users.doctor) == before


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
        ({"cancelCutoffHours": -1}, "cancelCutoffHours"),
        ({"cancelCutoffHours": 673}, "cancelCutoffHours"),
        (
            {
                "weeklyHours": {
                    "monday": [{"start": "20:00", "end": "03:00"}],
                    "tuesday": [{"start": "02:59", "end": "05:00"}],
                }
            },
            "weeklyHours.monday",
        ),
        (
            {
                "weeklyHours": {
                    "sunday": [{"start": "20:00", "end": "03:00"}],
                    "monday": [{"start": "02:00", "end": "05:00"}],
                }
            },
            "weeklyHours.sunday",
        ),
        (
            {
                "overrides": [
                    {"date": "2030-01-09", "hours": [{"start": "20:00", "end": "03:00"}]},
                    {"date": "2030-01-10", "hours": [{"start": "01:00", "end": "05:00"}]},
                ]
            },
            "overrides",
        ),
        ({"weeklyHours": {"monday": [{"start": "9:00", "end": "10:00"}]}}, "weeklyHours.monday.0.start"),
        ({"weeklyHours": {"monday": [{"start": "09:00", "end": "25:00"}]}}, "weeklyHours.monday.0.end"),
        ({"weeklyHours": {"monday": [{"start": "24:00", "end": "24:00"}]}}, "weeklyHours.monday.0.start"),
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
def test_invalid_schedule_is_a_field_error_and_changes_nothing(changes, field, put, users):
    before = state(users.doctor)
    answer = put(**changes)
    assert answer.status_code == 400, answer.json()
    assert [name for name in answer.json()["errors"] if name.startswith(field)] == list(answer.json()["errors"])
    assert answer.json()["errors"]
    assert state(users.doctor) == before


def test_preview_lists_appointments_on_a_day_off_and_changes_nothing(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    make_appointment(users.doctor, users.other_patient, date(2030, 1, 9), "09:00")
    before = state(users.doctor)
    answer = put(preview=True, overrides=[{"date": "2030-01-08", "hours": []}])
    assert answer.json()["data"]["affected"] == [
        {
            "_id": str(appointment.pk),
            "kind": "appointment",
            "appointmentId": str(appointment.pk),
            "patientName": users.patient.name,
            "phone": format_phone(users.patient.phone),
            "appointmentDate": "2030-01-08",
            "appointmentTime": "09:00",
            "startsAt": "2030-01-08T14:00:00Z",
            "status": "pending",
            "mayCancel": True,
            "hasProposal": False,
            "suggested": {"date": "2030-01-09", "time": "10:00", "startsAt": "2030-01-09T15:00:00Z"},
            "alternatives": [
                {"date": "2030-01-07", "time": "15:00", "startsAt": "2030-01-07T20:00:00Z"},
                {"date": "2030-01-07", "time": "16:00", "startsAt": "2030-01-07T21:00:00Z"},
                {"date": "2030-01-07", "time": "17:00", "startsAt": "2030-01-07T22:00:00Z"},
            ],
        }
    ]
    assert state(users.doctor) == before


def test_saving_requires_decisions_and_is_atomic(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    before = state(users.doctor)
    answer = put(weeklyHours=MORNINGS | {"tuesday": []}, bufferMinutes=5)
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    assert [one["_id"] for one in answer.json()["data"]["affected"]] == [str(appointment.pk)]
    assert state(users.doctor) == before


DAY_OFF = {"overrides": [{"date": "2030-01-08", "hours": [], "reason": "Ill"}]}


def test_kept_appointment_is_marked_and_asked_about_once(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    assert put(**DAY_OFF, visits={str(appointment.pk): "keep"}).status_code == 200
    appointment.refresh_from_db()
    assert appointment.outside_hours
    assert put(bufferMinutes=5).json()["data"]["affected"] == []
    assert put(**DAY_OFF).json()["data"]["affected"] == []
    put(overrides=[])
    appointment.refresh_from_db()
    assert not appointment.outside_hours


@pytest.mark.parametrize(
    "change",
    [
        {"overrides": [{"date": "2030-01-08", "hours": [], "reason": "Holiday"}]},
        {"overrides": [{"date": "2030-01-08", "hours": [{"start": "09:00", "end": "12:00"}]}]},
        {"blocked": [{"date": "2030-01-08", "start": "17:00", "end": "18:00"}]},
    ],
)
def test_larger_reduction_asks_again_about_a_kept_appointment(change, put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "17:00", status="confirmed")
    shorter = {
        "weeklyHours": {
            day: [{"start": "09:00", "end": "16:00"}]
            for day in ("monday", "tuesday", "wednesday", "thursday", "friday")
        }
    }
    assert put(**shorter, visits={str(appointment.pk): "keep"}).status_code == 200
    # The same hours again, and others that are no worse for it, ask nothing.
    assert put(preview=True, **shorter).json()["data"]["affected"] == []
    assert put(preview=True, weeklyHours=MORNINGS).json()["data"]["affected"] == []
    assert [row["_id"] for row in put(preview=True, **change).json()["data"]["affected"]] == [str(appointment.pk)]
    assert put(**change).json()["code"] == "visits_affected"
    assert put(**change, visits={str(appointment.pk): "keep"}).status_code == 200
    # Kept once more, it is not asked about again.
    assert put(**change).json()["data"]["affected"] == []


def test_longer_block_asks_about_the_newly_affected_part(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")

    def blocked(end):
        return {"blocked": [{"date": "2030-01-08", "start": "09:00", "end": end}]}

    assert put(**blocked("09:30"), visits={str(appointment.pk): "keep"}).status_code == 200
    assert put(preview=True, **blocked("09:20")).json()["data"]["affected"] == []
    assert len(put(preview=True, **blocked("09:31")).json()["data"]["affected"]) == 1


# --- Proposals ---------------------------------------------------------------------------------


@pytest.fixture
def proposal(users):
    """A doctor's open proposal to move a confirmed appointment from Tuesday to Wednesday."""
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    propose_time(
        appointment, date(2030, 1, 9), time(10), "", actor=users.doctor.user, now=datetime(2030, 1, 7, 15, tzinfo=UTC)
    )
    return Proposal.objects.get()


WEDNESDAY_OFF = {"overrides": [{"date": "2030-01-09", "hours": [], "reason": "Ill"}]}


def test_open_proposal_is_in_the_preview_and_can_be_kept(put, proposal):
    (row,) = put(preview=True, **WEDNESDAY_OFF).json()["data"]["affected"]
    assert (row["_id"], row["kind"], row["appointmentId"]) == (
        str(proposal.pk), "proposal", str(proposal.appointment_id),
    )  # fmt: skip
    assert (row["appointmentDate"], row["appointmentTime"]) == ("2030-01-09", "10:00")
    assert put(**WEDNESDAY_OFF).json()["code"] == "visits_affected"
    assert put(**WEDNESDAY_OFF, visits={str(proposal.pk): "keep"}).status_code == 200
    proposal.refresh_from_db()
    assert proposal.answer == "open"
    assert put(minNoticeMinutes=30).json()["data"]["affected"] == []


def test_an_open_proposal_can_be_withdrawn_with_the_change(put, proposal):
    assert put(**WEDNESDAY_OFF, visits={str(proposal.pk): "withdraw"}).status_code == 200
    proposal.refresh_from_db()
    assert (proposal.answer, proposal.reservation) == ("withdrawn", None)


def test_a_patients_proposal_is_declined_with_the_change(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    propose_time(
        appointment, date(2030, 1, 9), time(10), "", actor=users.patient, now=datetime(2030, 1, 7, 15, tzinfo=UTC)
    )
    pk = Proposal.objects.get().pk
    assert put(**WEDNESDAY_OFF, visits={str(pk): "withdraw"}).status_code == 200
    assert Proposal.objects.get().answer == "declined"


@pytest.mark.parametrize("decision", ["cancel", {"date": "2030-01-10", "time": "10:00"}])
def test_proposal_can_only_be_kept_or_withdrawn(decision, put, proposal):
    answer = put(**WEDNESDAY_OFF, visits={str(proposal.pk): decision})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [f"visits.{proposal.pk}"])


def test_appointment_cannot_be_withdrawn(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    answer = put(**DAY_OFF, visits={str(appointment.pk): "withdraw"})
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [f"visits.{appointment.pk}"])


def test_new_proposal_replaces_an_open_one(put, proposal):
    (row,) = put(preview=True, **DAY_OFF).json()["data"]["affected"]
    assert (row["kind"], row["hasProposal"]) == ("appointment", True)
    pk = str(proposal.appointment_id)
    assert put(**DAY_OFF, visits={pk: {"date": "2030-01-10", "time": "11:00"}}).status_code == 200
    assert list(Proposal.objects.order_by("created_at", "pk").values_list("answer", "date")) == [
        ("withdrawn", date(2030, 1, 9)),
        ("open", date(2030, 1, 10)),
    ]


# --- Many at once ------------------------------------------------------------------------------


def test_each_affected_appointment_is_offered_another_next_free_time(put, users):
    appointments = [
        make_appointment(users.doctor, patient, TUESDAY, time, status="confirmed")
        for patient, time in ((users.patient, "09:00"), (users.other_patient, "10:00"), (users.patient, "11:00"))
    ]
    make_appointment(users.doctor, PatientFactory.create(), date(2030, 1, 9), "11:00", status="confirmed")
    rows = put(preview=True, **DAY_OFF).json()["data"]["affected"]
    assert [(row["suggested"]["date"], row["suggested"]["time"]) for row in rows] == [
        ("2030-01-09", "09:00"),
        ("2030-01-09", "10:00"),
        ("2030-01-09", "12:00"),
    ]
    decisions = {row["_id"]: {name: row["suggested"][name] for name in ("date", "time")} for row in rows}
    assert put(**DAY_OFF, visits=decisions).status_code == 200
    assert Proposal.objects.filter(answer="open").count() == len(appointments)


def test_preview_takes_the_same_queries_for_three_appointments_as_for_one(users, put):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            assert put(preview=True, **DAY_OFF).status_code == 200
        return len(captured)

    propose_time(
        make_appointment(users.doctor, users.patient, TUESDAY, "09:00"),
        date(2030, 1, 9), time(9), "", actor=users.doctor.user, now=timezone.now(),
    )  # fmt: skip
    for_one = statements()
    for text in ("10:00", "11:00"):
        make_appointment(users.doctor, PatientFactory.create(), TUESDAY, text)
    rows = put(preview=True, **DAY_OFF).json()["data"]["affected"]
    assert [(row["hasProposal"], row["suggested"]["time"]) for row in rows] == [
        (True, "10:00"), (False, "11:00"), (False, "12:00"),
    ]  # fmt: skip
    assert statements() == for_one


def test_a_bulk_change_sends_the_doctor_one_summary(put, users):
    first = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    second = make_appointment(users.doctor, users.other_patient, TUESDAY, "10:00", status="confirmed")
    decisions = {str(first.pk): "cancel", str(second.pk): {"date": "2030-01-09", "time": "11:00"}}
    assert put(**DAY_OFF, visits=decisions, reason="The doctor is ill.").status_code == 200
    summary = Notice.objects.filter(event="appointments.bulk_changed", channel="email").get()
    assert summary.recipient_id == users.doctor.pk
    assert summary.detail == {"cancelled": [str(first.pk)], "moved": [], "proposed": [str(second.pk)]}


def test_appointments_are_moved_together_with_the_change(put, users):
    first = make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    second = make_appointment(users.doctor, users.other_patient, TUESDAY, "10:00", status="confirmed")
    decisions = {
        str(first.pk): {"date": "2030-01-09", "time": "09:00", "move": True},
        str(second.pk): {"date": "2030-01-09", "time": "10:00", "move": True},
    }
    assert put(**DAY_OFF, visits=decisions, reason="The doctor is ill.").status_code == 200
    for appointment, hour in ((first, 14), (second, 15)):
        appointment.refresh_from_db()
        assert (appointment.status, appointment.outside_hours) == ("confirmed", False)
        assert appointment.starts_at == datetime(2030, 1, 9, hour, tzinfo=UTC)
    told = set(Notice.objects.filter(channel="email").values_list("event", "recipient_id"))
    assert told == {
        ("appointment.moved", users.patient.pk),
        ("appointment.moved", users.other_patient.pk),
        ("appointments.bulk_changed", users.doctor.pk),
    }


HALF_HOURS = {
    "visitMinutes": 30,
    "overrides": [
        {"date": "2030-01-08", "hours": [{"start": f"{hour}:00", "end": f"{hour}:30"} for hour in ("09", "10", "11")]}
    ],
}


def at(time, move=True, day="2030-01-08"):
    return {"date": day, "time": time, "move": move}


@pytest.mark.parametrize(
    "times", [("10:00", "09:00", "11:00"), ("10:00", "11:00", "09:00"), ("11:00", "10:00", "09:00")]
)
def test_appointments_can_swap_times_in_one_decision(put, users, times):
    people = [users.patient, users.other_patient, PatientFactory.create()]
    appointments = [
        make_appointment(users.doctor, person, TUESDAY, time, status="confirmed")
        for person, time in zip(people, ("09:00", "10:00", "11:00"), strict=True)
    ]
    decisions = {str(appointment.pk): at(time) for appointment, time in zip(appointments, times, strict=True)}
    assert put(**HALF_HOURS, visits=decisions).status_code == 200
    for appointment, text in zip(appointments, times, strict=True):
        appointment.refresh_from_db()
        assert (appointment.date, f"{appointment.time:%H:%M}") == (TUESDAY, text)
        assert appointment.reservation.starts_at == appointment.starts_at
    assert Reservation.objects.filter(starts_at__gt=timezone.now() + timedelta(days=200)).count() == 0


def test_kept_appointment_blocks_its_time_for_moved_ones_and_is_named(put, users):
    first = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    second = make_appointment(users.doctor, users.other_patient, TUESDAY, "10:00", status="confirmed")
    before = state(users.doctor), list(Reservation.objects.order_by("pk").values())
    for stays in ("keep", at("09:00", move=False)):
        answer = put(**HALF_HOURS, visits={str(first.pk): at("10:00"), str(second.pk): stays})
        assert (answer.status_code, answer.json()["code"], answer.json()["errors"]) == (
            409,
            "slot_taken",
            {
                f"visits.{first.pk}.time": [
                    (
                        f"{users.patient.name}: {users.other_patient.name} has an appointment at this time,"
                        " which is not moved or cancelled here."
                    )
                ]
            },
        )
        assert (state(users.doctor), list(Reservation.objects.order_by("pk").values())) == before


def test_time_of_a_cancelled_appointment_can_be_moved_to(put, users):
    early = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    late = make_appointment(users.doctor, users.other_patient, TUESDAY, "10:00", status="confirmed")
    # From 10:00 on there are hours of 60 minutes only, which the later appointment takes half of.
    change = {
        "overrides": [{"date": "2030-01-08", "hours": [{"start": "10:30", "end": "12:00"}]}],
        "visits": {str(early.pk): {"date": "2030-01-08", "time": "10:30", "move": True}, str(late.pk): "cancel"},
        "reason": "A course.",
    }
    assert put(**change).status_code == 200
    early.refresh_from_db()
    late.refresh_from_db()
    assert (f"{early.time:%H:%M}", late.status) == ("10:30", "cancelled")


def test_accepted_proposal_outside_the_new_hours_is_marked(put, proposal, users, client_of):
    assert put(**WEDNESDAY_OFF, visits={str(proposal.pk): "keep"}).status_code == 200
    address = f"/api/appointments/{proposal.appointment_id}/proposal"
    answer = client_of(users.patient).put(address, {"accept": True}, format="json")
    assert answer.status_code == 200, answer.json()
    accepted = answer.json()["data"]["appointment"]
    assert (accepted["status"], accepted["appointmentDate"], accepted["outsideHours"]) == (
        "confirmed", "2030-01-09", True,
    )  # fmt: skip
    # A later change that takes nothing more away asks nothing.
    assert put(minNoticeMinutes=30).status_code == 200


def test_keeping_everything_sends_no_summary(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    put(**DAY_OFF, visits={str(appointment.pk): "keep"})
    assert not Notice.objects.filter(event="appointments.bulk_changed").exists()


def test_unavailable_time_is_an_error_of_its_row(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    answer = put(**DAY_OFF, visits={str(appointment.pk): {"date": "2030-01-09", "time": "10:07"}})
    assert (answer.status_code, answer.json()["code"]) == (409, "time_not_offered")
    ((field, (sentence,)),) = answer.json()["errors"].items()
    assert field == f"visits.{appointment.pk}.time"
    assert sentence.startswith(f"{users.patient.name}: ")


# --- Hours past midnight and the cutoff --------------------------------------------------------


def test_night_hours_are_saved_offered_and_booked(put, users, client_of, client):
    night = {"monday": [{"start": "20:00", "end": "03:00"}]}
    answer = put(weeklyHours=night, visitMinutes=90)
    assert answer.status_code == 200, answer.json()
    assert answer.json()["data"]["schedule"]["weeklyHours"]["monday"] == [{"start": "20:00", "end": "03:00"}]
    address = f"/api/doctors/{users.doctor.pk}/slots"
    days = client.get(address, {"from": "2030-01-07", "days": 2}).json()["data"]["slots"]
    assert [day["times"] for day in days] == [["20:00", "21:30", "23:00"], ["00:30"]]
    patient = client_of(users.patient)
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-07", "appointmentTime": "23:00"}
    assert patient.post("/api/appointments/hold", body, format="json").status_code == 201
    booked = patient.post("/api/appointments", {**body, "symptoms": "A cough."}, format="json")
    assert booked.status_code == 201, booked.json()
    assert Appointment.objects.get().ends_at == datetime(2030, 1, 8, 5, 30, tzinfo=UTC)
    late = client.get(address, {"from": "2030-01-07", "days": 2}).json()["data"]["slots"]
    assert [day["times"] for day in late] == [["20:00", "21:30"], ["00:30"]]
    # Saving the same hours strands nobody, and a day off on the next date does not reach back.
    assert put(preview=True, weeklyHours=night).json()["data"]["affected"] == []


def test_hours_that_end_when_they_start_last_until_the_next_day(put):
    answer = put(weeklyHours={"monday": [{"start": "09:00", "end": "09:00"}]})
    assert answer.json()["data"]["schedule"]["weeklyHours"]["monday"] == [{"start": "09:00", "end": "09:00"}]


@pytest.mark.parametrize("hours", [0, 72, None])
def test_the_cancellation_cutoff_is_saved(hours, put, users):
    assert put(cancelCutoffHours=hours).json()["data"]["schedule"]["cancelCutoffHours"] == hours
    users.doctor.refresh_from_db()
    assert users.doctor.cancel_cutoff_hours == hours


def test_explanation_ignores_the_callers_own_hold(users, client_of, api):
    patient = client_of(users.patient)
    address = f"/api/doctors/{users.doctor.pk}/slots/explain"
    query = {"date": "2030-01-08", "time": "10:00"}
    body = {"doctorId": str(users.doctor.pk), "appointmentDate": "2030-01-08", "appointmentTime": "10:00"}
    assert patient.post("/api/appointments/hold", body, format="json").status_code == 201
    assert patient.get(address, query).json()["data"] == {"open": True}
    assert client_of(users.other_patient).get(address, query).json()["data"] == {"open": False}
    assert client_of(users.doctor.user).get(address, query).json()["data"] == {"open": False, "reason": "held"}
    visitors = api.post("/api/appointments/hold", {**body, "appointmentTime": "11:00"}, format="json")
    later = {**query, "time": "11:00"}
    assert api.get(address, later).json()["data"] == {"open": False}
    own = {**later, "holdId": visitors.json()["data"]["holdId"]}
    assert api.get(address, own).json()["data"] == {"open": True}


def test_the_next_hour_is_offered_only_with_instant_confirmation(put, users, client_of, client, clock):
    clock.move_to("2030-01-07T15:00:01Z")
    address = f"/api/doctors/{users.doctor.pk}"
    query = {"date": "2030-01-07", "time": "11:00"}
    explain = client_of(users.doctor.user).get(f"{address}/slots/explain", query).json()["data"]
    assert explain == {"open": False, "reason": "too_soon"}
    assert client.get(address).json()["data"]["doctor"]["nextFree"]["time"] == "12:00"
    assert put(instantConfirmation=True).status_code == 200
    assert client.get(address).json()["data"]["doctor"]["nextFree"]["time"] == "11:00"
    users.doctor.refresh_from_db()
    assert users.doctor.next_free_at == datetime(2030, 1, 7, 16, tzinfo=UTC)


def test_a_waiting_appointment_can_be_cancelled_with_the_change(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY)
    assert put(**DAY_OFF, visits={str(appointment.pk): "cancel"}, reason="The doctor is ill.").status_code == 200
    appointment.refresh_from_db()
    assert (appointment.status, appointment.cancelled_by, appointment.cancel_reason) == (
        "cancelled",
        "doctor",
        "The doctor is ill.",
    )


def test_cancelling_with_the_change_keeps_the_doctors_reply_to_cannot_make_it(put, users):
    appointment = make_appointment(
        users.doctor, users.patient, TUESDAY, status="confirmed", cancel_requested_at=timezone.now(),
        cancel_request_reason="Ill.",
    )  # fmt: skip
    assert put(**DAY_OFF, visits={str(appointment.pk): "cancel"}, reason="The doctor is ill.").status_code == 200
    appointment.refresh_from_db()
    assert (appointment.cancelled_by, appointment.cancel_reason, appointment.cancel_reply) == (
        "patient",
        "Ill.",
        "The doctor is ill.",
    )


def test_confirmed_appointment_cannot_be_cancelled_where_the_setting_forbids_it(put, users, settings):
    settings.DOCTOR_CANCELS_CONFIRMED = False
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    before = state(users.doctor)
    assert put(preview=True, **DAY_OFF).json()["data"]["affected"][0]["mayCancel"] is False
    assert put(**DAY_OFF, visits={str(appointment.pk): "cancel"}).json()["code"] == "illegal_transition"
    assert state(users.doctor) == before


def test_another_time_can_be_proposed_with_the_change(put, users):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, status="confirmed")
    decision = {str(appointment.pk): {"date": "2030-01-09", "time": "10:00"}}
    assert put(**DAY_OFF, visits=decision).status_code == 200
    proposal = Proposal.objects.get()
    assert (proposal.appointment_id, proposal.date, f"{proposal.time:%H:%M}") == (
        appointment.pk,
        date(2030, 1, 9),
        "10:00",
    )
    appointment.refresh_from_db()
    assert appointment.outside_hours


def test_profile_working_hours_require_decisions_too(users, client_of):
    make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    before = state(users.doctor)
    client = client_of(users.doctor.user)
    answer = client.put("/api/doctors/profile", {"workingHours": {"start": "10:00", "end": "18:00"}}, format="json")
    assert (answer.status_code, answer.json()["code"], list(answer.json()["errors"])) == (
        409, "visits_affected", ["workingHours"],
    )  # fmt: skip
    assert state(users.doctor) == before
    answer = client.put("/api/doctors/profile", {"workingHours": {"start": "08:00", "end": "18:00"}}, format="json")
    assert answer.status_code == 200


def test_reducing_profile_hours_further_asks_again_about_a_kept_appointment(users, client_of, put):
    appointment = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    late = {
        day: [{"start": "09:30", "end": "13:00"}] for day in ("monday", "tuesday", "wednesday", "thursday", "friday")
    }
    assert put(weeklyHours=late, visits={str(appointment.pk): "keep"}).status_code == 200
    client = client_of(users.doctor.user)
    address = "/api/doctors/profile"
    # Another end takes nothing more of it away.
    same = client.put(address, {"workingHours": {"start": "09:30", "end": "12:00"}}, format="json")
    assert same.status_code == 200, same.json()
    later = client.put(address, {"workingHours": {"start": "09:45", "end": "12:00"}}, format="json")
    assert (later.status_code, later.json()["code"]) == (409, "visits_affected")


def test_night_hours_sent_back_with_the_profile_change_nothing(put, users, client_of):
    night = {day: [{"start": "20:00", "end": "03:00"}] for day in ("monday", "tuesday")}
    assert put(weeklyHours=night).status_code == 200
    before = list(WeeklyHours.objects.filter(doctor=users.doctor).values())
    client = client_of(users.doctor.user)
    user = client.get("/api/auth/profile").json()["data"]["user"]
    assert user["workingHours"] == {"start": "20:00", "end": "03:00"}
    sent = {name: user[name] for name in ("workingDays", "workingHours")}
    assert client.put("/api/doctors/profile", {**sent, "bio": "At night."}, format="json").status_code == 200
    assert list(WeeklyHours.objects.filter(doctor=users.doctor).values()) == before
    other = {"workingHours": {"start": "21:00", "end": "03:00"}}
    answer = client.put("/api/doctors/profile", other, format="json")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["workingHours.end"])
    days = client.put("/api/doctors/profile", {"workingDays": ["monday"]}, format="json")
    assert days.json()["code"] == "schedule_not_uniform"


def test_profile_working_hours_leave_no_proposal_outside(users, client_of, proposal):
    address = "/api/doctors/profile"
    answer = client_of(users.doctor.user).put(address, {"workingDays": ["monday", "tuesday"]}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    assert [row["_id"] for row in answer.json()["data"]["affected"]] == [str(proposal.pk)]


@pytest.mark.parametrize("who", ["anonymous", "patient", "doctor", "other doctor", "admin"])
def test_only_doctor_and_staff_see_the_reason(who, users, client_of, api):
    person = {
        "patient": users.patient,
        "doctor": users.doctor.user,
        "other doctor": users.other_doctor.user,
        "admin": users.admin,
    }.get(who)
    client = client_of(person) if person else api
    make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    for text, is_open, reason in (("09:00", False, "taken"), ("10:00", True, None), ("13:00", False, "outside_hours")):
        answer = client.get(f"/api/doctors/{users.doctor.pk}/slots/explain", {"date": "2030-01-08", "time": text})
        told = {"reason": reason} if who in {"doctor", "admin"} else {}
        assert (answer.status_code, answer.json()["data"]) == (200, {"open": is_open, **told})


def test_slots_of_an_unlisted_doctor_are_explained_to_owner_and_staff_only(users, client_of, api):
    address = f"/api/doctors/{users.unapproved_doctor.pk}/slots/explain"
    query = {"date": "2030-01-08", "time": "09:00"}
    assert api.get(address, query).status_code == 404
    own = client_of(users.unapproved_doctor.user).get(address, query).json()["data"]
    assert own == {"open": False, "reason": "not_accepting"}


def test_time_zone_change_in_the_profile_requires_decisions_too(users, client_of):
    make_appointment(users.doctor, users.patient, TUESDAY, "09:00")
    before = state(users.doctor)
    answer = client_of(users.doctor.user).put("/api/doctors/profile", {"timeZone": "Asia/Tokyo"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    assert state(users.doctor) == before


@pytest.mark.parametrize("field", ["monday", "overrides"])
def test_oversized_hours_are_rejected_before_parsing(put, field):
    spans = [1] * 1000
    changes = (
        {"weeklyHours": {"monday": spans}}
        if field == "monday"
        else {"overrides": [{"date": "2030-01-09", "hours": spans}]}
    )
    answer = put(**changes)
    assert answer.status_code == 400
    assert len(answer.json()["errors"]) == 1
