"""Erase a person: what the law lets go goes, what must stay stays without what it does not need.

Kept for as long as records must be (`RECORD_RETENTION_YEARS`): appointments with what was written about them, under the
names they were booked with, since a record without its patient is none. The audit trail keeps ids and addresses and
can't be changed; who read whose data keeps ids alone, for `READING_RETENTION_DAYS`. After that time an appointment
keeps neither name nor words.
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
from accounts.text.substring_search import fold_missing
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

NOBODY = "Erased person"


@dataclass(frozen=True)
class Erased:
    """What was done: appointments that keep their record, appointments made anonymous, files deleted."""

    kept: int
    anonymous: int
    files: int


def erase(person: User, *, actor: User | None, now: datetime) -> Erased:
    """End a person's account, if it stands, and erase what needs not be kept; doing so again changes nothing.

    Raises `last_admin` and `last_superuser`.
    """
    with transaction.atomic():
        # All that is changed below, in everybody's order; past appointments may begin before those that end with the
        # account.
        lock_person(person.pk)
        own = Appointment.objects.of_person(person)
        list(own.locked_in_order().only("pk"))
        person.refresh_from_db()
        if person.ended_at is None:
            end_account(person.pk, actor=actor, now=now)
            person.refresh_from_db()
        old, files = forget_appointments(person, now)
        name = "doctor_name" if person.role == Role.DOCTOR else "patient_name"
        kept = own.exclude(**{name: NOBODY}).count()
        forget_person(person, keep_name=kept > 0)
        if person.role == Role.DOCTOR:
            files += forget_practice(person)
        record_event(
            "person.erased", Action.DELETE, "user", person.pk, actor=actor,
            detail={"kept": kept, "anonymous": old, "files": len(files)},
        )  # fmt: skip
        delete_on_commit(PRIVATE_STORAGE, *files)
    return Erased(kept, old, len(files))


def forget_appointments(person: User, now: datetime) -> tuple[int, list[str]]:
    """Make anonymous what need not be kept any longer; return how many appointments, and files to delete.

    An appointment that never took place is no record. Files that were taken out of a record go in any case.
    """
    limit = now - timedelta(days=round(365.25 * settings.RECORD_RETENTION_YEARS))
    own = Appointment.objects.of_person(person)
    past = own.filter(Q(status=Status.CANCELLED) | Q(starts_at__lt=limit)).order_by()
    if person.role == Role.DOCTOR:
        return past.exclude(doctor_name=NOBODY).update(doctor_name=NOBODY, people_text=None), []
    ids = list(past.exclude(patient_name=NOBODY).values_list("pk", flat=True))
    removed = Attachment.objects.filter(appointment__in=own.order_by().values("pk"), removed_at__isnull=False)
    files = Attachment.objects.filter(Q(appointment__in=ids) | Q(pk__in=removed.order_by().values("pk")))
    names = list(files.values_list("stored_as", flat=True))
    files.delete()
    RecordDraft.objects.filter(appointment__in=ids).delete()
    AppointmentRecord.objects.filter(appointment__in=ids).delete()
    Proposal.objects.filter(appointment__in=ids).update(reason="")
    TimeChange.objects.filter(appointment__in=ids).update(reason="")
    Appointment.objects.filter(pk__in=ids).update(
        patient_name=NOBODY,
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


def forget_person(person: User, *, keep_name: bool) -> None:
    """Take away how a person is reached and found; the name and birth date stay where a record needs its patient."""
    person.phone, person.language, person.gender, person.last_login = "", "", Gender.OTHER, None
    if not keep_name:
        person.name, person.date_of_birth = NOBODY, None
    mfa_status.forget(person)
    person.save()
    Session.objects.filter(user=person).delete()
    Notice.objects.filter(recipient=person).delete()
    NoticeSettings.objects.filter(user=person).delete()
    CalendarFeed.objects.filter(user=person).delete()
    BookingDraft.objects.filter(Q(patient=person.pk) | Q(doctor=person.pk)).delete()
    PatientDetails.objects.filter(user=person).update(
        street="", city="", state="", zip_code="", country="", blood_group=""
    )
    pairs = PatientOfDoctor.objects.filter(patient=person)
    pairs.update(email="", gender=Gender.OTHER, search_text=None)
    kept = Appointment.objects.filter(patient=person).exclude(patient_name=NOBODY).order_by()
    pairs.exclude(doctor__in=kept.values("doctor")).update(name=NOBODY)
    # Until then nobody is found by what is gone.
    fold_missing(PatientOfDoctor)
    fold_missing(Appointment)


def forget_practice(person: User) -> list[str]:
    """Take away what a doctor wrote about themselves, and the evidence; return files to delete.

    The licence as it was verified stays with the decisions about it: it says that patients saw a verified doctor.
    """
    DoctorProfile.objects.filter(pk=person.pk).update(bio="", hospital_phone="")
    for model in (WeeklyHours, DayOverride, BlockedTime, Absence):
        model.objects.filter(doctor=person.pk).delete()
    cases = Verification.objects.filter(doctor=person.pk)
    names = list(cases.exclude(document_stored_as="").values_list("document_stored_as", flat=True))
    cases.update(
        message="", document_name="", document_type="", document_size=0, document_sha256="", document_stored_as=""
    )
    return names
