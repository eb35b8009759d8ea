"""Move a visit through its states, with what follows for the calendar."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from appointments.models import Appointment, Status
from doctors.calendar import keep_next_free


def move(
    appointment: Appointment,
    status: str,
    *,
    by: User,
    now: datetime,
    reason: str = "",
    attended: bool | None = None,
) -> None:
    """Take a visit to `status`; a cancelled one's time can be found again at once.

    Raises what `Appointment.move_to` raises.
    """
    with transaction.atomic():
        appointment.move_to(status, by=by, now=now, reason=reason, attended=attended)
        if status == Status.CANCELLED:
            keep_next_free([appointment.doctor_id], now)
