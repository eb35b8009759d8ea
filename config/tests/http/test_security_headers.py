"""Test the security headers of every kind of response."""

import re
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from adminpanel.tests.admin.staff import client_for, staff_member
from appointments.models import Attachment
from appointments.tests.factories import make_appointment
from config.http.security_headers import BARE_POLICY, DENIED
from config.testing import ROOT

pytestmark = pytest.mark.either_engine

PAGE_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "object-src": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}


def policy_of(answer) -> dict[str, str]:
    """Take a policy apart."""
    return dict(directive.split(" ", 1) for directive in answer["Content-Security-Policy"].split("; "))


@pytest.fixture
def answers(users, client_of, monkeypatch):
    """Fetch one answer of every kind, by its name; pages first."""
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() - timedelta(days=1), status="confirmed"
    )
    kept = storages["records"].save("a.pdf", ContentFile(b"%PDF-1.4"))
    attachment = Attachment.objects.create(
        appointment=appointment,
        name="a.pdf",
        size=8,
        content_type="application/pdf",
        sha256="0" * 64,
        stored_as=kept,
        added_at=timezone.now(),
        added_by=users.doctor.user,
    )
    portrait = default_storage.save("pictures/a.webp", ContentFile(b"RIFF"))
    anybody, patient, doctor = Client(), client_of(users.patient), client_of(users.doctor.user)
    superuser = client_for(staff_member(superuser=True))
    pages = {
        "home": anybody.get("/"),
        "deep page": anybody.get("/patient/appointments"),
        "documentation of the API": anybody.get("/api/schema/docs"),
        "staff's sign-in": anybody.get("/staff/login/"),
        "staff's list": superuser.get("/staff/accounts/user/"),
        "staff's 404": superuser.get("/staff/no/such/"),
    }
    others = {
        "call": anybody.get("/api/doctors"),
        "refused call": anybody.get("/api/appointments"),
        "call that is not there": anybody.get("/api/no/such"),
        "file of an appointment": patient.get(f"/api/appointments/{appointment.pk}/attachments/{attachment.pk}"),
        "calendar file": patient.get(f"/api/appointments/{appointment.pk}/calendar.ics"),
        "CSV": doctor.get("/api/doctors/patients.csv"),
        "portrait": anybody.get(f"/media/{portrait}"),
        "portrait that is not there": anybody.get("/media/pictures/none.webp"),
        "static file": anybody.get("/static/icon.svg"),
        "static file that is not there": anybody.get("/static/no/such.js"),
        "calendar feed": anybody.get("/calendar/nobody.ics"),
        "redirect": anybody.get("/staff"),
        "other host": anybody.get("/", headers={"host": "elsewhere.example"}),
        "health": anybody.get("/healthz"),
        "schema": anybody.get("/api/schema"),
    }
    breaking = Client(raise_request_exception=False)
    with monkeypatch.context() as patch:
        patch.setattr("config.spa.render_page", lambda *args: 1 / 0)
        pages["crash of a page"] = breaking.get("/")
        patch.setattr("adminpanel.api.site_config.ApiResponse", lambda *args: 1 / 0)
        others["crash of a call"] = breaking.get("/api/config")
    yield pages, others
    for answer in (pages | others).values():
        # Read to its end, a stream is closed.
        if answer.streaming:
            b"".join(answer.streaming_content)


def test_every_kind_of_response_has_security_headers(answers):
    pages, others = answers
    assert {name: answer.status_code for name, answer in (pages | others).items()} == {
        "home": 200,
        "deep page": 200,
        "documentation of the API": 200,
        "staff's sign-in": 200,
        "staff's list": 200,
        "staff's 404": 404,
        "crash of a page": 500,
        "call": 200,
        "refused call": 401,
        "call that is not there": 404,
        "file of an appointment": 200,
        "calendar file": 200,
        "CSV": 200,
        "portrait": 200,
        "portrait that is not there": 404,
        "static file": 200,
        "static file that is not there": 404,
        "calendar feed": 404,
        "redirect": 302,
        "other host": 400,
        "health": 200,
        "schema": 200,
        "crash of a call": 500,
    }
    for name, answer in (pages | others).items():
        assert {
            header: answer.headers.get(header)
            for header in (
                *("Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "X-Content-Type-Options"),
                *("X-Frame-Options", "Permissions-Policy", "Referrer-Policy"),
            )
        } == {
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Permissions-Policy": ", ".join(f"{feature}=()" for feature in DENIED),
            # A calendar's address is its key.
            "Referrer-Policy": "no-referrer" if name == "calendar feed" else "same-origin",
        }, name
        policy = answer["Content-Security-Policy"]
        assert "unsafe" not in policy, name
        assert "frame-ancestors 'none'" in policy, name
    for name, answer in pages.items():
        expected = PAGE_POLICY
        if name.startswith("staff's"):
            # Django's admin brings jQuery along.
            expected = {each: said for each, said in expected.items() if "trusted-types" not in each}
        assert policy_of(answer) == expected, name
    plain = {name: answer["Content-Security-Policy"] for name, answer in others.items() if not is_html(answer)}
    assert set(plain.values()) == {BARE_POLICY}
    assert set(others) - set(plain) <= {"portrait that is not there", "static file that is not there", "other host"} | {
        "redirect"
    }


def is_html(answer) -> bool:
    return str(answer.headers.get("Content-Type", "")).startswith("text/html")


def test_pages_contain_no_inline_scripts(db):
    """No script and no style stands in a page; a style attribute would need `unsafe-inline` too."""
    for template in [*(ROOT / "templates").rglob("*.html")]:
        if "mail" in template.parts:
            continue
        text = template.read_text()
        assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*src=)", text) == [], template


def test_database_failure_response_has_the_headers_too(db, monkeypatch):
    def lost(*args, **kwargs):
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", lost)
        answer = Client().get("/api/doctors")
    assert (answer.status_code, answer["Content-Security-Policy"]) == (503, BARE_POLICY)
