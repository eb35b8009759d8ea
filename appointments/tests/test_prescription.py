"""Test the printed prescription, parsed from its PDF."""

import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from accounts.notifications.date_format import format_full_date
from appointments.formatting import format_when
from appointments.models import AppointmentRecord
from appointments.prescription import build_prescription_pdf
from appointments.tests.factories import make_appointment
from config import pdf, typesetting
from config.api.errors import DomainError

pytestmark = [pytest.mark.django_db, pytest.mark.either_engine]

CANNOT_SHOW = "\ufffd marks a character that can't be printed here. The full text is in the patient's account."
TODAY = timezone.now().date()
ITEMS = [
    {"medicine": "Amoxicillin", "dose": "500 mg", "frequency": "three times a day", "days": 7},
    {"medicine": "Honey <b>&amp;</b>", "dose": "", "frequency": "", "days": None},
]


@pytest.fixture
def appointment(users):
    users.patient.name, users.patient.date_of_birth = "Zoë Łukasz", date(1980, 2, 3)
    users.patient.save()
    return make_appointment(
        users.doctor,
        users.patient,
        TODAY - timedelta(days=1),
        status="confirmed",
        doctor_name="Dr. Ágnes Öz",
        hospital_name="Example General",
        hospital_street="1 Example Street",
        hospital_phone="+1 202 555 0199",
    )


@pytest.fixture
def doctor(users, client_of):
    return client_of(users.doctor.user)


def address(appointment):
    return f"/api/appointments/{appointment.pk}/prescription.pdf"


def prescribe(client, appointment, **prescription):
    body = {"prescription": prescription, "followUpDays": 14}
    answer = client.put(f"/api/appointments/{appointment.pk}/visit", body, format="json")
    assert answer.status_code == 200, answer.json()


def printed(client, appointment):
    answer = client.get(address(appointment))
    assert answer.status_code == 200, answer.content
    return PdfReader(io.BytesIO(answer.content))


def text_of(pdf):
    return "\n".join(page.extract_text() for page in pdf.pages)


def print_record(appointment, **parts):
    record = AppointmentRecord(
        **{
            "version": 1,
            "written_at": datetime(2026, 11, 3, 15, tzinfo=UTC),
            "prescription_notes": "",
            "prescription_items": [],
            **parts,
        }
    )
    return PdfReader(io.BytesIO(build_prescription_pdf(appointment, record)))


def test_prescription_names_doctor_items_patient_and_date(users, client_of, doctor, appointment):
    prescribe(doctor, appointment, notes="Rest.", items=ITEMS)
    prescribe(doctor, appointment, notes="Rest, and warm drinks.", items=ITEMS)
    for client in (doctor, client_of(users.patient)):
        answer = client.get(address(appointment))
        assert answer.status_code == 200
        assert {name: answer[name] for name in ("Content-Type", "Content-Disposition", "Cache-Control")} == {
            "Content-Type": "application/pdf",
            "Content-Disposition": f'attachment; filename="prescription-{appointment.date.isoformat()}-v2.pdf"',
            "Cache-Control": "no-store",
        }
        assert answer["X-Content-Type-Options"] == "nosniff"
        lines = [line.strip() for line in text_of(PdfReader(io.BytesIO(answer.content))).split("\n")]
        for line in (
            "Example General",
            "Prescription",
            "Patient Zoë Łukasz",
            "Date of birth February 3, 1980",
            "Doctor Dr. Ágnes Öz, Cardiology",
            "Record Version 2, replaces version 1",
            "Amoxicillin 500 mg three times a day 7",
            "Honey <b>&amp;</b>",
            "Rest, and warm drinks.",
            f"In 14 days, around {format_full_date(appointment.date + timedelta(days=14))}",
            f"License {users.doctor.license_number}",
            f"Appointment {format_when(appointment)}",
            "Signature, Dr. Ágnes Öz",
            "Version 2 · Zoë Łukasz, born February 3, 1980 Page 1 of 1",
        ):
            assert line in lines, lines
        assert not [line for line in lines if "can't be printed" in line or "America/" in line]


def test_dates_are_written_out_with_year_and_zone(appointment):
    appointment.date, appointment.starts_at = date(2026, 11, 3), datetime(2026, 11, 3, 14, tzinfo=UTC)
    appointment.patient.date_of_birth = date(1980, 2, 3)
    text = text_of(print_record(appointment, prescription_items=ITEMS, follow_up_days=1)).replace("\n", " ")
    for words in (
        "February 3, 1980",
        "Tuesday, November 3, 2026, 9:00 AM, New York time (EST, UTC−5)",
        "Tuesday, November 3, 2026, 10:00 AM, New York time (EST, UTC−5)",
        "In 1 day, around Wednesday, November 4, 2026",
        "Zoë Łukasz, born February 3, 1980",
    ):
        assert words in text, text


def test_first_version_replaces_no_other(doctor, appointment):
    prescribe(doctor, appointment, items=ITEMS)
    text = text_of(printed(doctor, appointment))
    assert "Version 1\n" in text
    assert "replaces" not in text


def test_pdf_can_be_requested_by_its_media_type(doctor, appointment):
    prescribe(doctor, appointment, items=ITEMS)
    assert doctor.get(address(appointment), HTTP_ACCEPT="application/pdf").status_code == 200


def test_empty_prescription_is_not_printed(doctor, appointment):
    body = {"diagnosis": "Healthy.", "prescription": {"notes": "Nothing to take."}}
    doctor.put(f"/api/appointments/{appointment.pk}/visit", body, format="json")
    answer = doctor.get(address(appointment), HTTP_ACCEPT="application/pdf")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_strangers_get_404_and_admins_403(users, client_of, doctor, appointment):
    prescribe(doctor, appointment, items=ITEMS)
    people = (users.other_patient, users.other_doctor.user, users.admin)
    assert [client_of(person).get(address(appointment)).status_code for person in people] == [404, 404, 403]


def fonts_of(pdf):
    return {
        str(reference.get_object()["/BaseFont"]).split("+")[1]
        for page in pdf.pages
        for reference in page["/Resources"]["/Font"].values()
        if "+" in str(reference.get_object()["/BaseFont"])
    }


@pytest.mark.parametrize(
    "name",
    ["Αλέξανδρος Παπαδόπουλος", "Мария Иванова", "Nguyễn Thị Ánh", "Նարե Հակոբյան", "ნინო ბერიძე", "Ђорђе Жњ", "ሰላም"],
)
def test_names_of_other_scripts_are_printed_and_can_be_copied(name, appointment):
    appointment.patient_name = name
    pdf = print_record(appointment, prescription_notes=f"For {name}.")
    text = text_of(pdf)
    assert f"Patient {name}" in text.split("\n")
    assert CANNOT_SHOW not in text
    assert all(one.startswith(("SourceSans", "KurintoSans")) for one in fonts_of(pdf))


@pytest.mark.parametrize(
    ("name", "font"),
    [
        ("محمد عبد الله", "KurintoSans-Rg"),
        ("דוד כהן", "KurintoSans-Rg"),
        ("प्रिया शर्मा", "KurintoSans-Rg"),
        ("สมชาย ใจดี", "KurintoSans-Rg"),
        ("தமிழ் செல்வன்", "KurintoSans-Rg"),
        ("王小明", "KurintoSansSC-Rg"),
        ("김철수", "KurintoSansKR-Rg"),
        ("田中さくら", "KurintoSansSC-Rg"),
    ],
)
def test_scripts_of_all_kinds_have_a_font_embedded(name, font, appointment):
    appointment.patient_name = name
    notes = f"{name}, {name} (500 mg). " * 20
    items = [{"medicine": name, "dose": f"1 {name}", "frequency": f"({name})", "days": 2}]
    pdf = print_record(appointment, prescription_notes=notes, prescription_items=items)
    assert font in fonts_of(pdf)
    assert CANNOT_SHOW not in text_of(pdf)


@pytest.mark.parametrize("text", ["😷", "ខ្មែរ", "မြန်မာ", "\U0001fa7a"])
def test_characters_without_a_font_are_marked_and_explained(text, appointment):
    appointment.patient_name = f"Li {text}"
    shown = text_of(print_record(appointment, prescription_notes="Rest."))
    assert f"Li {chr(0xFFFD) * len(text)}" in shown
    assert CANNOT_SHOW in shown


def test_joiners_and_variation_selectors_are_not_marked(appointment):
    shown = text_of(print_record(appointment, prescription_notes="one\u200dtwo\ufe0fthree"))
    assert CANNOT_SHOW not in shown


def test_the_embedded_fonts_are_subsets(appointment):
    appointment.patient_name = "Мария"
    out = print_record(appointment, prescription_notes="Rest.")
    assert len(out.stream.getvalue()) < 60_000


def test_longest_prescription_is_printed_on_numbered_pages(appointment):
    appointment.patient_name = "W" * 120
    items = [
        {"medicine": f"{number} " + "m" * 197, "dose": "d" * 100, "frequency": "f " * 50, "days": 365}
        for number in range(30)
    ]
    pdf = print_record(
        appointment, prescription_items=items, prescription_notes="n" * 2000 + "\n" * 1500 + "word " * 100, version=9
    )
    texts = [page.extract_text() for page in pdf.pages]
    assert len(texts) > 3
    for number, text in enumerate(texts, 1):
        assert f"Page {number} of {len(texts)}" in text
        assert "Version 9 ·" in text
    # The head of the table is repeated where the table goes on.
    assert sum("How often" in text for text in texts) > 2
    whole = "".join(texts).replace("\n", "")
    assert all(f"{number} m" in whole for number in range(30))
    assert whole.count("n" * 50) >= 1


def test_long_right_to_left_text_is_split_across_pages(appointment):
    pdf = print_record(appointment, prescription_notes="خذ الدواء مع الطعام " * 190)
    assert len(pdf.pages) >= 1
    lines = "\n".join(["خذ الدواء مع الطعام " * 6] * 60)
    assert len(print_record(appointment, prescription_notes=lines).pages) == 2


def test_word_wider_than_the_page_is_split(appointment):
    print_record(appointment, prescription_notes="ข" * 900, prescription_items=[{**ITEMS[0], "dose": "क" * 100}])


@pytest.mark.parametrize(
    "nasty", ["</font><br/>&nbsp;<img src='x'/>", "<para>", "&#x0;&lt;", "%s {0} \\", "]]>", "<a href='x'>"]
)
def test_markup_is_printed_literally(nasty, appointment):
    appointment.patient_name = nasty
    text = text_of(
        print_record(appointment, prescription_notes=nasty, prescription_items=[{**ITEMS[0], "medicine": nasty}])
    )
    assert text.replace("\n", " ").count(nasty) >= 2


def test_printing_is_deterministic(doctor, appointment):
    prescribe(doctor, appointment, notes="Rest.", items=ITEMS)
    assert doctor.get(address(appointment)).content == doctor.get(address(appointment)).content


def line_as_printed(content, including):
    """Return the characters of the line with the given one, from left to right."""
    page = PdfDocument(content)[0].get_textpage()
    placed = [(*page.get_charbox(place)[:2], page.get_text_range(place, 1)) for place in range(page.count_chars())]
    height = next(bottom for _, bottom, character in placed if character == including)
    line = sorted((left, character) for left, bottom, character in placed if abs(bottom - height) < 8)
    return "".join(character for _, character in line if character.strip())


@pytest.mark.parametrize(
    ("written", "on_paper"),
    [
        ("ab אב גד cd", "abדגבאcd"),
        ("ab אב 500 גד cd", "abדג500באcd"),
        ("אב big cat גד", "דגbigcatבא"),
        ("אב 500 mg - גד", "דג-mg500בא"),
        ("(אב).", ".(בא)"),
    ],
)
def test_words_are_ordered_by_the_bidirectional_algorithm(appointment, written, on_paper):
    record = print_record(appointment, prescription_notes=written)
    assert line_as_printed(record.stream.getvalue(), "ב") == on_paper


def test_a_text_of_many_lines_keeps_them_and_composes_marks():
    assert typesetting.replace_missing({"notes": ["e\u0301\nx\ty😷"]}) == {"notes": ["é\nx y\ufffd"]}


def test_printing_that_takes_too_long_is_aborted(appointment, monkeypatch):
    monkeypatch.setattr(pdf, "TIMEOUT_SECONDS", 0.001)
    with pytest.raises(DomainError, match="unavailable"):
        print_record(appointment, prescription_notes="Rest.")
