"""Change the status of an appointment, together with its record."""

from datetime import datetime

from django.db import transaction

from accounts.models import Role, User
from appointments.models import Appointment, Cause, Proposal, Status
from appointments.records.services import RecordChanges, write_record
from appointments.scheduling.rescheduling import lock_appointment
from config.api.errors import DomainError


def change_status(
    appointment: Appointment,
    status: str,
    *,
    actor: User,
    now: datetime,
    reason: str = "",
    attended: bool | None = None,
    record: RecordChanges | None = None,
    is_undoable: bool = False,
    is_bulk: bool = False,
) -> bool:
    """Change the status and save the record, in one transaction; return whether that changed anything.

    See `Appointment.transition_to` for the arguments. Raises what it and `write_record` raise; then neither is done.
    """
    with transaction.atomic():
        before = appointment.status
        changed = appointment.transition_to(
            status, actor=actor, now=now, reason=reason, attended=attended, is_undoable=is_undoable, is_bulk=is_bulk
        )
        if record is not None:
            version = appointment.record_version
            # The notice that it is completed says that there is a record, too.
            write_record(appointment, record, actor=actor, now=now, tell=before == status)
            changed = changed or appointment.record_version != version
    return changed


def undo_confirmation(appointment: Appointment, *, actor: User, now: datetime) -> bool:
    """Undo a recent confirmation; return whether that changed anything.

    Raises `illegal_transition` for anybody but the person who confirmed it, after 10 seconds, and where the patient or
    the doctor has acted on the confirmed appointment since.
    """
    with transaction.atomic():
        lock_appointment(appointment)
        proposed = appointment.proposals.filter(answer=Proposal.Answer.OPEN, proposed_by=Role.PATIENT)
        written_at, confirmed_at = appointment.recorded_at, appointment.confirmed_at
        if proposed.exists() or (written_at and confirmed_at and written_at >= confirmed_at):
            raise DomainError("illegal_transition")
        return appointment.transition_to(Status.PENDING, actor=actor, now=now, cause=Cause.DEDICATED)


def reopen_appointment(appointment: Appointment, *, actor: User, now: datetime) -> bool:
    """Reopen a completed appointment; return whether that changed anything.

    Raises `illegal_transition` from 24 hours after it was completed, and where the patient's account is closed:
    closing it has cancelled everything that was live.
    """
    with transaction.atomic():
        lock_appointment(appointment)
        return appointment.transition_to(Status.CONFIRMED, actor=actor, now=now, cause=Cause.DEDICATED)
