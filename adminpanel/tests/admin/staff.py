"""Staff users, and a row of every table of the staff site."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import count

from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.test import Client, RequestFactory
from django.utils import timezone

from accounts.auth.sessions import open_session
from accounts.auth.staff_login import COOKIE_NAME
from accounts.models import (
    AuditEvent,
    AuditSeal,
    AuthenticatorApp,
    CalendarFeed,
    Heartbeat,
    Notice,
    NoticeSettings,
    Passkey,
    Reading,
    RecoveryCode,
    ResetRequest,
    Session,
    SpentTicket,
    StrayFile,
    User,
)
from accounts.models.identifiers import new_id
from accounts.tests.factories import AdminFactory, PatientFactory
from adminpanel.models import SiteText
from appointments.models import (
    Appointment,
    AppointmentRecord,
    Attachment,
    BookingDraft,
    PatientOfDoctor,
    Proposal,
    RecordDraft,
    TimeChange,
)
from appointments.tests.factories import make_appointment
from doctors.models import (
    Absence,
    BlockedTime,
    DayOverride,
    DoctorProfile,
    HeldTime,
    MissedSearch,
    OfferedTime,
    Reservation,
    Verification,
    WeeklyHours,
)
from doctors.tests.factories import DoctorFactory

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
# The clinical text of the rows below, hidden without permission.
SECRET = "A secret cough"
# The prefix of stored secrets, which nobody may see.
KEPT_FROM_ALL = "kept-from-all-"
numbers = count()


def client_for(person: User) -> Client:
    """Return a client with a staff session."""
    client = Client()
    client.cookies[COOKIE_NAME] = open_session(person, RequestFactory().get("/"), timezone.now())
    client.cookies[COOKIE_NAME]["path"] = "/staff/"
    return client


def staff_member(*codenames: str, superuser: bool = False) -> User:
    """Create a staff user with these permissions."""
    person = AdminFactory.create(is_staff=True, is_superuser=superuser)
    person.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return person


def appointment() -> Appointment:
    """Make an appointment of two new people."""
    doctor = DoctorFactory.create(user__name=f"Doctor {next(numbers)}")
    text = {"symptoms": SECRET, "diagnosis": SECRET, "patient_notes": SECRET, "prescription_notes": SECRET}
    return make_appointment(doctor, PatientFactory.create(), timezone.now().date() + timedelta(days=2), **text)


def case() -> Verification:
    doctor = DoctorFactory.create()
    return Verification.objects.create(
        doctor=doctor, submitted_at=NOW, state="approved", decided_at=NOW, license_number="X", specialization="Other",
        decided_by=AdminFactory.create(),
    )  # fmt: skip


def session() -> Session:
    open_session(PatientFactory.create(), RequestFactory().get("/"), timezone.now())
    return Session.objects.latest("id")


def day() -> date:
    return date(2030, 1, 1) + timedelta(days=next(numbers))


def proposal() -> Proposal:
    return Proposal.objects.create(
        appointment=appointment(), proposed_by="patient", date=day(), time="10:00", time_zone="UTC", starts_at=NOW,
        ends_at=NOW, created_at=NOW, expires_at=NOW, reason=SECRET,
    )  # fmt: skip


def time_change() -> TimeChange:
    return TimeChange.objects.create(
        appointment=appointment(), changed_at=NOW, changed_by="patient", from_date=day(), from_time="10:00",
        from_time_zone="UTC", to_date=day(), to_time="10:00", to_time_zone="UTC", reason=SECRET,
    )  # fmt: skip


def record() -> AppointmentRecord:
    one = appointment()
    return AppointmentRecord.objects.create(
        appointment=one, version=1, written_at=NOW, written_by=one.doctor.user, diagnosis=SECRET, notes=SECRET
    )


def attachment() -> Attachment:
    one = appointment()
    return Attachment.objects.create(
        appointment=one, name=f"{SECRET}.pdf", content_type="application/pdf", size=1, sha256="0" * 64,
        stored_as="nowhere", added_at=NOW, added_by=one.patient,
    )  # fmt: skip


def reservation() -> Reservation:
    return appointment().reservation  # type: ignore[return-value]  # a pending appointment has one


def seal() -> AuditSeal:
    number = next(numbers)
    return AuditSeal.objects.create(
        first_event=number, last_event=number, digests=b"", previous_hash=f"{number:064}", hash=f"a{number:063}",
        sealed_at=NOW,
    )  # fmt: skip


def hours() -> WeeklyHours:
    return DoctorFactory.create().weekly_hours.first()  # type: ignore[return-value]  # a new doctor has some


MAKERS: dict[type, Callable[[], object]] = {
    User: PatientFactory.create,
    SiteText: lambda: SiteText.objects.create(
        kind="terms", language=f"l{next(numbers)}", text="Be kind.", updated_at=NOW
    ),
    Group: lambda: Group.objects.create(name=f"Group {next(numbers)}"),
    Session: session,
    AuditEvent: lambda: AuditEvent.objects.create(
        event="user.seen", action="R", agent_id=PatientFactory.create().pk, entity_type="user", entity_id="1"
    ),
    AuditSeal: seal,
    Reading: lambda: Reading.objects.create(
        day=day(),
        actor_id=AdminFactory.create().pk,
        actor_role="admin",
        view="admin-user-list",
        subject_type="user",
        subject_id=new_id(),
        person_id=new_id(),
    ),
    Notice: lambda: Notice.objects.create(
        event="told", subject_type="user", subject_id="1", recipient=PatientFactory.create()
    ),
    Heartbeat: lambda: Heartbeat.objects.create(name=f"beat {next(numbers)}"),
    DoctorProfile: DoctorFactory.create,
    Verification: case,
    WeeklyHours: hours,
    DayOverride: lambda: DayOverride.objects.create(doctor=DoctorFactory.create(), date=day(), hours=[[540, 600]]),
    BlockedTime: lambda: BlockedTime.objects.create(
        doctor=DoctorFactory.create(), date=day(), start_minute=540, end_minute=600
    ),
    Absence: lambda: Absence.objects.create(
        doctor=DoctorFactory.create(),
        from_date=day(),
        from_minute=540,
        to_date=day() + timedelta(days=3),
        to_minute=600,
    ),
    Reservation: reservation,
    CalendarFeed: lambda: CalendarFeed.objects.create(
        user=PatientFactory.create(), secret_hash=f"{next(numbers):064}", created_at=NOW
    ),
    AuthenticatorApp: lambda: AuthenticatorApp.objects.create(
        user=PatientFactory.create(), secret=KEPT_FROM_ALL, started_at=NOW, turned_on_at=NOW
    ),
    RecoveryCode: lambda: RecoveryCode.objects.create(
        user=PatientFactory.create(), code_hash=f"{KEPT_FROM_ALL}{next(numbers)}", made_at=NOW
    ),
    Passkey: lambda: Passkey.objects.create(
        user=PatientFactory.create(),
        name="Phone",
        credential_id=f"{KEPT_FROM_ALL}{next(numbers)}",
        public_key=KEPT_FROM_ALL.encode(),
        created_at=NOW,
    ),
    SpentTicket: lambda: SpentTicket.objects.create(digest=f"{next(numbers):064}", ends_at=NOW),
    NoticeSettings: lambda: NoticeSettings.objects.create(user=PatientFactory.create()),
    StrayFile: lambda: StrayFile.objects.create(storage="records", name=f"{next(numbers)}/a.pdf", due_at=NOW),
    ResetRequest: lambda: ResetRequest.objects.create(email=f"p{next(numbers)}@example.com"),
    HeldTime: lambda: HeldTime.objects.create(
        doctor=DoctorFactory.create(), starts_at=NOW, holder="0" * 64, held_seconds=60, ended_at=NOW
    ),
    OfferedTime: lambda: OfferedTime.objects.create(date=day(), offered_minutes=480, used_minutes=60),
    MissedSearch: lambda: MissedSearch.objects.create(date=day(), times=1),
    Appointment: appointment,
    TimeChange: time_change,
    Proposal: proposal,
    AppointmentRecord: record,
    RecordDraft: lambda: RecordDraft.objects.create(
        appointment=appointment(), content={"diagnosis": SECRET}, saved_at=NOW
    ),
    BookingDraft: lambda: BookingDraft.objects.create(
        patient=PatientFactory.create(), doctor=DoctorFactory.create(), symptoms=SECRET, notes=SECRET, saved_at=NOW
    ),
    Attachment: attachment,
    PatientOfDoctor: lambda: PatientOfDoctor.objects.get(doctor=appointment().doctor),
}
TABLES = sorted(admin.site._registry, key=lambda model: model._meta.label)


def page_of(model: type, one: object | None = None, what: str = "change") -> str:
    """Return the address of a table, or of a page of one of its rows."""
    table = f"/staff/{model._meta.app_label}/{model._meta.model_name}/"  # type: ignore[attr-defined]  # a model
    return table if one is None else f"{table}{one.pk}/{what}/"  # type: ignore[attr-defined]  # as above


def paths_of(resolver, start):
    for pattern in resolver.url_patterns:
        part = re.sub(r"<[^>]+>", "1", str(pattern.pattern)).replace("(?P", "").lstrip("^").rstrip("$")
        if hasattr(pattern, "url_patterns"):
            yield from paths_of(pattern, start + part)
        elif "(" not in part and "\\" not in part:
            yield start + part
