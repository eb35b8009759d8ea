"""One successful call of each writing route: who sends it, its body, and the rows that it requires.

Add the call of a route here when its row comes into the access matrix; `test_every_write_route_declares_its_keys`
names the ones that are missing.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signing import Signer
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.credentials.signed_links import OWN_EMAIL, PASSWORD_RESET, build_link
from accounts.models import User
from accounts.notifications.preferences import UNSUBSCRIBE_SALT
from accounts.tests.auth.authenticators import APP, LOGIN, PASSKEYS, Device, code_of, enrol, ticket_of
from accounts.tests.factories import PASSWORD
from accounts.tests.files.hostile_files import pdf as some_pdf
from adminpanel.tests.contracts.populated_site import MEDICINE, PopulatedSite
from appointments.models import Appointment, Proposal
from appointments.tests.factories import make_appointment
from doctors.availability.calendar import local_date
from doctors.models import Verification

REGISTRATION = {
    "name": "Nora Newcomer", "email": "nora@example.com", "password": "quiet-harbour-9",
    "confirmPassword": "quiet-harbour-9", "phone": "+1 202 555 0110", "dateOfBirth": "1990-02-28", "gender": "female",
    "agreedToPrivacy": True, "timeZone": "America/New_York",
}  # fmt: skip
PRACTICE = {
    "specialization": "Neurology", "experience": 12, "licenseNumber": "TEST-4711", "consultationFee": 95.5,
    "hospital": {
        "name": "Example Clinic", "phone": "+353 20 910 0000",
        "address": {"street": "3 Sample Quay", "city": "Dublin", "state": "Leinster", "zipCode": "D00 X000"},
    },
    "workingHours": {"start": "08:00", "end": "16:00"}, "workingDays": ["friday"], "bio": "Takes time.",
}  # fmt: skip
RECORD = {
    "diagnosis": "A cold.", "notes": "Rest.", "followUpDays": 7,
    "prescription": {"notes": "With water.", "items": [MEDICINE]},
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A call that succeeds. `body` and `address` are made when everything stands."""

    route: str
    method: str
    who: str
    body: Callable[[PopulatedSite], dict[str, Any]] = lambda site: {}
    address: Callable[[PopulatedSite], str] | None = None
    # What must stand besides; done before the call.
    prepare: Callable[[PopulatedSite], Any] = lambda site: None
    status: int = 200
    kind: str = "json"

    def get_address(self, site: PopulatedSite) -> str:
        return self.address(site) if self.address else site.addresses[self.route]


def format_day(site: PopulatedSite, days: int = 9) -> str:
    """Return a date on which the doctor works and nothing stands yet: the clock of these tests shows a Monday."""
    return (local_date(timezone.now(), site.users.doctor.time_zone) + timedelta(days=days)).isoformat()


def free_time(site: PopulatedSite, time: str = "10:00") -> dict[str, Any]:
    return {"appointmentDate": format_day(site), "appointmentTime": time}


def token(purpose: Any, person: User) -> str:
    return build_link(purpose, person, timezone.now()).partition("token=")[2]


def appointment_at(name: str, what: str = "") -> Callable[[PopulatedSite], str]:
    return lambda site: f"/api/appointments/{site.rows[name].pk}{what}"


def unconfirm_email(site: PopulatedSite) -> None:
    """The patient has not confirmed the email address yet."""
    User.objects.filter(pk=site.users.patient.pk).update(email_confirmed_at=None)


def remove_proposal(site: PopulatedSite) -> None:
    for proposal in Proposal.objects.filter(appointment=site.rows["appointment"]):
        proposal.close(Proposal.Answer.WITHDRAWN, timezone.now())


def add_doctors_proposal(site: PopulatedSite) -> None:
    Proposal.objects.filter(appointment=site.rows["appointment"]).update(proposed_by="doctor")


def create_hold(site: PopulatedSite) -> str:
    body = {"doctorId": str(site.users.doctor.pk), **free_time(site)}
    answer = site.clients["patient owner"].post("/api/appointments/hold", body, format="json")
    return str(answer.json()["data"]["holdId"])


def confirm(site: PopulatedSite) -> None:
    """Add a confirmed appointment whose patient has not asked for anything."""
    doctor, patient = site.users.doctor, site.users.patient
    date = local_date(timezone.now(), doctor.time_zone) + timedelta(days=7)
    site.rows["confirmed"] = make_appointment(doctor, patient, date, status="confirmed")


def confirm_now(site: PopulatedSite) -> None:
    """Add an appointment that its doctor has just confirmed."""
    confirm(site)
    now = timezone.now()
    Appointment.objects.filter(pk=site.rows["confirmed"].pk).update(
        confirmed_at=now, confirmed_by=site.users.doctor.user, undo_until=now + timedelta(seconds=10),
        respond_by_before=now + timedelta(days=1),
    )  # fmt: skip


def complete_now(site: PopulatedSite) -> None:
    """Add an appointment of this morning that is completed."""
    doctor, patient = site.users.doctor, site.users.patient
    today = local_date(timezone.now(), doctor.time_zone)
    site.rows["completed"] = make_appointment(doctor, patient, today, "09:00", status="completed")


def build_pdf() -> SimpleUploadedFile:
    return SimpleUploadedFile("scan.pdf", some_pdf(), content_type="application/pdf")


# --- The second step, whose codes and signatures are made when everything stands ----------------


def enroll_app(site: PopulatedSite) -> None:
    """Give the other patient an authenticator app, and take the first step of a sign-in."""
    site.rows["codes"] = enrol(site.clients["other patient"])[1]
    site.rows["ticket"] = ticket_of(APIClient(), site.users.other_patient)


def add_secret(site: PopulatedSite) -> None:
    """Begin to set an app up."""
    started = site.clients["other patient"].post(APP, {"currentPassword": PASSWORD}, format="json")
    site.rows["secret"] = started.json()["data"]["secret"]["text"]


def add_new_passkey(site: PopulatedSite) -> None:
    """Begin to add a passkey."""
    asked = site.clients["other patient"].post(f"{PASSKEYS}/options", {"currentPassword": PASSWORD}, format="json")
    asked = asked.json()["data"]
    site.rows["passkey"] = {"ticket": asked["ticket"], "name": "Shelf", "passkey": Device().make(asked["options"])}


def add_passkey(site: PopulatedSite) -> None:
    """Give the other patient a passkey, and begin to sign in with it alone."""
    device = Device()
    device.join(site.clients["other patient"])
    asked = APIClient().post(f"{LOGIN}/passkey/options").json()["data"]
    site.rows["signed"] = {"ticket": asked["ticket"], "passkey": device.sign(asked["options"]), "role": "patient"}


# By a name of its own: a route and method may be here several times, for several ways of using it.
CALLS: dict[str, Call] = {
    "sign in": Call(
        "login", "POST", "anonymous",
        lambda site: {"email": site.users.patient.email, "password": PASSWORD, "role": "patient"},
    ),
    "take the second step": Call(
        "login-second", "POST", "anonymous",
        lambda site: {"ticket": site.rows["ticket"], "recoveryCode": site.rows["codes"][0]}, prepare=enroll_app,
    ),
    "ask to sign in by passkey": Call("login-passkey-options", "POST", "anonymous"),
    "sign in by passkey": Call(
        "login-passkey", "POST", "anonymous", lambda site: site.rows["signed"], prepare=add_passkey
    ),
    "begin an app": Call(
        "second-step-app", "POST", "other patient", lambda site: {"currentPassword": PASSWORD}, status=201
    ),
    "turn it on": Call(
        "second-step-app", "PUT", "other patient", lambda site: {"code": code_of(site.rows["secret"])},
        prepare=add_secret,
    ),
    "turn it off": Call(
        "second-step-turn-app-off", "POST", "other patient",
        lambda site: {"currentPassword": PASSWORD, "recoveryCode": site.rows["codes"][0]}, prepare=enroll_app,
    ),
    "make recovery codes": Call(
        "second-step-make-recovery-codes", "POST", "other patient",
        lambda site: {"currentPassword": PASSWORD, "recoveryCode": site.rows["codes"][0]}, prepare=enroll_app,
        status=201,
    ),
    "begin a proof": Call("second-step-begin-proof", "POST", "other patient", prepare=add_passkey),
    "begin a passkey": Call(
        "passkey-begin", "POST", "other patient", lambda site: {"currentPassword": PASSWORD}
    ),
    "add a passkey": Call(
        "passkey-list", "POST", "other patient", lambda site: site.rows["passkey"], prepare=add_new_passkey, status=201
    ),
    "rename a passkey": Call("passkey-detail", "PUT", "patient owner", lambda site: {"name": "Shelf"}),
    "remove a passkey": Call("passkey-remove", "POST", "patient owner", lambda site: {"currentPassword": PASSWORD}),
    "sign out": Call("logout", "POST", "patient owner"),
    "sign out everywhere else": Call("session-list", "DELETE", "patient owner"),
    "register a patient": Call(
        "register-patient", "POST", "anonymous", lambda site: {**REGISTRATION, "role": "patient", "bloodGroup": "A+"},
        status=201,
    ),
    "register a doctor": Call(
        "register-doctor", "POST", "anonymous", lambda site: {**REGISTRATION, **PRACTICE, "role": "doctor"}, status=201
    ),
    "take one's data": Call("account-export", "POST", "patient owner", lambda site: {"currentPassword": PASSWORD}),
    "take a doctor's data": Call("account-export", "POST", "doctor owner", lambda site: {"currentPassword": PASSWORD}),
    "take an admin's data": Call("account-export", "POST", "admin", lambda site: {"currentPassword": PASSWORD}),
    "close one's account": Call("account-close", "POST", "patient owner", lambda site: {"currentPassword": PASSWORD}),
    "make a calendar address": Call("calendar-address", "POST", "patient owner", status=201),
    "take it back": Call("calendar-address", "DELETE", "patient owner"),
    "change a patient": Call(
        "profile", "PUT", "patient owner",
        lambda site: {"name": "Ada Renamed", "address": {"city": "Troy"}, "bloodGroup": "A+"},
    ),
    "change a patient by form": Call(
        "profile", "PUT", "patient owner", lambda site: {"name": "Ada Renamed", "address": '{"city": "Troy"}'},
        kind="multipart",
    ),
    "change a person who is a doctor": Call("profile", "PUT", "doctor owner", lambda site: {"name": "Dora Renamed"}),
    "change a person who is an admin": Call("profile", "PUT", "admin", lambda site: {"name": "Ida Renamed"}),
    "change the password": Call(
        "password", "PUT", "patient owner",
        lambda site: {"currentPassword": PASSWORD, "newPassword": "seven-quiet-lamps"},
    ),
    "forget the password": Call(
        "password-reset", "POST", "anonymous", lambda site: {"email": site.users.patient.email}
    ),
    "check a reset link": Call(
        "password-reset-check", "POST", "anonymous", lambda site: {"token": token(PASSWORD_RESET, site.users.patient)}
    ),
    "set a new one": Call(
        "password-reset-confirm", "POST", "anonymous",
        lambda site: {"token": token(PASSWORD_RESET, site.users.patient), "newPassword": "seven-quiet-lamps"},
    ),
    "confirm an address": Call(
        "email-confirm", "POST", "anonymous", lambda site: {"token": token(OWN_EMAIL, site.users.patient)}
    ),
    "have the link sent again": Call("email-resend", "POST", "patient owner", prepare=unconfirm_email),
    "have the link to a new address sent again": Call("email-pending", "POST", "doctor owner"),
    "drop a new address": Call("email-pending", "DELETE", "doctor owner"),
    "change notices": Call(
        "notice-settings", "PUT", "patient owner",
        lambda site: {
            "language": "de", "reminders": ["48h"], "channels": {"reminders": []},
            "quietHours": {"start": "21:00", "end": "05:00"},
            "timeZone": "UTC",
        },
    ),
    "see notices": Call("notice-mark-read", "PUT", "patient owner", lambda site: {"all": True}),
    "unsubscribe from a kind of email": Call(
        "notices-unsubscribe", "POST", "anonymous",
        address=lambda site: "/api/notices/unsubscribe?token="
        + Signer(salt=UNSUBSCRIBE_SALT).sign_object([site.users.patient.pk.hex, "reminder"]),
    ),
    "end a session": Call("session-detail", "DELETE", "patient owner"),
    "change the schedule": Call(
        "schedule", "PUT", "doctor owner",
        lambda site: {
            "bufferMinutes": 5,
            "overrides": [{"date": format_day(site, 20), "hours": [{"start": "09:00", "end": "10:00"}],
            "reason": "Fair."}],
            "blocked": [{"date": format_day(site, 21), "start": "09:00", "end": "10:00", "reason": "A meeting."}],
        },
    ),
    "change it over an appointment": Call(
        "schedule", "PUT", "doctor owner",
        lambda site: {
            "overrides": [{"date": format_day(site, 3), "hours": []}], "visits": {str(site.rows["asked"].pk): "cancel"},
            "reason": "A course.",
        },
    ),
    "change a practice": Call(
        "doctor-profile", "PUT", "doctor owner",
        lambda site: {"bio": "Listens twice.", "experience": 11, "hospital": {"address": {"street": "4 New Road"}}},
    ),
    "change a practice by form": Call(
        "doctor-profile", "PUT", "doctor owner",
        lambda site: {"bio": "Listens twice.", "hospital": '{"address": {"street": "4 New Road"}}'}, kind="multipart",
    ),
    "apply": Call(
        "doctor-verification-list", "POST", "unapproved doctor",
        lambda site: {
            "licenseNumber": "EX-7701", "licenseAuthority": "Example Board", "licenseExpiresOn": format_day(site, 400),
            "message": "Renewed.",
        },
    ),
    "apply with a document": Call(
        "doctor-verification-list", "POST", "other doctor",
        lambda site: {
            "licenseNumber": "EX-7702", "licenseAuthority": "Example Board", "licenseExpiresOn": format_day(site, 400),
            "document": build_pdf(),
        },
        status=201, kind="multipart",
    ),
    "book for a patient": Call(
        "doctor-patient-book", "POST", "doctor owner",
        lambda site: {**free_time(site), "symptoms": "A cough."}, status=201,
    ),
    "block a stretch": Call(
        "blocked-time-list", "POST", "doctor owner",
        lambda site: {"date": format_day(site), "start": "12:00", "end": "12:30", "reason": "Lunch."}, status=201,
    ),
    "block an appointment's time": Call(
        "blocked-time-list", "POST", "doctor owner",
        lambda site: {
            "date": format_day(site, 3), "start": "09:00", "end": "10:00",
            "visits": {str(site.rows["asked"].pk): "cancel"},
            "visitsReason": "A course.",
        },
        status=201,
    ),
    "take time off": Call(
        "absence-list", "POST", "doctor owner",
        lambda site: {
            "from": {"date": format_day(site, 3), "time": "08:00"}, "to": {"date": format_day(site, 4),
            "time": "07:00"},
            "visits": {str(site.rows["asked"].pk): "cancel"}, "visitsReason": "A course.",
        },
        status=201,
    ),
    "change time off": Call(
        "absence-detail", "PUT", "doctor owner",
        lambda site: {
            "from": {"date": format_day(site, 5), "time": "00:00"}, "to": {"date": format_day(site, 5),
            "time": "24:00"},
            "reason": "Moved.",
        },
    ),
    "undo time off": Call("absence-detail", "DELETE", "doctor owner"),
    "open a stretch": Call("blocked-time-detail", "DELETE", "doctor owner"),
    "book": Call(
        "appointment-list", "POST", "patient owner",
        lambda site: {"doctorId": str(site.users.doctor.pk), **free_time(site), "symptoms": "A cough.",
        "notes": "Early."},
        status=201,
    ),
    "cancel": Call("appointment-cancel", "PUT", "patient owner", lambda site: {"reason": "A train."}),
    "cancel as admin": Call("appointment-cancel", "PUT", "admin", lambda site: {"reason": "A flood."}),
    "keep a time": Call(
        "hold-list", "POST", "patient owner",
        lambda site: {"doctorId": str(site.users.doctor.pk), **free_time(site)}, status=201,
    ),
    "keep a time as a visitor": Call(
        "hold-list", "POST", "anonymous", lambda site: {"doctorId": str(site.users.doctor.pk),
        **free_time(site)}, status=201
    ),
    "let it go": Call(
        "hold-detail", "DELETE", "anonymous", address=lambda site: f"/api/appointments/hold/{create_hold(site)}",
    ),
    "reschedule": Call("appointment-reschedule", "PUT", "patient owner", free_time),
    "propose": Call(
        "appointment-proposal", "POST", "doctor owner", lambda site: {**free_time(site), "reason": "A course."},
        prepare=remove_proposal, status=201,
    ),
    "accept": Call(
        "appointment-proposal", "PUT", "patient owner", lambda site: {"accept": True}, prepare=add_doctors_proposal
    ),
    "say that one cannot come": Call(
        "appointment-cancel-request", "POST", "patient owner", lambda site: {"reason": "A cold."},
        address=appointment_at("confirmed", "/cancel-request"), prepare=confirm,
    ),
    "say that one can come after all": Call(
        "appointment-cancel-request", "DELETE", "patient owner", address=appointment_at("asked", "/cancel-request"),
    ),
    "move at once": Call(
        "appointment-move", "POST", "doctor owner",
        lambda site: {**free_time(site), "outsideHours": False, "reason": "As we said on the phone."},
    ),
    "undo a confirmation": Call(
        "appointment-undo", "POST", "doctor owner",
        address=appointment_at("confirmed", "/undo"), prepare=confirm_now,
    ),
    "reopen": Call(
        "appointment-reopen", "POST", "doctor owner", address=appointment_at("completed", "/reopen"),
        prepare=complete_now,
    ),
    "confirm": Call("appointment-set-status", "PUT", "doctor owner", lambda site: {"status": "confirmed"}),
    "complete": Call(
        "appointment-set-status", "PUT", "doctor owner",
        lambda site: {"status": "completed", "attended": True, "visit": RECORD},
        address=appointment_at("unfinished", "/status"),
    ),
    "cancel by status as admin": Call(
        "appointment-set-status", "PUT", "admin", lambda site: {"status": "cancelled", "reason": "A flood."}
    ),
    "cancel at the desk": Call("admin-appointment-cancel", "PUT", "admin", lambda site: {"reason": "A flood."}),
    "stop an account": Call("admin-user-set-status", "PUT", "admin", lambda site: {"status": "inactive"}),
    "stop several": Call(
        "admin-user-set-status-of-several", "PUT", "admin",
        lambda site: {"ids": [str(site.users.patient.pk), str(site.users.admin.pk)], "status": "inactive"},
    ),
    "delete a user": Call("admin-user-detail", "DELETE", "admin"),
    "delete a doctor": Call("admin-doctor-detail", "DELETE", "admin"),
    "approve": Call(
        "approve-doctor", "PUT", "admin",
        lambda site: {
            "isApproved": True, "note": "Seen.", "approvalReason": "Seen in person.", "checklist": {"identity": True},
            "caseRevision": Verification.objects.get(doctor=site.users.unapproved_doctor, state="open").revision,
        },
        address=lambda site: f"/api/doctors/{site.users.unapproved_doctor.pk}/approve",
    ),
    "revoke": Call("approve-doctor", "PUT", "admin", lambda site: {"isApproved": False, "reason": "A complaint."}),
    "write a record": Call(
        "visit", "PUT", "doctor owner", lambda site: {**RECORD, "version": 1}, address=appointment_at("past", "/visit")
    ),
    "type a draft": Call(
        "visit-draft", "PUT", "doctor owner", lambda site: {"content": RECORD, "revision": 0},
        address=appointment_at("past", "/visit/draft"),
    ),
    "save a booking draft": Call(
        "booking-draft-detail", "PUT", "patient owner", lambda site: {"symptoms": "A cough.", "notes": ""}
    ),
    "delete a booking draft": Call("booking-draft-detail", "DELETE", "patient owner"),
    "throw a draft away": Call("visit-draft", "DELETE", "doctor owner"),
    "attach a file": Call(
        "attachment-list", "POST", "doctor owner", lambda site: {"file": build_pdf()},
        address=appointment_at("past", "/attachments"), status=201, kind="multipart",
    ),
    "remove a file": Call("attachment-detail", "DELETE", "doctor owner"),
}  # fmt: skip


# Kinds of bodies that nothing here reads.
PLAIN = {"urlencoded": "application/x-www-form-urlencoded", "text": "text/plain"}


def send(call: Call, site: PopulatedSite, *, more: dict[str, Any] | None = None, query: str = "") -> Any:
    """Make a call, with further fields in its body or its query."""
    address = call.get_address(site)
    if query:
        address += ("&" if "?" in address else "?") + query
    client, body = site.clients[call.who], {**call.body(site), **(more or {})}
    if call.kind == "json":
        # As ASCII, so that a lone surrogate can be sent too.
        return client.generic(call.method, address, json.dumps(body), content_type="application/json")
    if call.kind in PLAIN:
        return client.generic(call.method, address, urlencode(body), content_type=PLAIN[call.kind])
    return getattr(client, call.method.lower())(address, body, format=call.kind)
