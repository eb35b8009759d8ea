"""Test that the site is called what SITE_NAME says, wherever its name appears."""

import json
import re
import zipfile
from html import unescape
from io import BytesIO

import icalendar
import pytest
from babel.messages.pofile import read_po

from accounts.notifications.outbox import notify_user
from accounts.tests.factories import PASSWORD
from accounts.tests.mail_links import deliver, text_of
from adminpanel.tests.admin.staff import client_for, staff_member
from appointments import ical
from config import spa

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

NAME = "Smith & Sons' <Practice>"
ESCAPED = "Smith &amp; Sons&#x27; &lt;Practice&gt;"


@pytest.fixture(autouse=True)
def named(settings):
    settings.SITE_NAME = NAME
    spa.render_page.cache_clear()
    yield
    spa.render_page.cache_clear()


def test_pages_have_it_in_title_header_texts_and_settings(client):
    html = client.get("/").content.decode()
    assert f"<title>{ESCAPED}</title>" in html
    assert f'<meta property="og:site_name" content="{ESCAPED}">' in html
    assert f'aria-label="{ESCAPED}, home page"' in html
    # In the header and in the footer.
    assert len(re.findall(rf'<span class="[^"]*word[^"]*">{ESCAPED}</span>', html)) == 2
    config = json.loads(unescape(re.search(r'<meta name="wellhour-config" content="([^"]*)">', html)[1]))
    assert config["siteName"] == client.get("/api/config").json()["data"]["siteName"] == NAME
    assert f"{ESCAPED} helps people see a doctor" in client.get("/about").content.decode()
    assert f"{ESCAPED} isn’t for emergencies" in client.get("/contact").content.decode()


def test_no_page_is_built_with_a_fixed_name():
    assert [page["pattern"] for page in spa.load_build()["pages"] if "Wellhour" in "".join(page["html"].values())] == []


@pytest.mark.parametrize("language", ["de", "es"])
def test_no_translated_text_has_a_fixed_name(settings, language):
    with (settings.LOCALE_PATHS[0] / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        texts = [text for message in read_po(file) if message.id for text in (message.id, message.string)]
    assert len(texts) > 200
    assert [text for text in texts if "Wellhour" in str(text)] == []


def test_emails_have_it(patient, mail):
    notify_user("account.registered", patient)
    deliver()
    (sent,) = mail.to(patient.email)
    assert sent["Subject"] == f"Welcome to {NAME}"
    assert f"\n{NAME}, http" in text_of(sent)
    html = sent.get_body(("html",)).get_content()
    assert f'color:#0b5f63;">{ESCAPED}</td>' in html
    assert "Wellhour" not in text_of(sent) + html


def test_authenticator_apps_and_passkeys_have_it(patient, client_of):
    client, body = client_of(patient), {"currentPassword": PASSWORD}
    secret = client.post("/api/auth/second-step/app", body, format="json").json()["data"]["secret"]
    assert "issuer=Smith%20%26%20Sons%27%20%3CPractice%3E" in secret["uri"]
    options = client.post("/api/auth/passkeys/options", body, format="json").json()["data"]["options"]
    assert options["rp"]["name"] == NAME


def test_calendars_have_it(patient, settings):
    calendar = icalendar.Calendar.from_ical(ical.build_feed_file([], patient, patient.created_at))
    assert calendar["NAME"] == calendar["X-WR-CALNAME"] == f"Appointments at {NAME}"
    settings.DEFAULT_FROM_EMAIL = "no-reply@example.org"
    event = icalendar.Event()
    ical.add_participants(event, patient, patient.email)
    assert event["ORGANIZER"].params["CN"] == NAME


def test_downloads_of_ones_data_have_it(patient, client_of):
    answer = client_of(patient).post("/api/auth/account/export", {"currentPassword": PASSWORD}, format="json")
    with zipfile.ZipFile(BytesIO(answer.getvalue())) as archive:
        assert archive.read("README.txt").startswith(f"Your data at {NAME}\n{'=' * 37}\n\n".encode())
    assert re.search(r'filename="smith-sons-practice-\d{4}-\d\d-\d\d\.zip"', answer["Content-Disposition"])


def test_staff_site_and_maintenance_page_have_it(db, client, settings, tmp_path):
    staff = client_for(staff_member(superuser=True))
    for page in (staff.get("/staff/"), staff.get("/staff/nothing/"), client.get("/staff/login/")):
        assert f"{ESCAPED} staff</title>" in page.text
        assert f"{ESCAPED} staff</a>" in page.text
        assert "Wellhour" not in page.text
    settings.MAINTENANCE_FILE = tmp_path / "maintenance"
    settings.MAINTENANCE_FILE.touch()
    assert f"right back | {ESCAPED}</title>" in client.get("/").text
