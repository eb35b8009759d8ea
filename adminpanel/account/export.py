"""All that is kept about one person, as a ZIP file to take away (GDPR, articles 15 and 20)."""

import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import PurePosixPath
from typing import IO, Any
from uuid import UUID

import orjson
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
from appointments.access_log import READ
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
from doctors.search_text import FOLDED

# What lies in the file beside the rows: kept of nobody, or not the person's to take away.
LEFT_OUT: dict[type[Model], set[str]] = {
    User: {"password", "picture", "is_superuser", "search_text"},
    # The same once more, as it is searched.
    DoctorProfile: {*FOLDED, "is_listed"},
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
# A patient's health is no doctor's to take away, nor is who the patient is.
OF_THE_PATIENT = {
    *("patient", "patient_name", "symptoms", "patient_notes", "doctor_notes", "diagnosis", "prescription_notes"),
    *("prescription_items", "follow_up_days", "cancel_reason", "cancel_request_reason", "cancel_reply"),
}
BATCH = 500

README = """Your data at Wellhour
=====================

Taken on {day} for {name}.

Each .json file holds a list of rows, as they are kept. Moments are in UTC, times of appointments on the clinic's clock.
Files of your appointments are in the folder "files".

Left out: your password and recovery codes, of which only fingerprints are kept; the secret of your authenticator app
and the public halves of your passkeys, which serve signing in alone; notes that staff made for themselves while
verifying doctors; and, where you are a doctor, what belongs to your patients.
"""

Section = tuple[str, Iterable[dict[str, Any]]]


def write_export(person: User, out: IO[bytes], now: datetime, *, actor: User | None) -> None:
    """Write all that is kept about a person into `out`, as a ZIP file; who took it away stands in the trail."""
    record_event("person.exported", Action.READ, "user", person.pk, actor=actor)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README.format(day=format_utc(now), name=person.name))
        for name, rows in sections(person):
            write_rows(archive, name, rows)
        for name, read in files(person):
            write_file(archive, name, read)


def sections(person: User) -> Iterator[Section]:
    """Name each list of rows."""
    appointments = Appointment.objects.of_person(person).order_by("starts_at", "pk")
    of_appointments = {"appointment__in": appointments.order_by().values("pk")}
    yield "person", rows_of(User.objects.filter(pk=person.pk))
    yield "sessions", rows_of(Session.objects.filter(user=person.pk).order_by("pk"))
    yield "notices", rows_of(Notice.objects.filter(recipient=person.pk).order_by("pk"))
    yield "notice-settings", rows_of(NoticeSettings.objects.filter(pk=person.pk))
    yield "calendar-address", rows_of(CalendarFeed.objects.filter(pk=person.pk))
    yield "authenticator-app", rows_of(AuthenticatorApp.objects.filter(pk=person.pk))
    yield "recovery-codes", rows_of(RecoveryCode.objects.filter(user=person.pk).order_by("pk"))
    yield "passkeys", rows_of(Passkey.objects.filter(user=person.pk))
    yield "appointments", rows_of(appointments, OF_THE_PATIENT if person.role == Role.DOCTOR else set())
    yield "moved-appointments", rows_of(TimeChange.objects.filter(**of_appointments).order_by("pk"))
    proposals = rows_of(Proposal.objects.filter(**of_appointments).order_by("pk"))
    yield "proposed-times", (of_own_words(row) for row in proposals) if person.role == Role.DOCTOR else proposals
    if person.role == Role.PATIENT:
        yield "address-and-blood-group", rows_of(PatientDetails.objects.filter(pk=person.pk))
        yield "records", rows_of(AppointmentRecord.objects.filter(**of_appointments).order_by("appointment", "version"))
        yield "files", rows_of(Attachment.objects.filter(**of_appointments).order_by("pk"))
        yield "booking-drafts", rows_of(BookingDraft.objects.filter(patient=person.pk).order_by("pk"))
        yield "your-doctors", rows_of(PatientOfDoctor.objects.filter(patient=person.pk).order_by("pk"))
        yield "who-read-your-records", readings(appointments)
    if person.role == Role.DOCTOR:
        own = {"doctor": person.pk}
        yield "practice", rows_of(DoctorProfile.objects.filter(pk=person.pk))
        yield "applications", rows_of(Verification.objects.filter(**own).order_by("pk"))
        yield "weekly-hours", rows_of(WeeklyHours.objects.filter(**own).order_by("weekday", "start_minute"))
        yield "special-days", rows_of(DayOverride.objects.filter(**own).order_by("date"))
        yield "blocked-time", rows_of(BlockedTime.objects.filter(**own).order_by("date", "start_minute"))
        yield "time-off", rows_of(Absence.objects.filter(**own).order_by("from_date", "pk"))
    yield "who-was-shown-your-data", readings_about(person)
    # Whose data that was is theirs.
    shown = Reading.objects.filter(actor_id=person.pk).order_by("pk")
    yield "what-you-were-shown", rows_of(shown, {"subject_id", "person_id"})
    about = Q(agent_id=person.pk) | Q(entity_type__in=("user", "doctor"), entity_id=str(person.pk))
    events = rows_of(AuditEvent.objects.filter(about).order_by("pk"))
    yield "what-you-did-and-what-was-done", (of_own_traces(row, person.pk) for row in events)


def of_own_words(row: dict[str, Any]) -> dict[str, Any]:
    """Leave out why a patient asked for another time: it may tell of their health."""
    return row if row["proposed_by"] == Role.DOCTOR else {**row, "reason": ""}


def of_own_traces(row: dict[str, Any], person_id: UUID) -> dict[str, Any]:
    """Leave out from where others acted: it is their personal data. Who is not signed in has no other owner."""
    return row if row["agent_id"] in {None, person_id} else {**row, "source_address": "", "request_id": ""}


def readings(appointments: QuerySet[Appointment]) -> Iterator[dict[str, Any]]:
    """Return who read what was written about these appointments, and when."""
    ids = chunked_iterator.iterate(appointments.order_by("pk").values_list("pk", flat=True), BATCH)
    while batch := list(islice(ids, BATCH)):
        read = AuditEvent.objects.filter(event=READ, entity_type="appointment", entity_id__in=map(str, batch))
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


def readings_about(person: User) -> Iterator[dict[str, Any]]:
    """Yield who was shown data of a person by which page, and when."""
    rows = chunked_iterator.iterate(Reading.objects.filter(person_id=person.pk).order_by("pk"), BATCH)
    while batch := list(islice(rows, BATCH)):
        names = dict(User.objects.filter(pk__in={row.actor_id for row in batch}).values_list("pk", "name"))
        for row in batch:
            yield {
                **{field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields},
                "name": names.get(row.actor_id, ""),
            }


def rows_of(queryset: QuerySet[Any], more_left_out: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """Return the columns of each row by their names, without what is left out."""
    left_out = LEFT_OUT.get(queryset.model, set()) | set(more_left_out)
    columns = [field.attname for field in queryset.model._meta.concrete_fields if field.name not in left_out]
    rows: Iterator[dict[str, Any]] = chunked_iterator.iterate(queryset.values(*columns), BATCH)
    return rows


def write_rows(archive: zipfile.ZipFile, name: str, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows as one JSON list, without holding all of them at once."""
    with archive.open(f"{name}.json", "w") as out:
        out.write(b"[")
        for number, row in enumerate(rows):
            out.write((b",\n " if number else b"\n ") + orjson.dumps(row, default=str))
        out.write(b"\n]\n")


Reader = Callable[[], IO[bytes]]


def files(person: User) -> Iterator[tuple[str, Reader]]:
    """Name each file, and how it is opened."""
    if person.picture:
        yield f"portrait{PurePosixPath(person.picture).suffix}", lambda: default_storage.open(person.picture)
    kept = private_storage()
    attached = Attachment.objects.filter(appointment__patient=person.pk, removed_at=None).order_by("pk")
    for row in chunked_iterator.iterate(attached, BATCH):
        yield f"files/{row.pk}/{row.name}", lambda row=row: kept.open(row.stored_as)  # type: ignore[misc]  # bound now
    for case in Verification.objects.filter(doctor=person.pk).exclude(document_stored_as="").order_by("pk"):
        yield (
            f"applications/{case.pk}/{case.document_name}",
            lambda case=case: kept.open(case.document_stored_as),  # type: ignore[misc]  # as above
        )


def write_file(archive: zipfile.ZipFile, name: str, read: Reader) -> None:
    """Copy a file in pieces; one that the storage has lost is named instead."""
    try:
        source = read()
    except FileNotFoundError:
        archive.writestr(f"{name}.missing.txt", "This file is no longer there.\n")
        return
    with source, archive.open(name, "w") as out:
        while piece := source.read(1024 * 1024):
            out.write(piece)
