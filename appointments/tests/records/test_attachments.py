"""Test attachments: only harmless files, readable only by the two users of the appointment."""

import hashlib
import io
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from PIL import Image
from pypdf import PdfReader

from accounts.files import validation as file_validation
from accounts.files.private_storage import safe_file_name
from accounts.files.validation import REJECTION_MESSAGES, FileRejectedError, sanitize_file
from accounts.models import AuditEvent
from accounts.tests.files.hostile_files import HOSTILE, WELCOME, noise, pdf, picture, turned
from appointments.models import Attachment
from appointments.records import attachments
from appointments.records.attachments import add_attachment
from appointments.tests.factories import make_appointment
from config.api.errors import DomainError
from config.api.fields import format_utc
from config.http.concurrency_limit import Bulkhead, ThreadBudget

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()


@pytest.fixture
def appointment(users):
    return make_appointment(users.doctor, users.patient, TODAY - timedelta(days=1), status="confirmed")


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


def address(appointment, attachment_id=""):
    return f"/api/appointments/{appointment.pk}/attachments" + (f"/{attachment_id}" if attachment_id else "")


def send(client, appointment, content, name="report.pdf", content_type="application/pdf"):
    return client.post(
        address(appointment), {"file": SimpleUploadedFile(name, content, content_type)}, format="multipart"
    )


def sent(client, appointment, content, name="report.pdf"):
    answer = send(client, appointment, content, name)
    assert answer.status_code == 201, answer.json()
    return answer.json()["data"]["attachment"]


def stored():
    return sorted(path.name for path in Path(storages["records"].location).rglob("*") if path.is_file())


def row(appointment, number=0):
    made = make_row(appointment)
    made.name = f"{number}.pdf"
    return made


def make_row(appointment):
    return Attachment(
        appointment=appointment,
        name="old.pdf",
        content_type="application/pdf",
        size=1,
        sha256="0" * 64,
        stored_as="nowhere/old.pdf",
        added_at=timezone.now(),
        added_by=appointment.doctor.user,
    )


# --- The examination -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_unsupported_file_is_rejected_with_a_reason(name):
    make, code = HOSTILE[name]
    with pytest.raises(FileRejectedError) as refused:
        sanitize_file(make())
    assert (refused.value.code, str(refused.value)) == (code, REJECTION_MESSAGES[code])


@pytest.mark.parametrize("name", WELCOME)
def test_supported_file_is_stored_with_its_detected_type(name):
    make, content_type = WELCOME[name]
    kept = sanitize_file(make())
    assert kept.content_type == content_type
    if content_type == "application/pdf":
        assert (kept.content[:5], len(PdfReader(io.BytesIO(kept.content)).pages)) == (b"%PDF-", 1)
    else:
        with Image.open(io.BytesIO(kept.content)) as shown:
            assert f"image/{shown.format.lower()}" == content_type


def test_photo_is_rotated_and_loses_its_metadata():
    kept = sanitize_file(turned()).content
    with Image.open(io.BytesIO(kept)) as shown:
        assert (shown.size, dict(shown.getexif())) == ((20, 40), {})
    assert b"SECRET" not in kept


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_is_applied(orientation):
    from PIL import ImageOps

    exif = Image.Exif()
    exif[0x0112] = orientation
    plain = Image.new("RGB", (48, 32), "white")
    plain.paste("red", (0, 0, 16, 16))
    out = io.BytesIO()
    plain.save(out, "PNG", exif=exif.tobytes())
    with (
        Image.open(io.BytesIO(out.getvalue())) as expected,
        Image.open(io.BytesIO(sanitize_file(out.getvalue()).content)) as shown,
    ):
        assert shown.tobytes() == ImageOps.exif_transpose(expected).tobytes()


def test_a_large_picture_is_shrunk():
    with Image.open(io.BytesIO(sanitize_file(picture("JPEG", (6000, 3000))).content)) as shown:
        assert shown.size == (4096, 2048)


def test_file_check_that_takes_too_long_is_terminated(monkeypatch):
    monkeypatch.setattr(file_validation, "MAX_WAIT_SECONDS", 0.01)
    with pytest.raises(FileRejectedError) as refused:
        sanitize_file(pdf())
    assert refused.value.code == "too_much"


def test_file_check_that_takes_too_much_memory_is_terminated(monkeypatch):
    monkeypatch.setattr(file_validation, "MEMORY_LIMIT_BYTES", 150 * 1024 * 1024)
    with pytest.raises(FileRejectedError) as refused:
        sanitize_file(picture("PNG", (7000, 7000)))
    assert refused.value.code == "too_much"


def test_full_file_check_bulkhead_returns_503(monkeypatch):
    bulkhead = Bulkhead("files", 2, 0, 1, budget=ThreadBudget(16))
    monkeypatch.setattr(file_validation, "bulkhead", bulkhead)
    with bulkhead.acquire(), bulkhead.acquire(), pytest.raises(DomainError, match="unavailable"):
        sanitize_file(pdf())
    # Each place is given back, also after a refusal.
    for _ in range(3):
        with pytest.raises(FileRejectedError):
            sanitize_file(b"%PDF-1.7\n%%EOF")


# --- Attaching ---------------------------------------------------------------------------------------


def test_file_is_stored_with_the_appointment(users, client_of, doctor, appointment):
    answer = send(doctor, appointment, pdf(), "C:\\letters\\Befund Müller.PDF")
    assert (answer.status_code, answer.json()["message"]) == (201, "File attached")
    kept = Attachment.objects.get()
    shown = {
        "_id": str(kept.pk),
        "name": "Befund Müller.PDF",
        "contentType": "application/pdf",
        "size": len(sanitize_file(pdf()).content),
        "addedAt": format_utc(kept.added_at),
    }
    assert answer.json()["data"] == {"attachment": shown}
    assert (kept.added_by, kept.sha256) == (users.doctor.user, hashlib.sha256(sanitize_file(pdf()).content).hexdigest())
    for client in (doctor, client_of(users.patient)):
        assert client.get(f"/api/appointments/{appointment.pk}/visit").json()["data"]["attachments"] == [shown]
    event = AuditEvent.objects.get(event="attachment.added")
    assert (event.entity_id, event.action, event.agent_id, event.detail) == (
        str(appointment.pk),
        "C",
        users.doctor.pk,
        {"attachment": str(kept.pk)},
    )


@pytest.mark.parametrize("name", ["report.pdf", "Отчёт «1».pdf", 'a"b;c.pdf'])
def test_file_is_served_as_a_download_only(name, users, client_of, doctor, appointment):
    attachment = sent(doctor, appointment, pdf(), name)
    for client in (doctor, client_of(users.patient)):
        answer = client.get(address(appointment, attachment["_id"]), HTTP_ACCEPT="application/pdf")
        assert (answer.status_code, answer.content) == (200, sanitize_file(pdf()).content)
        assert {header: answer[header] for header in ("Content-Type", "X-Content-Type-Options", "Cache-Control")} == {
            "Content-Type": "application/pdf",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }
        shown = attachment["name"]
        plain = f'attachment; filename="{shown}"'
        with_plain_name = f"attachment; filename=\"_____ _1_.pdf\"; filename*=utf-8''{quote(shown)}"
        assert answer["Content-Disposition"] == (plain if shown.isascii() else with_plain_name)


def test_quotation_marks_in_a_file_name_are_parsed_as_browsers_send_them(doctor, appointment):
    attachment = sent(doctor, appointment, pdf(), "say %22hi%22; x=1.pdf")

    # No program takes a quotation mark in a file name, so it is stored as an underscore.
    assert attachment["name"] == "say _hi_; x=1.pdf"
    answer = doctor.get(address(appointment, attachment["_id"]))
    assert answer["Content-Disposition"] == 'attachment; filename="say _hi_; x=1.pdf"'


def test_picture_is_reencoded_regardless_of_its_name(doctor, appointment):
    attachment = sent(doctor, appointment, turned(), "photo.pdf")
    assert (attachment["name"], attachment["contentType"]) == ("photo.pdf.jpg", "image/jpeg")
    content = doctor.get(address(appointment, attachment["_id"])).content
    assert (len(content), b"SECRET" in content) == (attachment["size"], False)


@pytest.mark.parametrize("name", ["svg", "pdf with a script", "jpeg with a zip behind it", "nothing"])
def test_rejection_names_the_file_and_stores_nothing(name, doctor, appointment):
    make, code = HOSTILE[name]
    answer = send(doctor, appointment, make(), "harmless.pdf")
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    # An empty file does not even reach the examination.
    if code != "empty":
        assert answer.json()["errors"] == {"file": [REJECTION_MESSAGES[code]]}
    assert list(answer.json()["errors"]) == ["file"]
    assert (Attachment.objects.count(), stored()) == (0, [])


def test_too_large_file_is_rejected_without_reading(doctor, appointment):
    answer = send(doctor, appointment, b"%PDF-" + b"x" * (10 * 1024 * 1024))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.json()["errors"] == {"file": ["The file is larger than 10 MB."]}
    assert send(doctor, appointment, b"x" * (12 * 1024 * 1024)).status_code == 413


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ({}, "multipart", 400),
        ({"file": "text"}, "multipart", 400),
        ({"other": SimpleUploadedFile("a.pdf", b"%PDF-")}, "multipart", 400),
        ({"file": "text"}, "json", 415),
    ],
)
def test_value_that_is_not_a_file_is_rejected(body, kind, status, doctor, appointment):
    answer = doctor.post(address(appointment), body, format=kind)
    assert answer.status_code == status
    if status == 400:
        assert list(answer.json()["errors"]) == ["file"]


@pytest.mark.parametrize("status", ["pending", "cancelled"])
def test_only_confirmed_or_completed_appointments_accept_files(status, users, doctor):
    appointment = make_appointment(users.doctor, users.patient, TODAY + timedelta(days=2), status=status)
    answer = send(doctor, appointment, pdf())
    assert (answer.status_code, answer.json()["code"]) == (409, "illegal_transition")
    assert stored() == []


def test_an_appointment_has_twenty_files_at_most(doctor, appointment):
    Attachment.objects.bulk_create([row(appointment, number) for number in range(19)])
    last = sent(doctor, appointment, pdf())
    answer = send(doctor, appointment, pdf())
    assert (answer.status_code, answer.json()["errors"]) == (400, {"file": [attachments.TOO_MANY_MESSAGE]})
    assert len(stored()) == 1
    # A removed one makes room.
    assert doctor.delete(address(appointment, last["_id"])).status_code == 200
    assert send(doctor, appointment, pdf()).status_code == 201


def test_second_upload_for_the_last_place_stores_nothing(users, appointment, monkeypatch):
    Attachment.objects.bulk_create([row(appointment, number) for number in range(19)])

    def slowly(content):
        make_row(appointment).save()
        return sanitize_file(content)

    monkeypatch.setattr(attachments, "sanitize_file", slowly)
    with pytest.raises(DomainError) as refused:
        add_attachment(appointment, "a.pdf", pdf(), actor=users.doctor.user, now=timezone.now())
    assert refused.value.errors == {"file": [attachments.TOO_MANY_MESSAGE]}
    assert (Attachment.objects.count(), stored()) == (20, [])


def test_removed_file_disappears_for_both_and_stays_in_the_audit_log(users, client_of, doctor, appointment):
    attachment = sent(doctor, appointment, pdf())
    answer = doctor.delete(address(appointment, attachment["_id"]))
    assert (answer.status_code, answer.json()["message"]) == (200, "File removed")
    for client in (doctor, client_of(users.patient)):
        assert client.get(address(appointment, attachment["_id"])).status_code == 404
        assert client.get(f"/api/appointments/{appointment.pk}/visit").json()["data"]["attachments"] == []
    assert doctor.delete(address(appointment, attachment["_id"])).status_code == 404
    assert Attachment.objects.get().removed_at is not None
    events = AuditEvent.objects.filter(event="attachment.removed").values_list("action", "detail")
    assert list(events) == [("D", {"attachment": attachment["_id"]})]


def test_only_patient_and_doctor_of_the_appointment_read_a_file(users, client_of, doctor, appointment):
    attachment = sent(doctor, appointment, pdf())
    one = address(appointment, attachment["_id"])
    people = (users.patient, users.other_patient, users.other_doctor.user, users.admin)
    clients = [client_of(person) for person in people]
    assert [client.get(one).status_code for client in clients] == [200, 404, 404, 403]
    assert [client.delete(one).status_code for client in clients] == [403, 403, 404, 403]
    assert [send(client, appointment, pdf()).status_code for client in clients] == [403, 403, 404, 403]
    # The doctor's other appointment does not open it either.
    other = make_appointment(users.doctor, users.patient, TODAY - timedelta(days=2), status="confirmed")
    assert doctor.get(address(other, attachment["_id"])).status_code == 404
    assert doctor.delete(address(other, attachment["_id"])).status_code == 404


def test_file_has_no_public_url(client, doctor, appointment):
    sent(doctor, appointment, pdf())
    name = Attachment.objects.get().stored_as
    for path in (f"/media/{name}", f"/media/records/{name}", f"/static/{name}", f"/media/../records/{name}"):
        assert client.get(path).status_code == 404


def test_file_lost_by_the_storage_is_not_found(doctor, appointment):
    made = make_row(appointment)
    made.save()
    answer = doctor.get(address(appointment, made.pk))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("name", "content_type", "shown"),
    [
        ("report.pdf", "application/pdf", "report.pdf"),
        ("REPORT.PDF", "application/pdf", "REPORT.PDF"),
        ("../../etc/passwd", "application/pdf", "passwd.pdf"),
        ("C:\\secret\\a.exe", "application/pdf", "a.exe.pdf"),
        ("photo.jpeg", "image/jpeg", "photo.jpeg"),
        ("photo.png", "image/jpeg", "photo.png.jpg"),
        ("", "image/png", "file.png"),
        ("...", "image/png", "file.png"),
        (".pdf", "application/pdf", "pdf.pdf"),
        ("a\u202efdp.exe", "application/pdf", "afdp.exe.pdf"),
        ("two\nlines\x00.pdf", "application/pdf", "twolines.pdf"),
        ('a"<b>|?.pdf', "application/pdf", "a__b___.pdf"),
        ("x" * 400 + ".pdf", "application/pdf", "x" * 116 + ".pdf"),
        ("cafe\u0301.webp", "image/webp", "café.webp"),
        ("\ud800.pdf", "application/pdf", "pdf.pdf"),
    ],
)
def test_file_names_are_sanitized(name, content_type, shown):
    assert safe_file_name(name, content_type) == shown


def test_picture_too_large_after_reencoding_is_rejected(settings):
    settings.MAX_ATTACHMENT_BYTES = 2_000
    with pytest.raises(FileRejectedError) as refused:
        sanitize_file(noise((400, 400)))
    assert refused.value.code == "too_large"
