"""Examine one file from a stranger, in a process of its own with little memory and time.

Run as a script by `admitted_files`: the file comes on standard input with its name's kind as an argument; the answer
is one line, `ok` or a code of `REFUSALS` there (of `pictures` for a portrait), and behind `ok` what is to be kept. It
knows nothing of the site.
"""

import importlib
import io
import re
import resource
import sys
import zlib
from collections.abc import Iterator
from typing import Any

MOST_PAGES = 2_000
MOST_OBJECTS = 50_000
MOST_UNPACKED = 256 * 1024 * 1024
LONGEST_SIDE = 4096
# What EXIF says about how the telephone was held (JEITA CP-3451, tag 274), and what turns the picture upright:
# Pillow's numbers of flipping, rotating and transposing.
ORIENTATION = 0x0112
TURNS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}

# What a PDF may not bring along: programs, other files, players, forms that are programs.
KEYS = {"/JS", "/JavaScript", "/XFA", "/EF", "/EmbeddedFiles", "/RichMediaContent", "/RichMediaSettings"}
ACTIONS = {
    *("/JavaScript", "/Launch", "/ImportData", "/SubmitForm", "/GoToE", "/Rendition", "/Movie", "/Sound"),
    *("/RichMediaExecute", "/GoTo3DView"),
}
SUBTYPES = {"/RichMedia", "/FileAttachment", "/Movie", "/Sound", "/Screen", "/3D"}
# The same where no table of contents leads to them any more: a reader that repairs the file may find them.
SPELLED_OUT = re.compile(rb"/(JavaScript|Launch|EmbeddedFiles?|RichMedia|ImportData)\b")


class Refused(Exception):  # noqa: N818 - the name says what happened
    """This file is not taken; the message is the code of the reason."""


def confine(bytes_of_memory: int, seconds: int) -> None:
    """Take away from this process what it does not need."""
    resource.setrlimit(resource.RLIMIT_AS, (bytes_of_memory, bytes_of_memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    # No files of any size, no other processes, no remains of a crash.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def examined_pdf(content: bytes) -> bytes:
    """Answer the PDF as it came; raises Refused for one that does more than show pages."""
    from pypdf import PdfReader

    if SPELLED_OUT.search(content):
        raise Refused("active")
    reader = PdfReader(io.BytesIO(content), strict=False)
    if reader.is_encrypted or "/Encrypt" in reader.trailer:
        raise Refused("encrypted")
    known = {number for table in reader.xref.values() for number in table} | set(reader.xref_objStm)
    if len(known) > MOST_OBJECTS:
        raise Refused("too_much")
    unpacked = 0
    for value in (reader.trailer, *objects_of(reader)):
        for part in parts_of(value):
            if is_active(part):
                raise Refused("active")
        unpacked += unpacked_size(value, MOST_UNPACKED - unpacked)
        if unpacked >= MOST_UNPACKED:
            raise Refused("too_much")
    pages = 0
    for _ in reader.pages:
        pages += 1
        if pages > MOST_PAGES:
            raise Refused("too_much")
    if not pages:
        raise Refused("broken")
    return content


def objects_of(reader: Any) -> Iterator[Any]:
    """Read every object that the file's tables know."""
    from pypdf.generic import IndirectObject

    numbers = {(number, generation) for generation, table in reader.xref.items() for number in table}
    numbers |= {(number, 0) for number in reader.xref_objStm}
    for number, generation in sorted(numbers):
        yield reader.get_object(IndirectObject(number, generation, reader))


def parts_of(value: Any) -> Iterator[dict[str, Any]]:
    """Walk the dictionaries inside an object, without following references."""
    waiting = [value]
    seen = 0
    while waiting:
        part = waiting.pop()
        seen += 1
        if seen > 1_000_000:
            raise Refused("too_much")
        if isinstance(part, dict):
            yield part
            waiting.extend(dict.values(part))
        elif isinstance(part, list):
            waiting.extend(list.__iter__(part))


def is_active(part: dict[str, Any]) -> bool:
    """Tell whether a dictionary of a PDF is something that acts, or carries another file."""
    if KEYS & set(part):
        return True
    # Read through references: a name may stand in an object of its own.
    values = {name: str(part[name]) for name in ("/S", "/Type", "/Subtype") if name in part}
    return values.get("/S") in ACTIONS or values.get("/Subtype") in SUBTYPES or values.get("/Type") == "/EmbeddedFile"


def unpacked_size(value: Any, most: int) -> int:
    """Measure how large a deflated stream becomes, layer by layer, stopping at `most` bytes."""
    data = getattr(value, "_data", None)
    if not isinstance(data, bytes):
        return 0
    filters = value.get("/Filter", [])
    filters = filters.get_object() if hasattr(filters, "get_object") else filters
    names = [str(name) for name in (filters if isinstance(filters, list) else [filters])]
    if len(names) > 4:
        raise Refused("too_much")
    size = 0
    for name in names:
        if name not in {"/FlateDecode", "/Fl"}:
            break
        inflater = zlib.decompressobj()
        try:
            data = inflater.decompress(data, most)
        except zlib.error:
            break
        size = max(size, len(data))
    return size


def examined_picture(content: bytes, kind: str, most_pixels: int) -> bytes:
    """Make a picture anew from its bare pixels, upright and at most 4096 px; raises Refused."""
    from PIL import Image, ImageFile

    Image.MAX_IMAGE_PIXELS = None
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        picture = Image.open(io.BytesIO(content), formats=[kind])
    except Exception as unreadable:
        raise Refused("broken") from unreadable
    if picture.width * picture.height > most_pixels:
        raise Refused("too_many_pixels")
    # Some telephones write a second picture behind a JPEG (MPO); the first one is the photograph.
    if picture.format != "MPO" and getattr(picture, "n_frames", 1) != 1:
        raise Refused("animated")
    picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture.load()
    has_alpha = picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info
    wanted = "RGBA" if has_alpha and kind != "JPEG" else "RGB"
    try:
        turn = TURNS.get(picture.getexif().get(ORIENTATION, 1))
    except Exception:  # noqa: BLE001 - hostile EXIF makes its reader raise almost anything
        turn = None
    plain = picture if picture.mode == wanted else picture.convert(wanted)
    plain.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    upright = plain if turn is None else plain.transpose(Image.Transpose(turn))
    # From the bare pixels, so that no metadata or trailing bytes are carried over.
    bare = Image.frombytes(upright.mode, upright.size, upright.tobytes())
    out = io.BytesIO()
    settings: dict[str, Any] = {
        "JPEG": {"quality": 88},
        "PNG": {"compress_level": 4},
        "WEBP": {"quality": 88, "method": 2},
    }[kind]
    bare.save(out, kind, **settings)
    return out.getvalue()


PORTRAIT_SIDE = 512


def examined_portrait(content: bytes, most_pixels: int) -> bytes:
    """Make a portrait: upright, at most 512 px, WebP, without metadata or anything else that came along; raises
    Refused for all but a still JPEG, PNG or WebP."""
    from PIL import Image, ImageFile, ImageOps

    Image.MAX_IMAGE_PIXELS = None
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        # Only these three decoders are tried, whatever the name or the declared type says.
        picture = Image.open(io.BytesIO(content), formats=("JPEG", "PNG", "WEBP"))
    except Exception as unreadable:
        raise Refused("not_a_picture") from unreadable
    if picture.width * picture.height > most_pixels:
        raise Refused("too_many_pixels")
    # Some telephones write a second picture behind a JPEG (MPO); the first one is the photograph.
    if picture.format != "MPO" and getattr(picture, "n_frames", 1) != 1:
        raise Refused("animated")
    # A JPEG can be decoded at a fraction of its size, which saves most of the memory.
    picture.draft("RGB", (PORTRAIT_SIDE * 2, PORTRAIT_SIDE * 2))
    picture.load()
    try:
        upright = ImageOps.exif_transpose(picture)
    except Exception:  # noqa: BLE001 - hostile EXIF makes its reader raise almost anything
        upright = picture
    has_alpha = upright.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in upright.info
    small = upright.convert("RGBA" if has_alpha else "RGB")
    small.thumbnail((PORTRAIT_SIDE, PORTRAIT_SIDE), Image.Resampling.LANCZOS)
    # From the bare pixels, so that no EXIF, colour profile, comment or trailing bytes are carried over.
    bare = Image.frombytes(small.mode, small.size, small.tobytes())
    out = io.BytesIO()
    bare.save(out, "WEBP", quality=82, method=4)
    return out.getvalue()


def examined(kind: str, content: bytes, most_pixels: int) -> bytes:
    """Answer what is to be kept of a file; raises Refused."""
    if kind == "PDF":
        return examined_pdf(content)
    if kind == "PORTRAIT":
        return examined_portrait(content, most_pixels)
    return examined_picture(content, kind, most_pixels)


def main(kind: str, most_pixels: str, memory: str, seconds: str) -> None:
    """Read the file, examine it, and answer."""
    # While it may still write, so that what Python compiles is there the next time.
    importlib.import_module("pypdf" if kind == "PDF" else "PIL.Image")
    confine(int(memory), int(seconds))
    content = sys.stdin.buffer.read()
    try:
        answer = b"ok\n" + examined(kind, content, int(most_pixels))
    except Refused as refused:
        answer = str(refused).encode() + b"\n"
    except MemoryError:
        answer = b"too_much\n"
    except Exception:  # noqa: BLE001 - whatever a damaged file makes its reader raise
        answer = b"broken\n"
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
