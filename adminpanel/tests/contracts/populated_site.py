"""The site of the access matrix with something in every list, so that responses show all the keys they can have."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access_log import record_readings
from accounts.audit.log import Action, record_event
from accounts.calendar_feed import create_feed
from accounts.models import AccountStatus, AuditEvent, AuditSeal, Heartbeat, NoticeSettings, Session
from accounts.notifications.outbox import notify_user, notify_users
from accounts.tests.factories import AdminFactory, PatientFactory
from appointments.models import Appointment, AppointmentRecord, BookingDraft, Proposal, RecordDraft, Status, TimeChange
from appointments.models.doctor_patient import build_upsert
from appointments.tests.factories import make_appointment
from config.api.access_log import Subject
from config.db.raw_sql import insert
from doctors.availability.calendar import local_date
from doctors.models import (
    Absence,
    BlockedTime,
    CaseState,
    DayOverride,
    MissedSearch,
    OfferedTime,
    Reservation,
    Verification,
)
from doctors.tests.factories import DoctorFactory
from doctors.verification.decisions import open_case

# Part of every clinical text; only the doctor and the patient may get it.
CANARY = "canary-in-the-ward"
MEDICINE: dict[str, Any] = {"medicine": f"Examplin {CANARY}", "dose": "5 mg", "frequency": "daily", "days": 7}
RECORD_FIELDS: dict[str, Any] = {
    "diagnosis": f"A cold. {CANARY}", "prescription_notes": f"Rest. {CANARY}", "prescription_items": [MEDICINE],
    "follow_up_days": 14,
}  # fmt: skip


@dataclass
class PopulatedSite:
    """The clients, addresses and rows of the access matrix."""

    clients: dict[str, APIClient]
    addresses: dict[str, str]
    users: Any
    # More addresses of routes where one row can't show everything.
    more: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, Any] = field(default_factory=dict)

    def list_addresses(self, route: str) -> list[str]:
        return [self.addresses[route], *self.more.get(route, ())]


@pytest.fixture
def monday(time_machine: Any) -> None:
    """Set the clock to a Monday at ten in the morning in New York, so that no test depends on when it runs."""
    time_machine.move_to(datetime(2030, 1, 7, 15, tzinfo=UTC), tick=False)


@pytest.fixture
def populated_site(monday: None, matrix_site: Any, users: Any) -> PopulatedSite:
    """Fill the site of the access matrix."""
    clients, addresses = matrix_site
    site = PopulatedSite(clients, dict(addresses), users)
    now = timezone.now()
    site.rows["appointment"] = appointment = Appointment.objects.get(patient=users.patient, doctor=users.doctor)
    site.rows["attachment"] = appointment.attachments.get()
    site.rows["session"] = Session.objects.get(user=users.patient)
    site.rows["case"] = Verification.objects.get(doctor=users.doctor)
    site.rows["stretch"] = BlockedTime.objects.get(doctor=users.doctor)
    site.rows["absence"] = Absence.objects.get(doctor=users.doctor)
    add_record(appointment, now)
    add_appointments(site, now)
    add_practice(site, now)
    add_people(site, now)
    for person in (users.patient, users.other_patient):
        BookingDraft.objects.create(patient=person, doctor=users.doctor, symptoms=CANARY, notes=CANARY, saved_at=now)
    # So long ago that the next request updates it.
    Session.objects.filter(ended_at=None).update(last_seen_at=now - timedelta(minutes=10))
    return site


def add_record(appointment: Appointment, now: datetime) -> None:
    """Add a record, a draft, an earlier time and a proposal to the appointment of the matrix."""
    Appointment.objects.filter(pk=appointment.pk).update(**RECORD_FIELDS, doctor_notes=CANARY, patient_notes=CANARY)
    AppointmentRecord.objects.create(
        appointment=appointment,
        version=1,
        written_at=now,
        written_by=appointment.doctor.user,
        notes=CANARY,
        **RECORD_FIELDS,
    )
    prescription = {"notes": CANARY, "items": [MEDICINE]}
    content = {"diagnosis": CANARY, "notes": CANARY, "prescription": prescription, "followUpDays": "1"}
    RecordDraft.objects.create(appointment=appointment, content=content, saved_at=now)
    TimeChange.objects.create(
        appointment=appointment, changed_at=now, changed_by="patient", from_date=appointment.date, from_time="08:00",
        from_time_zone=appointment.time_zone, to_date=appointment.date, to_time=appointment.time,
        to_time_zone=appointment.time_zone,
    )  # fmt: skip
    create_proposal(appointment, now, role="patient")
    record_event(
        "record.read",
        Action.READ,
        "appointment",
        appointment.pk,
        actor=appointment.doctor.user,
        detail={"what": "visit"},
    )


def create_proposal(appointment: Appointment, now: datetime, *, role: str) -> Proposal:
    later = appointment.starts_at + timedelta(hours=3)
    reservation = Reservation.objects.create(
        kind=Reservation.Kind.PROPOSAL, doctor=appointment.doctor, patient=appointment.patient, starts_at=later,
        moves=appointment.reservation_id, ends_at=later + timedelta(hours=1), busy_until=later + timedelta(hours=1),
        expires_at=now + timedelta(hours=9),
    )  # fmt: skip
    return Proposal.objects.create(
        appointment=appointment, reservation=reservation, proposed_by=role, reason="A train.", date=appointment.date,
        time="12:00",
        time_zone=appointment.time_zone, starts_at=later, ends_at=later + timedelta(hours=1), created_at=now,
        expires_at=now + timedelta(hours=9),
    )  # fmt: skip


def add_appointments(site: PopulatedSite, now: datetime) -> None:
    """Add appointments of each kind: with a cancel request, today, past, unfinished, expired, cancelled, stranded."""
    users, today = site.users, local_date(now, site.users.doctor.time_zone)
    pair, other = (users.doctor, users.patient), (users.other_doctor, users.other_patient)
    asked: dict[str, Any] = {"cancel_requested_at": now, "cancel_request_reason": "A cold."}
    site.rows["asked"] = make_appointment(*pair, today + timedelta(days=3), status=Status.CONFIRMED, **asked)
    site.rows["today"] = make_appointment(*pair, today, "16:00", status=Status.CONFIRMED)
    site.rows["waits"] = make_appointment(*pair, today + timedelta(days=4), respond_by=now + timedelta(hours=9))
    site.rows["past"] = past = make_appointment(
        *pair, today - timedelta(days=9), status=Status.COMPLETED, record_version=1, recorded_at=now, **RECORD_FIELDS
    )
    AppointmentRecord.objects.create(
        appointment=past, version=1, written_at=now, written_by=users.doctor.user, notes=CANARY, **RECORD_FIELDS
    )
    site.rows["unfinished"] = make_appointment(*pair, today - timedelta(days=2), status=Status.CONFIRMED)
    site.rows["expired"] = expired = make_appointment(
        *pair, today + timedelta(days=5), "10:00", respond_by=now - timedelta(minutes=1)
    )
    site.rows["others"] = make_appointment(*other, today + timedelta(days=2), status=Status.CONFIRMED)
    make_appointment(users.other_doctor, users.other_patient, today - timedelta(days=2), status=Status.CANCELLED)
    stopped = DoctorFactory.create(user__status=AccountStatus.INACTIVE)
    site.rows["stranded"] = make_appointment(
        stopped, users.other_patient, today + timedelta(days=6), status=Status.CONFIRMED
    )
    site.more["appointment-detail"] = [f"/api/appointments/{expired.pk}", f"/api/appointments/{site.rows['asked'].pk}"]
    # Without results.
    site.more["doctor-list"] = ["/api/doctors?city=Nowhere&availableBy=2030-01-09"]
    site.more["appointment-list"] = ["/api/appointments?counts=true"]
    insert(build_upsert(users.doctor.pk, users.deactivated, now))
    Appointment.objects.update(symptoms=f"A cough. {CANARY}")


def add_practice(site: PopulatedSite, now: datetime) -> None:
    """Add calendar entries, applications in each state, and statistics."""
    doctor, waiting = site.users.doctor, site.users.unapproved_doctor
    today = local_date(now, doctor.time_zone)
    DayOverride.objects.create(doctor=doctor, date=today + timedelta(days=1), hours=[[540, 600]], reason="A course.")
    BlockedTime.objects.filter(doctor=doctor).update(reason="A meeting.")
    starts_at = now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=30)
    Reservation.objects.create(
        kind=Reservation.Kind.HOLD, doctor=doctor, starts_at=starts_at, ends_at=starts_at + timedelta(hours=1),
        busy_until=starts_at + timedelta(hours=1), expires_at=now + timedelta(minutes=5), secret_hash="1" * 64,
    )  # fmt: skip
    idle = DoctorFactory.create(working={"days": []})
    site.more["doctor-slots"] = [f"/api/doctors/{idle.pk}/slots"]
    site.rows["open case"] = open_case(waiting, now)
    document = {"document_name": "license.pdf", "document_type": "application/pdf", "document_size": 8}
    Verification.objects.filter(doctor=waiting).update(**document, document_stored_as="nowhere", message="Please.")
    for doctor in (site.users.doctor, waiting):
        Verification.objects.create(
            doctor=doctor, submitted_at=now - timedelta(days=9), state=CaseState.REJECTED, decided_at=now,
            decided_by=site.users.admin, reason="Unreadable.", note="Ask again.", license_number="EX-1",
            specialization="Other", checklist={"identity": True}, **document,
        )  # fmt: skip
    OfferedTime.objects.create(date=now.date() - timedelta(days=1), offered_minutes=480, used_minutes=60)
    MissedSearch.objects.create(date=now.date() - timedelta(days=1), times=2)


def add_people(site: PopulatedSite, now: datetime) -> None:
    """Add notices, settings, a calendar address, a portrait, and further people."""
    users, appointment = site.users, site.rows["appointment"]
    people = (users.patient, users.doctor.user, users.other_patient, users.admin)
    for person in people:
        notify_user("account.password_changed", person)
        NoticeSettings.objects.create(user=person, quiet_from="22:00", quiet_until="06:00", time_zone="UTC")
    notify_users(
        "appointment.booked",
        "appointment",
        appointment.pk,
        [users.patient, users.doctor.user],
        version=appointment.version,
    )
    _, address = create_feed(users.patient, now)
    site.addresses["calendar-feed"] = f"/calendar/{address.rsplit('/', 1)[1]}"
    name = default_storage.save("pictures/matrix.webp", ContentFile(b"RIFF"))
    site.addresses["media"] = f"/media/{name}"
    users.doctor.user.picture = name
    users.doctor.user.pending_email = "soon@example.com"
    users.doctor.user.save()
    AdminFactory.create(), PatientFactory.create(ended_at=now, email="gone@ended.invalid")
    subject = Subject("user", users.patient.pk, users.patient.pk)
    record_readings(users.doctor.user, "populated_site", [subject])
    record_readings(users.admin, "populated_site", [subject])
    for beat in ("housekeeping", "delivery"):
        Heartbeat.objects.update_or_create(name=beat, defaults={"beat_at": now})
    last = AuditEvent.objects.order_by("id").values_list("id", flat=True).first() or 1
    AuditSeal.objects.create(
        first_event=last, last_event=last, digests=b"", previous_hash="0" * 64, hash="a" * 64,
        sealed_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
