"""The printed prescription, read back from its PDF."""

import io
from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from pypdf import PdfReader

from appointments.models import VisitRecord
from appointments.prescription import CANNOT_SHOW, prescription_pdf
from appointments.print_text import FONTS, begins_leftwards, font, in_visual_order, pieces_of, printable
from appointments.tests.factories import make_visit

pytestmark = pytest.mark.django_db

TODAY = timezone.now().date()
ITEMS = [
    {"medicine": "Amoxicillin", "dose": "500 mg", "frequency": "three times a day", "days": 7},
    {"medicine": "Honey <b>&amp;</b>", "dose": "", "frequency": "", "days": None},
]


@pytest.fixture
def visit(cast):
    cast.patient.name, cast.patient.date_of_birth = "Zoë Łukasz", date(1980, 2, 3)
    cast.patient.save()
    return make_visit(
        cast.doctor,
        cast.patient,
        TODAY - timedelta(days=1),
        status="confirmed",
        doctor_name="Dr. Ágnes Öz",
        hospital_name="Example General",
        hospital_street="1 Example Street",
        hospital_phone="+1 202 555 0199",
    )


@pytest.fixture
def doctor(cast, client_of):
    return client_of(cast.doctor.user)


def address(visit):
    return f"/api/appointments/{visit.pk}/prescription.pdf"


def prescribe(client, visit, **prescription):
    body = {"prescription": prescription, "followUpDays": 14}
    answer = client.put(f"/api/appointments/{visit.pk}/visit", body, format="json")
    assert answer.status_code == 200, answer.json()


def printed(client, visit):
    answer = client.get(address(visit))
    assert answer.status_code == 200, answer.content
    return PdfReader(io.BytesIO(answer.content))


def text_of(pdf):
    return "\n".join(page.extract_text() for page in pdf.pages)


def print_record(visit, **parts):
    record = VisitRecord(
        **{
            "version": 1,
            "written_at": datetime(2026, 11, 3, 15, tzinfo=UTC),
            "prescription_notes": "",
            "prescription_items": [],
            **parts,
        }
    )
    return PdfReader(io.BytesIO(prescription_pdf(visit, record)))


def test_the_document_says_who_what_for_whom_and_when(cast, client_of, doctor, visit):
    prescribe(doctor, visit, notes="Rest.", items=ITEMS)
    prescribe(doctor, visit, notes="Rest, and warm drinks.", items=ITEMS)
    for client in (doctor, client_of(cast.patient)):
        answer = client.get(address(visit))
        assert answer.status_code == 200
        assert {name: answer[name] for name in ("Content-Type", "Content-Disposition", "Cache-Control")} == {
            "Content-Type": "application/pdf",
            "Content-Disposition": f'attachment; filename="prescription-{visit.date.isoformat()}-v2.pdf"',
            "Cache-Control": "no-store",
        }
        assert answer["X-Content-Type-Options"] == "nosniff"
        lines = text_of(PdfReader(io.BytesIO(answer.content))).split("\n")
        for line in (
            "Example General",
            "Prescription",
            "Zoë Łukasz",
            "1980-02-03",
            "Dr. Ágnes Öz, Cardiology",
            "Version 2, replaces version 1",
            "Amoxicillin",
            "500 mg",
            "three times a day",
            "Honey <b>&amp;</b>",
            "Rest, and warm drinks.",
            "14 days after this visit",
            "Signature, Dr. Ágnes Öz",
            "Page 1 of 1",
        ):
            assert line in lines, lines
        assert not [line for line in lines if cast.doctor.license_number in line or "can't be printed" in line]


def test_the_first_version_replaces_none(doctor, visit):
    prescribe(doctor, visit, items=ITEMS)
    text = text_of(printed(doctor, visit))
    assert "Version 1\n" in text
    assert "replaces" not in text


def test_a_caller_may_ask_for_pdf_by_its_type(doctor, visit):
    prescribe(doctor, visit, items=ITEMS)
    assert doctor.get(address(visit), HTTP_ACCEPT="application/pdf").status_code == 200


def test_nothing_prescribed_is_nothing_to_print(doctor, visit):
    doctor.put(f"/api/appointments/{visit.pk}/visit", {"diagnosis": "Healthy."}, format="json")
    answer = doctor.get(address(visit), HTTP_ACCEPT="application/pdf")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_strangers_find_nothing_and_admins_may_not_ask(cast, client_of, doctor, visit):
    prescribe(doctor, visit, items=ITEMS)
    people = (cast.other_patient, cast.other_doctor.user, cast.admin)
    assert [client_of(person).get(address(visit)).status_code for person in people] == [404, 404, 403]


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
def test_names_of_other_scripts_are_printed_and_can_be_copied(name, visit):
    visit.patient_name = name
    pdf = print_record(visit, prescription_notes=f"For {name}.")
    text = text_of(pdf)
    assert name in text.split("\n")
    assert CANNOT_SHOW not in text
    assert all(one.startswith("NotoSans") for one in fonts_of(pdf))


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("محمد عبد الله", "NotoSansArabic"),
        ("דוד כהן", "NotoSansHebrew"),
        ("प्रिया शर्मा", "NotoSansDevanagari"),
        ("สมชาย ใจดี", "NotoSansThai"),
        ("தமிழ் செல்வன்", "NotoSansTamil"),
    ],
)
def test_scripts_that_join_their_letters_have_a_font_embedded(name, script, visit):
    visit.patient_name = name
    notes = f"{name}, {name} (500 mg). " * 20
    items = [{"medicine": name, "dose": f"1 {name}", "frequency": f"({name})", "days": 2}]
    pdf = print_record(visit, prescription_notes=notes, prescription_items=items)
    assert any(one.startswith(script) for one in fonts_of(pdf)), fonts_of(pdf)
    assert CANNOT_SHOW not in text_of(pdf)


@pytest.mark.parametrize("text", ["王小明", "김철수", "田中さくら", "😷", "𝔐"])
def test_what_no_font_has_is_marked_and_told(text, visit):
    visit.patient_name = f"Li {text}"
    shown = text_of(print_record(visit, prescription_notes="Rest."))
    assert f"Li {chr(0xFFFD) * len(text)}" in shown
    assert CANNOT_SHOW in shown


def test_joiners_and_selectors_are_not_missed(visit):
    shown = text_of(print_record(visit, prescription_notes="one\u200dtwo\ufe0fthree"))
    assert CANNOT_SHOW not in shown


def test_the_embedded_fonts_are_subsets(visit):
    visit.patient_name = "Мария"
    out = print_record(visit, prescription_notes="Rest.")
    assert len(out.stream.getvalue()) < 60_000


def test_the_most_that_can_be_written_is_printed_on_numbered_pages(visit):
    visit.patient_name = "W" * 120
    items = [
        {"medicine": f"{number} " + "m" * 197, "dose": "d" * 100, "frequency": "f " * 50, "days": 365}
        for number in range(30)
    ]
    pdf = print_record(
        visit, prescription_items=items, prescription_notes="n" * 2000 + "\n" * 1500 + "word " * 100, version=9
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


def test_long_text_from_right_to_left_is_parted_between_pages(visit):
    pdf = print_record(visit, prescription_notes="خذ الدواء مع الطعام " * 190)
    assert len(pdf.pages) >= 1
    lines = "\n".join(["خذ الدواء مع الطعام " * 6] * 30)
    assert len(print_record(visit, prescription_notes=lines).pages) == 2


def test_a_word_wider_than_the_page_is_cut(visit):
    print_record(visit, prescription_notes="ข" * 900, prescription_items=[{**ITEMS[0], "dose": "क" * 100}])


@pytest.mark.parametrize(
    "nasty", ["</font><br/>&nbsp;<img src='x'/>", "<para>", "&#x0;&lt;", "%s {0} \\", "]]>", "<a href='x'>"]
)
def test_markup_is_printed_as_it_was_written(nasty, visit):
    visit.patient_name = nasty
    text = text_of(print_record(visit, prescription_notes=nasty, prescription_items=[{**ITEMS[0], "medicine": nasty}]))
    assert text.replace("\n", " ").count(nasty) >= 2


def test_the_same_version_gives_the_same_pages(doctor, visit):
    prescribe(doctor, visit, notes="Rest.", items=ITEMS)
    assert doctor.get(address(visit)).content == doctor.get(address(visit)).content


def test_every_font_stands_in_the_package():
    assert [name for name in FONTS if not font(name).face.name.decode().startswith(name)] == []


def test_words_are_ordered_as_they_stand_on_paper():
    assert begins_leftwards("אב cd") is True
    assert begins_leftwards("12 cd אב") is False
    assert in_visual_order(["a", "אב", "גד", "b"], leftwards=False) == ["a", "גד", "אב", "b"]
    assert in_visual_order(["אב", "500", "גד", "b"], leftwards=False) == ["גד", "500", "אב", "b"]
    assert in_visual_order(["אב", "big", "cat", "גד"], leftwards=True) == ["גד", "big", "cat", "אב"]
    assert in_visual_order(["אב", "500", "mg", "-", "גד"], leftwards=True) == ["גד", "-", "500", "mg", "אב"]
    # The full stop of a word from right to left stands left of it, and brackets are turned.
    assert [piece for _, piece in pieces_of("(אב).")] == [".(", "אב", ")"]


def test_lines_are_kept_and_marks_composed():
    assert printable("e\u0301\nx\t王") == "é\nx\t\ufffd"
