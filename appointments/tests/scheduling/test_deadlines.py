"""Test response deadlines: a table of starts, times of day and DST changes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine

from appointments.models import Appointment
from appointments.scheduling.deadlines import compute_reply_deadline, extend_deadline
from appointments.tests.factories import make_appointment
from doctors.models import DoctorProfile

pytestmark = pytest.mark.either_engine

NEW_YORK, BERLIN = "America/New_York", "Europe/Berlin"


def local(text, time_zone):
    """Return the instant of a wall-clock time; the second 01:30 of an autumn night is written `01:30b`."""
    fold = int(text.endswith("b"))
    return datetime.fromisoformat(text.rstrip("b")).replace(tzinfo=ZoneInfo(time_zone), fold=fold).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "start", "due"),
    [
        # 1 h ahead: 30 minutes, which is also 30 minutes before the start.
        ("2026-12-02T09:00", "2026-12-02T10:00", "2026-12-02T09:30"),
        # At 07:20 the same half hour ends before 08:00; 08:30 would be too late.
        ("2026-12-02T07:20", "2026-12-02T08:20", "2026-12-02T07:50"),
        # 90 minutes ahead: half of it.
        ("2026-12-02T09:00", "2026-12-02T10:30", "2026-12-02T09:45"),
        # 5 h ahead: half of it.
        ("2026-12-02T09:00", "2026-12-02T14:00", "2026-12-02T11:30"),
        # 5 h ahead, asked early: half of it is 07:30, so 08:30.
        ("2026-12-02T05:00", "2026-12-02T10:00", "2026-12-02T08:30"),
        # 5 h ahead, asked in the night: 08:30 would be after 30 minutes before the start.
        ("2026-12-02T03:50", "2026-12-02T08:50", "2026-12-02T08:20"),
        # 30 h ahead: half of it is 00:00, so the next 08:30.
        ("2026-12-02T09:00", "2026-12-03T15:00", "2026-12-03T08:30"),
        # Just 20:00 is still day; a minute later is not.
        ("2026-12-02T09:00", "2026-12-03T07:00", "2026-12-02T20:00"),
        ("2026-12-02T09:02", "2026-12-03T07:00", "2026-12-03T06:30"),
        ("2026-12-02T09:02", "2026-12-03T09:00", "2026-12-03T08:30"),
        # Just 08:00 is day already.
        ("2026-12-02T02:00", "2026-12-02T14:00", "2026-12-02T08:00"),
        # 10 days ahead: 48 h.
        ("2026-12-02T09:00", "2026-12-12T09:00", "2026-12-04T09:00"),
        # 10 days ahead, asked at night: 48 h is 23:00, so the next 08:30.
        ("2026-12-02T23:00", "2026-12-12T09:00", "2026-12-05T08:30"),
        ("2026-12-02T03:00", "2026-12-12T09:00", "2026-12-04T08:30"),
    ],
)
@pytest.mark.parametrize("time_zone", [NEW_YORK, BERLIN, "Asia/Kathmandu"])
def test_deadline_is_in_the_daytime_and_30_minutes_before_the_start(now, start, due, time_zone):
    got = compute_reply_deadline(local(start, time_zone), time_zone, local(now, time_zone), 48)
    assert got == local(due, time_zone)


@pytest.mark.parametrize(
    ("time_zone", "now", "start", "due"),
    [
        # Spring: the night is an hour shorter. 48 elapsed hours are 10:00 of the new clock.
        (NEW_YORK, "2027-03-13T09:00", "2027-03-23T09:00", "2027-03-15T10:00"),
        (BERLIN, "2027-03-27T09:00", "2027-04-06T09:00", "2027-03-29T10:00"),
        # 48 elapsed hours end at 20:30: the next 08:30 is by the new clock.
        (BERLIN, "2027-03-27T19:30", "2027-04-06T09:00", "2027-03-30T08:30"),
        # 5 h ahead across the change: 01:00 to 07:00 is five hours, half ends at 04:30.
        (BERLIN, "2027-03-28T01:00", "2027-03-28T07:00", "2027-03-28T06:30"),
        # 30 h ahead across the change.
        (BERLIN, "2027-03-27T09:00", "2027-03-28T16:00", "2027-03-28T08:30"),
        # 1 h ahead across the change: 01:30 to 03:30 is one hour.
        (NEW_YORK, "2027-03-14T01:30", "2027-03-14T03:30", "2027-03-14T03:00"),
        # Fall: the night is an hour longer. 48 elapsed hours are 08:00 of the new clock.
        (NEW_YORK, "2027-11-06T09:00", "2027-11-16T09:00", "2027-11-08T08:00"),
        (NEW_YORK, "2027-11-06T08:30", "2027-11-16T09:00", "2027-11-08T08:30"),
        (BERLIN, "2027-10-30T21:00", "2027-11-09T09:00", "2027-11-01T20:00"),
        # 5 h ahead across the change: 00:30 to 04:30 is five hours, half ends at the second 02:00.
        (NEW_YORK, "2027-11-07T00:30", "2027-11-07T04:30", "2027-11-07T04:00"),
        # 1 h ahead within the hour that comes twice.
        (NEW_YORK, "2027-11-07T01:30", "2027-11-07T01:30b", "2027-11-07T01:00b"),
        # 30 h ahead across the change: half is 23:00, so the next 08:30 of the new clock.
        (NEW_YORK, "2027-11-06T08:00", "2027-11-07T13:00", "2027-11-07T08:30"),
    ],
)
def test_deadlines_follow_the_clinics_time_zone_across_dst_changes(time_zone, now, start, due):
    assert compute_reply_deadline(local(start, time_zone), time_zone, local(now, time_zone), 48) == local(
        due, time_zone
    )


def test_fewer_hours_give_an_earlier_deadline():
    now, start = local("2026-12-02T09:00", BERLIN), local("2026-12-12T09:00", BERLIN)
    assert compute_reply_deadline(start, BERLIN, now, 4) == local("2026-12-02T13:00", BERLIN)


def test_every_deadline_leaves_thirty_minutes_to_both_sides():
    """Every quarter of an hour of the two nights of the clock changes, for every lead from an hour to three days."""
    for day, time_zone in (
        ("2027-03-13T12:00", NEW_YORK),
        ("2027-11-06T12:00", NEW_YORK),
        ("2027-03-27T12:00", BERLIN),
    ):
        for quarter in range(0, 48 * 4, 3):
            now = local(day, time_zone) + timedelta(minutes=15 * quarter)
            for minutes in (60, 75, 119, 300, 700, 1800, 4320):
                start = now + timedelta(minutes=minutes)
                due = compute_reply_deadline(start, time_zone, now, 48)
                assert now + timedelta(minutes=30) <= due <= start - timedelta(minutes=30)
                clock = due.astimezone(ZoneInfo(time_zone)).time().isoformat("minutes")
                assert "08:00" <= clock <= "20:00" or due == start - timedelta(minutes=30)


@pytest.mark.parametrize(("lead", "due"), [(50, 20), (31, 1), (30, 30), (10, 10)])
def test_a_proposal_within_the_last_hour_is_due_before_the_start(lead, due):
    now = local("2026-12-02T09:00", BERLIN)
    got = compute_reply_deadline(now + timedelta(minutes=lead), BERLIN, now, 48)
    assert got == now + timedelta(minutes=due)


def test_a_deadline_is_extended_by_the_pause_and_never_moved_back():
    now = local("2026-12-02T09:00", BERLIN)
    start = now + timedelta(hours=10)
    hour = timedelta(hours=1)
    assert extend_deadline(now + hour, 2 * hour, start) == now + 3 * hour
    assert extend_deadline(now + hour, 20 * hour, start) == start - hour / 2
    assert extend_deadline(start, hour, start) == start


# --- The calls that set a deadline --------------------------------------------------------------

# 1 h, 5 h, 30 h and 10 days ahead of 10:00 on a Monday in New York; over a weekend without and with a clock change.
LEADS = {
    "1 h": ("2030-01-07T10:00", "2030-01-07T11:00", "2030-01-07T10:30"),
    "5 h": ("2030-01-07T10:00", "2030-01-07T15:00", "2030-01-07T12:30"),
    "30 h": ("2030-01-07T10:00", "2030-01-08T16:00", "2030-01-08T08:30"),
    "10 days": ("2030-01-07T10:00", "2030-01-17T10:00", "2030-01-09T10:00"),
    "a weekend": ("2030-02-01T16:00", "2030-02-04T09:00", "2030-02-03T08:30"),
    "over the spring change": ("2030-03-08T16:00", "2030-03-11T09:00", "2030-03-10T08:30"),
    "over the fall change": ("2030-11-01T16:00", "2030-11-04T09:00", "2030-11-03T08:30"),
}


@pytest.mark.django_db
@pytest.mark.parametrize(("now", "start", "due"), LEADS.values(), ids=LEADS)
def test_booking_holding_moving_and_proposing_give_the_same_deadline(now, start, due, users, client_of):
    moment, expected = local(now, NEW_YORK), f"{local(due, NEW_YORK):%Y-%m-%dT%H:%M:%SZ}"
    time = {"appointmentDate": start[:10], "appointmentTime": start[11:]}
    with time_machine.travel(moment, tick=False):
        patient, doctor = client_of(users.patient), client_of(users.doctor.user)
        body = {"doctorId": str(users.doctor.pk), **time}
        held = patient.post("/api/appointments/hold", body, format="json").json()["data"]
        booked = patient.post("/api/appointments", body, format="json").json()["data"]["appointment"]
        assert (held["respondBy"], booked["respondBy"], booked["status"]) == (expected, expected, "pending")
        row = Appointment.objects.get()
        assert row.reservation.expires_at == row.respond_by == local(due, NEW_YORK)
        row.transition_to("cancelled", actor=users.patient, now=moment)

        later = local(start, NEW_YORK).date() + timedelta(days=1)
        other = make_appointment(users.doctor, users.patient, later, "17:00", respond_by=moment + timedelta(hours=3))
        moved = patient.put(f"/api/appointments/{other.pk}/reschedule", time, format="json")
        assert moved.json()["data"]["appointment"]["respondBy"] == expected

        third = make_appointment(users.doctor, users.other_patient, later, "16:00", status="confirmed")
        Appointment.objects.get(pk=other.pk).transition_to("cancelled", actor=users.patient, now=moment)
        made = doctor.post(f"/api/appointments/{third.pk}/proposal", time, format="json")
        assert made.json()["data"]["appointment"]["proposal"]["expiresAt"] == expected


@pytest.mark.django_db
@pytest.mark.parametrize(("instant", "code"), [(False, "time_not_offered"), (True, None)])
def test_with_less_than_an_hour_left_only_instantly_confirming_doctors_are_booked(instant, code, users, client_of):
    DoctorProfile.objects.update(instant_confirmation=instant)
    time = {"appointmentDate": "2030-01-07", "appointmentTime": "11:00"}
    with time_machine.travel(local("2030-01-07T10:00", NEW_YORK) + timedelta(seconds=1), tick=False):
        patient = client_of(users.patient)
        for address in ("/api/appointments/hold", "/api/appointments"):
            answer = patient.post(address, {"doctorId": str(users.doctor.pk), **time}, format="json")
            assert answer.json().get("code") == code
            if code:
                assert answer.json()["data"]["reason"] == "too_soon"
