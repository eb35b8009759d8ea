"""Draw the licences that the demo's doctors send along: plainly invented ones."""

import io
from datetime import date

from reportlab.lib.pagesizes import A5, landscape
from reportlab.pdfgen.canvas import Canvas

AUTHORITY = "Example Medical Board"


def licence(name: str, specialization: str, number: str, until: date) -> bytes:
    """Draw a licence as a PDF of one page."""
    out = io.BytesIO()
    # Without the moment of drawing in it, so that the same licence is the same file.
    page = Canvas(out, pagesize=landscape(A5), invariant=True)
    page.setTitle(f"Licence {number}")
    page.setFont("Times-Bold", 26)
    page.drawString(48, 330, AUTHORITY)
    page.setFont("Times-Roman", 14)
    for line, text in enumerate(
        (
            "Licence to practise medicine",
            "",
            f"Name: {name}",
            f"Field: {specialization}",
            f"Number: {number}",
            f"Valid until {until.isoformat()}",
            "",
            "Invented for demonstration. Neither the board nor the doctor exists.",
        )
    ):
        page.drawString(48, 290 - 22 * line, text)
    page.rect(24, 24, landscape(A5)[0] - 48, landscape(A5)[1] - 48)
    page.save()
    return out.getvalue()
