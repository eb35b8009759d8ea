"""Write what a doctor notes about an appointment: versions that are never changed, and the draft before them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, TypeAlias

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from accounts.notifications.outbox import notify_users
from appointments.models import Appointment, AppointmentQuerySet, AppointmentRecord, RecordDraft, Status
from appointments.records.serializers import draft_on_wire, record_on_wire
from config.api.errors import DomainError

RecordChanges: TypeAlias = Mapping[str, Any]
"""Some of `CONTENT`'s values, and perhaps `version`: the record's version that the writer saw."""

# A record's parts, and where the appointment keeps them.
CONTENT = {
    "diagnosis": "diagnosis",
    "notes": "doctor_notes",
    "prescription_notes": "prescription_notes",
    "prescription_items": "prescription_items",
    "follow_up_days": "follow_up_days",
}
WRITABLE = (Status.CONFIRMED, Status.COMPLETED)
PAST_APPOINTMENTS = 5


def standing(appointment: Appointment) -> AppointmentRecord:
    """Return the record as it stands; version 0, and not written at any time, where there is none yet."""
    kept: dict[str, Any] = {part: getattr(appointment, column) for part, column in CONTENT.items()}
    return AppointmentRecord(
        appointment=appointment,
        version=appointment.record_version,
        written_by_id=appointment.doctor_id,
        **kept | {"written_at": appointment.recorded_at},
    )


def write_record(
    appointment: Appointment, changes: RecordChanges, *, actor: User, now: datetime, tell: bool = True
) -> None:
    """Write the record's next version with what `changes` says; what it does not name stays as it is.

    Where nothing would change, there is no new version. The draft goes in any case. The patient of a completed
    appointment is told unless `tell` is false. Raises `illegal_transition` unless the appointment is confirmed or
    completed, and `record_changed`, with the record as it stands, where the writer saw an older one.
    """
    with transaction.atomic():
        hold_still(appointment)
        must_be_writable(appointment)
        before = standing(appointment)
        after = standing(appointment)
        for part in CONTENT.keys() & changes.keys():
            setattr(after, part, changes[part])
        if any(getattr(after, part) != getattr(before, part) for part in CONTENT):
            # Who sends the same again, having missed our answer, is not refused: what they want stands.
            if changes.get("version") not in {None, before.version}:
                raise DomainError("record_changed", data={"record": record_on_wire(before)})
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
    """Save `written` as the next version, and on the appointment; raise `record_changed` where someone was quicker.

    Call it inside a transaction.
    """
    written.version, written.written_at, written.written_by = written.version + 1, now, actor
    changes = {column: getattr(written, part) for part, column in CONTENT.items()}
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


def hold_still(appointment: Appointment) -> None:
    """Reload what is written about an appointment, and lock it against other writers until the transaction ends."""
    appointment.refresh_from_db(
        fields=["status", "record_version", "recorded_at", *CONTENT.values()],
        from_queryset=Appointment.objects.select_for_update(no_key=True),
    )


def must_be_writable(appointment: Appointment) -> None:
    """Raise `illegal_transition` unless the appointment is one that a record can be about."""
    if appointment.status not in WRITABLE:
        raise DomainError(
            "illegal_transition", errors={"status": [f"A {appointment.status} appointment can't have a record."]}
        )


def past_appointments(appointment: Appointment, among: AppointmentQuerySet, now: datetime) -> AppointmentQuerySet:
    """Keep the earlier appointments of this patient with this doctor that have taken place, newest first."""
    earlier = among.filter(
        doctor=appointment.doctor_id, patient=appointment.patient_id, starts_at__lt=appointment.starts_at
    )
    held = Q(status=Status.COMPLETED) | Q(status=Status.CONFIRMED, ends_at__lte=now)
    return earlier.filter(held).order_by("-starts_at", "pk")


def draft_of(appointment: Appointment, reader: User) -> RecordDraft | None:
    """Find what the doctor is typing about an appointment; nobody else sees it."""
    return RecordDraft.objects.filter(pk=appointment.pk).first() if reader.role == Role.DOCTOR else None


def save_draft(appointment: Appointment, content: dict[str, Any], revision: int, now: datetime) -> RecordDraft:
    """Keep what is being typed about an appointment; `revision` is the one that the writer saw, 0 for none.

    Raises `illegal_transition` as `write_record` does, and `draft_changed`, with the draft as it stands, where
    another window saved meanwhile.
    """
    must_be_writable(appointment)
    draft = RecordDraft(appointment=appointment, content=content, revision=revision + 1, saved_at=now)
    if revision:
        fields = {"content": content, "revision": draft.revision, "saved_at": now}
        saved = bool(RecordDraft.objects.filter(pk=appointment.pk, revision=revision).update(**fields))
    else:
        saved = insert(draft)
    if not saved:
        raise DomainError(
            "draft_changed", data={"draft": draft_on_wire(RecordDraft.objects.filter(pk=appointment.pk).first())}
        )
    return draft


def insert(draft: RecordDraft) -> bool:
    """Insert an appointment's first draft; False where there is one already."""
    try:
        with transaction.atomic():
            draft.save(force_insert=True)
    except IntegrityError:
        return False
    return True


def drop_draft(appointment: Appointment) -> None:
    """Throw away what was being typed about an appointment."""
    RecordDraft.objects.filter(pk=appointment.pk).delete()
