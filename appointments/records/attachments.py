"""Files that belong to an appointment's record."""

import hashlib
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db import models, transaction
from django.http import Http404

from accounts.audit.log import Action, record_event
from accounts.files.private_storage import PRIVATE_STORAGE, safe_file_name, store_file
from accounts.files.stored_files import claim_file, discard_file
from accounts.files.validation import FileRejectedError, sanitize_file
from accounts.models import User
from accounts.throttling.expensive_requests import ATTACHMENT
from appointments.models import Appointment, Attachment
from appointments.records.services import hold_still, must_be_writable
from config.api.errors import DomainError

TOO_MANY = f"An appointment can have {settings.MAX_ATTACHMENTS} files. Please remove one first."


def standing_files(appointment: Appointment) -> models.QuerySet[Attachment]:
    """Find the files of an appointment that have not been removed, in the order in which they were added."""
    return appointment.attachments.filter(removed_at=None).order_by("added_at", "id")


def attach(appointment: Appointment, name: str, content: bytes, *, actor: User, now: datetime) -> Attachment:
    """Examine a file and keep it with an appointment.

    Raises `illegal_transition` unless the appointment is confirmed or completed, and `invalid` naming `file` where the
    file is not one that we take or the appointment has as many as it can have.
    """
    must_be_writable(appointment)
    must_have_room(appointment)
    ATTACHMENT.consume()
    try:
        file = sanitize_file(content)
    except FileRejectedError as refused:
        raise DomainError("invalid", errors={"file": [str(refused)]}) from refused
    # Before the transaction: nobody should wait for a slow storage with the appointment's row in hand.
    stored_as = store_file(appointment.pk.hex, file)
    try:
        with transaction.atomic():
            hold_still(appointment)
            must_be_writable(appointment)
            must_have_room(appointment)
            attachment = Attachment.objects.create(
                appointment=appointment,
                name=safe_file_name(name, file.content_type),
                content_type=file.content_type,
                size=len(file.content),
                sha256=hashlib.sha256(file.content).hexdigest(),
                stored_as=stored_as,
                added_at=now,
                added_by=actor,
            )
            claim_file(PRIVATE_STORAGE, stored_as)
            note("attachment.added", Action.CREATE, attachment, actor)
    except BaseException:
        discard_file(PRIVATE_STORAGE, stored_as)
        raise
    return attachment


def remove(appointment: Appointment, attachment_id: UUID, *, actor: User, now: datetime) -> None:
    """Take a file out of the record, for both sides; what it was stays in the trail.

    Raises Http404 where it is not there any more.
    """
    with transaction.atomic():
        if not standing_files(appointment).filter(pk=attachment_id).update(removed_at=now):
            raise Http404
        note("attachment.removed", Action.DELETE, appointment.attachments.get(pk=attachment_id), actor)


def must_have_room(appointment: Appointment) -> None:
    """Raise `invalid` where an appointment has as many files as it can have."""
    if standing_files(appointment).count() >= settings.MAX_ATTACHMENTS:
        raise DomainError("invalid", errors={"file": [TOO_MANY]})


def note(event: str, action: str, attachment: Attachment, actor: User) -> None:
    """Write into the appointment's trail what happened to one of its files."""
    record_event(
        event, action, "appointment", attachment.appointment_id, actor=actor, detail={"attachment": str(attachment.pk)}
    )
