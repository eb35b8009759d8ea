"""Save records of appointments as immutable versions, and their drafts."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from accounts.notifications.outbox import notify_users
from appointments.models import Appointment, AppointmentQuerySet, AppointmentRecord, RecordDraft, Status
from appointments.records.serializers import serialize_draft, serialize_record
from config.api.errors import DomainError

RecordChanges: TypeAlias = Mapping[str, Any]
"""Some of `CONTENT_COLUMNS`'s values, and perhaps `version`: the record's version that the writer saw."""

# The fields of a record, and the appointment's columns that copy them.
CONTENT_COLUMNS = {
    "diagnosis": "diagnosis",
    "notes": "doctor_notes",
    "prescription_notes": "prescription_notes",
    "prescription_items": "prescription_items",
    "follow_up_days": "follow_up_days",
}
WRITABLE_STATUSES = (Status.CONFIRMED, Status.COMPLETED)
PAST_APPOINTMENTS = 5


def get_current_record(appointment: Appointment) -> AppointmentRecord:
    """Return the current record; an unsaved one with version 0 if there is none."""
    kept: dict[str, Any] = {part: getattr(appointment, column) for part, column in CONTENT_COLUMNS.items()}
    return AppointmentRecord(
        appointment=appointment,
        version=appointment.record_version,
        written_by_id=appointment.doctor_id,
        **kept | {"written_at": appointment.recorded_at},
    )


def write_record(
    appointment: Appointment, changes: RecordChanges, *, actor: User, now: datetime, tell: bool = True
) -> None:
    """Save the record's next version with these changes; other fields stay.

    Where nothing would change, there is no new version. The draft goes in any case. The patient of a completed
    appointment is told unless `tell` is false. Raises `illegal_transition` unless the appointment is confirmed or
    completed, and `record_changed`, with the record as it stands, where the writer saw an older one.
    """
    with transaction.atomic():
        lock_record(appointment)
        require_writable(appointment)
        before = get_current_record(appointment)
        after = get_current_record(appointment)
        for part in CONTENT_COLUMNS.keys() & changes.keys():
            setattr(after, part, changes[part])
        if any(getattr(after, part) != getattr(before, part) for part in CONTENT_COLUMNS):
            # A repeated request, after a lost response, is accepted.
            if changes.get("version") not in {None, before.version}:
                raise DomainError("record_changed", data={"record": serialize_record(before)})
            add_version(appointment, after, actor, now)
            if tell and appointment.status == Status.COMPLETED:
                notify_users(
                    "record.written",
                    "appointment",
                    appointment.pk,
                    [appointment.patient_id],
                    version=appointment.record_version,
                )
        RecordDraft.objects.filter(pk=appointment.pk).delete()


def add_version(appointment: Appointment, written: AppointmentRecord, actor: User, now: datetime) -> None:
    """Save `written` as the next version and on the appointment; raise `record_changed` if another one was saved first.

    Must be called in a transaction.
    """
    written.version, written.written_at, written.written_by = written.version + 1, now, actor
    changes = {column: getattr(written, part) for part, column in CONTENT_COLUMNS.items()}
    changes |= {"record_version": written.version, "recorded_at": now, "updated_at": now}
    if not Appointment.objects.filter(pk=appointment.pk, record_version=appointment.record_version).update(**changes):
        raise DomainError("record_changed")
    written.save(force_insert=True)
    for name, value in changes.items():
        setattr(appointment, name, value)
    action = Action.CREATE if written.version == 1 else Action.UPDATE
    record_event(
        "record.written", action, "appointment", appointment.pk, actor=actor, detail={"version": written.version}
    )


def lock_record(appointment: Appointment) -> None:
    """Reload an appointment with its row locked until the transaction ends."""
    appointment.refresh_from_db(
        fields=["status", "record_version", "recorded_at", *CONTENT_COLUMNS.values()],
        from_queryset=Appointment.objects.select_for_update(no_key=True),
    )


def require_writable(appointment: Appointment) -> None:
    """Raise `illegal_transition` unless the appointment may have a record."""
    if appointment.status not in WRITABLE_STATUSES:
        raise DomainError(
            "illegal_transition", errors={"status": [f"A {appointment.status} appointment can't have a record."]}
        )


def list_past_appointments(appointment: Appointment, among: AppointmentQuerySet, now: datetime) -> AppointmentQuerySet:
    """Return earlier appointments of this patient with this doctor that took place, newest first."""
    earlier = among.filter(
        doctor=appointment.doctor_id, patient=appointment.patient_id, starts_at__lt=appointment.starts_at
    )
    held = Q(status=Status.COMPLETED) | Q(status=Status.CONFIRMED, ends_at__lte=now)
    return earlier.filter(held).order_by("-starts_at", "pk")


def find_draft(appointment: Appointment, reader: User) -> RecordDraft | None:
    """Return the draft of an appointment, which only its doctor sees."""
    return RecordDraft.objects.filter(pk=appointment.pk).first() if reader.role == Role.DOCTOR else None


def save_draft(appointment: Appointment, content: dict[str, Any], revision: int, now: datetime) -> RecordDraft:
    """Save a draft; `revision` is the one that the writer saw, 0 for none.

    Raise `illegal_transition` as `write_record` does, and `draft_changed`, with the current draft, if another window
    has saved meanwhile.
    """
    require_writable(appointment)
    draft = RecordDraft(appointment=appointment, content=content, revision=revision + 1, saved_at=now)
    if revision:
        fields = {"content": content, "revision": draft.revision, "saved_at": now}
        saved = bool(RecordDraft.objects.filter(pk=appointment.pk, revision=revision).update(**fields))
    else:
        saved = insert_draft(draft)
    if not saved:
        raise DomainError(
            "draft_changed", data={"draft": serialize_draft(RecordDraft.objects.filter(pk=appointment.pk).first())}
        )
    return draft


def insert_draft(draft: RecordDraft) -> bool:
    """Insert an appointment's first draft; return False if there is one already."""
    try:
        with transaction.atomic():
            draft.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def delete_draft(appointment: Appointment) -> None:
    RecordDraft.objects.filter(pk=appointment.pk).delete()
