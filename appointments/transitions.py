"""Take an appointment through its statuses, with what follows for the calendar."""

from datetime import datetime

from django.db import transaction

from accounts.models import Role, User
from appointments.models import Appointment, Cause, Proposal, Status
from appointments.records.services import RecordChanges, write_record
from appointments.scheduling.rescheduling import locked_doctor
from config.api.errors import DomainError


def move(
    appointment: Appointment,
    status: str,
    *,
    by: User,
    now: datetime,
    reason: str = "",
    attended: bool | None = None,
    record: RecordChanges | None = None,
    undoable: bool = False,
    in_bulk: bool = False,
) -> bool:
    """Take an appointment to `status`, write its record with it, and return whether that changed anything.

    See `Appointment.transition_to` for the arguments. Raises what it and `write_record` raise; then neither is done.
    """
    with transaction.atomic():
        before = appointment.status
        changed = appointment.transition_to(
            status, actor=by, now=now, reason=reason, attended=attended, is_undoable=undoable, is_bulk=in_bulk
        )
        if record is not None:
            version = appointment.record_version
            # The notice that it is completed says that there is a record, too.
            write_record(appointment, record, by=by, now=now, tell=before == status)
            changed = changed or appointment.record_version != version
    return changed


def undo_confirmation(appointment: Appointment, *, by: User, now: datetime) -> bool:
    """Make a request pending again that was confirmed just now; return whether that changed anything.

    Raises `illegal_transition` for anybody but the person who confirmed it, after 10 seconds, and where the patient or
    the doctor has acted on the confirmed appointment since.
    """
    with transaction.atomic():
        locked_doctor(appointment)
        proposed = appointment.proposals.filter(answer=Proposal.Answer.OPEN, proposed_by=Role.PATIENT)
        written_at, confirmed_at = appointment.recorded_at, appointment.confirmed_at
        if proposed.exists() or (written_at and confirmed_at and written_at >= confirmed_at):
            raise DomainError("illegal_transition")
        return appointment.transition_to(Status.PENDING, actor=by, now=now, cause=Cause.DEDICATED)


def reopen(appointment: Appointment, *, by: User, now: datetime) -> bool:
    """Make a completed appointment confirmed again, with its record; return whether that changed anything.

    Raises `illegal_transition` from 24 hours after it was completed, and where the patient's account is closed:
    closing it has cancelled everything that was live.
    """
    with transaction.atomic():
        locked_doctor(appointment)
        return appointment.transition_to(Status.CONFIRMED, actor=by, now=now, cause=Cause.DEDICATED)
