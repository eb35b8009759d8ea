"""Sanitize one untrusted file in a separate process with limited memory and CPU time.

`validation.py` runs this as a script, without Django: the file's type is an argument, its content comes on standard
input. The output is one line, `ok` or a code of `REJECTION_MESSAGES`, and after `ok` the sanitized file.
"""

import importlib
import io
import re
import resource
import sys
from pathlib import Path
from typing import Any, Literal

MAX_IMAGE_SIDE = 4096
MAX_AVATAR_SIDE = 512
# EXIF orientation (JEITA CP-3451, tag 274), and the `PIL.Image.Transpose` that undoes each value.
ORIENTATION_TAG = 0x0112
TRANSPOSE_METHODS = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}

# A progressive JPEG has some 10 scans, a baseline one at most 4. Each scan costs a pass over all pixels, even if it
# has only a few bytes.
MAX_SCANS = 100
# JPEG segments, PNG or WebP chunks. Encoders write pixels in chunks of 4 kB and more.
MAX_SEGMENTS = 10_000
# A JPEG marker with a length: no stuffed or fill byte, no standalone marker (ITU-T T.81, B.1.1).
MARKER = re.compile(rb"\xff([^\x00\xff\x01\xd0-\xd7])")


class RejectedError(Exception):
    """The file is not accepted; the message is a code of `REJECTION_MESSAGES`."""


def limit_resources(memory_bytes: int, cpu_seconds: int) -> None:
    """Restrict this process for good."""
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    # No file may be written, and no core dump.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def sanitize_pdf(content: bytes) -> bytes:
    rewriter = importlib.import_module("pdf_rewriter")
    try:
        pdf: bytes = rewriter.rewrite_pdf(content)
    except rewriter.PdfRejectedError as error:
        raise RejectedError(str(error)) from error
    return pdf


def reject_expensive_image(content: bytes) -> None:
    """Reject an image with far more parts than an encoder writes, before anything decodes it."""
    if content.startswith(b"\xff\xd8"):
        count_scans(content)
    elif content.startswith(b"\x89PNG"):
        count_chunks(content, 8, "big")
    elif content.startswith(b"RIFF"):
        count_chunks(content, 12, "little")


def count_scans(content: bytes) -> int:
    """Count the scans of a JPEG by their SOS markers, as libjpeg finds them; raise RejectedError for too many."""
    scans = segments = 0
    offset = 2
    while match := MARKER.search(content, offset):
        marker = match[1]
        if marker == b"\xd9":
            break
        scans += marker == b"\xda"
        segments += 1
        if scans > MAX_SCANS or segments > MAX_SEGMENTS:
            raise RejectedError("too_much")
        offset = match.end() + int.from_bytes(content[match.end() : match.end() + 2], "big")
    return scans


def count_chunks(content: bytes, offset: int, order: Literal["big", "little"]) -> int:
    """Count the chunks of a PNG ("big") or a WebP ("little") from `offset` on; raise RejectedError for too many."""
    chunks = 0
    end = len(content) if order == "big" else 8 + int.from_bytes(content[4:8], order)
    while offset < min(end, len(content)):
        chunks += 1
        if chunks > MAX_SEGMENTS:
            raise RejectedError("too_much")
        # A PNG chunk is size, name, data and checksum; a WebP chunk is name, size and padded data.
        if content[offset + 4 : offset + 8] == b"IEND":
            break
        if order == "big":
            offset += 12 + int.from_bytes(content[offset : offset + 4], order)
        else:
            size = int.from_bytes(content[offset + 4 : offset + 8], order)
            offset += 8 + size + size % 2
    return chunks


def open_image(content: bytes, formats: tuple[str, ...], max_pixels: int, max_side: int, unreadable: str) -> Any:
    """Decode a still image, a JPEG at a reduced size if that still covers `max_side`; raise RejectedError."""
    from PIL import Image, ImageFile

    Image.MAX_IMAGE_PIXELS = None
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        image = Image.open(io.BytesIO(content), formats=formats)
    except Exception as error:
        raise RejectedError(unreadable) from error
    if image.width * image.height > max_pixels:
        raise RejectedError("too_many_pixels")
    # Some phones append a second image to a JPEG (MPO); the first one is the photograph.
    if image.format != "MPO" and getattr(image, "n_frames", 1) != 1:
        raise RejectedError("animated")
    image.draft("RGB", (max_side, max_side))
    image.load()
    return convert_to_8_bits(image)


def has_alpha(image: Any) -> bool:
    return image.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in image.info


def encode_pixels(image: Any, image_format: str, **options: Any) -> bytes:
    """Encode the bare pixels, so that no metadata or trailing bytes are copied."""
    from PIL import Image

    out = io.BytesIO()
    Image.frombytes(image.mode, image.size, image.tobytes()).save(out, image_format, **options)
    return out.getvalue()


def sanitize_image(content: bytes, kind: str, max_pixels: int) -> bytes:
    """Re-encode an image, upright and at most 4096 px; raise RejectedError."""
    from PIL import Image

    image = open_image(content, (kind,), max_pixels, MAX_IMAGE_SIDE, unreadable="broken")
    mode = "RGBA" if has_alpha(image) and kind != "JPEG" else "RGB"
    plain = image if image.mode == mode else image.convert(mode)
    plain.thumbnail((MAX_IMAGE_SIDE, MAX_IMAGE_SIDE), Image.Resampling.HAMMING)
    options: dict[str, Any] = {
        "JPEG": {"quality": 88},
        "PNG": {"compress_level": 2},
        "WEBP": {"quality": 88, "method": 0},
    }[kind]
    return encode_pixels(apply_orientation(plain, image), kind, **options)


def apply_orientation(pixels: Any, image: Any) -> Any:
    """Return pixels rotated according to the EXIF data of the picture they come from."""
    from PIL import Image

    try:
        method = TRANSPOSE_METHODS.get(image.getexif().get(ORIENTATION_TAG, 1))
    except Exception:  # noqa: BLE001 - hostile EXIF makes its reader raise almost anything
        method = None
    return pixels if method is None else pixels.transpose(Image.Transpose(method))


def convert_to_8_bits(image: Any) -> Any:
    """Scale 16-bit gray to 8 bits; Pillow's own conversion clips it at 255, which turns it white."""
    if image.mode != "I" and not image.mode.startswith("I;16"):
        return image
    scaled = image.convert("I").point(lambda gray: gray * (1 / 257)).convert("L")
    scaled.info = image.info
    return scaled


def sanitize_avatar(content: bytes, max_pixels: int) -> bytes:
    """Re-encode a profile picture as WebP, upright and at most 512 px; raise RejectedError."""
    from PIL import Image

    formats = ("JPEG", "PNG", "WEBP")
    image = open_image(content, formats, max_pixels, MAX_AVATAR_SIDE * 2, unreadable="not_a_picture")
    small = image.convert("RGBA" if has_alpha(image) else "RGB")
    small.thumbnail((MAX_AVATAR_SIDE, MAX_AVATAR_SIDE), Image.Resampling.LANCZOS)
    return encode_pixels(apply_orientation(small, image), "WEBP", quality=82, method=4)


def sanitize(kind: str, content: bytes, max_pixels: int) -> bytes:
    if kind == "PDF":
        return sanitize_pdf(content)
    reject_expensive_image(content)
    if kind == "PORTRAIT":
        return sanitize_avatar(content, max_pixels)
    return sanitize_image(content, kind, max_pixels)


def main(kind: str, max_pixels: str, memory: str, seconds: str) -> None:
    # At the end of the path, so that no file of this folder shadows a module of the standard library.
    sys.path.append(str(Path(__file__).parent))
    # Import before writing is forbidden, so that Python can cache the bytecode.
    importlib.import_module("pdf_rewriter" if kind == "PDF" else "PIL.Image")
    limit_resources(int(memory), int(seconds))
    content = sys.stdin.buffer.read()
    try:
        output = b"ok\n" + sanitize(kind, content, int(max_pixels))
    except RejectedError as error:
        output = str(error).encode() + b"\n"
    except MemoryError:
        output = b"too_much\n"
    except Exception:  # noqa: BLE001 - decoders raise anything on a damaged file
        output = b"broken\n"
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
