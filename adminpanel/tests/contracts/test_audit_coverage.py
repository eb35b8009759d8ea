"""Each act and each read of issue 5's desk, in the API, on the staff site and by command: exactly one right row.

What is not done (a preview, a question, a refusal by a rule) leaves none.
"""

from datetime import timedelta
from uuid import UUID

import pyotp
import pytest
from django.contrib.auth.models import Group
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.credentials.encryption import encrypt_secret
from accounts.models import AuditEvent, AuthenticatorApp, Notice, Passkey, User
from accounts.tests.auth.authenticators import Device, code_of
from accounts.tests.factories import AdminFactory
from adminpanel.tests.admin.staff import client_for, page_of, staff_member
from appointments.models import Appointment
from appointments.tests.factories import make_appointment
from doctors.models import DoctorProfile, Verification
from doctors.verification.decisions import open_case

pytestmark = [pytest.mark.django_db, pytest.mark.every_case]

PASSWORD = "violet-teapot"
CLAIM = {
    "licenseNumber": "EX-7701",
    "licenseAuthority": "Example Board",
    "licenseExpiresOn": (timezone.now().date() + timedelta(days=365)).isoformat(),
}


class Scenario:
    """The people of a test, what they act on, and who is signed in."""

    def __init__(self, users, client_of):
        self.users = users
        self.superuser = staff_member(superuser=True)
        self.patient, self.doctor, self.waiting = users.patient, users.doctor.user, users.unapproved_doctor.user
        for person in (self.patient, self.superuser):
            person.set_password(PASSWORD)
            person.save()
        AdminFactory.create()
        self.desk, self.site = client_of(self.superuser), client_for(self.superuser)
        self.of_patient, self.of_waiting = client_of(self.patient), client_of(self.waiting)
        self.appointment = make_appointment(
            users.other_doctor, users.other_patient, timezone.now().date() + timedelta(days=2), symptoms="A cough."
        )
        self.group = Group.objects.create(name="Desk")
        self.ended = users.deactivated
        self.client_of = client_of

    def put(self, address, **body):
        return self.desk.put(f"/api/{address}", body, format="json")

    def case(self, doctor=None):
        return open_case(doctor or self.users.unapproved_doctor, timezone.now())

    def document(self):
        case = self.case()
        case.document_stored_as = storages["records"].save("d/license.pdf", ContentFile(b"%PDF-1.7"))
        case.document_name, case.document_type = "license.pdf", "application/pdf"
        case.save()
        return case

    def failed(self):
        return Notice.objects.get_or_create(
            event="account.registered", subject_type="user", subject_id=str(self.patient.pk), recipient=self.patient,
            defaults={"state": Notice.State.FAILED},
        )[0]  # fmt: skip

    def ask(self, model, action, one, **more):
        return self.site.post(page_of(model), {"action": action, "_selected_action": [str(one.pk)], **more})


def set_staff_rights(scenario):
    form = {"is_staff": "on", "groups": [], "user_permissions": []}
    return scenario.site.post(page_of(User, scenario.users.admin), form)


def get_passkey(scenario):
    return Passkey.objects.create(
        user=scenario.patient, name="Phone", credential_id="x", public_key=b"", created_at=timezone.now()
    )


def enroll_app(scenario):
    secret = pyotp.random_base32()
    AuthenticatorApp.objects.create(
        user=scenario.patient, secret=encrypt_secret(secret), started_at=timezone.now(), turned_on_at=timezone.now()
    )
    User.objects.filter(pk=scenario.patient.pk).update(second_step_at=timezone.now())
    return pyotp.TOTP(secret).now()


def get_first_code(scenario):
    start = scenario.of_patient.post("/api/auth/second-step/app", {"currentPassword": PASSWORD}, format="json")
    return code_of(start.json()["data"]["secret"]["text"])


def register_passkey(scenario):
    asked = scenario.of_patient.post("/api/auth/passkeys/options", {"currentPassword": PASSWORD}, format="json")
    data = asked.json()["data"]
    return {"ticket": data["ticket"], "name": "Phone", "passkey": Device().make(data["options"])}


# What is done: how; then event, action, who (a name of the stage, or none), kind of entity, its id.
ACTS = {
    "stop": (
        lambda s: s.put(f"admin/users/{s.patient.pk}/status", status="inactive"),
        ("account.deactivated", "U", "superuser", "user", lambda s: s.patient.pk),
    ),
    "start": (
        lambda s: s.put(f"admin/users/{s.ended.pk}/status", status="active"),
        ("account.activated", "U", "superuser", "user", lambda s: s.ended.pk),
    ),
    "stop several, one twice and one stopped before": (
        lambda s: s.put("admin/users/status", ids=[str(s.patient.pk)] * 2 + [str(s.ended.pk)], status="inactive"),
        ("account.deactivated", "U", "superuser", "user", lambda s: s.patient.pk),
    ),
    "delete a user": (
        lambda s: s.desk.delete(f"/api/admin/users/{s.patient.pk}"),
        ("account.ended", "D", "superuser", "user", lambda s: s.patient.pk),
    ),
    "delete a doctor": (
        lambda s: s.desk.delete(f"/api/admin/doctors/{s.doctor.pk}"),
        ("account.ended", "D", "superuser", "user", lambda s: s.doctor.pk),
    ),
    "approve": (
        lambda s: s.put(
            f"doctors/{s.waiting.pk}/approve", isApproved=True, approvalReason="Seen.", caseRevision=s.case().revision
        ),
        ("doctor.approved", "U", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "reject": (
        lambda s: s.put(f"doctors/{s.waiting.pk}/approve", isApproved=False, caseRevision=s.case().revision),
        ("doctor.rejected", "U", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "revoke": (
        lambda s: s.put(f"doctors/{s.doctor.pk}/approve", isApproved=False, reason="A complaint."),
        ("doctor.revoked", "U", "superuser", "doctor", lambda s: s.doctor.pk),
    ),
    "approve a renewal": (
        lambda s: s.put(
            f"doctors/{s.doctor.pk}/approve", isApproved=True, approvalReason="Seen.",
            caseRevision=s.case(s.users.doctor).revision,
        ),
        ("doctor.license_corrected", "U", "superuser", "doctor", lambda s: s.doctor.pk),
    ),
    "turn down a renewal": (
        lambda s: s.case(s.users.doctor)
        and s.put(f"doctors/{s.doctor.pk}/approve", isApproved=False, keepApproval=True, licenseNumber="EX-OTHER"),
        ("doctor.renewal_rejected", "U", "superuser", "doctor", lambda s: s.doctor.pk),
    ),
    "cancel an appointment": (
        lambda s: s.put(f"admin/appointments/{s.appointment.pk}/cancel", reason="Flood."),
        ("appointment.cancelled", "U", "superuser", "appointment", lambda s: s.appointment.pk),
    ),
    "read the trail": (
        lambda s: s.desk.get("/api/admin/audit"), ("audit.read", "R", "superuser", "audit", lambda s: ""),
    ),
    "take the trail away": (
        lambda s: s.desk.get("/api/admin/audit.csv").getvalue(),
        ("audit.export", "R", "superuser", "audit", lambda s: ""),
    ),
    "read a doctor's document": (
        lambda s: s.desk.get(f"/api/admin/doctors/{s.waiting.pk}/cases/{s.document().pk}/document"),
        ("doctor.document_read", "R", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "apply": (
        lambda s: s.of_waiting.post("/api/doctors/verification", CLAIM, format="json"),
        ("doctor.applied", "C", "waiting", "doctor", lambda s: s.waiting.pk),
    ),
    "change an application": (
        lambda s: s.case() and s.of_waiting.post("/api/doctors/verification", CLAIM, format="json"),
        ("doctor.applied", "U", "waiting", "doctor", lambda s: s.waiting.pk),
    ),
    "take one's own data": (
        lambda s: s.of_patient.post(
            "/api/auth/account/export", {"currentPassword": PASSWORD}, format="json"
        ).getvalue(),
        ("person.exported", "R", "patient", "user", lambda s: s.patient.pk),
    ),
    "close one's own account": (
        lambda s: s.of_patient.post("/api/auth/account/close", {"currentPassword": PASSWORD}, format="json"),
        ("account.ended", "D", "patient", "user", lambda s: s.patient.pk),
    ),
    "sign out everywhere else": (
        lambda s: s.client_of(s.patient) and s.of_patient.delete("/api/auth/sessions"),
        ("account.other_sessions_ended", "E", "patient", "user", lambda s: s.patient.pk),
    ),
    "stop on the staff site": (
        lambda s: s.ask(User, "stop", s.patient, sure="yes"),
        ("account.deactivated", "U", "superuser", "user", lambda s: s.patient.pk),
    ),
    "start on the staff site": (
        lambda s: s.ask(User, "start", s.ended, sure="yes"),
        ("account.activated", "U", "superuser", "user", lambda s: s.ended.pk),
    ),
    "delete on the staff site": (
        lambda s: s.ask(User, "end", s.patient, sure="yes"),
        ("account.ended", "D", "superuser", "user", lambda s: s.patient.pk),
    ),
    "approve on the staff site": (
        lambda s: s.ask(DoctorProfile, "approve", s.waiting, sure="yes", reason="Seen."),
        ("doctor.approved", "U", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "reject on the staff site": (
        lambda s: s.ask(DoctorProfile, "reject", s.waiting, reason="No."),
        ("doctor.rejected", "U", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "revoke on the staff site": (
        lambda s: s.ask(DoctorProfile, "revoke", s.doctor, reason="No."),
        ("doctor.revoked", "U", "superuser", "doctor", lambda s: s.doctor.pk),
    ),
    "cancel on the staff site": (
        lambda s: s.ask(Appointment, "cancel", s.appointment, reason="Flood."),
        ("appointment.cancelled", "U", "superuser", "appointment", lambda s: s.appointment.pk),
    ),
    "read clinical text on the staff site": (
        lambda s: s.site.get(page_of(Appointment, s.appointment)),
        ("record.read", "R", "superuser", "appointment", lambda s: s.appointment.pk),
    ),
    "read the trail on the staff site": (
        lambda s: s.site.get("/staff/accounts/auditevent/"), ("audit.read", "R", "superuser", "audit", lambda s: ""),
    ),
    "read a person's history": (
        lambda s: s.site.get(page_of(User, s.patient, "history")),
        ("audit.read", "R", "superuser", "user", lambda s: s.patient.pk),
    ),
    "read a case's history": (
        lambda s: s.site.get(page_of(Verification, s.case(), "history")),
        ("audit.read", "R", "superuser", "doctor", lambda s: s.waiting.pk),
    ),
    "try a failed message again": (
        lambda s: s.ask(Notice, "send_again", s.failed(), sure="yes"),
        ("notice.sent_again", "E", "superuser", "notice", lambda s: s.failed().pk),
    ),
    "have the link to confirm an address sent again": (
        lambda s: (
            User.objects.filter(pk=s.patient.pk).update(email_confirmed_at=None)
            and s.of_patient.post("/api/auth/email/resend")
        ),
        ("account.email_link_sent", "E", "patient", "user", lambda s: s.patient.pk),
    ),
    "have the link to a new address sent again": (
        lambda s: (
            User.objects.filter(pk=s.patient.pk).update(pending_email="new@example.com")
            and s.of_patient.post("/api/auth/email/pending")
        ),
        ("account.email_link_sent", "E", "patient", "user", lambda s: s.patient.pk),
    ),
    "give rights": (set_staff_rights, ("staff.rights_changed", "U", "superuser", "user", lambda s: s.users.admin.pk)),
    "change a group": (
        lambda s: s.site.post(page_of(Group, s.group), {"name": "Front", "permissions": []}),
        ("staff.group_changed", "U", "superuser", "group", lambda s: s.group.pk),
    ),
    "set an authenticator app up": (
        lambda s: s.of_patient.put("/api/auth/second-step/app", {"code": get_first_code(s)}, format="json"),
        ("account.authenticator_added", "C", "patient", "user", lambda s: s.patient.pk),
    ),
    "turn an authenticator app off": (
        lambda s: s.of_patient.post(
            "/api/auth/second-step/app/off", {"currentPassword": PASSWORD, "code": enroll_app(s)}, format="json"
        ),
        ("account.authenticator_removed", "D", "patient", "user", lambda s: s.patient.pk),
    ),
    "make new recovery codes": (
        lambda s: s.of_patient.post(
            "/api/auth/second-step/recovery-codes", {"currentPassword": PASSWORD, "code": enroll_app(s)}, format="json"
        ),
        ("account.recovery_codes_made", "U", "patient", "user", lambda s: s.patient.pk),
    ),
    "add a passkey": (
        lambda s: s.of_patient.post("/api/auth/passkeys", register_passkey(s), format="json"),
        ("account.passkey_added", "C", "patient", "passkey", lambda s: None),
    ),
    "rename a passkey": (
        lambda s: s.of_patient.put(f"/api/auth/passkeys/{get_passkey(s).pk}", {"name": "Desk"}, format="json"),
        ("account.passkey_renamed", "U", "patient", "passkey", lambda s: None),
    ),
    "remove a passkey": (
        lambda s: s.of_patient.post(
            f"/api/auth/passkeys/{get_passkey(s).pk}/remove", {"currentPassword": PASSWORD}, format="json"
        ),
        ("account.passkey_removed", "D", "patient", "passkey", lambda s: None),
    ),
    "be asked for the second step": (
        lambda s: enroll_app(s)
        and APIClient().post(
            "/api/auth/login", {"email": s.patient.email, "password": PASSWORD, "role": "patient"}, format="json"
        ),
        ("account.second_step_asked", "E", None, "user", lambda s: s.patient.pk),
    ),
    "take a second step away by command": (
        lambda s: enroll_app(s) and call_command("reset_second_step", s.patient.email),
        ("account.second_step_reset", "D", None, "user", lambda s: s.patient.pk),
    ),
    "sign out everywhere by command": (
        lambda s: call_command("end_sessions", s.patient.email),
        ("account.sessions_ended", "E", None, "user", lambda s: s.patient.pk),
    ),
    "export by command": (
        lambda s: call_command("export_person", s.patient.email, "--to", str(s.folder / "a.zip")),
        ("person.exported", "R", None, "user", lambda s: s.patient.pk),
    ),
}  # fmt: skip


@pytest.fixture
def scenario(users, client_of, tmp_path):
    made = Scenario(users, client_of)
    made.folder = tmp_path
    return made


def list_events_since(last):
    columns = ("event", "action", "agent_id", "agent_role", "entity_type", "entity_id", "outcome")
    return list(AuditEvent.objects.filter(id__gt=last).order_by("id").values_list(*columns))


def get_last_event_id():
    return AuditEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0


@pytest.mark.parametrize("name", ACTS)
def test_each_action_writes_exactly_one_audit_event(scenario, name):
    do, (event, action, who, kind, entity) = ACTS[name]
    last, expected = get_last_event_id(), entity(scenario)
    answer = do(scenario)
    if expected is None:
        # It was made on the way.
        expected = AuditEvent.objects.latest("id").entity_id
        assert UUID(expected)
    expected = str(expected)
    assert getattr(answer, "status_code", 200) in {200, 201, 302}
    by = getattr(scenario, who) if who else None
    assert list_events_since(last) == [(event, action, by and by.pk, by.role if by else "", kind, expected, "0")]
    row = AuditEvent.objects.get(id__gt=last)
    if by is not None:
        assert (row.source_address, len(row.request_id)) == ("127.0.0.1", 32)


NO_ACTS = {
    "preview of a stop": lambda s: s.put(f"admin/users/{s.patient.pk}/status?preview=true", status="inactive"),
    "preview of an end": lambda s: s.desk.delete(f"/api/admin/users/{s.patient.pk}?preview=true"),
    "preview of a revocation": lambda s: s.put(f"doctors/{s.doctor.pk}/approve?preview=true", isApproved=False),
    "what closing would do": lambda s: s.of_patient.get("/api/auth/account/closing"),
    "what the second step and the passkeys are": lambda s: [
        s.of_patient.get(f"/api/auth/{name}") for name in ("second-step", "passkeys")
    ],
    "a passkey called as it is": lambda s: s.of_patient.put(
        f"/api/auth/passkeys/{get_passkey(s).pk}", {"name": "Phone"}, format="json"
    ),
    "a wrong first code": lambda s: (
        get_first_code(s) and s.of_patient.put("/api/auth/second-step/app", {"code": "0"}, format="json")
    ),
    "a stop again": lambda s: s.put(f"admin/users/{s.ended.pk}/status", status="inactive"),
    "an own stop": lambda s: s.put(f"admin/users/{s.superuser.pk}/status", status="inactive"),
    "a case seen otherwise": lambda s: s.put(
        f"doctors/{s.waiting.pk}/approve", isApproved=True, approvalReason="Seen.", caseRevision=7
    ),
    "a question about a failed message": lambda s: s.ask(Notice, "send_again", s.failed()),
    "a link to an address that is confirmed": lambda s: (
        User.objects.filter(pk=s.patient.pk).update(email_confirmed_at=timezone.now())
        and s.of_patient.post("/api/auth/email/resend")
    ),
    "a question on the staff site": lambda s: s.ask(User, "end", s.patient),
    "lists without clinical text": lambda s: [
        s.desk.get(f"/api/admin/{name}") for name in ("users", "doctors", "records", "dashboard", "analytics")
    ],
    "a trail asked for wrongly": lambda s: s.desk.get("/api/admin/audit?from=soon"),
    "no such document": lambda s: s.desk.get(f"/api/admin/doctors/{s.doctor.pk}/cases/{s.document().pk}/document"),
}


@pytest.mark.parametrize("name", NO_ACTS)
def test_rejected_actions_write_no_audit_event(scenario, name):
    last = get_last_event_id()
    NO_ACTS[name](scenario)
    assert list_events_since(last) == []


def test_erasure_writes_one_audit_event_per_action(scenario):
    last = get_last_event_id()
    call_command("erase_person", scenario.patient.email, "--yes")
    who = (None, "", "user", str(scenario.patient.pk), "0")
    assert list_events_since(last) == [("account.ended", "D", *who), ("person.erased", "D", *who)]


def test_rejection_does_not_change_the_license(scenario):
    before = DoctorProfile.objects.get(pk=scenario.doctor.pk).license_number
    ACTS["turn down a renewal"][0](scenario)
    scenario.put(f"doctors/{scenario.waiting.pk}/approve", isApproved=False, licenseNumber="EX-OTHER")
    last = get_last_event_id()
    scenario.put(f"doctors/{scenario.waiting.pk}/approve", isApproved=False, licenseNumber="EX-ANOTHER")
    assert list_events_since(last) == []
    numbers = DoctorProfile.objects.filter(pk__in=[scenario.doctor.pk, scenario.waiting.pk]).values_list(
        "license_number"
    )
    assert before in {number for (number,) in numbers}
    assert not {"EX-OTHER", "EX-ANOTHER"} & {number for (number,) in numbers}
