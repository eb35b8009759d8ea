"""Uploads for tests, all generated here: a few valid files and many hostile ones."""

import base64
import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping

from PIL import Image
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, NumberObject, StreamObject, TextStringObject

Maker = Callable[[], bytes]


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 20), mode: str = "RGB", **more: object) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, (200, 30, 30) if mode == "RGB" else 7).save(out, kind, **more)
    return out.getvalue()


def noise(size: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(out, "JPEG")
    return out.getvalue()


def animated(kind: str) -> bytes:
    out = io.BytesIO()
    frames = [Image.new("RGB", (20, 20), color) for color in ("red", "green", "blue")]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=100)
    return out.getvalue()


def turned() -> bytes:
    """A photograph with EXIF: held sideways, and where it was taken."""
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "SECRET PLACE"
    return picture("JPEG", exif=exif.tobytes())


def pdf(change: Callable[[PdfWriter], object] | None = None) -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(200, 200)
    if change:
        change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def on_opening(action: Mapping[str, object]) -> Maker:
    """A PDF that does something as soon as it is opened."""

    def change(writer: PdfWriter) -> None:
        names = {NameObject(name): value for name, value in action.items()}
        writer.root_object[NameObject("/OpenAction")] = writer._add_object(DictionaryObject(names))

    return lambda: pdf(change)


def with_annotation(subtype: str) -> Maker:
    def change(writer: PdfWriter) -> None:
        box = ArrayObject([NumberObject(number) for number in (0, 0, 9, 9)])
        note = {"/Type": NameObject("/Annot"), "/Subtype": NameObject(subtype), "/Rect": box}
        found = DictionaryObject({NameObject(name): value for name, value in note.items()})
        writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(found)])

    return lambda: pdf(change)


def script_in_names() -> bytes:
    def change(writer: PdfWriter) -> None:
        script = DictionaryObject({NameObject(name): value for name, value in SCRIPT.items()})
        tree = DictionaryObject(
            {NameObject("/Names"): ArrayObject([TextStringObject("a"), writer._add_object(script)])}
        )
        writer.root_object[NameObject("/Names")] = DictionaryObject({NameObject("/JavaScript"): tree})

    return pdf(change)


def with_form() -> bytes:
    def change(writer: PdfWriter) -> None:
        form = StreamObject()
        form._data = b"<xdp:xdp/>"
        found = {NameObject("/XFA"): writer._add_object(form)}
        writer.root_object[NameObject("/AcroForm")] = writer._add_object(DictionaryObject(found))

    return pdf(change)


def with_hidden_name() -> bytes:
    """A script whose kind stands in an object of its own, spelled with escapes."""
    return raw_pdf([b"<< /Type /Action /S 5 0 R /Nothing (app.alert) >>", b"/Java#53cript"])


def raw_pdf(
    more: list[bytes],
    catalogue: bytes = b"/OpenAction 4 0 R",
    kids: bytes = b"[3 0 R] /Count 1",
    page: bytes = b"",
    trailer: bytes = b"",
) -> bytes:
    """Write a PDF by hand: a catalogue, a page, and more objects from number 4 on."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R " + catalogue + b" >>",
        b"<< /Type /Pages /Kids " + kids + b" >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] " + page + b" >>",
        *more,
    ]
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)
    return bytes(out)


def stream(data: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    return b"<< /Length %d /Filter %s >>\nstream\n" % (len(data), filters) + data + b"\nendstream"


def deflated_bomb() -> bytes:
    return raw_pdf([stream(zlib.compress(b"\0" * (300 * 1024 * 1024), 9))], b"", page=b"/Contents 4 0 R")


def nested_bomb() -> bytes:
    once = zlib.compress(b"\0" * (300 * 1024 * 1024), 9)
    return raw_pdf([stream(zlib.compress(once, 9), b"[/FlateDecode /FlateDecode]")], b"", page=b"/Contents 4 0 R")


def many_pages() -> bytes:
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 2105))
    pages = [b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"] * 2100
    return raw_pdf([b"null", *pages], b"", b"[" + kids + b"] /Count 2100")


def many_objects() -> bytes:
    names = b" ".join(b"/A%d %d 0 R" % (number, number) for number in range(4, 50_005))
    return raw_pdf([b"<< >>"] * 50_001, b"", page=b"/Resources << /Properties << " + names + b" >> >>")


def page_loop() -> bytes:
    return raw_pdf([b"null"], b"", b"[2 0 R] /Count 1")


def deep() -> bytes:
    return raw_pdf([b"[" * 20_000 + b"]" * 20_000])


def encrypted() -> bytes:
    return pdf(lambda writer: writer.encrypt("secret", algorithm="RC4-128"))


def many_scans(scans: int) -> bytes:
    """A progressive JPEG whose last scan comes again and again."""
    whole = picture("JPEG", (64, 64), progressive=True)
    last = whole.rindex(b"\xff\xda")
    return whole[:-2] + whole[last:-2] * (scans - whole.count(b"\xff\xda")) + whole[-2:]


def many_chunks() -> bytes:
    """A PNG with an empty chunk after another between its pixels."""
    whole = picture("PNG")
    empty = struct.pack(">I", 0) + b"tEXt" + struct.pack(">I", zlib.crc32(b"tEXt"))
    return whole[:33] + empty * 20_000 + whole[33:]


def many_webp_chunks() -> bytes:
    body = picture("WEBP")[12:] + b"XXXX\0\0\0\0" * 20_000
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def png_claiming(width: int, height: int) -> bytes:
    """A small PNG that says it is enormous."""
    small = bytearray(picture("PNG"))
    small[16:24] = struct.pack(">II", width, height)
    small[29:33] = struct.pack(">I", zlib.crc32(bytes(small[12:29])))
    return bytes(small)


def zipped(name: str = "readme.txt", content: bytes = b"hello") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, content)
    return out.getvalue()


def docx() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<w:document/>")
    return out.getvalue()


# Packed, so that no scanner takes this file itself for it.
EICAR = base64.b64decode(
    b"WDVPIVAlQEFQWzRcUFpYNTQoUF4pN0NDKTd9JEVJQ0FSLVNUQU5EQVJELUFOVElWSVJVUy1URVNULUZJTEUhJEgrSCo="
)
SCRIPT = {"/S": NameObject("/JavaScript"), "/JS": TextStringObject("app.alert(1)")}

# What is taken: (how it is made, the type it is kept as).
WELCOME: dict[str, tuple[Maker, str]] = {
    "pdf": (pdf, "application/pdf"),
    "pdf with white space at its end": (lambda: pdf() + b"\r\n \n", "application/pdf"),
    "pdf that goes to a page when opened": (
        lambda: raw_pdf([b"<< /S /GoTo /D [3 0 R /Fit] >>"]),
        "application/pdf",
    ),
    "pdf with a link": (with_annotation("/Link"), "application/pdf"),
    "pdf with a script that nothing leads to": (
        lambda: pdf().replace(b"startxref", b"9 0 obj\n<< /S /JavaScript >>\nendobj\nstartxref", 1),
        "application/pdf",
    ),
    "pdf nested very deep": (deep, "application/pdf"),
    "jpeg": (lambda: picture("JPEG"), "image/jpeg"),
    "jpeg with exif": (turned, "image/jpeg"),
    "grey jpeg": (lambda: picture("JPEG", mode="L"), "image/jpeg"),
    "jpeg from a telephone, with bytes behind it": (lambda: picture("JPEG") + b"\0SEFT" * 9, "image/jpeg"),
    "png": (picture, "image/png"),
    "png with a palette": (lambda: picture(mode="P"), "image/png"),
    "webp": (lambda: picture("WEBP"), "image/webp"),
}

# What is refused: (how it is made, the code of the reason).
HOSTILE: dict[str, tuple[Maker, str]] = {
    "nothing": (lambda: b"", "empty"),
    "text": (lambda: b"hello", "not_taken"),
    "eicar": (lambda: EICAR, "not_taken"),
    "eicar in a pdf": (lambda: pdf().replace(b"%%EOF", b"%" + EICAR + b"\n%%EOF"), "not_taken"),
    "elf": (lambda: b"\x7fELF\x02\x01\x01" + b"\0" * 64, "not_taken"),
    "windows program": (lambda: b"MZ" + b"\0" * 200, "not_taken"),
    "shell script": (lambda: b"#!/bin/sh\nexit 0\n", "not_taken"),
    "svg": (lambda: b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', "not_taken"),
    "html": (lambda: b"<!doctype html><script>1</script>", "not_taken"),
    "zip": (zipped, "not_taken"),
    "docx": (docx, "not_taken"),
    "gif": (lambda: picture("GIF"), "not_taken"),
    "tiff": (lambda: picture("TIFF"), "not_taken"),
    "bmp": (lambda: picture("BMP"), "not_taken"),
    "postscript": (lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%EOF\n", "not_taken"),
    "pdf behind other bytes": (lambda: b"\n" + pdf(), "not_taken"),
    "pdf behind html": (lambda: b"<html>" + pdf(), "not_taken"),
    "pdf with a page of html behind it": (lambda: pdf() + b"<html><script>1</script>", "two_in_one"),
    "pdf with a zip behind it": (lambda: pdf() + zipped(), "two_in_one"),
    "pdf with a zip in it": (lambda: pdf() + zipped() + b"\n%%EOF\n", "two_in_one"),
    "pdf without an end": (lambda: pdf().replace(b"%%EOF", b""), "two_in_one"),
    "pdf cut short": (lambda: pdf()[:200] + b"%%EOF", "broken"),
    "pdf in name only": (lambda: b"%PDF-1.7\nhello\n%%EOF\n", "broken"),
    "pdf without pages": (lambda: raw_pdf([b"null"], b"", b"[] /Count 0"), "broken"),
    "pdf with a script": (on_opening(SCRIPT), "active"),
    "pdf with a script in its names": (script_in_names, "active"),
    "pdf with a script under another spelling": (with_hidden_name, "active"),
    "pdf with an escaped key": (lambda: raw_pdf([b"<< /S /URI /J#53 (app.alert) >>"]), "active"),
    "pdf that starts a program": (
        on_opening({"/S": NameObject("/Launch"), "/F": TextStringObject("calc.exe")}),
        "active",
    ),
    "pdf that sends a form": (on_opening({"/S": NameObject("/SubmitForm"), "/F": TextStringObject("x")}), "active"),
    "pdf with another file": (lambda: pdf(lambda writer: writer.add_attachment("a.exe", b"MZ")), "active"),
    "pdf with a file pinned to a page": (with_annotation("/FileAttachment"), "active"),
    "pdf with a player": (with_annotation("/RichMedia"), "active"),
    "pdf with a film": (with_annotation("/Movie"), "active"),
    "pdf with a form that is a program": (with_form, "active"),
    "locked pdf": (encrypted, "encrypted"),
    "pdf that unpacks to more than memory": (deflated_bomb, "too_much"),
    "pdf packed twice": (nested_bomb, "too_much"),
    "pdf with too many pages": (many_pages, "too_much"),
    "pdf with too many objects": (many_objects, "too_much"),
    "pdf whose pages are a loop": (page_loop, "broken"),
    "jpeg of 1,200 scans": (lambda: many_scans(1_200), "too_much"),
    "png of 20,000 chunks": (many_chunks, "too_much"),
    "webp of 20,000 chunks": (many_webp_chunks, "too_much"),
    "animated png": (lambda: animated("PNG"), "animated"),
    "animated webp": (lambda: animated("WEBP"), "animated"),
    "png of 4 gigapixels": (lambda: png_claiming(65_000, 65_000), "too_many_pixels"),
    "png cut short": (lambda: picture()[:50], "broken"),
    "jpeg cut short": (lambda: noise((300, 300))[:2000], "broken"),
    "webp cut short": (lambda: picture("WEBP")[:30], "broken"),
    "jpeg in name only": (lambda: b"\xff\xd8\xff\xe0" + b"x" * 200, "broken"),
    "png with a zip behind it": (lambda: picture() + zipped(), "two_in_one"),
    "png with anything behind it": (lambda: picture() + b"more", "two_in_one"),
    "jpeg with a zip behind it": (lambda: picture("JPEG") + zipped(), "two_in_one"),
    "jpeg with a page of html in it": (
        lambda: picture("JPEG", comment=b"<script>alert(1)</script>"),
        "two_in_one",
    ),
    "jpeg with php in it": (lambda: picture("JPEG") + b"<?php system('id');", "two_in_one"),
    "jpeg that is a pdf too": (lambda: picture("JPEG", comment=pdf()), "two_in_one"),
    "jpeg with a rar behind it": (lambda: picture("JPEG") + b"Rar!\x1a\x07\x00more", "two_in_one"),
    "webp with anything behind it": (lambda: picture("WEBP") + b"more than one byte", "two_in_one"),
}
