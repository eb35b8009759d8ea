"""Valid and hostile pictures for tests, all generated here."""

import io
import struct
import zlib

from PIL import Image


def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30), mode: str = "RGB", color="teal", **save) -> bytes:
    """Make a plain picture."""
    out = io.BytesIO()
    Image.new(mode, size, color).save(out, kind, **save)
    return out.getvalue()


def noise(kind: str) -> bytes:
    """Make a picture that hardly compresses."""
    out = io.BytesIO()
    Image.effect_noise((200, 200), 90).convert("RGB").save(out, kind)
    return out.getvalue()


def two_sided() -> bytes:
    """Make a JPEG, red on the left and blue on the right, that EXIF says to turn a quarter clockwise."""
    image = Image.new("RGB", (80, 40), "blue")
    image.paste("red", (0, 0, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "SECRET-DESCRIPTION"
    exif.get_ifd(0x8825)[1] = "N"
    out = io.BytesIO()
    image.save(out, "JPEG", quality=95, exif=exif, comment=b"SECRET-COMMENT")
    return out.getvalue()


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (20, 20), color) for color in ("red", "green")]
    out = io.BytesIO()
    frames[0].save(out, kind, save_all=True, append_images=frames[1:], duration=100)
    return out.getvalue()


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width: int, height: int, data: bytes, *more: bytes) -> bytes:
    """Write a PNG by hand, with any size in its header."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [chunk(b"IHDR", header), *more, chunk(b"IDAT", data), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def decompression_bomb() -> bytes:
    """Make a PNG of a few kilobytes that decodes to 169 megapixels."""
    packer = zlib.compressobj(9)
    row = b"\x00" * 13_001
    return png(13_000, 13_000, b"".join(packer.compress(row) for _ in range(13_000)) + packer.flush())


def text_bomb() -> bytes:
    """Make a PNG whose compressed comment unpacks to 100 MB."""
    comment = b"Comment\x00\x00" + zlib.compress(b"a" * 100_000_000, 9)
    return png(1, 1, zlib.compress(b"\x00\x00"), chunk(b"zTXt", comment))


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\nshowpage\n"
HTML = b"<!doctype html><script>alert(1)</script>"
