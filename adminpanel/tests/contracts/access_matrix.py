"""Who may call what: every route and method × every audience, with the exact status."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.auth.sessions import end_sessions
from accounts.models import AccountStatus, Passkey, Session
from adminpanel.models import SiteText
from appointments.models import Attachment
from appointments.tests.factories import make_appointment
from doctors.availability.calendar import local_date
from doctors.models import Absence, BlockedTime, Verification

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE")
AUDIENCES = (
    "anonymous",
    "patient owner",
    "other patient",
    "doctor owner",
    "other doctor",
    "unapproved doctor",
    "admin",
    "deactivated",
    "signed out",
)

OPEN = "200 200 200 200 200 200 200 401 401"
# Public and blind to tokens: no session is looked up.
BLIND = "200 200 200 200 200 200 200 200 200"
# The body is empty: who may call it at all gets a field error.
ANYONE_MAY_TRY = "400 400 400 400 400 400 400 400 400"
SIGNED_IN = "401 200 200 200 200 200 200 401 401"
TRY_SIGNED_IN = "401 400 400 400 400 400 400 401 401"
ADMINS = "401 403 403 403 403 403 200 401 401"
DOCTORS = "401 403 403 200 200 200 403 401 401"
OWN_PATIENT = "401 403 403 200 404 404 403 401 401"
OWNERS_APPOINTMENT = "401 200 404 200 404 404 200 401 401"
NO_ADMINS = "401 200 200 200 200 200 403 401 401"
BOTH_SIDES = "401 200 404 200 404 404 403 401 401"

# (route, method): one status for each audience, in their order. What is not here is no method of that route.
MATRIX = {
    ("healthz", "GET"): BLIND,
    ("readyz", "GET"): BLIND,
    # Not there without METRICS_TOKEN; with it, `config/tests/metrics/test_views.py`.
    ("metrics", "GET"): BLIND.replace("200", "404"),
    ("page", "GET"): BLIND,
    ("robots", "GET"): BLIND,
    ("sitemap", "GET"): BLIND,
    ("security-txt", "GET"): BLIND,
    ("staff", "GET"): BLIND.replace("200", "302"),
    ("media", "GET"): BLIND.replace("200", "404"),
    ("schema", "GET"): BLIND,
    ("api-docs", "GET"): BLIND,
    ("site-config", "GET"): BLIND,
    ("site-text-detail", "GET"): BLIND,
    ("login", "POST"): ANYONE_MAY_TRY,
    # Blind to tokens too; the body is empty.
    ("login-second", "POST"): ANYONE_MAY_TRY,
    ("login-passkey", "POST"): ANYONE_MAY_TRY,
    ("login-passkey-options", "POST"): BLIND,
    ("second-step", "GET"): SIGNED_IN,
    ("second-step-app", "POST"): TRY_SIGNED_IN,
    ("second-step-app", "PUT"): TRY_SIGNED_IN,
    ("second-step-turn-app-off", "POST"): TRY_SIGNED_IN,
    # Nobody here has a second step.
    ("second-step-begin-proof", "POST"): SIGNED_IN.replace("200", "404"),
    ("second-step-make-recovery-codes", "POST"): TRY_SIGNED_IN,
    ("passkey-list", "GET"): SIGNED_IN,
    ("passkey-list", "POST"): TRY_SIGNED_IN,
    ("passkey-begin", "POST"): TRY_SIGNED_IN,
    # The passkey named in the address is the patient owner's; others learn of it no more than that their form is empty.
    ("passkey-detail", "PUT"): TRY_SIGNED_IN,
    ("passkey-remove", "POST"): TRY_SIGNED_IN,
    ("logout", "POST"): SIGNED_IN,
    ("register-patient", "POST"): ANYONE_MAY_TRY,
    ("register-doctor", "POST"): ANYONE_MAY_TRY,
    ("account-export", "POST"): TRY_SIGNED_IN,
    ("account-closing", "GET"): "401 200 200 200 200 200 409 401 401",
    ("account-close", "POST"): TRY_SIGNED_IN,
    ("profile", "GET"): SIGNED_IN,
    # Admins have no appointments of their own.
    ("calendar-address", "GET"): NO_ADMINS,
    ("calendar-address", "POST"): NO_ADMINS.replace("200", "201"),
    ("calendar-address", "DELETE"): NO_ADMINS,
    ("calendar-feed", "GET"): BLIND.replace("200", "404"),
    ("profile", "PUT"): SIGNED_IN,
    ("password", "PUT"): TRY_SIGNED_IN,
    ("password-reset", "POST"): ANYONE_MAY_TRY,
    ("password-reset-check", "POST"): ANYONE_MAY_TRY,
    ("password-reset-confirm", "POST"): ANYONE_MAY_TRY,
    ("email-confirm", "POST"): ANYONE_MAY_TRY,
    # Theirs are confirmed.
    ("email-resend", "POST"): SIGNED_IN.replace("200", "409"),
    # Nobody's new address waits.
    ("email-pending", "POST"): SIGNED_IN.replace("200", "409"),
    ("email-pending", "DELETE"): SIGNED_IN,
    ("notice-settings", "GET"): SIGNED_IN,
    ("notice-settings", "PUT"): SIGNED_IN,
    ("notice-list", "GET"): SIGNED_IN,
    ("notice-unread", "GET"): SIGNED_IN,
    ("notice-mark-read", "PUT"): TRY_SIGNED_IN,
    # A mail's link leads to a page, whatever its token; only a press there stops anything.
    ("notices-unsubscribe", "GET"): BLIND.replace("200", "302"),
    ("notices-unsubscribe", "POST"): ANYONE_MAY_TRY,
    ("session-list", "GET"): SIGNED_IN,
    ("session-list", "DELETE"): SIGNED_IN,
    # The session named in the address is the patient owner's.
    ("session-detail", "DELETE"): "401 200 404 404 404 404 404 401 401",
    ("doctor-list", "GET"): OPEN,
    ("doctor-detail", "GET"): OPEN,
    ("doctor-filters", "GET"): OPEN,
    ("doctor-slots", "GET"): OPEN,
    ("slots-explain", "GET"): OPEN,
    ("schedule", "GET"): DOCTORS,
    ("schedule", "PUT"): DOCTORS,
    ("doctor-profile", "PUT"): DOCTORS,
    ("doctor-verification-list", "GET"): DOCTORS,
    ("doctor-verification-list", "POST"): DOCTORS.replace("200", "400"),
    ("doctor-dashboard", "GET"): DOCTORS,
    ("doctor-calendar", "GET"): DOCTORS,
    ("doctor-patient-list", "GET"): DOCTORS,
    ("doctor-patients-csv", "GET"): DOCTORS,
    ("doctor-appointments-csv", "GET"): DOCTORS,
    # The patient owner is the doctor owner's patient and nobody else's.
    ("doctor-patient-detail", "GET"): OWN_PATIENT,
    ("doctor-patient-history", "GET"): OWN_PATIENT,
    # The body is empty.
    ("doctor-patient-book", "POST"): OWN_PATIENT.replace("200", "400").replace("404", "400"),
    ("blocked-time-list", "POST"): DOCTORS.replace("200", "400"),
    # Today's stretch is the doctor owner's.
    ("blocked-time-detail", "DELETE"): OWN_PATIENT,
    ("absence-list", "POST"): DOCTORS.replace("200", "400"),
    # The body is empty.
    ("absence-detail", "PUT"): DOCTORS.replace("200", "400"),
    ("absence-detail", "DELETE"): OWN_PATIENT,
    ("appointment-list", "GET"): SIGNED_IN,
    ("appointment-list", "POST"): "401 400 400 403 403 403 403 401 401",
    ("appointment-detail", "GET"): OWNERS_APPOINTMENT,
    # The owner comes first, so that the admin finds it cancelled.
    ("appointment-cancel", "PUT"): "401 200 404 403 403 403 200 401 401",
    # Visitors and patients may try; the body is empty, the secret unknown.
    ("hold-list", "POST"): "400 400 400 403 403 403 403 401 401",
    ("hold-detail", "DELETE"): "404 404 404 403 403 403 403 401 401",
    # Nothing is typed yet; the body is empty.
    ("booking-draft-detail", "GET"): "401 200 200 403 403 403 403 401 401",
    ("booking-draft-detail", "PUT"): "401 400 400 403 403 403 403 401 401",
    ("booking-draft-detail", "DELETE"): "401 200 200 403 403 403 403 401 401",
    ("appointment-reschedule", "PUT"): "401 400 400 403 403 403 403 401 401",
    ("appointment-proposal", "POST"): "401 400 400 400 400 400 403 401 401",
    ("appointment-proposal", "PUT"): "401 400 400 400 400 400 403 401 401",
    # The appointment is pending: its patient cancels it instead, and nothing was confirmed or completed.
    ("appointment-cancel-request", "POST"): "401 409 404 403 403 403 403 401 401",
    ("appointment-cancel-request", "DELETE"): "401 409 404 403 403 403 403 401 401",
    ("appointment-undo", "POST"): "401 403 403 200 404 404 403 401 401",
    ("appointment-reopen", "POST"): "401 403 403 409 404 404 403 401 401",
    ("appointment-move", "POST"): "401 403 403 400 400 400 403 401 401",
    # An empty body names no status.
    ("appointment-set-status", "PUT"): "401 403 403 400 400 400 400 401 401",
    ("admin-dashboard", "GET"): ADMINS,
    ("admin-analytics", "GET"): ADMINS,
    ("admin-records", "GET"): ADMINS,
    ("admin-audit-list", "GET"): ADMINS,
    ("admin-audit-csv", "GET"): ADMINS,
    ("admin-reading-list", "GET"): ADMINS,
    ("admin-readings-csv", "GET"): ADMINS,
    ("admin-appointment-cancel", "PUT"): ADMINS.replace("200", "400"),
    ("admin-user-list", "GET"): ADMINS,
    # The person named is the patient owner, whom the admin ends last.
    ("admin-user-detail", "GET"): ADMINS,
    ("admin-user-detail", "DELETE"): ADMINS,
    ("admin-user-set-status-of-several", "PUT"): ADMINS.replace("200", "400"),
    ("admin-user-set-status", "PUT"): ADMINS.replace("200", "400"),
    ("admin-doctor-list", "GET"): ADMINS,
    ("admin-doctor-detail", "GET"): ADMINS,
    ("admin-doctor-detail", "DELETE"): ADMINS,
    ("admin-doctor-document", "GET"): ADMINS,
    ("approve-doctor", "PUT"): ADMINS.replace("200", "400"),
    ("calendar-file", "GET"): BOTH_SIDES,
    ("visit", "GET"): BOTH_SIDES,
    # The appointment still waits, so nothing can be written about it.
    ("visit", "PUT"): "401 403 403 409 404 404 403 401 401",
    ("visit-versions", "GET"): BOTH_SIDES,
    ("visit-draft", "PUT"): "401 403 403 400 404 404 403 401 401",
    ("visit-draft", "DELETE"): "401 403 403 200 404 404 403 401 401",
    ("prescription", "GET"): BOTH_SIDES,
    # JSON is no file.
    ("attachment-list", "POST"): "401 403 403 415 404 404 403 401 401",
    ("attachment-detail", "GET"): BOTH_SIDES,
    ("attachment-detail", "DELETE"): "401 403 403 200 404 404 403 401 401",
    ("reader-list", "GET"): "401 200 404 403 403 403 403 401 401",
}
# No session is looked up there, so another method is 405 for everyone.
BLIND_ROUTES = {route for (route, _), row in MATRIX.items() if row.split()[0] == row.split()[-1] != "401"}
# The whole address is for doctors, so that a wrong method is not even looked at for others.
DOCTORS_ALONE = {
    route
    for (route, _), row in MATRIX.items()
    if route.startswith(("doctor-", "schedule", "blocked-", "absence")) and row.startswith("401 403 403")
}
ADMIN_ROUTES = {route for route, _ in MATRIX if route.startswith("admin-") or route == "approve-doctor"}
# What is written about an appointment is no admin's business, whatever the method.
RECORDS = {
    "calendar-address",
    "calendar-file",
    "visit",
    "visit-versions",
    "visit-draft",
    "prescription",
    "attachment-list",
    "attachment-detail",
}
# There the addresses below name nothing, so that everyone gets the same 404; what stands is in `populated_site.py`.
ROUTES_OF_FILES = {"media", "calendar-feed"}
PUBLIC_API = {route for (route, _), row in MATRIX.items() if not row.startswith("401")}


def list_routes(resolver: URLResolver | None = None) -> Iterator[URLPattern]:
    """Walk the URL configuration."""
    for pattern in (resolver or get_resolver()).url_patterns:
        if getattr(pattern, "app_name", "") == "admin":
            # Pages behind a sign-in of their own: adminpanel/tests/admin/test_admin_site.py.
            continue
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern)
        else:
            yield pattern


def list_methods(pattern: URLPattern) -> set[str]:
    """Return the methods that a route takes, by its own word."""
    actions = getattr(pattern.callback, "actions", None)
    return {method.upper() for method in actions if method != "head"} if actions else {"GET"}


@pytest.fixture
def matrix_site(users, client_of):
    """One appointment of the patient to the doctor, and a client for each audience."""
    appointment = make_appointment(
        users.doctor,
        users.patient,
        timezone.now().date() + timedelta(days=2),
        prescription_notes="Rest.",
        prescription_items=[{"medicine": "Water", "dose": "", "frequency": "", "days": None}],
        record_version=1,
        recorded_at=timezone.now(),
    )
    stored_as = storages["records"].save("matrix/report.pdf", ContentFile(b"%PDF-1.7"))
    case = Verification.objects.create(
        doctor=users.doctor,
        submitted_at=timezone.now(),
        document_name="license.pdf",
        document_type="application/pdf",
        document_stored_as=stored_as,
    )
    attachment = Attachment.objects.create(
        appointment=appointment,
        name="report.pdf",
        content_type="application/pdf",
        size=8,
        sha256="0" * 64,
        stored_as=stored_as,
        added_at=timezone.now(),
        added_by=users.doctor.user,
    )
    SiteText.objects.create(kind="terms", text="Be kind.", updated_at=timezone.now())
    clients = {
        "anonymous": APIClient(),
        "patient owner": client_of(users.patient),
        "other patient": client_of(users.other_patient),
        "doctor owner": client_of(users.doctor.user),
        "other doctor": client_of(users.other_doctor.user),
        "unapproved doctor": client_of(users.unapproved_doctor.user),
        "admin": client_of(users.admin),
    }
    today = local_date(timezone.now(), users.doctor.time_zone)
    passkey = Passkey.objects.create(
        user=users.patient, name="Phone", credential_id="x", public_key=b"", created_at=timezone.now()
    )
    stretch = BlockedTime.objects.create(doctor=users.doctor, date=today, start_minute=0, end_minute=60)
    absence = Absence.objects.create(
        doctor=users.doctor, from_date=today, from_minute=0, to_date=today, to_minute=60, reason="A dentist."
    )
    session = Session.objects.get(user=users.patient)
    users.deactivated.status = AccountStatus.ACTIVE
    users.deactivated.save()
    clients["deactivated"] = client_of(users.deactivated)
    users.deactivated.status = AccountStatus.INACTIVE
    users.deactivated.save()
    clients["signed out"] = client_of(users.other_patient)
    newest = Session.objects.filter(user=users.other_patient).latest("created_at", "pk")
    end_sessions(Session.objects.filter(pk=newest.pk), "signed_out", timezone.now())
    addresses = {
        "healthz": "/healthz",
        "readyz": "/readyz",
        "metrics": "/metrics",
        "page": "/",
        "robots": "/robots.txt",
        "sitemap": "/sitemap.xml",
        "security-txt": "/.well-known/security.txt",
        "media": "/media/pictures/none.webp",
        "schema": "/api/schema",
        "api-docs": "/api/schema/docs",
        "staff": "/staff",
        "site-config": "/api/config",
        "site-text-detail": "/api/texts/terms",
        "login": "/api/auth/login",
        "login-second": "/api/auth/login/second",
        "login-passkey": "/api/auth/login/passkey",
        "login-passkey-options": "/api/auth/login/passkey/options",
        "second-step": "/api/auth/second-step",
        "second-step-app": "/api/auth/second-step/app",
        "second-step-turn-app-off": "/api/auth/second-step/app/off",
        "second-step-begin-proof": "/api/auth/second-step/proof",
        "second-step-make-recovery-codes": "/api/auth/second-step/recovery-codes",
        "passkey-list": "/api/auth/passkeys",
        "passkey-begin": "/api/auth/passkeys/options",
        "passkey-detail": f"/api/auth/passkeys/{passkey.pk}",
        "passkey-remove": f"/api/auth/passkeys/{passkey.pk}/remove",
        "logout": "/api/auth/logout",
        "register-patient": "/api/auth/register/patient",
        "register-doctor": "/api/auth/register/doctor",
        "account-export": "/api/auth/account/export",
        "account-closing": "/api/auth/account/closing",
        "account-close": "/api/auth/account/close",
        "profile": "/api/auth/profile",
        "calendar-address": "/api/auth/calendar-feed",
        "calendar-feed": "/calendar/nobody-knows-this.ics",
        "password": "/api/auth/password",
        "password-reset": "/api/auth/password/reset",
        "password-reset-check": "/api/auth/password/reset/check",
        "password-reset-confirm": "/api/auth/password/reset/confirm",
        "email-confirm": "/api/auth/email/confirm",
        "email-resend": "/api/auth/email/resend",
        "email-pending": "/api/auth/email/pending",
        "notice-settings": "/api/auth/notice-settings",
        "notice-list": "/api/notices",
        "notice-unread": "/api/notices/unread",
        "notice-mark-read": "/api/notices/read",
        "notices-unsubscribe": "/api/notices/unsubscribe",
        "session-list": "/api/auth/sessions",
        "session-detail": f"/api/auth/sessions/{session.pk}",
        "doctor-list": "/api/doctors",
        "doctor-detail": f"/api/doctors/{users.doctor.pk}",
        "doctor-filters": "/api/doctors/filters",
        "doctor-slots": f"/api/doctors/{users.doctor.pk}/slots",
        "slots-explain": f"/api/doctors/{users.doctor.pk}/slots/explain?date=2030-01-08&time=09:00",
        "schedule": "/api/doctors/schedule",
        "doctor-profile": "/api/doctors/profile",
        "doctor-verification-list": "/api/doctors/verification",
        "doctor-dashboard": "/api/doctors/dashboard",
        "doctor-calendar": "/api/doctors/calendar",
        "doctor-patient-list": "/api/doctors/patients",
        "doctor-patients-csv": "/api/doctors/patients.csv",
        "doctor-appointments-csv": "/api/doctors/appointments.csv",
        "doctor-patient-detail": f"/api/doctors/patients/{users.patient.pk}",
        "doctor-patient-history": f"/api/doctors/patients/{users.patient.pk}/history",
        "doctor-patient-book": f"/api/doctors/patients/{users.patient.pk}/appointments",
        "blocked-time-list": "/api/doctors/schedule/blocked",
        "blocked-time-detail": f"/api/doctors/schedule/blocked/{stretch.pk}",
        "absence-list": "/api/doctors/schedule/absences",
        "absence-detail": f"/api/doctors/schedule/absences/{absence.pk}",
        "appointment-list": "/api/appointments",
        "appointment-detail": f"/api/appointments/{appointment.pk}",
        "appointment-cancel": f"/api/appointments/{appointment.pk}/cancel",
        "hold-list": "/api/appointments/hold",
        "hold-detail": "/api/appointments/hold/nobody-knows-this",
        "appointment-reschedule": f"/api/appointments/{appointment.pk}/reschedule",
        "appointment-proposal": f"/api/appointments/{appointment.pk}/proposal",
        "appointment-cancel-request": f"/api/appointments/{appointment.pk}/cancel-request",
        "appointment-set-status": f"/api/appointments/{appointment.pk}/status",
        "appointment-undo": f"/api/appointments/{appointment.pk}/undo",
        "appointment-reopen": f"/api/appointments/{appointment.pk}/reopen",
        "appointment-move": f"/api/appointments/{appointment.pk}/move",
        "admin-dashboard": "/api/admin/dashboard",
        "admin-analytics": "/api/admin/analytics",
        "admin-records": "/api/admin/records",
        "admin-audit-list": "/api/admin/audit",
        "admin-audit-csv": "/api/admin/audit.csv",
        "admin-reading-list": "/api/admin/readings",
        "admin-readings-csv": "/api/admin/readings.csv",
        "admin-appointment-cancel": f"/api/admin/appointments/{appointment.pk}/cancel",
        "admin-user-list": "/api/admin/users",
        "admin-user-detail": f"/api/admin/users/{users.patient.pk}",
        "admin-user-set-status": f"/api/admin/users/{users.patient.pk}/status",
        "admin-user-set-status-of-several": "/api/admin/users/status",
        "admin-doctor-document": f"/api/admin/doctors/{users.doctor.pk}/cases/{case.pk}/document",
        "admin-doctor-list": "/api/admin/doctors",
        "admin-doctor-detail": f"/api/admin/doctors/{users.doctor.pk}",
        "approve-doctor": f"/api/doctors/{users.doctor.pk}/approve",
        "booking-draft-detail": f"/api/appointments/drafts/{users.doctor.pk}",
        "calendar-file": f"/api/appointments/{appointment.pk}/calendar.ics",
        "visit": f"/api/appointments/{appointment.pk}/visit",
        "visit-versions": f"/api/appointments/{appointment.pk}/visit/versions",
        "visit-draft": f"/api/appointments/{appointment.pk}/visit/draft",
        "prescription": f"/api/appointments/{appointment.pk}/prescription.pdf",
        "attachment-list": f"/api/appointments/{appointment.pk}/attachments",
        "attachment-detail": f"/api/appointments/{appointment.pk}/attachments/{attachment.pk}",
        "reader-list": f"/api/appointments/{appointment.pk}/readers",
    }
    return clients, addresses


def get_refusal(route: str, audience: str) -> int:
    """Return the status for a method that the route does not take: who is asking comes first."""
    if route in BLIND_ROUTES:
        return 405
    if audience in {"deactivated", "signed out"} or (audience == "anonymous" and route not in PUBLIC_API):
        return 401
    patients, others = {"patient owner", "other patient"}, {"admin"}
    if route in ADMIN_ROUTES and audience != "admin":
        return 403
    if route in DOCTORS_ALONE and audience in patients | others:
        return 403
    if route in {"hold-list", "hold-detail"} and audience not in patients | {"anonymous"}:
        return 403
    if route in {*RECORDS, "calendar-address"} and audience in others:
        return 403
    if route in {"reader-list", "booking-draft-detail"} and audience not in patients:
        return 403
    return 405


def list_read_routes() -> list[str]:
    return [route for route, method in MATRIX if method == "GET"]
