"""Test the file names of downloads."""

import pytest

from config.http.downloads import attachment_header

pytestmark = pytest.mark.either_engine


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("report.pdf", 'attachment; filename="report.pdf"'),
        ('say "hi"; x=1.pdf', 'attachment; filename="say \\"hi\\"; x=1.pdf"'),
        ("R\u00f6ntgen.pdf", "attachment; filename=\"Rontgen.pdf\"; filename*=utf-8''R%C3%B6ntgen.pdf"),
        ('\u00e4 "b".pdf', "attachment; filename=\"a _b_.pdf\"; filename*=utf-8''%C3%A4%20%22b%22.pdf"),
        ("\u75c5\u6b74", "attachment; filename=\"__\"; filename*=utf-8''%E7%97%85%E6%AD%B4"),
        ("a.\u75c5", "attachment; filename=\"a._\"; filename*=utf-8''a.%E7%97%85"),
    ],
)
def test_non_ascii_file_name_has_an_ascii_fallback(name, header):
    assert attachment_header(name) == header
