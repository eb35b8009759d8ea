"""Test the notices to admins about work that waits for them."""

from datetime import datetime, timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import leases
from accounts.models import Heartbeat, Notice
from accounts.notifications import registry
from accounts.tests.factories import AdminFactory, PatientFactory
from adminpanel.operations import housekeeping, pending_work
from doctors.models import CaseState, Verification

pytestmark = pytest.mark.django_db

# In New York, where the site is by default: 7:59 and 8:00.
BEFORE_EIGHT = datetime.fromisoformat("2027-03-02T12:59:00+00:00")
EIGHT = BEFORE_EIGHT + timedelta(minutes=1)


@pytest.fixture
def application(users):
    return Verification.objects.create(doctor=users.unapproved_doctor, state=CaseState.OPEN, submitted_at=BEFORE_EIGHT)


def notices(event=pending_work.PENDING_WORK):
    return Notice.objects.filter(event=event, channel="email").order_by("pk")


def fail_message(person):
    Notice.objects.create(
        event="account.closed", subject_type="user", subject_id=str(person.pk), recipient=person,
        state=Notice.State.FAILED, due_at=EIGHT,
    )  # fmt: skip


def test_admins_are_notified_once_a_day_in_the_morning(users, application):
    assert pending_work.notify_of_pending_work(BEFORE_EIGHT) == 0
    assert pending_work.notify_of_pending_work(EIGHT) == 1
    assert pending_work.notify_of_pending_work(EIGHT + timedelta(hours=9)) == 0
    assert pending_work.notify_of_pending_work(EIGHT + timedelta(days=1)) == 1
    assert [notice.recipient_id for notice in notices()] == [users.admin.pk] * 2


def test_message_counts_what_waits_when_it_is_read(users, application):
    pending_work.notify_of_pending_work(EIGHT)
    notice = notices().get()
    assert registry.compose_message(notice).lines == ("1 application of a doctor is waiting for a decision.",)
    fail_message(users.patient)
    fail_message(PatientFactory.create())
    assert registry.compose_message(notice).lines[1:] == ("2 messages could not be delivered.",)
    Verification.objects.update(state=CaseState.WITHDRAWN)
    assert registry.compose_message(notice).lines == ("2 messages could not be delivered.",)
    Notice.objects.filter(state=Notice.State.FAILED).delete()
    assert registry.compose_message(notice) is None


def test_nobody_is_notified_when_nothing_waits(users, application):
    Verification.objects.update(state=CaseState.WITHDRAWN)
    assert pending_work.notify_of_pending_work(EIGHT) == 0


def test_only_active_admins_are_notified(users, application):
    other, inactive = AdminFactory.create_batch(2)
    inactive.status = "inactive"
    inactive.save()
    assert pending_work.notify_of_pending_work(EIGHT) == 2
    assert {notice.recipient_id for notice in notices()} == {users.admin.pk, other.pk}


@pytest.mark.parametrize(
    ("watch", "worker", "text"),
    [
        (housekeeping.check_delivery, "delivery", "For more than ten minutes, no messages were sent."),
        (
            housekeeping.check_housekeeping,
            "housekeeping",
            "For more than ten minutes, no requests and holds expired and no reminders were prepared.",
        ),
    ],
)
def test_each_worker_reports_once_that_the_other_has_stopped(users, monkeypatch, watch, worker, text):
    leases.record_heartbeat(worker, EIGHT - timedelta(hours=1))
    # After planned maintenance nobody was there to do a round.
    assert watch(EIGHT) == 0
    Heartbeat.objects.all().delete()
    monkeypatch.setattr(pending_work, "STARTED_AT", pending_work.STARTED_AT - 3600)
    assert watch(EIGHT) == 0  # one that never ran was never turned on
    leases.record_heartbeat(worker, EIGHT)
    assert watch(EIGHT + timedelta(minutes=9, seconds=59)) == 0
    assert watch(EIGHT + timedelta(minutes=10)) == 1
    assert watch(EIGHT + timedelta(hours=20)) == 0
    with time_machine.travel(EIGHT + timedelta(minutes=10), tick=False):
        assert registry.compose_message(notices(pending_work.WORKER_LATE).get()).lines[0] == text
    leases.record_heartbeat(worker, EIGHT + timedelta(hours=21))
    with time_machine.travel(EIGHT + timedelta(hours=21), tick=False):
        assert registry.compose_message(notices(pending_work.WORKER_LATE).get()) is None
    assert watch(EIGHT + timedelta(hours=22)) == 1


def test_rounds_do_it(users, application):
    with time_machine.travel(EIGHT, tick=False):
        assert housekeeping.run_round(timezone.now())["pending work notices"] == 1
