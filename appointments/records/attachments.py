"""Attachments of an appointment's record."""

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
from appointments.records.services import lock_record, require_writable
from config.api.errors import DomainError

TOO_MANY_MESSAGE = f"An appointment can have {settings.MAX_ATTACHMENTS} files. Please remove one first."


def list_files(appointment: Appointment) -> models.QuerySet[Attachment]:
    """Return the attachments that were not removed, oldest first."""
    return appointment.attachments.filter(removed_at=None).order_by("added_at", "id")


def add_attachment(appointment: Appointment, name: str, content: bytes, *, actor: User, now: datetime) -> Attachment:
    """Validate a file and attach it to an appointment.

    Raise `illegal_transition` unless the appointment is confirmed or completed, and `invalid` for the field `file` if
    it is rejected or the appointment has too many.
    """
    require_writable(appointment)
    check_file_limit(appointment)
    ATTACHMENT.consume()
    try:
        file = sanitize_file(content)
    except FileRejectedError as refused:
        raise DomainError("invalid", errors={"file": [str(refused)]}) from refused
    # Before the transaction, so that a slow storage does not block the appointment's row.
    stored_as = store_file(appointment.pk.hex, file)
    try:
        with transaction.atomic():
            lock_record(appointment)
            require_writable(appointment)
            check_file_limit(appointment)
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
            record_file_event("attachment.added", Action.CREATE, attachment, actor)
    except BaseException:
        discard_file(PRIVATE_STORAGE, stored_as)
        raise
    return attachment


def remove_attachment(appointment: Appointment, attachment_id: UUID, *, actor: User, now: datetime) -> None:
    """Remove an attachment for both sides; it stays in the audit log.

    Raise Http404 if it does not exist any more.
    """
    with transaction.atomic():
        if not list_files(appointment).filter(pk=attachment_id).update(removed_at=now):
            raise Http404
        record_file_event("attachment.removed", Action.DELETE, appointment.attachments.get(pk=attachment_id), actor)


def check_file_limit(appointment: Appointment) -> None:
    """Raise `invalid` if an appointment has the maximum number of files."""
    if list_files(appointment).count() >= settings.MAX_ATTACHMENTS:
        raise DomainError("invalid", errors={"file": [TOO_MANY_MESSAGE]})


def record_file_event(event: str, action: str, attachment: Attachment, actor: User) -> None:
    """Write an event of an attachment to the audit log."""
    record_event(
        event, action, "appointment", attachment.appointment_id, actor=actor, detail={"attachment": str(attachment.pk)}
    )
