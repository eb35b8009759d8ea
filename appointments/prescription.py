"""The prescription on paper: an A4 document that a patient takes to a pharmacy."""

import io
import threading
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    HRFlowable,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
)

from appointments.models import Appointment, VisitRecord
from appointments.print_text import FONTS, MISSING, font, in_fonts, lacking, paragraphs, printable, set_line

WIDTH, HEIGHT = A4
MARGIN = 20 * mm
INNER = WIDTH - 2 * MARGIN
INK, QUIET, RULE = HexColor("#1b2430"), HexColor("#5a6675"), HexColor("#c3cad3")
COLUMNS = (INNER * 0.42, INNER * 0.20, INNER * 0.26, INNER * 0.12)
HEADINGS = ("Medicine", "Dose", "How often", "Days")
PADDING = 5
CANNOT_SHOW = (
    f"{MISSING} stands for a character that can't be printed here. The whole text stands in the patient's account."
)

# The library keeps which glyphs a document uses inside the font objects that all documents share.
one_at_a_time = threading.Lock()


def style(name: str, size: float, **more: Any) -> ParagraphStyle:
    """Make a style of text; sizes are points."""
    return ParagraphStyle(name, fontName=FONTS[0], fontSize=size, leading=size * 1.45, **{"textColor": INK} | more)


SMALL = style("small", 8.5, textColor=QUIET)
TEXT = style("text", 10.5)
LABEL = style("label", 8.5, textColor=QUIET, spaceBefore=2)
HEADING = style("heading", 12, spaceBefore=12, spaceAfter=4)
TITLE = style("title", 20, spaceBefore=8, spaceAfter=8)


def prescribes(record: VisitRecord) -> bool:
    """Tell whether there is anything to print."""
    return bool(record.prescription_notes or record.prescription_items)


def prescription_pdf(visit: Appointment, record: VisitRecord) -> bytes:
    """Print what one version of a visit's record prescribes; the same version always gives the same pages."""
    out = io.BytesIO()
    with one_at_a_time:
        font(FONTS[0])
        # `invariant` leaves out the moment of printing and chance ids.
        document = BaseDocTemplate(
            out, pagesize=A4, invariant=1, title="Prescription", author="", creator="Wellhour", lang="en"
        )
        frame = Frame(MARGIN, MARGIN + 8 * mm, INNER, HEIGHT - 2 * MARGIN - 8 * mm, 0, 0, 0, 0)
        document.addPageTemplates([PageTemplate(frames=[frame])])
        footer = f"Version {record.version} · {patient_of(visit)}"
        document.build(story(visit, record), canvasmaker=partial(NumberedCanvas, footer=printable(footer)))
    return out.getvalue()


def patient_of(visit: Appointment) -> str:
    """Name the patient, with the birth date that tells two of one name apart."""
    born = visit.patient.date_of_birth
    return f"{visit.patient_name}, born {born.isoformat()}" if born else visit.patient_name


def doctor_of(visit: Appointment) -> str:
    """Name the doctor as the site does."""
    return f"Dr. {visit.doctor_name.removeprefix('Dr. ')}"


def story(visit: Appointment, record: VisitRecord) -> list[Flowable]:
    """Lay out the document from top to bottom."""
    born = visit.patient.date_of_birth
    written = record.written_at.astimezone(ZoneInfo(visit.time_zone))
    version = f"Version {record.version}"
    if record.version > 1:
        version += f", replaces version {record.version - 1}"
    street = ", ".join(
        part
        for part in (
            visit.hospital_street,
            visit.hospital_city,
            f"{visit.hospital_state} {visit.hospital_zip_code}".strip(),
            visit.hospital_phone,
        )
        if part
    )
    parts: list[Flowable] = [
        *paragraphs(visit.hospital_name, TEXT, INNER),
        *(paragraphs(street, SMALL, INNER) if street else []),
        Paragraph("Prescription", TITLE),
        facts(
            [
                ("Patient", visit.patient_name),
                ("Born", born.isoformat() if born else "not given"),
                ("Doctor", f"{doctor_of(visit)}, {visit.specialization}"),
                ("Visit", f"{visit.date.isoformat()}, {visit.time:%H:%M} ({visit.time_zone})"),
                ("Written", f"{written:%Y-%m-%d, %H:%M} ({visit.time_zone})"),
                ("Record", version),
            ]
        ),
    ]
    if record.prescription_items:
        parts += [Paragraph("Medicines", HEADING), medicines(record.prescription_items)]
    if record.prescription_notes:
        parts += [Paragraph("Notes", HEADING), *paragraphs(record.prescription_notes, TEXT, INNER)]
    if record.follow_up_days is not None:
        days = "1 day" if record.follow_up_days == 1 else f"{record.follow_up_days} days"
        parts += [Paragraph("Follow-up", HEADING), Paragraph(f"{days} after this visit", TEXT)]
    parts.append(signature(visit))
    if lacking(texts_of(visit, record)):
        parts += [Spacer(1, 6 * mm), Paragraph(in_fonts(CANNOT_SHOW), SMALL)]
    return parts


def texts_of(visit: Appointment, record: VisitRecord) -> list[str]:
    """Answer every text of a person's that the document holds."""
    place = (visit.hospital_name, visit.hospital_street, visit.hospital_city, visit.hospital_state)
    items = [str(item[part]) for item in record.prescription_items for part in ("medicine", "dose", "frequency")]
    return [visit.patient_name, visit.doctor_name, *place, record.prescription_notes, *items]


def facts(rows: list[tuple[str, str]]) -> Table:
    """Set names and values in two columns."""
    values = INNER - 26 * mm
    table = Table(
        [[Paragraph(name, LABEL), paragraphs(value, TEXT, values)] for name, value in rows],
        colWidths=(26 * mm, values),
        hAlign="LEFT",
    )
    table.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), *padding(0, 1)])
    return table


def medicines(items: list[dict[str, Any]]) -> Table:
    """Set the medicines as a table whose head is repeated on each page."""
    rows: list[list[Any]] = [[Paragraph(heading, LABEL) for heading in HEADINGS]]
    for item in items:
        days = "" if item["days"] is None else str(item["days"])
        cells = (item["medicine"], item["dose"], item["frequency"], days)
        rows.append([paragraphs(cell, TEXT, width - 2 * PADDING) for cell, width in zip(cells, COLUMNS, strict=True)])
    table = Table(rows, colWidths=COLUMNS, repeatRows=1, hAlign="LEFT")
    table.setStyle(
        [
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, 0), 1, INK),
            ("LINEBELOW", (0, 1), (-1, -1), 0.5, RULE),
            *padding(PADDING, 3),
        ]
    )
    return table


def padding(sides: float, ends: float) -> list[tuple[Any, ...]]:
    """Pad all cells of a table, in points."""
    return [
        (f"{side}PADDING", (0, 0), (-1, -1), amount)
        for side, amount in (("LEFT", sides), ("RIGHT", sides), ("TOP", ends), ("BOTTOM", ends))
    ]


def signature(visit: Appointment) -> KeepTogether:
    """Leave a line to sign on."""
    line = HRFlowable(width=INNER * 0.5, thickness=0.7, color=INK, hAlign="LEFT", spaceBefore=18 * mm, spaceAfter=2)
    return KeepTogether([line, *paragraphs(f"Signature, {doctor_of(visit)}", SMALL, INNER)])


class NumberedCanvas(Canvas):  # type: ignore[misc]  # the library has no types
    """A canvas that writes "page 1 of 3" below each page, once it knows how many there are."""

    def __init__(self, *arguments: Any, footer: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.footer = footer
        self.pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 - the library's name
        self.pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self.pages, 1):
            self.__dict__.update(page)
            words = set_line(self.footer, SMALL, INNER * 0.75)
            words.wrap(INNER * 0.75, 30 * mm)
            words.drawOn(self, MARGIN, MARGIN - 2 * mm)
            self.setFont(FONTS[0], 8.5)
            self.setFillColor(QUIET)
            self.drawRightString(WIDTH - MARGIN, MARGIN, f"Page {number} of {len(self.pages)}")
            super().showPage()
        super().save()
