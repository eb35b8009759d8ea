"""Drafts of the booking form, which survive a reload and are shared by devices."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction

from accounts.auth.account_status import lock_if_active
from accounts.models import User
from appointments.models import BookingDraft
from appointments.scheduling.booking import get_bookable_doctor
from config.api.errors import DomainError

DRAFT_RETENTION = timedelta(days=30)
MAX_DRAFTS_PER_PATIENT = 20
# The maximum of one round of housekeeping.
MAX_DELETED_DRAFTS = 1000


def get_draft(patient: User, doctor_id: UUID) -> BookingDraft | None:
    """Return the patient's draft for a doctor. Raises `doctor_unavailable`."""
    doctor = get_bookable_doctor(doctor_id)
    return BookingDraft.objects.filter(patient=patient, doctor=doctor).first()


def save_draft(patient: User, doctor_id: UUID, *, symptoms: str, notes: str, now: datetime) -> BookingDraft | None:
    """Replace the patient's draft for a doctor; text that is blank deletes it.

    The patient's oldest drafts beyond `MAX_DRAFTS_PER_PATIENT` are deleted. Raises `doctor_unavailable`, and
    `session_ended` where the account has been closed in the meantime.
    """
    doctor = get_bookable_doctor(doctor_id)
    if not symptoms.strip() and not notes.strip():
        BookingDraft.objects.filter(patient=patient, doctor=doctor).delete()
        return None
    draft = BookingDraft(patient=patient, doctor=doctor, symptoms=symptoms, notes=notes, saved_at=now)
    with transaction.atomic():
        # Closing the account deletes the drafts; one that is saved at that moment must not survive it.
        if not lock_if_active(patient):
            raise DomainError("session_ended")
        BookingDraft.objects.bulk_create(
            [draft],
            update_conflicts=True,
            unique_fields=["patient", "doctor"],
            update_fields=["symptoms", "notes", "saved_at"],
        )
        own = BookingDraft.objects.filter(patient=patient).order_by("-saved_at", "-pk")
        too_old = list(own.values_list("pk", flat=True)[MAX_DRAFTS_PER_PATIENT:])
        if too_old:
            BookingDraft.objects.filter(pk__in=too_old).delete()
    return draft


def delete_draft(patient: User, doctor_id: UUID) -> None:
    """Delete the patient's draft for a doctor, also for one who can no longer be booked.

    Deleting it again changes nothing. Raises `doctor_unavailable` where there is neither a draft nor such a doctor.
    """
    deleted, _ = BookingDraft.objects.filter(patient=patient, doctor=doctor_id).delete()
    if not deleted:
        get_bookable_doctor(doctor_id)


def delete_old_drafts(now: datetime) -> int:
    """Delete drafts that nobody has saved for `DRAFT_RETENTION`; return how many."""
    old = BookingDraft.objects.filter(saved_at__lte=now - DRAFT_RETENTION).order_by("saved_at")
    pks = list(old.values_list("pk", flat=True)[:MAX_DELETED_DRAFTS])
    return BookingDraft.objects.filter(pk__in=pks).delete()[0] if pks else 0
