"""Set text of any script in a PDF: which font has a character, how it is shaped, and in which order words stand."""

import functools
import re
import unicodedata
from collections.abc import Iterable
from importlib.resources import as_file, files
from itertools import groupby
from typing import TypeAlias
from xml.sax.saxutils import escape

from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import ShapedStr, TTFont, shapeStr
from reportlab.platypus import Flowable, Paragraph

PACKAGE = "manimgx_fonts"
# The first that has a character sets it. Each is read when a text first needs it.
FONTS = (
    "NotoSans",
    "NotoSansArabic",
    "NotoSansHebrew",
    "NotoSansDevanagari",
    "NotoSansThai",
    "NotoSansArmenian",
    "NotoSansGeorgian",
    "NotoSansEthiopic",
    "NotoSansBengali",
    "NotoSansGurmukhi",
    "NotoSansGujarati",
    "NotoSansOriya",
    "NotoSansTamil",
    "NotoSansTelugu",
    "NotoSansKannada",
    "NotoSansMalayalam",
    "NotoSansSinhala",
    "NotoSansLao",
    "NotoSansKhmer",
    "NotoSansMyanmar",
    "NotoSansSymbols",
)
# Their letters stand side by side as they are.
PLAIN = ("NotoSans", "NotoSansArmenian", "NotoSansGeorgian", "NotoSansEthiopic", "NotoSansSymbols")
# What stands for a character that no font has.
MISSING = "\ufffd"
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


@functools.cache
def font(name: str) -> TTFont:
    """Read a font and make it known to the PDF library; only the glyphs that are used go into a file."""
    with as_file(files(PACKAGE) / f"{name}[wght].ttf") as path:
        loaded = TTFont(name, str(path))
    registerFont(loaded)
    return loaded


@functools.lru_cache(maxsize=20_000)
def font_for(character: str) -> str | None:
    """Answer the first font that has a character; None where none has."""
    # The library's table from glyphs back to text has no room for more than four hexadecimal digits.
    if ord(character) > 0xFFFF:
        return None
    return next((name for name in FONTS if ord(character) in font(name).face.charToGlyph), None)


def is_ignorable(character: str) -> bool:
    """Tell whether nothing is lost on paper with this character: it only joins others or chooses their looks."""
    return unicodedata.category(character) == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F


def lacking(texts: Iterable[str]) -> bool:
    """Tell whether some character of these texts can't be printed."""
    return any(font_for(one) is None for text in texts for one in text if not one.isspace() and not is_ignorable(one))


def printable(text: str) -> str:
    """Answer the text with a sign for each character that no font has."""
    shown = []
    for one in unicodedata.normalize("NFC", text):
        if one.isspace() or font_for(one):
            shown.append(one)
        elif not is_ignorable(one):
            shown.append(MISSING)
    return "".join(shown)


def in_fonts(text: str) -> str:
    """Write a printable text in the library's markup, each stretch in a font that has it."""
    return "".join(f'<font name="{name}">{escape(stretch)}</font>' for name, stretch in stretches(text))


def stretches(text: str) -> list[tuple[str, str]]:
    """Part a printable text into stretches of one font each; marks and joiners stay with their letter."""
    found: list[tuple[str, str]] = []
    for one in text:
        before = found[-1][0] if found else FONTS[0]
        follows = one.isspace() or is_ignorable(one) or unicodedata.category(one).startswith("M")
        name = before if follows and (one.isspace() or has(before, one)) else font_for(one) or FONTS[0]
        if found and name == before:
            found[-1] = (name, found[-1][1] + one)
        else:
            found.append((name, one))
    return found


def has(name: str, character: str) -> bool:
    """Tell whether a font has a character."""
    return ord(character) in font(name).face.charToGlyph


def paragraphs(text: str, style: ParagraphStyle, width: float) -> list[Flowable]:
    """Set a text that may have several lines, within `width` points."""
    return [set_line(line, style, width) for line in re.sub(r"\n{3,}", "\n\n", printable(text)).split("\n")]


def set_line(line: str, style: ParagraphStyle, width: float) -> Flowable:
    """Set one printable line: as the library does, unless its script joins letters or runs leftwards."""
    if all(name in PLAIN for name, _ in stretches(line)):
        return Paragraph(in_fonts(line) or "&nbsp;", style)
    rows = visual_rows(line, style.fontSize, width)
    return ShapedLines(rows, style, from_right=begins_leftwards(line) and len(rows) > 1)


Row: TypeAlias = list[tuple[str, str]]
"""Pieces from left to right: a font's name and a text of that font alone."""


class ShapedLines(Flowable):  # type: ignore[misc]  # the library has no types
    """Lines of shaped pieces; they can be parted between two pages."""

    def __init__(self, rows: list[Row], style: ParagraphStyle, *, from_right: bool) -> None:
        super().__init__()
        self.rows, self.style, self.from_right = rows, style, from_right

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Answer the room that the lines take, in points."""
        self.width, self.height = width, self.style.leading * len(self.rows)
        return self.width, self.height

    def split(self, width: float, height: float) -> list["ShapedLines"]:
        """Part the lines where a page ends."""
        fitting = int(height / self.style.leading)
        if not 0 < fitting < len(self.rows):
            return []
        parts = (self.rows[:fitting], self.rows[fitting:])
        return [ShapedLines(rows, self.style, from_right=self.from_right) for rows in parts]

    def draw(self) -> None:
        """Draw each piece behind the one before."""
        size, leading = self.style.fontSize, self.style.leading
        self.canv.setFillColor(self.style.textColor)
        for number, row in enumerate(self.rows):
            x, y = 0.0, self.height - leading * number - size
            if self.from_right:
                x = self.width - sum(width_of(name, piece, size) for name, piece in row)
            for name, piece in row:
                at = self.canv.beginText(x, y)
                at.setFont(name, size)
                at.textLine(shapeStr(piece, name, size))
                self.canv.drawText(at)
                x += width_of(name, piece, size)


def width_of(name: str, text: str, size: float) -> float:
    """Measure a piece as it will be drawn, in points."""
    font(name)
    drawn = shapeStr(text, name, size)
    if isinstance(drawn, ShapedStr):
        return float(sum(part.x_advance for part in drawn.__shapeData__) * size / 1000)
    return float(stringWidth(drawn, name, size))


def visual_rows(line: str, size: float, width: float) -> list[Row]:
    """Break a line into rows that fit, and put each row's words in the order in which they stand on paper."""
    leftwards = begins_leftwards(line)
    space = width_of(FONTS[0], " ", size)
    rows: list[list[str]] = [[]]
    used = 0.0
    for word in (part for whole in line.split() for part in fitting(whole, size, width)):
        wide = sum(width_of(name, piece, size) for name, piece in pieces_of(word)) + space
        if rows[-1] and used + wide > width:
            rows.append([])
            used = 0.0
        rows[-1].append(word)
        used += wide
    return [
        [piece for word in in_visual_order(row, leftwards) for piece in (*pieces_of(word), (FONTS[0], " "))]
        for row in rows
    ]


def fitting(word: str, size: float, width: float) -> list[str]:
    """Cut a word that is wider than a row, never before a mark that belongs to a letter."""
    wide = sum(width_of(name, piece, size) for name, piece in pieces_of(word))
    if wide <= width:
        return [word]
    step = max(1, int(len(word) * width / wide * 0.8))
    parts = [""]
    for one in word:
        if len(parts[-1]) >= step and not unicodedata.category(one).startswith("M"):
            parts.append("")
        parts[-1] += one
    return parts


def pieces_of(word: str) -> Row:
    """Part a word by font, in visual order: in a word from right to left the parts are turned, brackets and all."""
    parts = stretches(word)
    if direction(word) != "R":
        return parts
    turned = ((name, part if direction(part) else part.translate(MIRRORED)[::-1]) for name, part in parts)
    return list(turned)[::-1]


def direction(word: str) -> str:
    """Answer which way a word is written: `R` to the left, `L` to the right, `N` for a number, nothing for others.

    The first letter or digit decides (UAX 9, word by word).
    """
    kinds = {"R": "R", "AL": "R", "L": "L", "EN": "N", "AN": "N"}
    return next((kinds[kind] for kind in map(unicodedata.bidirectional, word) if kind in kinds), "")


def begins_leftwards(line: str) -> bool:
    """Tell whether a line as a whole runs from right to left: its first letter decides."""
    return next((kind != "L" for kind in map(unicodedata.bidirectional, line) if kind in {"R", "AL", "L"}), False)


def in_visual_order(words: list[str], leftwards: bool) -> list[str]:
    """Order words as they stand on paper from left to right; within a word the shaping sees to it."""
    own, other = ("R", "L") if leftwards else ("L", "R")
    kinds = [direction(word) for word in words]
    strong = own
    for number, kind in enumerate(kinds):
        if kind == "N":
            # A number goes with the letters before it, but never runs to the left by itself.
            kinds[number] = "L" if leftwards else strong
        elif kind:
            strong = kind
    for number, kind in enumerate(kinds):
        if not kind:
            # Other words go with their neighbours where these agree, else with the line.
            before = kinds[number - 1] if number else own
            after = next((later for later in kinds[number + 1 :] if later), own)
            kinds[number] = before if before == after else own
    ordered: list[str] = []
    for kind, group in groupby(zip(kinds, words, strict=True), key=lambda pair: pair[0]):
        run = [word for _, word in group]
        ordered.extend(reversed(run) if kind == other else run)
    # From right to left everything is turned round, and what runs the other way has been turned already.
    return ordered[::-1] if leftwards else ordered
