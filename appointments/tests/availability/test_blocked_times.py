"""An hour blocked with a stroke, and opened again."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine

from accounts.models import AuditEvent, Notice
from appointments.models import Appointment, Proposal
from appointments.tests.factories import make_appointment
from doctors.models import BlockedTime, Reservation

pytestmark = pytest.mark.django_db

# A Monday, 10:00 in New York.
NOW = datetime(2030, 1, 7, 15, tzinfo=UTC)
TUESDAY = date(2030, 1, 8)
MORNING = {"date": "2030-01-08", "start": "09:00", "end": "11:00"}


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as traveller:
        yield traveller


@pytest.fixture
def block(users, client_of):
    def send(doctor=None, **fields):
        return client_of((doctor or users.doctor).user).generic(
            "POST",
            "/api/doctors/schedule/blocked",
            json.dumps({**MORNING, **fields}),
            content_type="application/json",
        )

    return send


@pytest.fixture
def open_again(users, client_of):
    def send(pk, doctor=None):
        return client_of((doctor or users.doctor).user).delete(f"/api/doctors/schedule/blocked/{pk}")

    return send


@pytest.fixture
def offered(users, client):
    def times():
        answer = client.get(f"/api/doctors/{users.doctor.pk}/slots", {"from": "2030-01-08", "days": 1})
        return answer.json()["data"]["slots"][0]["times"]

    return times


def test_blocked_time_is_not_offered_until_unblocked(block, open_again, offered, users):
    answer = block(reason="School")
    assert (answer.status_code, answer.json()["message"]) == (201, "Time blocked")
    stretch = BlockedTime.objects.get()
    assert answer.json()["data"] == {"blocked": {"_id": str(stretch.pk), **MORNING, "reason": "School"}}
    assert offered() == ["11:00", "12:00", "14:00", "15:00", "16:00", "17:00"]
    answer = open_again(stretch.pk)
    assert (answer.status_code, answer.json()["message"], answer.json()["data"]) == (200, "Time opened", {})
    assert offered()[:2] == ["09:00", "10:00"]
    assert open_again(stretch.pk).status_code == 404
    events = AuditEvent.objects.filter(entity_type="doctor", agent_id=users.doctor.pk).order_by("pk")
    assert list(events.values_list("event", flat=True)) == ["schedule.blocked", "schedule.unblocked"]


def test_blocking_updates_the_next_free_time(block, open_again, users, django_capture_on_commit_callbacks):
    def next_free():
        users.doctor.refresh_from_db()
        return users.doctor.next_free_at

    with django_capture_on_commit_callbacks(execute=True):
        block(date="2030-01-07", start="10:00", end="24:00")
    assert next_free() == datetime(2030, 1, 8, 14, tzinfo=UTC)
    with django_capture_on_commit_callbacks(execute=True):
        open_again(BlockedTime.objects.get().pk)
    assert next_free() == datetime(2030, 1, 7, 16, tzinfo=UTC)


def test_repeated_blocked_time_returns_the_existing_one(block):
    first = block(reason="School").json()["data"]
    for reason in ("School", ""):
        answer = block(reason=reason)
        assert (answer.status_code, answer.json()["data"]) == (200, first)
    assert BlockedTime.objects.count() == 1
    assert AuditEvent.objects.filter(event="schedule.blocked").count() == 1


def test_new_reason_for_the_same_blocked_time_replaces_the_old_one(block):
    first = block(reason="School").json()["data"]["blocked"]
    answer = block(reason="Another word")
    assert (answer.status_code, answer.json()["data"]["blocked"]) == (200, {**first, "reason": "Another word"})
    assert BlockedTime.objects.get().reason == "Another word"
    assert AuditEvent.objects.filter(event="schedule.blocked").count() == 2


@pytest.mark.parametrize(
    ("fields", "marked"),
    [
        ({"start": "10:00", "end": "12:00"}, "start"),
        ({"start": "08:00", "end": "09:01"}, "start"),
        ({"start": "09:30", "end": "10:00"}, "start"),
        ({"start": "08:00", "end": "20:00"}, "start"),
        ({"date": "2030-01-06"}, "date"),
        ({"date": "0001-01-01"}, "date"),
        ({"date": "2030-02-30"}, "date"),
        ({"date": None}, "date"),
        ({"date": 20300108}, "date"),
        ({"start": "9:00"}, "start"),
        ({"start": None}, "start"),
        ({"start": ["09:00"]}, "start"),
        ({"end": "24:01"}, "end"),
        ({"end": "09:00"}, "end"),
        ({"start": "12:00", "end": "08:00"}, "end"),
        ({"reason": "a\nb"}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"reason": "a" * 201}, "reason"),
        ({"reason": None}, "reason"),
        ({"visits": []}, "visits"),
        ({"visits": {"no-id": "keep"}}, "form"),
        ({"visitsReason": "a" * 501}, "visitsReason"),
        ({"visitsReason": 7}, "visitsReason"),
    ],
)
def test_invalid_blocked_times_are_field_errors(fields, marked, block):
    block()
    answer = block(**fields)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert marked == "form" or list(answer.json()["errors"]) == [marked]
    assert BlockedTime.objects.count() == 1


def test_blocked_times_may_touch_and_include_the_last_day(block):
    assert block().status_code == 201
    assert block(start="11:00", end="12:00").status_code == 201
    assert block(start="00:00", end="09:00").status_code == 201
    assert block(date="9999-12-31", start="00:00", end="24:00").status_code == 201


def test_blocked_times_are_limited_per_day_and_schedule(block, users):
    BlockedTime.objects.bulk_create(
        BlockedTime(doctor=users.doctor, date=TUESDAY, start_minute=minute, end_minute=minute + 5)
        for minute in range(0, 240, 10)
    )
    assert block().json()["errors"] == {"date": ["At most 24 intervals a day."]}
    BlockedTime.objects.bulk_create(
        BlockedTime(doctor=users.doctor, date=TUESDAY + timedelta(days=1 + number), start_minute=0, end_minute=60)
        for number in range(376)
    )
    assert block(date="2030-01-09").json()["errors"] == {"date": ["At most 400 blocked intervals in all."]}


def test_single_blocked_times_are_part_of_the_schedule(block, users, client_of):
    block(reason="School")
    doctor = client_of(users.doctor.user)
    schedule = doctor.get("/api/doctors/schedule").json()["data"]["schedule"]
    assert schedule["blocked"] == [{**MORNING, "reason": "School"}]
    assert doctor.put("/api/doctors/schedule", schedule, format="json").status_code == 200


@pytest.fixture
def inside(users):
    """Two appointments inside the stretch, one confirmed and one that waits, and one after it."""
    confirmed = make_appointment(users.doctor, users.patient, TUESDAY, "09:00", status="confirmed")
    waiting = make_appointment(users.doctor, users.other_patient, TUESDAY, "10:00")
    make_appointment(users.doctor, users.other_patient, TUESDAY, "11:00", status="confirmed")
    return confirmed, waiting


def test_blocking_requires_decisions_about_affected_appointments(block, inside, offered):
    answer = block()
    assert (answer.status_code, answer.json()["code"]) == (409, "visits_affected")
    affected = answer.json()["data"]["affected"]
    assert [(row["_id"], row["mayCancel"], len(row["alternatives"])) for row in affected] == [
        (str(inside[0].pk), True, 3),
        (str(inside[1].pk), True, 3),
    ]
    assert BlockedTime.objects.count() == 0
    assert block(visits={str(inside[0].pk): "keep"}).status_code == 409
    assert not Appointment.objects.filter(outside_hours=True).exists()
    assert offered() == ["12:00", "14:00", "15:00", "16:00", "17:00"]


def test_every_affected_appointment_needs_a_decision(block, inside, users):
    confirmed, waiting = inside
    answer = block(
        visits={str(confirmed.pk): {"date": "2030-01-09", "time": "09:00"}, str(waiting.pk): "cancel"},
        visitsReason="The roof leaks.",
        reason="Private",
    )
    assert answer.status_code == 201, answer.json()
    confirmed.refresh_from_db()
    waiting.refresh_from_db()
    assert (confirmed.status, confirmed.outside_hours) == ("confirmed", True)
    proposal = Proposal.objects.get()
    assert (proposal.appointment_id, proposal.reason, proposal.date) == (
        confirmed.pk,
        "The roof leaks.",
        date(2030, 1, 9),
    )
    assert (waiting.status, waiting.cancelled_by, waiting.cancel_reason) == ("cancelled", "doctor", "The roof leaks.")
    assert set(Notice.objects.values_list("event", "recipient_id")) == {
        ("proposal.made", users.patient.pk),
        ("appointment.cancelled", users.other_patient.pk),
        ("appointments.bulk_changed", users.doctor.pk),
    }
    assert Reservation.objects.filter(kind="proposal").count() == 1


def test_kept_appointment_is_marked_as_outside_until_unblocked(block, open_again, inside):
    kept = {str(appointment.pk): "keep" for appointment in inside}
    pk = block(visits=kept).json()["data"]["blocked"]["_id"]
    assert set(Appointment.objects.filter(outside_hours=True)) == set(inside)
    assert open_again(pk).status_code == 200
    assert not Appointment.objects.filter(outside_hours=True).exists()


def test_a_decision_about_another_appointment_is_refused(block, inside, users):
    stranger = make_appointment(users.other_doctor, users.patient, TUESDAY, "14:00", status="confirmed")
    answer = block(visits={str(appointment.pk): "keep" for appointment in (*inside, stranger)})
    assert (answer.status_code, answer.json()["errors"]) == (
        400,
        {f"visits.{stranger.pk}": ["This appointment is not affected by the change."]},
    )
    assert BlockedTime.objects.count() == 0


def test_a_confirmed_appointment_is_not_cancelled_by_blocking_where_the_site_forbids_it(block, inside, settings):
    settings.DOCTOR_CANCELS_CONFIRMED = False
    answer = block(visits={str(inside[0].pk): "cancel", str(inside[1].pk): "keep"}, visitsReason="Away.")
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert BlockedTime.objects.count() == 0


def test_only_own_blocked_times_from_today_on_can_be_unblocked(open_again, users):
    def stretch(doctor, day):
        return BlockedTime.objects.create(doctor=doctor, date=day, start_minute=0, end_minute=60)

    others, past, today = (
        stretch(users.other_doctor, TUESDAY),
        stretch(users.doctor, date(2030, 1, 6)),
        stretch(users.doctor, date(2030, 1, 7)),
    )
    for pk in (others.pk, past.pk, 0, 10**30):
        assert (open_again(pk).status_code, open_again(pk).json()["code"]) == (404, "not_found")
    assert open_again(today.pk).status_code == 200
    assert set(BlockedTime.objects.all()) == {others, past}
