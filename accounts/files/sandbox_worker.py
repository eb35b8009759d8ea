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
from pathlib import Path
from typing import Any, Literal

LONGEST_SIDE = 4096
# What EXIF says about how the telephone was held (JEITA CP-3451, tag 274), and what turns the picture upright:
# Pillow's numbers of flipping, rotating and transposing.
ORIENTATION = 0x0112
TURNS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}

# A photograph has some 10 scans when it builds up by and by (progressive), a baseline one up to 4. Each scan goes
# through all pixels again, even one of a few bytes.
MOST_SCANS = 100
# Parts of a file (segments, chunks). An encoder writes pixels in parts of 4 kB and more.
MOST_SEGMENTS = 10_000
# What follows 0xFF in a JPEG and is a marker: not a stuffed or a fill byte, nor one of those without content
# (ITU-T T.81, B.1.1).
MARKER = re.compile(rb"\xff([^\x00\xff\x01\xd0-\xd7])")


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
    """Return a PDF with the same pages that does nothing; raise Refused."""
    rewriter = importlib.import_module("pdf_rewriter")
    try:
        kept: bytes = rewriter.rewrite(content)
    except rewriter.Refused as refused:
        raise Refused(str(refused)) from refused
    return kept


def refuse_costly(content: bytes) -> None:
    """Raise Refused for a picture in more parts than an ordinary program writes, before anything decodes it."""
    if content.startswith(b"\xff\xd8"):
        count_scans(content)
    elif content.startswith(b"\x89PNG"):
        count_chunks(content, 8, "big")
    elif content.startswith(b"RIFF"):
        count_chunks(content, 12, "little")


def count_scans(content: bytes) -> int:
    """Return the number of scans of a JPEG, found by their SOS markers as libjpeg finds them; raise Refused."""
    scans = segments = 0
    place = 2
    while found := MARKER.search(content, place):
        marker = found[1]
        if marker == b"\xd9":
            break
        scans += marker == b"\xda"
        segments += 1
        if scans > MOST_SCANS or segments > MOST_SEGMENTS:
            raise Refused("too_much")
        place = found.end() + int.from_bytes(content[found.end() : found.end() + 2], "big")
    return scans


def count_chunks(content: bytes, place: int, order: Literal["big", "little"]) -> int:
    """Return the number of chunks of a PNG ("big") or a WebP ("little") from `place` on; raise Refused."""
    chunks = 0
    end = len(content) if order == "big" else 8 + int.from_bytes(content[4:8], order)
    while place < min(end, len(content)):
        chunks += 1
        if chunks > MOST_SEGMENTS:
            raise Refused("too_much")
        # A PNG's chunk is its size, its name, its data and a checksum; a WebP's its name, its size and padded data.
        if content[place + 4 : place + 8] == b"IEND":
            break
        if order == "big":
            place += 12 + int.from_bytes(content[place : place + 4], order)
        else:
            size = int.from_bytes(content[place + 4 : place + 8], order)
            place += 8 + size + size % 2
    return chunks


def examined_picture(content: bytes, kind: str, most_pixels: int) -> bytes:
    """Return a picture written again from its bare pixels, upright and at most 4096 px; raise Refused."""
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
    picture = eight_bits(picture)
    has_alpha = picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info
    wanted = "RGBA" if has_alpha and kind != "JPEG" else "RGB"
    plain = picture if picture.mode == wanted else picture.convert(wanted)
    plain.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.HAMMING)
    upright = turned_upright(plain, picture)
    # From the bare pixels, so that no metadata or trailing bytes are carried over.
    bare = Image.frombytes(upright.mode, upright.size, upright.tobytes())
    out = io.BytesIO()
    settings: dict[str, Any] = {
        "JPEG": {"quality": 88},
        "PNG": {"compress_level": 2},
        "WEBP": {"quality": 88, "method": 0},
    }[kind]
    bare.save(out, kind, **settings)
    return out.getvalue()


def turned_upright(pixels: Any, picture: Any) -> Any:
    """Return pixels turned as the EXIF of the picture that they come from says."""
    from PIL import Image

    try:
        turn = TURNS.get(picture.getexif().get(ORIENTATION, 1))
    except Exception:  # noqa: BLE001 - hostile EXIF makes its reader raise almost anything
        turn = None
    return pixels if turn is None else pixels.transpose(Image.Transpose(turn))


def eight_bits(picture: Any) -> Any:
    """Return a picture with 8 bits a channel; Pillow would cut 16-bit gray off at 255, which makes it all white."""
    if picture.mode != "I" and not picture.mode.startswith("I;16"):
        return picture
    scaled = picture.convert("I").point(lambda gray: gray * (1 / 257)).convert("L")
    scaled.info = picture.info
    return scaled


PORTRAIT_SIDE = 512


def examined_portrait(content: bytes, most_pixels: int) -> bytes:
    """Make a portrait: upright, at most 512 px, WebP, without metadata or anything else that came along; raises
    Refused for all but a still JPEG, PNG or WebP."""
    from PIL import Image, ImageFile

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
    picture = eight_bits(picture)
    has_alpha = picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info
    small = picture.convert("RGBA" if has_alpha else "RGB")
    small.thumbnail((PORTRAIT_SIDE, PORTRAIT_SIDE), Image.Resampling.LANCZOS)
    small = turned_upright(small, picture)
    # From the bare pixels, so that no EXIF, colour profile, comment or trailing bytes are carried over.
    bare = Image.frombytes(small.mode, small.size, small.tobytes())
    out = io.BytesIO()
    bare.save(out, "WEBP", quality=82, method=4)
    return out.getvalue()


def examined(kind: str, content: bytes, most_pixels: int) -> bytes:
    """Return what is to be kept of a file; raises Refused."""
    if kind == "PDF":
        return examined_pdf(content)
    refuse_costly(content)
    if kind == "PORTRAIT":
        return examined_portrait(content, most_pixels)
    return examined_picture(content, kind, most_pixels)


def main(kind: str, most_pixels: str, memory: str, seconds: str) -> None:
    """Read the file, examine it, and answer."""
    # Behind all others, so that none of its neighbors is taken for a module of Python's.
    sys.path.append(str(Path(__file__).parent))
    # While it may still write, so that what Python compiles is there the next time.
    importlib.import_module("pdf_rewriter" if kind == "PDF" else "PIL.Image")
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
