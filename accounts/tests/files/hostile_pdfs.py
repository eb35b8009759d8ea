"""PDFs that act, lead elsewhere, hide something or are malformed. All are made here.

Beside each stands what becomes of it: the reason of its refusal, or None where it is written again without that. What
must not come through carries `MARK`.
"""

import io
import re
import zlib
from collections.abc import Callable

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NumberObject

from accounts.tests.files.hostile_files import picture, raw_pdf, stream
from accounts.tests.files.hostile_pictures import MARK

Maker = Callable[[], bytes]
WORDS = "Hemoglobin 13.4 g/dl"
PAGE_TEXT = b"BT /F1 9 Tf 1 1 Td (" + WORDS.encode() + b") Tj ET"
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
SAID = b"(" + MARK + b")"
SCRIPT = b"<< /S /JavaScript /JS " + SAID + b" >>"
UNC = b"(\\\\\\\\192.0.2.7\\\\" + MARK + b"\\\\x.pdf)"
FILE = b"<< /Type /Filespec /F " + UNC + b" /UF " + UNC + b" >>"


def document(
    *objects: bytes, catalog: bytes = b"", page: bytes = b"", resources: bytes = b"", trailer: bytes = b""
) -> bytes:
    """Write a PDF of one page with words on it; further objects have the numbers from 6 on."""
    more = [stream(zlib.compress(PAGE_TEXT)), FONT, *objects]
    here = b"/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> " + resources + b" >> " + page
    return raw_pdf(more, catalog, page=here, trailer=trailer)


def opening(action: bytes) -> Maker:
    return lambda: document(action, catalog=b"/OpenAction 6 0 R")


def annotated(body: bytes, *objects: bytes, catalog: bytes = b"") -> Maker:
    """A PDF with one annotation on its page, object 6."""
    annotation = b"<< /Type /Annot /Rect [0 0 9 9] " + body + b" >>"
    return lambda: document(annotation, *objects, page=b"/Annots [6 0 R]", catalog=catalog)


def in_catalog(entry: bytes, *objects: bytes) -> Maker:
    return lambda: document(*objects, catalog=entry)


def in_page(entry: bytes, *objects: bytes) -> Maker:
    return lambda: document(*objects, page=entry)


def in_resources(entry: bytes, *objects: bytes) -> Maker:
    return lambda: document(*objects, resources=entry)


def plain_stream(entries: bytes, data: bytes = b"") -> bytes:
    return b"<< " + entries + b" /Length %d >>\nstream\n" % len(data) + data + b"\nendstream"


def before_tables(text: bytes) -> Maker:
    """A PDF with bytes that no table lists."""

    def make() -> bytes:
        whole = document()
        place = whole.rindex(b"xref\n0 ")
        moved = whole[:place] + text + b"\n" + whole[place:]
        return re.sub(rb"startxref\n\d+", b"startxref\n%d" % (place + len(text) + 1), moved)

    return make


def hidden_in_object_stream() -> bytes:
    """A script in a packed stream of objects that no table knows."""
    inner = b"60 0 " + SCRIPT
    packed = zlib.compress(inner)
    head = b"<< /Type /ObjStm /N 1 /First 5 /Filter /FlateDecode /Length %d >>" % len(packed)
    return before_tables(b"50 0 obj\n" + head + b"\nstream\n" + packed + b"\nendstream\nendobj")()


def updated() -> bytes:
    """A PDF whose first version opened with a script; a later revision hides it."""
    first = document(SCRIPT, catalog=b"/OpenAction 6 0 R")
    start = len(first)
    body = b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    old = re.findall(rb"startxref\n(\d+)", first)[-1]
    table = b"xref\n1 1\n%010d 00000 n \ntrailer\n<< /Size 7 /Root 1 0 R /Prev %s >>\n" % (start, old)
    return first + body + table + b"startxref\n%d\n%%%%EOF\n" % (start + len(body))


def updated_to_act() -> bytes:
    """The other way round: the latest revision is the one that acts."""
    first = document(SCRIPT)
    start = len(first)
    body = b"1 0 obj\n<< /Type /Catalog /Pages 2 0 R /OpenAction 6 0 R >>\nendobj\n"
    old = re.findall(rb"startxref\n(\d+)", first)[-1]
    table = b"xref\n1 1\n%010d 00000 n \ntrailer\n<< /Size 7 /Root 1 0 R /Prev %s >>\n" % (start, old)
    return first + body + table + b"startxref\n%d\n%%%%EOF\n" % (start + len(body))


def without_tables(action: bytes) -> Maker:
    """A PDF that a reader has to repair before it finds anything."""

    def make() -> bytes:
        whole = document(action, catalog=b"/OpenAction 6 0 R")
        return re.sub(rb"startxref\n\d+", b"startxref\n0", whole)

    return make


def behind_deflated() -> bytes:
    packed = zlib.compress(PAGE_TEXT) + b"\n9 0 obj\n" + SCRIPT + b"\nendobj\n"
    return raw_pdf([stream(packed), FONT], b"", page=b"/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>")


def deflated_unpacked() -> bytes:
    """A PDF with a deflated stream whose bytes stand in the file as they are."""
    stored = zlib.compress(PAGE_TEXT + b"\n9 0 obj\n" + SCRIPT + b"\nendobj\n", level=0)
    packed = b"<< /Filter /FlateDecode /Length %d >>\nstream\n" % len(stored) + stored + b"\nendstream"
    return raw_pdf([packed, FONT], b"", page=b"/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>")


def damaged_deflated() -> bytes:
    packed = zlib.compress(PAGE_TEXT)[:-4] + b"\0\0\0\0" + MARK
    return raw_pdf([stream(packed), FONT], b"", page=b"/Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >>")


def image_with(data: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Image /Width 40 /Height 20 /ColorSpace /DeviceRGB /BitsPerComponent 8"
    return plain_stream(head + b" /Filter /DCTDecode", data)


def locked(content: bytes) -> bytes:
    """Encrypt a PDF so that it opens without a password, and its owner's password forbids changes."""
    writer = PdfWriter(clone_from=io.BytesIO(content))
    writer.encrypt("", "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def many_annotations() -> bytes:
    body = b"<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI " + SAID + b" >> >>"
    numbers = b" ".join(b"%d 0 R" % number for number in range(6, 2_006))
    return document(*[body] * 2_000, page=b"/Annots [" + numbers + b"]")


def twice(first: bytes, second: bytes) -> Maker:
    """A PDF with the same key twice, of which readers may believe either."""
    return lambda: document(SCRIPT, b"[3 0 R /Fit]", catalog=b"/OpenAction " + first + b" /OpenAction " + second)


PROGRAMS = ("JavaScript", "Launch", "SubmitForm", "ImportData", "GoToE", "Rendition", "Movie", "Sound")
ELSEWHERE = ("GoToR", "Thread", "URI", "Hide", "ResetForm", "SetOCGState", "Trans", "GoToDp", "Invented")
PLAYERS = ("Screen", "Movie", "Sound", "RichMedia", "3D", "FileAttachment", "Projection")
CLICK = b"/Subtype /Link /A "
FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]"
FIELD = b"/Subtype /Widget /FT /Tx /T (n) /V (13.4) /DA (/Helv 9 Tf)"
FIELDS = b"/AcroForm << /Fields [6 0 R] >>"

CORPUS: dict[str, tuple[Maker, str | None]] = {
    # What runs as soon as the document is opened.
    **{
        f"opens with {name}": (opening(b"<< /S /%s /F %s /JS %s >>" % (name.encode(), UNC, SAID)), "active")
        for name in PROGRAMS
    },
    **{
        f"opens with {name}": (opening(b"<< /S /%s /F %s /URI %s /D [0 /Fit] >>" % (name.encode(), UNC, SAID)), None)
        for name in ELSEWHERE
    },
    "opens with a file elsewhere as its place": (opening(b"<< /S /GoTo /D [" + FILE + b" /Fit] >>"), None),
    "opens the printer": (opening(b"<< /S /Named /N /Print /X " + SAID + b" >>"), None),
    "opens with a place, then a script": (opening(b"<< /S /GoTo /D [3 0 R /Fit] /Next " + SCRIPT + b" >>"), "active"),
    "opens with a place, then a link": (
        opening(b"<< /S /GoTo /D [3 0 R /Fit] /Next [<< /S /URI /URI " + SAID + b" >>] >>"),
        None,
    ),
    "opens with a chain without an end": (
        opening(b"<< /S /GoTo /D [3 0 R /Fit] /X " + SAID + b" /Next 6 0 R >>"),
        None,
    ),
    "opens with an escaped name": (opening(b"<< /S /J#61vaScript /#4aS " + SAID + b" >>"), "active"),
    "opens with a name in another object": (
        lambda: document(b"<< /S 7 0 R /X " + SAID + b" >>", b"/Laun#63h", catalog=b"/OpenAction 6 0 R"),
        "active",
    ),
    "closes with a script": (in_catalog(b"/AA << /WC " + SCRIPT + b" >>"), "active"),
    "prints to another file": (in_catalog(b"/AA << /WP << /S /GoToR /F " + UNC + b" >> >>"), None),
    "a page with a script": (in_page(b"/AA << /O " + SCRIPT + b" >>"), "active"),
    "a page that goes elsewhere": (in_page(b"/AA << /O << /S /GoToR /F " + UNC + b" >> >>"), None),
    "scripts in names": (in_catalog(b"/Names << /JavaScript << /Names [(a) " + SCRIPT + b"] >> >>"), "active"),
    "scripts deep in names": (
        in_catalog(b"/Names << /JavaScript << /Kids [<< /Kids [<< /Names [(a) " + SCRIPT + b"] >>] >>] >> >>"),
        "active",
    ),
    "requirements": (in_catalog(b"/Requirements [<< /S /EnableJavaScripts /RH << /Script " + SAID + b" >> >>]"), None),
    # What a click does.
    "link to the web": (annotated(CLICK + b"<< /S /URI /URI " + SAID + b" >>"), None),
    "link to a file elsewhere": (annotated(CLICK + b"<< /S /GoToR /F " + UNC + b" /D [0 /Fit] >>"), None),
    "link to a file elsewhere, spelled as a place": (annotated(CLICK + b"<< /S /GoTo /F " + FILE + b" >>"), None),
    "link to a program": (annotated(CLICK + b"<< /S /Launch /Win << /F " + SAID + b" >> >>"), "active"),
    "link to a script": (annotated(CLICK + SCRIPT), "active"),
    "link with a script behind a link": (
        annotated(CLICK + b"<< /S /URI /URI (x) /Next " + SCRIPT + b" >>"),
        "active",
    ),
    "link with a second address": (annotated(b"/Subtype /Link /PA << /S /URI /URI " + SAID + b" >>"), None),
    "link that the mouse only passes": (annotated(b"/Subtype /Link /AA << /E " + SCRIPT + b" >>"), "active"),
    "link to another page object": (
        annotated(b"/Subtype /Link /Dest [7 0 R /Fit]", b"<< /Type /Page /Secret " + SAID + b" >>"),
        None,
    ),
    "base of all links": (in_catalog(b"/URI << /Base " + SAID + b" >>"), None),
    "bookmark to a script": (
        in_catalog(b"/Outlines << /First 6 0 R /Last 6 0 R >>", b"<< /Title (x) /A " + SCRIPT + b" >>"),
        "active",
    ),
    "bookmark to the web": (
        in_catalog(
            b"/Outlines << /First 6 0 R /Last 6 0 R >>", b"<< /Title (x) /A << /S /URI /URI " + SAID + b" >> >>"
        ),
        None,
    ),
    "name of a place that is an action": (
        in_catalog(b"/Names << /Dests << /Names [(a) << /S /GoToR /F " + UNC + b" >>] >> >>"),
        None,
    ),
    "annotation with an unknown kind": (annotated(b"/Subtype /Invented /X " + SAID), None),
    **{f"player {name}": (annotated(b"/Subtype /%s /X %s" % (name.encode(), SAID)), "active") for name in PLAYERS},
    # Forms.
    "field with a script for its format": (
        annotated(FIELD + b" /AA << /F " + SCRIPT + b" /K " + SCRIPT + b" >>", catalog=FIELDS),
        None,
    ),
    "button that sends the form": (
        annotated(b"/Subtype /Widget /FT /Btn /T (b) /A << /S /SubmitForm /F " + FILE + b" >>", catalog=FIELDS),
        None,
    ),
    "order of calculation": (
        annotated(FIELD, catalog=b"/AcroForm << /Fields [6 0 R] /CO [<< /AA << /C " + SCRIPT + b" >> >>] >>"),
        None,
    ),
    "form that is a program": (in_catalog(b"/AcroForm << /Fields [] /XFA " + SAID + b" >>"), "active"),
    "form that is a program beside fields": (
        annotated(FIELD, catalog=b"/AcroForm << /Fields [6 0 R] /XFA " + SAID + b" >>"),
        None,
    ),
    "form that has to be rendered": (in_catalog(b"/NeedsRendering true /X " + SAID), "active"),
    "signature": (
        annotated(
            b"/Subtype /Widget /FT /Sig /T (s) /V << /Type /Sig /Contents " + SAID + b" /ByteRange [0 1 2 3] >>",
            catalog=b"/AcroForm << /Fields [6 0 R] /SigFlags 3 >> /Perms << /DocMDP << /X " + SAID + b" >> >>",
        ),
        None,
    ),
    # Other files.
    "files in names": (
        in_catalog(
            b"/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /EF << /F 6 0 R >> >>] >> >>",
            plain_stream(b"/Type /EmbeddedFile", MARK),
        ),
        "active",
    ),
    "collection of files": (in_catalog(b"/Collection << /View /D /X " + SAID + b" >>"), "active"),
    "file that belongs to the document": (in_catalog(b"/AF [" + FILE + b"]"), None),
    "file that belongs to a page": (in_page(b"/AF [" + FILE + b"]"), None),
    "page whose contents are elsewhere": (
        lambda: raw_pdf([plain_stream(b"/F " + FILE), FONT], b"", page=b"/Contents 4 0 R"),
        None,
    ),
    "picture whose bytes are elsewhere": (
        in_resources(
            b"/XObject << /X 6 0 R >>",
            plain_stream(b"/Subtype /Image /Width 1 /Height 1 /F " + UNC + b" /FFilter /DCTDecode"),
        ),
        None,
    ),
    "page of another document": (
        in_resources(b"/XObject << /X 6 0 R >>", plain_stream(FORM + b" /Ref << /F " + FILE + b" /Page 0 >>")),
        None,
    ),
    "proxy of a file for printing": (
        in_resources(b"/XObject << /X 6 0 R >>", plain_stream(FORM + b" /OPI << /2.0 << /F " + FILE + b" >> >>")),
        None,
    ),
    "program for a printer": (
        in_resources(b"/XObject << /X 6 0 R >>", plain_stream(b"/Type /XObject /Subtype /PS", MARK)),
        None,
    ),
    "program for a printer in a form": (
        in_resources(b"/XObject << /X 6 0 R >>", plain_stream(FORM + b" /Subtype2 /PS /PS " + SAID)),
        None,
    ),
    "other pictures for a picture": (
        in_resources(
            b"/XObject << /X 6 0 R >>",
            plain_stream(b"/Subtype /Image /Width 1 /Height 1 /Alternates [<< /Image " + FILE + b" >>]", b"a"),
        ),
        None,
    ),
    "profile of a printer elsewhere": (
        in_catalog(b"/OutputIntents [<< /S /GTS_PDFX /DestOutputProfileRef << /URLs [" + FILE + b"] >> >>]"),
        None,
    ),
    "films in names": (in_catalog(b"/Names << /Renditions << /Names [(a) << /C " + FILE + b" >>] >> >>"), None),
    "pages from the web": (in_catalog(b"/SpiderInfo << /C [" + SAID + b"] >>"), None),
    # What is hidden, or nobody should read.
    "script that no table lists": (before_tables(b"9 0 obj\n<< /S /J#61vaScript /JS " + SAID + b" >>\nendobj"), None),
    "script in objects that no table lists": (hidden_in_object_stream, None),
    "script that nothing leads to": (lambda: document(SCRIPT), None),
    "comment": (before_tables(b"% " + MARK), None),
    "earlier version with a script": (updated, None),
    "later version with a script": (updated_to_act, "active"),
    "script behind packed contents": (behind_deflated, None),
    "bytes behind damaged contents": (damaged_deflated, None),
    "object in a picture": (
        in_resources(
            b"/XObject << /X 6 0 R >>",
            image_with(picture("JPEG", comment=b"\n9 0 obj\n" + SCRIPT + b"\nendobj")),
        ),
        "two_in_one",
    ),
    "who wrote it": (lambda: document(b"<< /Author " + SAID + b" >>", trailer=b"/Info 6 0 R"), None),
    "who wrote it, as XML": (
        in_catalog(b"/Metadata 6 0 R", plain_stream(b"/Type /Metadata /Subtype /XML", MARK)),
        None,
    ),
    "what the program keeps for itself": (in_page(b"/PieceInfo << /App << /Private " + SAID + b" >> >>"), None),
    "small picture of the page": (
        in_page(b"/Thumb 6 0 R", plain_stream(b"/Width 1 /Height 1", MARK)),
        None,
    ),
    "unknown entry of the trailer": (lambda: document(SCRIPT, trailer=b"/Evil 6 0 R"), None),
    "unknown entry of the catalog": (in_catalog(b"/Evil 6 0 R", SCRIPT), None),
    "unknown entry of a page": (in_page(b"/PresSteps << /NA " + SCRIPT + b" >>"), None),
    "unknown kind of resource": (in_resources(b"/Evil << /A 6 0 R >>", SCRIPT), None),
    "unknown entry of properties": (in_resources(b"/Properties << /A << /X 6 0 R >> >>", SCRIPT), None),
    "script as a font": (in_resources(b"/Font << /F1 5 0 R /F2 6 0 R >>", SCRIPT), None),
    "script as a color": (in_resources(b"/ColorSpace << /C [/ICCBased 6 0 R] >>", SCRIPT), None),
    "script among what screen readers go by": (
        in_catalog(
            b"/StructTreeRoot << /K << /S /P /A << /O /Layout /X 6 0 R >>"
            b" /K << /Type /OBJR /Obj 6 0 R >> >> /ParentTree << /Nums [0 6 0 R] >> >>",
            SCRIPT,
        ),
        None,
    ),
    "script among layers": (in_catalog(b"/OCProperties << /OCGs [6 0 R] /D << /Order [6 0 R] >> >>", SCRIPT), None),
    "script as the parent of a field": (annotated(FIELD + b" /Parent 7 0 R", SCRIPT, catalog=FIELDS), None),
    "script as what a note looks like": (annotated(b"/Subtype /Text /AP << /N 7 0 R >>", SCRIPT), None),
    "threads of articles": (in_catalog(b"/Threads [<< /I << /Title " + SAID + b" >> >>]"), None),
    # Malformed.
    "script behind broken tables": (without_tables(SCRIPT), "active"),
    "link behind broken tables": (without_tables(b"<< /S /URI /URI " + SAID + b" >>"), None),
    "two actions under one key": (twice(b"6 0 R", b"7 0 R"), None),
    "two actions under one key, the other way round": (twice(b"7 0 R", b"6 0 R"), "active"),
    "catalog that is a stream": (
        lambda: document(plain_stream(b"/Type /Catalog /Pages 2 0 R /OpenAction " + SCRIPT)).replace(
            b"/Root 1 0 R", b"/Root 6 0 R"
        ),
        "broken",
    ),
    "no catalog": (lambda: document(SCRIPT).replace(b"/Root 1 0 R", b"/Root 99 0 R"), "broken"),
    "trailer without a size": (
        lambda: document(catalog=b"/Evil " + SAID).replace(b"<< /Size 6 ", b"<< "),
        None,
    ),
    "page that is a script": (lambda: raw_pdf([SCRIPT], b"", b"[3 0 R 4 0 R] /Count 2"), None),
    "contents with an unknown filter": (
        lambda: raw_pdf([stream(MARK, b"/InventedDecode"), FONT], b"", page=b"/Contents 4 0 R"),
        "broken",
    ),
    "contents with five filters": (
        lambda: raw_pdf([stream(MARK, b"[" + b"/AHx " * 5 + b"]"), FONT], b"", page=b"/Contents 4 0 R"),
        "too_much",
    ),
    "contents with a cipher of their own": (
        lambda: raw_pdf([stream(MARK, b"/Crypt"), FONT], b"", page=b"/Contents 4 0 R"),
        "broken",
    ),
    "locked against changes, with a link": (
        lambda: locked(annotated(CLICK + b"<< /S /URI /URI " + SAID + b" >>")()),
        None,
    ),
    "locked against changes, with a script": (lambda: locked(opening(SCRIPT)()), "active"),
    "2,000 links": (many_annotations, None),
    "array that holds itself twice": (
        in_catalog(b"/PageLabels << /Nums [0 << /P 6 0 R >>] >>", b"[6 0 R 6 0 R " + SAID + b"]"),
        None,
    ),
    "array that doubles thirty times": (
        in_catalog(
            b"/PageLabels << /Nums [0 << /P 6 0 R >>] >>",
            *[b"[%d 0 R %d 0 R]" % (number, number) for number in range(7, 37)],
            b"[" + SAID + b"]",
        ),
        "too_much",
    ),
    "names in a circle": (
        in_catalog(b"/Names << /JavaScript 6 0 R >>", b"<< /Kids [6 0 R null] /Evil " + SAID + b" >>"),
        "active",
    ),
    "script in the name of a picture": (
        in_resources(
            b"/XObject << /X 6 0 R >>", plain_stream(FORM + b" /Name (9 0 obj << /S /JavaScript >> " + MARK + b")")
        ),
        "two_in_one",
    ),
    "bookmarks in a circle": (
        in_catalog(
            b"/Outlines 6 0 R",
            b"<< /First 7 0 R /Last 7 0 R >>",
            b"<< /Title (x) /Next 7 0 R /First 6 0 R /Evil " + SAID + b" >>",
        ),
        None,
    ),
    "fields in a circle": (annotated(FIELD + b" /Kids [6 0 R] /Parent 6 0 R /Evil " + SAID, catalog=FIELDS), None),
}


# --- An independent look at what comes out -----------------------------------------------------------

NAMES = re.compile(
    rb"/(JavaScript|JS|Launch|SubmitForm|ImportData|ResetForm|GoToR|GoToE|GoToDp|Thread|URI|Hide|SetOCGState|Rendition"
    rb"|RichMedia\w*|GoTo3DView|EmbeddedFiles?|Filespec|EF|XFA|AA|AF|OPI|Ref|FFilter|PS|Metadata|PieceInfo|Encrypt"
    rb"|Screen|Movie|Sound|FileAttachment|Collection|NeedsRendering|Info|Thumb|Perms|Collection|Requirements)\b"
)
ACTIONS = {"/GoTo", "/Named"}
LINKED = {"/A", "/OpenAction", "/PA", "/Next"}


def all_bytes(content: bytes) -> bytes:
    """Return a file as it is, and all that its deflated streams hold, with escapes in names undone."""
    parts = [content]
    for found in re.finditer(rb"stream\r?\n", content):
        try:
            parts.append(zlib.decompressobj().decompress(content[found.end() :]))
        except zlib.error:
            continue
    return re.sub(rb"#([0-9a-fA-F]{2})", lambda escaped: bytes.fromhex(escaped[1].decode()), b"\n".join(parts))


def acts_found(content: bytes) -> set[str]:
    """Return what in a PDF could act, lead elsewhere or tell about people: by its bytes, and as pypdf reads it."""
    raw = all_bytes(content)
    found = {name.decode() for name in NAMES.findall(raw)}
    found |= {"mark"} if MARK in raw else set()
    reader = PdfReader(io.BytesIO(content), strict=True)
    known = {number for table in reader.xref.values() for number in table}
    found |= {"hidden object"} if set(map(int, re.findall(rb"(\d+) 0 obj", raw))) - known else set()
    found |= {"trailer"} if set(reader.trailer) - {"/Root", "/Size", "/ID", *XREF} else set()
    for number in known | set(reader.xref_objStm):
        waiting = [reader.get_object(number)]
        while waiting:
            value = waiting.pop()
            if isinstance(value, DictionaryObject):
                found |= faults(value)
                waiting += value.values()
            elif isinstance(value, ArrayObject):
                waiting += value
    return found


def names_that_act(reader: PdfReader) -> set[str]:
    """Return the keys of a PDF's dictionaries that could act, and its actions that lead elsewhere."""
    found: set[str] = set()
    numbers = {number for table in reader.xref.values() for number in table} | set(reader.xref_objStm)
    waiting = [reader.get_object(number) for number in numbers]
    while waiting:
        value = waiting.pop()
        if isinstance(value, DictionaryObject):
            found |= faults(value) | {key.strip("/") for key in value if NAMES.fullmatch(key.encode())}
            waiting += value.values()
        elif isinstance(value, ArrayObject):
            waiting += value
    return found


XREF = {"/Type", "/W", "/Index", "/Length", "/Filter", "/DecodeParms"}


def faults(part: DictionaryObject) -> set[str]:
    """Return what is wrong with one dictionary: an action that is none of navigation, or the name of a file."""
    found = set()
    for name in LINKED & set(part):
        action = part[name].get_object()
        if isinstance(action, DictionaryObject) and "/Subtype" not in action and name != "/Next":
            what = str(action.get("/S"))
            if "/S" in action and (what not in ACTIONS or (name == "/OpenAction" and what != "/GoTo")):
                found.add(f"action {what}")
    if "/F" in part and not isinstance(part["/F"], NumberObject):
        found.add("file")
    return found
