"""Pictures as strangers send them: dangerous, damaged, or carrying what nobody should see. All are made here.

Beside each is its outcome as a portrait: the reason of its refusal, or None where it is re-encoded.
"""

import struct
import zlib
from collections.abc import Callable
from functools import partial

from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo

from accounts.files import avatars
from accounts.tests.files.hostile_files import docx, many_chunks, many_scans, many_webp_chunks, pdf, zipped
from accounts.tests.files.pictures import (
    EPS,
    HTML,
    SVG,
    animated,
    chunk,
    decompression_bomb,
    noise,
    picture,
    png,
    text_bomb,
    two_sided,
)

# Stands in everything that must not be carried over.
MARK = b"KILROY-WAS-HERE"
Maker = Callable[[], bytes]


def endless_apng() -> bytes:
    """An animated PNG that says it has two thousand million frames and never stops."""
    control = chunk(b"acTL", struct.pack(">II", 2**31 - 1, 0))
    frame = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 1, 1, 0, 0, 0, 1, 0, 0))
    return png(1, 1, zlib.compress(b"\x00\x00"), control, frame)


def gifar() -> bytes:
    """A picture that is an archive of programs too."""
    return picture("JPEG") + zipped("META-INF/MANIFEST.MF", MARK)


def with_exif() -> bytes:
    """A photograph that says where it was taken, by whom, and carries a page."""
    exif = Image.Exif()
    exif[0x010E] = MARK.decode() + "<script>alert(1)</script>"
    exif[0x013B] = MARK.decode()
    place = exif.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", (40.0, 44.0, 55.0), "W", (73.0, 59.0, 11.0)
    return picture("JPEG", exif=exif.tobytes())


def with_profile() -> bytes:
    """A picture with a color profile, which may hold anything."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return picture("JPEG", icc_profile=profile + MARK * 100)


def with_words() -> bytes:
    """A PNG with words in three kinds of chunks."""
    info = PngInfo()
    info.add_text("Comment", MARK.decode())
    info.add_text("Packed", MARK.decode() * 50, zip=True)
    info.add_itxt("XML:com.adobe.xmp", f"<x>{MARK.decode()}</x>")
    return picture("PNG", pnginfo=info)


def with_xmp(kind: str) -> Maker:
    return lambda: picture(kind, xmp=b"<x:xmpmeta>" + MARK + b"</x:xmpmeta>")


def thumbnail_inside() -> bytes:
    """A JPEG that holds another one, which shows what the first one hides."""
    inner = picture("JPEG", color="red") + MARK
    head, rest = (outer := picture("JPEG"))[:2], outer[2:]
    return head + b"\xff\xe1" + struct.pack(">H", len(inner) + 8) + b"Exif\x00\x00" + inner + rest


def long_comment() -> bytes:
    """A JPEG made mostly of comments, which a careless reader adds up."""
    segment = b"\xff\xfe\xff\xff" + MARK * 4368 + b"." * 13
    outer = picture("JPEG")
    return outer[:2] + segment * 40 + outer[2:]


def jpeg_claiming(width: int, height: int) -> Maker:
    """A small JPEG that says it is enormous."""

    def make() -> bytes:
        small = bytearray(picture("JPEG"))
        start = small.index(b"\xff\xc0")
        small[start + 5 : start + 9] = struct.pack(">HH", height, width)
        return bytes(small)

    return make


def webp_claiming() -> bytes:
    """An extended WebP whose canvas is 16,384 pixels square."""
    body = b"VP8X" + struct.pack("<I", 10) + b"\x00" * 4 + (16_383).to_bytes(3, "little") * 2
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


def gigantic_frame() -> bytes:
    """A picture of the permitted number of pixels that packs to almost nothing."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(b"\x00" * 4_001) for _ in range(4_000)) + packer.flush()
    return png(4_000, 4_000, data)


def cut(make: Maker, part: float) -> Maker:
    """The first part of a file."""
    return lambda: (whole := make())[: int(len(whole) * part)]


def many_segments() -> bytes:
    """A JPEG of 20,000 empty comments."""
    whole = picture("JPEG")
    return whole[:2] + b"\xff\xfe\x00\x02" * 20_000 + whole[2:]


def split_pixels() -> bytes:
    """A PNG whose pixels come one byte at a time."""
    data = zlib.compress(bytes(101) * 200, 0)
    parts = [chunk(b"IDAT", data[place : place + 1]) for place in range(len(data))]
    header = struct.pack(">IIBBBBB", 100, 200, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + b"".join(parts) + chunk(b"IEND", b"")


def with_fill_bytes() -> bytes:
    """A progressive JPEG with fill bytes before each of its scans."""
    return picture("JPEG", progressive=True).replace(b"\xff\xda", b"\xff\xff\xff\xda") + MARK


def profile_bomb() -> bytes:
    """A PNG whose color profile unpacks to 100 MB."""
    profile = b"icc\x00\x00" + zlib.compress(b"a" * 100_000_000, 9)
    return png(1, 1, zlib.compress(b"\x00\x00"), chunk(b"iCCP", profile))


NOT, BROKEN, ANIMATED, TOO_MANY, TOO_MUCH = (
    avatars.NOT_AN_IMAGE_MESSAGE,
    avatars.DAMAGED_MESSAGE,
    avatars.ANIMATED_MESSAGE,
    avatars.TOO_MANY_PIXELS_MESSAGE,
    avatars.TOO_COMPLEX_MESSAGE,
)

CORPUS: dict[str, tuple[Maker, str | None]] = {
    # What is something else, whatever it is called.
    "nothing": (lambda: b"", NOT),
    "eps": (lambda: EPS, NOT),
    "tiff": (lambda: picture("TIFF"), NOT),
    "svg": (lambda: SVG, NOT),
    "svg with a declaration": (lambda: b'<?xml version="1.0"?>' + SVG, NOT),
    "html": (lambda: HTML, NOT),
    "gif": (lambda: picture("GIF"), NOT),
    "bmp": (lambda: picture("BMP"), NOT),
    "icon": (lambda: picture("ICO"), NOT),
    "jpeg 2000": (lambda: picture("JPEG2000"), NOT),
    "pdf": (pdf, NOT),
    "zip": (zipped, NOT),
    "docx": (docx, NOT),
    "program": (lambda: b"\x7fELF\x02\x01\x01" + MARK * 9, NOT),
    "shell script": (lambda: b"#!/bin/sh\n" + MARK, NOT),
    "html before a picture": (lambda: HTML + picture("JPEG"), NOT),
    "a gif's first bytes before a script": (lambda: b"GIF89a/*" + MARK + b"*/=1;alert(1)", NOT),
    # Bombs.
    "169 megapixels in a few kilobytes": (decompression_bomb, TOO_MANY),
    "a png of 4 thousand million pixels a side": (lambda: png(2**31 - 1, 2**31 - 1, b""), TOO_MANY),
    "a jpeg of 65,500 pixels a side": (jpeg_claiming(65_500, 65_500), TOO_MANY),
    "a webp of 16,384 pixels a side": (webp_claiming, NOT),
    "a comment of 100 MB": (text_bomb, NOT),
    "comments of 2.6 MB in a jpeg": (long_comment, None),
    "16 megapixels in a few kilobytes": (gigantic_frame, None),
    "a jpeg of 1,200 scans": (partial(many_scans, 1_200), TOO_MUCH),
    "a jpeg of 101 scans": (partial(many_scans, 101), TOO_MUCH),
    "a jpeg of 100 scans": (partial(many_scans, 100), None),
    "a jpeg of 1,200 scans, with fill bytes": (
        lambda: many_scans(1_200).replace(b"\xff\xda", b"\xff\xff\xda"),
        TOO_MUCH,
    ),
    "a jpeg of 20,000 comments": (many_segments, TOO_MUCH),
    "a png of 20,000 chunks": (many_chunks, TOO_MUCH),
    "a png whose pixels come byte by byte": (split_pixels, TOO_MUCH),
    "a webp of 20,000 chunks": (many_webp_chunks, TOO_MUCH),
    "a profile of 100 MB": (profile_bomb, NOT),
    "fill bytes without an end in a jpeg": (lambda: picture("JPEG")[:-2] + b"\xff" * 2_000_000, BROKEN),
    # What moves.
    "endless apng": (endless_apng, ANIMATED),
    "animated png": (lambda: animated("PNG"), ANIMATED),
    "animated webp": (lambda: animated("WEBP"), ANIMATED),
    # Two in one: re-encoded from the pixels alone.
    "jpeg and archive": (gifar, None),
    "jpeg and pdf": (lambda: picture("JPEG") + pdf() + MARK, None),
    "jpeg with a pdf in its comment": (lambda: picture("JPEG", comment=pdf()[:60_000] + MARK), None),
    "jpeg with a page behind it": (lambda: picture("JPEG") + HTML + MARK, None),
    "jpeg with php behind it": (lambda: picture("JPEG") + b"<?php system('id'); // " + MARK, None),
    "png with a page behind it": (lambda: picture("PNG") + HTML + MARK, None),
    "png with an archive behind it": (lambda: picture("PNG") + zipped("a", MARK), None),
    "webp with a page behind it": (lambda: picture("WEBP") + HTML + MARK, None),
    # What says more than it shows.
    "exif with a place and a script": (with_exif, None),
    "two-sided, with exif": (two_sided, None),
    "color profile": (with_profile, None),
    "words in chunks": (with_words, None),
    "xmp in a jpeg": (with_xmp("JPEG"), None),
    "xmp in a webp": (with_xmp("WEBP"), None),
    "another picture inside": (thumbnail_inside, None),
    # Odd, and honest.
    "progressive, with fill bytes": (with_fill_bytes, None),
    "cmyk": (lambda: picture("JPEG", mode="CMYK", color=(1, 2, 3, 4)) + MARK, None),
    "16 bits": (lambda: picture("PNG", mode="I;16", color=900) + MARK, None),
    "palette": (lambda: picture("PNG", mode="P", color=1) + MARK, None),
    "one bit": (lambda: picture("PNG", mode="1", color=1) + MARK, None),
    # Cut short.
    **{
        f"{kind.lower()} cut at {part:.0%}": (
            cut(partial(noise, kind), part),
            NOT if kind == "WEBP" or (kind, part) == ("JPEG", 0.001) else BROKEN,
        )
        for kind in ("PNG", "JPEG", "WEBP")
        for part in (0.001, 0.3, 0.6, 0.95)
    },
}
