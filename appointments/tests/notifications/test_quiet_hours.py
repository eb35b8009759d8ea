"""Quiet hours keep no word of an appointment back until it is too late."""

from datetime import UTC, datetime, time, timedelta

import pytest

from accounts.models import Notice, NoticeSettings, Role
from accounts.notifications.outbox import notify_users
from accounts.notifications.preferences import check_preferences
from appointments.models import Appointment, Proposal
from appointments.tests.factories import make_appointment

# In New York it is 22:00, and quiet until 07:00.
NOW = datetime(2026, 12, 8, 3, tzinfo=UTC)
MORNING = datetime(2026, 12, 8, 12, tzinfo=UTC)

pytestmark = pytest.mark.django_db


@pytest.fixture
def appointment(users):
    NoticeSettings.objects.create(
        user=users.patient, quiet_from=time(22), quiet_until=time(7), time_zone="America/New_York"
    )
    return make_appointment(users.doctor, users.patient, NOW.date())


def notice_of(appointment, event, subject="appointment", subject_id=None):
    notify_users(event, subject, subject_id or appointment.pk, [appointment.patient_id], version=99)
    return Notice.objects.latest("pk")


@pytest.mark.parametrize(
    ("begins", "verdict"),
    [
        (MORNING + timedelta(hours=1), MORNING),
        (MORNING + timedelta(minutes=59), True),
        (NOW + timedelta(hours=2), True),
        # What was long ago can wait.
        (NOW - timedelta(days=3), MORNING),
    ],
)
def test_appointment_notice_waits_while_there_is_time(appointment, begins, verdict):
    Appointment.objects.filter(pk=appointment.pk).update(starts_at=begins, status="confirmed", respond_by=None)
    assert check_preferences(notice_of(appointment, "appointment.confirmed"), NOW) == verdict


@pytest.mark.parametrize(
    ("answer_by", "verdict"), [(MORNING + timedelta(minutes=59), True), (MORNING + timedelta(hours=1), MORNING)]
)
def test_a_request_waits_while_it_can_be_answered(appointment, answer_by, verdict):
    """The appointment is days ahead, but by then the request has long run out."""
    later = NOW + timedelta(days=3)
    ends = later + timedelta(hours=1)
    Appointment.objects.filter(pk=appointment.pk).update(starts_at=later, ends_at=ends, respond_by=answer_by)
    assert check_preferences(notice_of(appointment, "appointment.booked"), NOW) == verdict
    Appointment.objects.filter(pk=appointment.pk).update(status="confirmed")
    assert check_preferences(notice_of(appointment, "appointment.confirmed"), NOW) == MORNING


def test_cancellation_is_sent_immediately(appointment):
    for event in ("appointment.cancelled", "appointment.expired"):
        assert check_preferences(notice_of(appointment, event), NOW) is True


@pytest.mark.parametrize(("ends", "verdict"), [(MORNING, True), (MORNING + timedelta(hours=1), MORNING)])
def test_a_proposal_waits_while_it_can_be_answered(appointment, ends, verdict):
    proposal = Proposal.objects.create(
        appointment=appointment,
        proposed_by=Role.DOCTOR,
        date=appointment.date,
        time=time(11),
        time_zone=appointment.time_zone,
        starts_at=appointment.starts_at + timedelta(hours=2),
        ends_at=appointment.starts_at + timedelta(hours=3),
        created_at=NOW,
        expires_at=ends,
    )
    assert check_preferences(notice_of(appointment, "proposal.made", "proposal", proposal.pk), NOW) == verdict
