"""Test the files at fixed addresses: robots.txt, sitemap.xml, favicon.ico and security.txt."""

import re
from datetime import UTC, datetime, timedelta
from urllib.robotparser import RobotFileParser
from xml.etree import ElementTree as ET

import pytest
import time_machine
from django.test import Client

from config.public_files import PUBLIC_PAGES
from config.testing import ROOT

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

FILES = ["/robots.txt", "/sitemap.xml", "/favicon.ico", "/.well-known/security.txt"]
SECURITY_TXT = "/.well-known/security.txt"
# The desks' routes are below `/doctor/` and `/admin/`.
DESKS = ["/doctor/dashboard", "/admin/dashboard"]


@pytest.fixture(autouse=True)
def base_url(settings):
    settings.BASE_URL = "https://visits.example.org"


def read(path):
    response = Client().get(path)
    content = b"".join(response) if response.streaming else response.content
    assert response.status_code == 200
    return response, content


@pytest.mark.parametrize("path", FILES)
def test_only_get_and_head_are_accepted(path):
    client = Client()
    head = client.head(path)
    assert (head.status_code, b"".join(head)) == (200, b"")
    # `Client` passes the check of forged requests, as no browser would.
    assert {client.generic(method, path).status_code for method in ("POST", "PUT", "DELETE", "TRACE")} == {405}


@pytest.mark.parametrize("path", FILES)
def test_files_may_be_cached_and_contain_no_user_data(path):
    response, content = read(path)
    assert re.fullmatch(r"(max-age=\d+, public|public, max-age=\d+)", response["Cache-Control"])
    other = Client(headers={"authorization": "Bearer abc", "cookie": "a=b"}).get(f"{path}?x=<script>")
    assert (b"".join(other) if other.streaming else other.content) == content


def list_page_routes():
    """Return the address and the kind of every route of the bundle but the desks'."""
    source = (ROOT / "frontend/src/app/routes.tsx").read_text()
    return re.findall(r"\broute\(\s*'([^']+)',\s*(\w+)", source)


def test_crawlers_may_read_public_pages_alone():
    response, content = read("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    robots = RobotFileParser()
    robots.parse(content.decode().splitlines())
    routes = list_page_routes()
    own_pages = [path.replace(":id", "1") for path, kind in routes if kind in {"requireSession", "requireRole"}]
    assert len(own_pages) > 5
    private = [*own_pages, *DESKS, "/api/doctors", "/api/schema", "/staff", "/staff/login/", "/calendar/x.ics"]
    private += ["/reset-password?token=x", "/confirm-email?token=x", "/unsubscribe?token=x"]
    assert [path for path in private if robots.can_fetch("any", path)] == []
    public = [*PUBLIC_PAGES, "/doctors/1", "/login", "/register", "/media/pictures/x.webp", "/static/app/main.js"]
    assert [path for path in public if not robots.can_fetch("any", path)] == []
    assert robots.site_maps() == ["https://visits.example.org/sitemap.xml"]


def test_the_sitemap_lists_public_pages():
    response, content = read("/sitemap.xml")
    assert response["Content-Type"] == "application/xml"
    namespace = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    addresses = [each.text for each in ET.fromstring(content).iter(f"{namespace}loc")]
    assert addresses == [
        "https://visits.example.org/",
        "https://visits.example.org/patient/doctors",
        "https://visits.example.org/about",
        "https://visits.example.org/contact",
        "https://visits.example.org/privacy",
    ]
    prerendered = {path for path, kind in list_page_routes() if kind == "publicPrerenderedPage" and ":" not in path}
    assert set(PUBLIC_PAGES) == prerendered


def test_the_favicon_is_an_icon():
    response, content = read("/favicon.ico")
    assert response["Content-Type"] in {"image/x-icon", "image/vnd.microsoft.icon"}
    assert content.startswith(b"\x00\x00\x01\x00")
    assert len(content) < 8_000


def test_security_txt_names_the_contact(settings):
    settings.CONTACT = {**settings.CONTACT, "email": "care@visits.example.org"}
    with time_machine.travel("2026-03-02T12:34:56Z", tick=False):
        response, content = read(SECURITY_TXT)
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert content.decode() == (
        "Contact: mailto:care@visits.example.org\n"
        "Expires: 2026-08-29T00:00:00Z\n"
        "Canonical: https://visits.example.org/.well-known/security.txt\n"
    )


def test_security_txt_expires_within_a_year():
    expires = re.search(rb"Expires: (\S+)\n", read(SECURITY_TXT)[1])[1].decode()
    left = datetime.fromisoformat(expires) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)


def test_security_txt_is_absent_without_a_contact(settings):
    settings.CONTACT = {**settings.CONTACT, "email": ""}
    response = Client().get(SECURITY_TXT)
    assert (response.status_code, response["Content-Type"]) == (404, "text/plain; charset=utf-8")
