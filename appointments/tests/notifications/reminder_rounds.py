"""Confirmed appointments, and the rounds that remind of them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from accounts.models import Heartbeat
from appointments.models import Status
from appointments.notifications import reminders
from appointments.tests.factories import make_appointment

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
# A Tuesday, 09:00 in New York, without a change of clocks for weeks.
START = datetime(2026, 6, 9, 13, tzinfo=UTC)
LONG_AGO = START - 60 * DAY


def confirmed(doctor, patient, start, **fields):
    local = start.astimezone(ZoneInfo(doctor.time_zone))
    fields = {"created_at": LONG_AGO, **fields}
    return make_appointment(doctor, patient, local.date(), f"{local:%H:%M}", status=Status.CONFIRMED, **fields)


def rest(moment):
    """Let a round have been done then."""
    Heartbeat.objects.update_or_create(name=reminders.WORKER_NAME, defaults={"beat_at": moment})
