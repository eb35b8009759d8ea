"""Export all data about one person as a ZIP file (GDPR, articles 15 and 20)."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import IO, Any
from uuid import UUID

import orjson
from django.conf import settings
from django.core.files.storage import default_storage
from django.db.models import Model, Q, QuerySet

from accounts.audit.log import Action, record_event
from accounts.files.private_storage import private_storage
from accounts.models import (
    AuditEvent,
    AuthenticatorApp,
    CalendarFeed,
    Notice,
    NoticeSettings,
    Passkey,
    PatientDetails,
    Reading,
    RecoveryCode,
    Role,
    Session,
    User,
)
from adminpanel.queries.audit import get_actor_names
from appointments.access_log import RECORD_READ
from appointments.models import (
    Appointment,
    AppointmentRecord,
    Attachment,
    BookingDraft,
    PatientOfDoctor,
    Proposal,
    TimeChange,
)
from config.api.fields import format_utc
from config.db import chunked_iterator
from doctors.models import Absence, BlockedTime, DayOverride, DoctorProfile, Verification, WeeklyHours
from doctors.search_text import FOLDED_COLUMNS

# Fields that are not exported: secrets, internal fields, and data of others.
OMITTED_FIELDS: dict[type[Model], set[str]] = {
    User: {"password", "picture", "is_superuser", "search_text"},
    # Derived for the search.
    DoctorProfile: {*FOLDED_COLUMNS, "is_listed"},
    PatientOfDoctor: {"search_text"},
    Verification: {"document_stored_as", "note", "checklist", "decided_by"},
    Attachment: {"stored_as", "added_by"},
    AppointmentRecord: {"written_by"},
    Notice: {"recipient"},
    CalendarFeed: {"secret_hash"},
    Session: {"bound_to", "device"},
    AuthenticatorApp: {"secret", "last_step"},
    RecoveryCode: {"code_hash"},
    Passkey: {"credential_id", "public_key", "sign_count"},
    Proposal: {"reservation"},
    Appointment: {"reservation", "people_text"},
}
# A doctor's export contains neither patients' health nor who they are.
PATIENT_FIELDS = {
    *("patient", "patient_name", "symptoms", "patient_notes", "doctor_notes", "diagnosis", "prescription_notes"),
    *("prescription_items", "follow_up_days", "cancel_reason", "cancel_request_reason", "cancel_reply"),
}
BATCH_SIZE = 500

README = """Your data at {site}
============={line}

Taken on {day} for {name}.

Each .json file holds a list of rows, as they are kept. Moments are in UTC, times of appointments on the clinic's clock.
Files of your appointments are in the folder "files".

Left out: your password and recovery codes, of which only fingerprints are kept; the secret of your authenticator app
and the public halves of your passkeys, which serve signing in alone; notes that staff made for themselves while
verifying doctors; and, where you are a doctor, what belongs to your patients.
"""

Section = tuple[str, Iterable[dict[str, Any]]]


def write_export(user: User, out: IO[bytes], now: datetime, *, actor: User | None) -> None:
    """Write all data about a person into `out`, as a ZIP file, and audit who exported it."""
    record_event("person.exported", Action.READ, "user", user.pk, actor=actor)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "README.txt",
            README.format(
                site=settings.SITE_NAME, line="=" * len(settings.SITE_NAME), day=format_utc(now), name=user.name
            ),
        )
        for name, rows in iterate_sections(user):
            write_rows(archive, name, rows)
        for name, read in iterate_files(user):
            write_file(archive, name, read)


def iterate_sections(user: User) -> Iterator[Section]:
    """Yield the name and rows of each JSON file."""
    appointments = Appointment.objects.of_user(user).order_by("starts_at", "pk")
    of_appointments = {"appointment__in": appointments.order_by().values("pk")}
    yield "person", read_rows(User.objects.filter(pk=user.pk))
    yield "sessions", read_rows(Session.objects.filter(user=user.pk).order_by("pk"))
    yield "notices", read_rows(Notice.objects.filter(recipient=user.pk).order_by("pk"))
    yield "notice-settings", read_rows(NoticeSettings.objects.filter(pk=user.pk))
    yield "calendar-address", read_rows(CalendarFeed.objects.filter(pk=user.pk))
    yield "authenticator-app", read_rows(AuthenticatorApp.objects.filter(pk=user.pk))
    yield "recovery-codes", read_rows(RecoveryCode.objects.filter(user=user.pk).order_by("pk"))
    yield "passkeys", read_rows(Passkey.objects.filter(user=user.pk))
    yield "appointments", read_rows(appointments, PATIENT_FIELDS if user.role == Role.DOCTOR else set())
    yield "moved-appointments", read_rows(TimeChange.objects.filter(**of_appointments).order_by("pk"))
    proposals = read_rows(Proposal.objects.filter(**of_appointments).order_by("pk"))
    yield "proposed-times", (omit_patient_reason(row) for row in proposals) if user.role == Role.DOCTOR else proposals
    if user.role == Role.PATIENT:
        yield "address-and-blood-group", read_rows(PatientDetails.objects.filter(pk=user.pk))
        yield (
            "records",
            read_rows(AppointmentRecord.objects.filter(**of_appointments).order_by("appointment", "version")),
        )
        yield "files", read_rows(Attachment.objects.filter(**of_appointments).order_by("pk"))
        yield "booking-drafts", read_rows(BookingDraft.objects.filter(patient=user.pk).order_by("pk"))
        yield "your-doctors", read_rows(PatientOfDoctor.objects.filter(patient=user.pk).order_by("pk"))
        yield "who-read-your-records", iterate_record_readers(appointments)
    if user.role == Role.DOCTOR:
        own = {"doctor": user.pk}
        yield "practice", read_rows(DoctorProfile.objects.filter(pk=user.pk))
        yield "applications", read_rows(Verification.objects.filter(**own).order_by("pk"))
        yield "weekly-hours", read_rows(WeeklyHours.objects.filter(**own).order_by("weekday", "start_minute"))
        yield "special-days", read_rows(DayOverride.objects.filter(**own).order_by("date"))
        yield "blocked-time", read_rows(BlockedTime.objects.filter(**own).order_by("date", "start_minute"))
        yield "time-off", read_rows(Absence.objects.filter(**own).order_by("from_date", "pk"))
    yield "who-was-shown-your-data", iterate_readings_about(user)
    # Without whose data it was, which is theirs.
    shown = Reading.objects.filter(actor_id=user.pk).order_by("pk")
    yield "what-you-were-shown", read_rows(shown, {"subject_id", "person_id"})
    about = Q(agent_id=user.pk) | Q(entity_type__in=("user", "doctor"), entity_id=str(user.pk))
    events = read_rows(AuditEvent.objects.filter(about).order_by("pk"))
    yield "what-you-did-and-what-was-done", (omit_addresses_of_others(row, user.pk) for row in events)


def omit_patient_reason(row: dict[str, Any]) -> dict[str, Any]:
    """Remove a patient's reason for another time, which may be clinical."""
    return row if row["proposed_by"] == Role.DOCTOR else {**row, "reason": ""}


def omit_addresses_of_others(row: dict[str, Any], person_id: UUID) -> dict[str, Any]:
    """Remove the source addresses of other users, which are their personal data."""
    return row if row["agent_id"] in {None, person_id} else {**row, "source_address": "", "request_id": ""}


def iterate_record_readers(appointments: QuerySet[Appointment]) -> Iterator[dict[str, Any]]:
    """Yield who read the records of these appointments, and when."""
    ids = chunked_iterator.iterate(appointments.order_by("pk").values_list("pk", flat=True), BATCH_SIZE)
    while batch := list(islice(ids, BATCH_SIZE)):
        read = AuditEvent.objects.filter(event=RECORD_READ, entity_type="appointment", entity_id__in=map(str, batch))
        rows = list(read.order_by("entity_id", "pk"))
        names = get_actor_names(rows)
        for row in rows:
            yield {
                "appointment": row.entity_id,
                "recorded_at": row.recorded_at,
                "agent_id": row.agent_id,
                "agent_role": row.agent_role,
                "name": names.get(row.agent_id, "") if row.agent_id else "",
            }


def iterate_readings_about(user: User) -> Iterator[dict[str, Any]]:
    """Yield who viewed a person's data, on which page, and when."""
    rows = chunked_iterator.iterate(Reading.objects.filter(person_id=user.pk).order_by("pk"), BATCH_SIZE)
    while batch := list(islice(rows, BATCH_SIZE)):
        names = dict(User.objects.filter(pk__in={row.actor_id for row in batch}).values_list("pk", "name"))
        for row in batch:
            yield {
                **{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields},
                "name": names.get(row.actor_id, ""),
            }


def read_rows(queryset: QuerySet[Any], more_omitted: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """Yield the columns of each row by name, without omitted ones."""
    omitted = OMITTED_FIELDS.get(queryset.model, set()) | set(more_omitted)
    columns = [field.attname for field in queryset.model._meta.concrete_fields if field.name not in omitted]
    rows: Iterator[dict[str, Any]] = chunked_iterator.iterate(queryset.values(*columns), BATCH_SIZE)
    return rows


def write_rows(archive: zipfile.ZipFile, name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as one JSON list, without holding all of them in memory."""
    with archive.open(f"{name}.json", "w") as out:
        out.write(b"[")
        for number, row in enumerate(rows):
            out.write((b",\n " if number else b"\n ") + orjson.dumps(row, default=str))
        out.write(b"\n]\n")


OpenFile = Callable[[], IO[bytes]]


def iterate_files(user: User) -> Iterator[tuple[str, OpenFile]]:
    """Yield the name of each file, and a function that opens it."""
    if user.picture:
        yield f"portrait{PurePosixPath(user.picture).suffix}", lambda: default_storage.open(user.picture)
    kept = private_storage()
    attached = Attachment.objects.filter(appointment__patient=user.pk, removed_at=None).order_by("pk")
    for row in chunked_iterator.iterate(attached, BATCH_SIZE):
        yield f"files/{row.pk}/{row.name}", lambda row=row: kept.open(row.stored_as)  # type: ignore[misc]  # bound now
    for case in Verification.objects.filter(doctor=user.pk).exclude(document_stored_as="").order_by("pk"):
        yield (
            f"applications/{case.pk}/{case.document_name}",
            lambda case=case: kept.open(case.document_stored_as),  # type: ignore[misc]  # as above
        )


def write_file(archive: zipfile.ZipFile, name: str, read: OpenFile) -> None:
    """Copy a file in chunks, or note that the storage has lost it."""
    try:
        source = read()
    except FileNotFoundError:
        archive.writestr(f"{name}.missing.txt", "This file is no longer there.\n")
        return
    with source, archive.open(name, "w") as out:
        while chunk := source.read(1024 * 1024):
            out.write(chunk)
