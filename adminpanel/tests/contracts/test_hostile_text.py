"""Hostile text in every field of every call, and what mails, spreadsheets, documents and calendars make of it.

What screens make of it: `frontend/e2e/test_hostile_text.py`.
"""

import csv
import io
import json
import os
import unicodedata
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from icalendar import Calendar
from pypdf import PdfReader

from accounts.notifications import delivery
from accounts.tests.files.hostile_pdfs import names_that_act
from accounts.tests.text.hostile_texts import NOWHERE, TEXTS
from adminpanel.tests.contracts.access_matrix import list_methods, list_routes
from adminpanel.tests.contracts.schema_values import fill_path, fill_schema
from appointments.tests.factories import make_appointment
from config.http.csv import FORMULA_PREFIXES, PHONE

# Of how many texts each call takes one in the short form; all of them with 1.
EVERY = int(os.environ.get("HOSTILE_TEXT_EVERY", "11"))
WRITES = ("POST", "PUT", "DELETE")


def fill_texts(schema: dict[str, Any], part: dict[str, Any], text: str) -> object:
    """Fill in a call's body with the text in everything that is text."""
    while "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]]
    if "properties" in part:
        return {name: fill_texts(schema, each, text) for name, each in part["properties"].items()}
    if part.get("type") == "array":
        return [fill_texts(schema, part["items"], text)]
    is_text = part.get("type") in ("string", ["string", "null"]) or "oneOf" in part
    return text if is_text else fill_schema(schema, part)


@pytest.fixture(scope="module")
def schema():
    return SchemaGenerator().get_schema(request=None, public=True)


def writing_calls(schema: dict[str, Any], appointment) -> list[tuple[str, str, dict[str, Any]]]:
    """Return every call that writes: its method, its address and the description of its body."""
    found = []
    for pattern in list_routes():
        keys: dict[str, Any] = {"UUIDConverter": appointment.pk, "IntConverter": 7}
        if str(pattern.name).startswith(("admin-user", "doctor-patient")):
            keys["UUIDConverter"] = appointment.patient_id
        elif str(pattern.name).startswith(("admin-doctor", "approve")):
            keys["UUIDConverter"] = appointment.doctor_id
        values = {name: keys.get(type(kind).__name__, "text") for name, kind in pattern.pattern.converters.items()}
        address = reverse(str(pattern.name), kwargs=values)
        said = schema["paths"].get("/" + fill_path(pattern, address, values), {})
        for method in sorted(list_methods(pattern) & set(WRITES)):
            content: dict[str, Any] = said.get(method.lower(), {}).get("requestBody", {}).get("content", {})
            first: dict[str, Any] = next(iter(content.values()), {})
            part = first.get("schema")
            if part:
                found.append((method, address, part))
    return found


def test_hostile_text_in_any_field_causes_no_error(users, client_of, schema):
    """A value that is not taken is refused by the name of its field; none is a fault of ours."""
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() - timedelta(days=1), status="confirmed"
    )
    clients = [client_of(users.patient), client_of(users.doctor.user), client_of(users.admin)]
    tried, wrong = 0, []
    for number, (method, address, part) in enumerate(writing_calls(schema, appointment)):
        for name in list(TEXTS)[number % EVERY :: EVERY]:
            body = fill_texts(schema, part, TEXTS[name])
            for client in clients:
                cache.clear()
                with transaction.atomic():
                    answer = send(client, method, address, body)
                    transaction.set_rollback(True)
                tried += 1
                if answer.status_code >= 500:
                    wrong.append((method, address, name, answer.status_code))
                elif answer.status_code == 400:
                    said = answer.json()
                    if said["code"] == "invalid" and not said["errors"]:
                        wrong.append((method, address, name, said))
    assert wrong == []
    assert tried > 250


def send(client, method: str, address: str, body: object):
    """Call with a body in plain JSON, lone surrogates and all."""
    return client.generic(method.upper(), address, json.dumps(body), content_type="application/json")


def get_stored_text(text: str) -> str:
    """Return a text as it is kept where it is taken: composed, trimmed, with one kind of line break."""
    return unicodedata.normalize("NFC", text.strip()).replace("\r\n", "\n").replace("\r", "\n")


class Parts(HTMLParser):
    """The tags, addresses and words of a mail."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.addresses: set[str] = set()
        self.words = ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.addresses |= {value for name, value in attrs if name in ("href", "src")}

    def handle_data(self, data):
        self.words += data


MAIL_TAGS = {
    *("html", "head", "meta", "title", "body", "table", "tbody", "tr", "td", "th", "p", "a", "h1", "h2", "div", "span"),
    *("br", "strong", "style", "img", "dl", "dt", "dd", "ul", "li", "hr"),
}


def assert_nothing_runs_in_mails(settings) -> None:
    for message in mail.outbox:
        assert set(message.recipients()) <= {each for each in message.recipients() if each.endswith("@example.com")}
        raw = message.message()
        assert raw["Bcc"] is None
        assert "elsewhere.example" not in str(raw["Subject"]) or "\n" not in str(message.subject)
        for part in raw.walk():
            if part.get_content_type() != "text/html":
                continue
            found = Parts()
            found.feed(bytes(part.get_payload(decode=True)).decode())
            assert found.tags <= MAIL_TAGS
            assert not [name for name in found.attributes if name.startswith("on") or name == "srcdoc"]
            for address in found.addresses:
                assert address.startswith((settings.BASE_URL, "mailto:", "tel:")), address


def assert_no_formula(answer) -> int:
    """See that no cell of a CSV is one that a spreadsheet runs; return how many cells there are."""
    text = b"".join(answer.streaming_content).decode().lstrip("\ufeff")
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    risky = [
        cell
        for cell in cells
        if cell.lstrip(" \u00a0\u3000").startswith(FORMULA_PREFIXES) and not PHONE.fullmatch(cell)
    ]
    assert risky == []
    return len(cells)


def assert_harmless_pdf(content: bytes) -> str:
    reader = PdfReader(io.BytesIO(content))
    # By its dictionaries: the base-85 text of a stream may spell any name.
    # Typst describes each document in XMP, which nothing runs.
    assert names_that_act(reader) <= {"Metadata"}
    annotations = [page.get("/Annots") for page in reader.pages]
    assert annotations == [None] * len(annotations)
    return "".join(page.extract_text() for page in reader.pages)


CALENDAR_NAMES = {
    *("UID", "SEQUENCE", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "ORGANIZER"),
    *("ATTENDEE", "URL", "CREATED", "LAST-MODIFIED", "TRANSP", "CLASS", "CATEGORIES", "GEO", "X-WR-CALNAME"),
}


def assert_one_plain_event(content: bytes, place: str) -> None:
    calendar = Calendar.from_ical(content)
    assert [each.name for each in calendar.walk()].count("VEVENT") == 1
    assert "VALARM" not in {each.name for each in calendar.walk()}
    [event] = calendar.walk("VEVENT")
    assert set(event) <= CALENDAR_NAMES
    if place:
        assert place in str(event["LOCATION"])


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_stored_as_typed_and_never_executed(
    users, client_of, name, settings, django_capture_on_commit_callbacks
):
    text = TEXTS[name]
    doctor, patient, desk = client_of(users.doctor.user), client_of(users.patient), client_of(users.admin)

    def put(client, address: str, body: dict, *field: str, method: str = "put") -> bool:
        """Send the text in one field; return whether it was taken. A refusal names the field."""
        cache.clear()
        answer = send(client, method, address, body)
        if answer.status_code == 400:
            assert ".".join(field) in answer.json()["errors"], answer.json()
            return False
        assert answer.status_code in (200, 201), answer.json()
        return True

    # Lines: what clinics and streets are called. Names of people take no markup at all.
    place = ""
    if put(doctor, "/api/doctors/profile", {"hospital": {"name": text}}, "hospital", "name") and get_stored_text(text):
        place = get_stored_text(text)
    for field in ("street", "city", "state"):
        part = {"hospital": {"address": {field: text}}}
        put(doctor, "/api/doctors/profile", part, "hospital", "address", field)
        put(patient, "/api/auth/profile", {"address": {field: text}}, "address", field)
    took_name = put(patient, "/api/auth/profile", {"name": text}, "name")
    assert not took_name or not set("<>=$+`|") & set(text)
    took_bio = put(doctor, "/api/doctors/profile", {"bio": text}, "bio")
    assert took_bio == (name not in NOWHERE)
    if took_bio:
        assert patient.get(f"/api/doctors/{users.doctor.pk}").json()["data"]["doctor"]["bio"] == get_stored_text(text)

    # Free text: what a patient writes, what a doctor writes, and why something happens.
    users.doctor.refresh_from_db()
    users.patient.refresh_from_db()
    appointment = make_appointment(
        users.doctor, users.patient, timezone.now().date() - timedelta(days=1), status="confirmed"
    )
    ahead = make_appointment(users.doctor, users.patient, timezone.now().date() + timedelta(days=9), status="confirmed")
    with django_capture_on_commit_callbacks(execute=True):
        put(
            patient,
            f"/api/appointments/{ahead.pk}/cancel-request",
            {"reason": text},
            "reason",
            method="post",
        )
        record = {
            "diagnosis": text,
            "notes": text,
            "prescription": {"notes": text, "items": [{"medicine": text, "dose": "1", "frequency": text}]},
        }
        answer = send(doctor, "put", f"/api/appointments/{appointment.pk}/visit", {**record, "revision": 0})
        if answer.status_code == 400:
            # The line that names a medicine is refused where free text is not.
            assert set(answer.json()["errors"]) & {
                *("diagnosis", "prescription.items.0.medicine", "prescription.items.0.frequency", "revision"),
            }, answer.json()
            plain = {"medicine": "Amoxicillin", "dose": "1", "frequency": "daily"}
            record["prescription"] = {"notes": text, "items": [plain]}
            answer = send(doctor, "put", f"/api/appointments/{appointment.pk}/visit", {**record, "revision": 0})
        assert answer.status_code in (200, 400), answer.json()
        assert (answer.status_code == 200) == (name not in NOWHERE), answer.json()
        asked = make_appointment(
            users.doctor, users.patient, ahead.date, "15:00", status="confirmed", cancel_requested_at=timezone.now()
        )
        body = {"status": "cancelled", "reason": text}
        if put(doctor, f"/api/appointments/{asked.pk}/status", body, "reason"):
            shown = patient.get(f"/api/appointments/{asked.pk}").json()["data"]["appointment"]
            assert shown["cancelReply"] == get_stored_text(text)
        cancelled = send(desk, "put", f"/api/admin/appointments/{ahead.pk}/cancel", {"reason": text})
        assert cancelled.status_code in (200, 400)
    if answer.status_code == 200 and get_stored_text(text):
        seen = patient.get(f"/api/appointments/{appointment.pk}/visit").json()["data"]["record"]
        assert (seen["diagnosis"], seen["prescription"]["notes"]) == (get_stored_text(text), get_stored_text(text))
        printed = assert_harmless_pdf(patient.get(f"/api/appointments/{appointment.pk}/prescription.pdf").content)
        assert "%PDF" not in printed
    assert_one_plain_event(patient.get(f"/api/appointments/{appointment.pk}/calendar.ics").content, place)
    cells = assert_no_formula(doctor.get("/api/doctors/patients.csv"))
    cells += assert_no_formula(doctor.get("/api/doctors/appointments.csv"))
    cells += assert_no_formula(desk.get("/api/admin/audit.csv"))
    assert cells > 30
    delivery.deliver_notices(timezone.now())
    # A text that stands nowhere caused nothing that anybody is told of.
    assert bool(mail.outbox) == (name not in NOWHERE)
    assert_nothing_runs_in_mails(settings)
