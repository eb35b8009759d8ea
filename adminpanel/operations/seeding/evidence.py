"""Draw the licenses that the demo's doctors send along: plainly invented ones."""

from datetime import date
from pathlib import Path

from config.typesetting import compile_pdf

AUTHORITY = "Example Medical Board"
TEMPLATE = Path(__file__).with_name("license.typ")


def draw_license(name: str, specialization: str, number: str, until: date) -> bytes:
    """Return a license as a PDF of one page; equal arguments give equal bytes."""
    data = {"authority": AUTHORITY, "name": name, "field": specialization, "number": number, "until": until.isoformat()}
    return compile_pdf(TEMPLATE, data)
