"""Set a PDF document with Typst, in any script; a program that `config.pdf` runs, without Django."""

import json
import re
import sys
import unicodedata
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import typst
import uharfbuzz

FONT_DIRECTORY = Path(str(files("weblate_fonts"))) / "static" / "weblate_fonts"
# Typst's font families, in order of preference, and the files that hold them.
FONTS = {
    "Source Sans 3": "source-sans/ttf/SourceSans3-Regular.ttf",
    "Kurinto Sans": "kurinto/ttf/KurintoSans-Rg.ttf",
    "Kurinto Sans SC": "kurinto/ttf/KurintoSansSC-Rg.ttf",
    "Kurinto Sans TC": "kurinto/ttf/KurintoSansTC-Rg.ttf",
    "Kurinto Sans JP": "kurinto/ttf/KurintoSansJP-Rg.ttf",
    "Kurinto Sans KR": "kurinto/ttf/KurintoSansKR-Rg.ttf",
}
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def compile_pdf(template: Path, data: dict[str, Any]) -> bytes:
    """Set a template in this process; equal data give equal bytes.

    The template finds `data` as JSON in `sys.inputs.data`, never as markup, with two more keys: `fonts`, and
    `lacks_characters`, which is true where U+FFFD stands for a character that no font has.
    """
    printable = replace_missing(data)
    inputs = printable | {"fonts": list(FONTS), "lacks_characters": printable != normalize(data)}
    return typst.compile(
        str(template),
        font_paths=[str(FONT_DIRECTORY)],
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(inputs)},
        timestamp=0,
    )


def map_texts(change: Any, value: Any) -> Any:
    """Return a JSON value with `change` applied to each text in it, keys excepted."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: map_texts(change, each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [map_texts(change, each) for each in value]
    return value


def normalize(value: Any) -> Any:
    """Return the value with letters and accents composed, and white space that a page knows."""

    def change(text: str) -> str:
        return re.sub(r"[^\S\n]", " ", unicodedata.normalize("NFC", text))

    return map_texts(change, value)


def replace_missing(value: Any) -> Any:
    """Return the normalized value with U+FFFD for each character that no font has."""

    def change(text: str) -> str:
        return "".join(each if has_glyph(each) else REPLACEMENT for each in text)

    return map_texts(change, normalize(value))


@cache
def has_glyph(character: str) -> bool:
    """Return whether some font has a character, or none is needed: spaces, joiners, variation selectors."""
    if character.isspace() or unicodedata.category(character) == "Cf" or 0xFE00 <= ord(character) <= 0xFE0F:
        return True
    return any(font.get_nominal_glyph(ord(character)) is not None for font in map(load_font, FONTS.values()))


@cache
def load_font(name: str) -> Any:
    """Return a font file, mapped into memory, for look-ups of its characters."""
    return uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob.from_file_path(FONT_DIRECTORY / name)))


if __name__ == "__main__":
    given = json.load(sys.stdin)
    sys.stdout.buffer.write(compile_pdf(Path(given["template"]), given["data"]))
