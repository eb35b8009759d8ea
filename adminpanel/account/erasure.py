"""Erase a person's data (GDPR, article 17), except what the law requires to be kept.

Kept for `RECORD_RETENTION_YEARS`: appointments and their records, under the names they were booked with, since a record
without its patient is none; then names and texts are erased, too. The audit log keeps ids and addresses and can't be
changed. The log of who viewed whose data keeps ids only, for `READING_RETENTION_DAYS`.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.audit.log import Action, record_event
from accounts.credentials import mfa_status
from accounts.files.private_storage import PRIVATE_STORAGE
from accounts.files.stored_files import delete_on_commit
from accounts.models import CalendarFeed, Gender, Notice, NoticeSettings, PatientDetails, Role, Session, User
from accounts.text.substring_search import fold_missing_rows
from appointments.models import (
    Appointment,
    AppointmentRecord,
    Attachment,
    BookingDraft,
    PatientOfDoctor,
    Proposal,
    RecordDraft,
    Status,
    TimeChange,
)
from appointments.scheduling.account_closure import end_account, lock_person
from doctors.models import Absence, BlockedTime, DayOverride, DoctorProfile, Verification, WeeklyHours

ERASED_NAME = "Erased person"


@dataclass(frozen=True)
class ErasureResult:
    """Counts of appointments that keep their record, of anonymized appointments, and of deleted files."""

    kept: int
    anonymous: int
    files: int


def erase_person(user: User, *, actor: User | None, now: datetime) -> ErasureResult:
    """Close a user's account, if it is open, and erase what need not be kept; repeating it changes nothing.

    Raises `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        # Lock in the usual order all that is changed below; past appointments may come before those that end with the
        # account.
        lock_person(user.pk)
        own = Appointment.objects.of_user(user)
        list(own.locked_in_order().only("pk"))
        user.refresh_from_db()
        if user.ended_at is None:
            end_account(user.pk, actor=actor, now=now)
            user.refresh_from_db()
        old, files = anonymize_appointments(user, now)
        name = "doctor_name" if user.role == Role.DOCTOR else "patient_name"
        kept = own.exclude(**{name: ERASED_NAME}).count()
        erase_personal_data(user, keep_name=kept > 0)
        if user.role == Role.DOCTOR:
            files += erase_practice(user)
        record_event(
            "person.erased", Action.DELETE, "user", user.pk, actor=actor,
            detail={"kept": kept, "anonymous": old, "files": len(files)},
        )  # fmt: skip
        delete_on_commit(PRIVATE_STORAGE, *files)
    return ErasureResult(kept, old, len(files))


def anonymize_appointments(user: User, now: datetime) -> tuple[int, list[str]]:
    """Anonymize appointments that need not be kept any longer; return how many, and files to delete.

    An appointment that never took place is no record. Files that were removed from a record are always deleted.
    """
    limit = now - timedelta(days=round(365.25 * settings.RECORD_RETENTION_YEARS))
    own = Appointment.objects.of_user(user)
    past = own.filter(Q(status=Status.CANCELLED) | Q(starts_at__lt=limit)).order_by()
    if user.role == Role.DOCTOR:
        return past.exclude(doctor_name=ERASED_NAME).update(doctor_name=ERASED_NAME, people_text=None), []
    ids = list(past.exclude(patient_name=ERASED_NAME).values_list("pk", flat=True))
    removed = Attachment.objects.filter(appointment__in=own.order_by().values("pk"), removed_at__isnull=False)
    files = Attachment.objects.filter(Q(appointment__in=ids) | Q(pk__in=removed.order_by().values("pk")))
    names = list(files.values_list("stored_as", flat=True))
    files.delete()
    RecordDraft.objects.filter(appointment__in=ids).delete()
    AppointmentRecord.objects.filter(appointment__in=ids).delete()
    Proposal.objects.filter(appointment__in=ids).update(reason="")
    TimeChange.objects.filter(appointment__in=ids).update(reason="")
    Appointment.objects.filter(pk__in=ids).update(
        patient_name=ERASED_NAME,
        people_text=None,
        symptoms="",
        patient_notes="",
        doctor_notes="",
        diagnosis="",
        prescription_notes="",
        prescription_items=[],
        follow_up_days=None,
        record_version=0,
        recorded_at=None,
        cancel_reason="",
        cancel_request_reason="",
        cancel_reply="",
    )
    return len(ids), names


def erase_personal_data(user: User, *, keep_name: bool) -> None:
    """Erase contact data and settings; the name and birth date stay while a record needs its patient."""
    user.phone, user.language, user.gender, user.last_login = "", "", Gender.OTHER, None
    if not keep_name:
        user.name, user.date_of_birth = ERASED_NAME, None
    mfa_status.delete_factors(user)
    user.save()
    Session.objects.filter(user=user).delete()
    Notice.objects.filter(recipient=user).delete()
    NoticeSettings.objects.filter(user=user).delete()
    CalendarFeed.objects.filter(user=user).delete()
    BookingDraft.objects.filter(Q(patient=user.pk) | Q(doctor=user.pk)).delete()
    PatientDetails.objects.filter(user=user).update(
        street="", city="", state="", zip_code="", country="", blood_group=""
    )
    pairs = PatientOfDoctor.objects.filter(patient=user)
    pairs.update(email="", gender=Gender.OTHER, search_text=None)
    kept = Appointment.objects.filter(patient=user).exclude(patient_name=ERASED_NAME).order_by()
    pairs.exclude(doctor__in=kept.values("doctor")).update(name=ERASED_NAME)
    # Until then, nobody is found by what was erased.
    fold_missing_rows(PatientOfDoctor)
    fold_missing_rows(Appointment)


def erase_practice(user: User) -> list[str]:
    """Erase what doctors wrote about themselves, and their evidence; return files to delete.

    The verified license stays with the decisions about it, as evidence that the doctor was verified.
    """
    DoctorProfile.objects.filter(pk=user.pk).update(bio="", hospital_phone="")
    for model in (WeeklyHours, DayOverride, BlockedTime, Absence):
        model.objects.filter(doctor=user.pk).delete()
    cases = Verification.objects.filter(doctor=user.pk)
    names = list(cases.exclude(document_stored_as="").values_list("document_stored_as", flat=True))
    cases.update(
        message="", document_name="", document_type="", document_size=0, document_sha256="", document_stored_as=""
    )
    return names
