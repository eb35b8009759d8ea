"""Write CSV (RFC 4180) that spreadsheets read as it is meant, piece by piece."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO

# Rows in one piece.
BATCH = 500
# Spreadsheets take these for UTF-8 by this mark alone.
BYTE_ORDER_MARK = "\ufeff"
# An international phone number. Grouped by a space it is no formula: a spreadsheet computes "+1-202", not "+1 202-555".
PHONE = re.compile(
    r"\+[0-9]+|\+[0-9]+ [0-9 ()]*[0-9](?:-[0-9]+)*(?: (?:ext\.|x) ?[0-9]+)?",
    re.ASCII,
)
# What makes a spreadsheet run a cell instead of showing it, full-width forms included.
FORMULA_PREFIXES = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def lines(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Write a header and rows as pieces of a CSV file, each of many lines.

    Every cell is quoted, so that a spreadsheet that parts them otherwise finds no new cell inside one.
    """
    page = StringIO()
    writer = csv.writer(page, quoting=csv.QUOTE_ALL)
    page.write(BYTE_ORDER_MARK)
    writer.writerow(header)
    for number, row in enumerate(rows, start=1):
        writer.writerow(map(escape_formula, row))
        if number % BATCH == 0:
            yield page.getvalue()
            page.seek(0)
            page.truncate()
    yield page.getvalue()


def escape_formula(value: object) -> str:
    """Return a cell that no spreadsheet runs: what would be a formula gets an apostrophe in front.

    Phone numbers are left unchanged; with the apostrophe they could not be dialed or imported.
    """
    text = str(value)
    if PHONE.fullmatch(text):
        return text
    return f"'{text}" if text.lstrip(" \u00a0\u3000").startswith(FORMULA_PREFIXES) else text
