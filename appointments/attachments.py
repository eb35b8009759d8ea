"""Files that belong to a visit's record."""

import hashlib
import re
import secrets
import unicodedata
from datetime import datetime
from pathlib import PurePosixPath
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.db import models, transaction
from django.http import Http404

from accounts.models import User
from accounts.text_rules import NOT_IN_A_LINE
from accounts.trail import Action, record
from appointments.admitted_files import EXTENSIONS, Admitted, FileRefused, admitted
from appointments.models import Appointment, Attachment
from appointments.records import hold_still, must_be_writable
from config.errors import RuleBroken

LONGEST_NAME = 120
TOO_MANY = f"A visit can have {settings.MAX_ATTACHMENTS} files. Please remove one first."


def standing_files(visit: Appointment) -> models.QuerySet[Attachment]:
    """Find the files of a visit that have not been removed, in the order in which they were added."""
    return visit.attachments.filter(removed_at=None).order_by("added_at", "id")


def attach(visit: Appointment, name: str, content: bytes, *, by: User, now: datetime) -> Attachment:
    """Examine a file and keep it with a visit.

    Raises `illegal_transition` unless the visit is confirmed or completed, and `invalid` naming `file` where the file
    is not one that we take or the visit has as many as it can have.
    """
    must_be_writable(visit)
    must_have_room(visit)
    try:
        file = admitted(content)
    except FileRefused as refused:
        raise RuleBroken("invalid", errors={"file": [str(refused)]}) from refused
    # Before the transaction: nobody should wait for a slow storage with the visit's row in hand.
    stored_as = keep(visit, file)
    try:
        with transaction.atomic():
            hold_still(visit)
            must_be_writable(visit)
            must_have_room(visit)
            attachment = Attachment.objects.create(
                appointment=visit,
                name=shown_name(name, file.content_type),
                content_type=file.content_type,
                size=len(file.content),
                sha256=hashlib.sha256(file.content).hexdigest(),
                stored_as=stored_as,
                added_at=now,
                added_by=by,
            )
            note("attachment.added", Action.CREATE, attachment, by)
    except BaseException:
        private_files().delete(stored_as)
        raise
    return attachment


def remove(visit: Appointment, attachment_id: UUID, *, by: User, now: datetime) -> None:
    """Take a file out of the record, for both sides; what it was stays in the trail.

    Raises Http404 where it is not there any more.
    """
    with transaction.atomic():
        if not standing_files(visit).filter(pk=attachment_id).update(removed_at=now):
            raise Http404
        note("attachment.removed", Action.DELETE, visit.attachments.get(pk=attachment_id), by)


def content_of(attachment: Attachment) -> bytes:
    """Read a file; raises Http404 where the storage has lost it."""
    try:
        with private_files().open(attachment.stored_as) as file:
            content: bytes = file.read()
    except FileNotFoundError as lost:
        raise Http404 from lost
    return content


def must_have_room(visit: Appointment) -> None:
    """Raise `invalid` where a visit has as many files as it can have."""
    if standing_files(visit).count() >= settings.MAX_ATTACHMENTS:
        raise RuleBroken("invalid", errors={"file": [TOO_MANY]})


def keep(visit: Appointment, file: Admitted) -> str:
    """Store a file under a name that nobody can guess; answers the name."""
    extension = EXTENSIONS[file.content_type][0]
    return private_files().save(f"{visit.pk.hex}/{secrets.token_hex(16)}{extension}", ContentFile(file.content))


def private_files() -> Storage:
    """Answer the storage that no address leads to."""
    return storages["records"]


def shown_name(name: str, content_type: str) -> str:
    """Answer a name that can be shown and saved under: one line, no folders, an ending that says what it is."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = re.sub(r'[<>:"|?*]', "_", NOT_IN_A_LINE.sub("", last)).strip(" .")
    path = PurePosixPath(clean or "file")
    extensions = EXTENSIONS[content_type]
    ending = path.suffix if path.suffix.lower() in extensions else extensions[0]
    stem = path.stem if path.suffix.lower() in extensions else path.name
    return f"{stem[: LONGEST_NAME - len(ending)].strip()}{ending}"


def note(event: str, action: str, attachment: Attachment, by: User) -> None:
    """Write into the visit's trail what happened to one of its files."""
    record(event, action, "appointment", attachment.appointment_id, by=by, detail={"attachment": str(attachment.pk)})
