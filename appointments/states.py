"""Move a visit through its states, with what follows for the calendar."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from appointments.models import Appointment, Status
from appointments.records import RecordChanges, write_record
from doctors.calendar import keep_next_free


def move(
    appointment: Appointment,
    status: str,
    *,
    by: User,
    now: datetime,
    reason: str = "",
    attended: bool | None = None,
    visit: RecordChanges | None = None,
) -> None:
    """Take a visit to `status`, and write its record with it; a cancelled one's time can be found again at once.

    Raises what `Appointment.move_to` and `write_record` raise; then neither is done.
    """
    with transaction.atomic():
        was = appointment.status
        appointment.move_to(status, by=by, now=now, reason=reason, attended=attended)
        if visit is not None:
            # Whoever is told that the visit is completed need not be told of its record as well.
            write_record(appointment, visit, by=by, now=now, tell=was == status)
        if status == Status.CANCELLED:
            keep_next_free([appointment.doctor_id], now)
