"""Test that the cost of decoding a picture is estimated from its parts before any decoder reads it."""

import io
import struct

import pytest
from PIL import Image

from accounts.files.sandbox_worker import MAX_SCANS, MAX_SEGMENTS, RejectedError, count_chunks, count_scans
from accounts.tests.files.hostile_files import many_chunks, many_scans, many_webp_chunks
from accounts.tests.files.hostile_pictures import thumbnail_inside, with_fill_bytes
from accounts.tests.files.pictures import noise, picture

pytestmark = pytest.mark.either_engine


def photograph(**settings: object) -> bytes:
    out = io.BytesIO()
    Image.effect_noise((160, 120), 90).convert("RGB").save(out, "JPEG", **settings)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "scans"),
    [
        (photograph(), 1),
        (photograph(progressive=True), 10),
        (photograph(restart_marker_blocks=1), 1),
        (with_fill_bytes(), 10),
        (thumbnail_inside(), 1),
        (photograph() + photograph(progressive=True), 1),
        (photograph(comment=b"\xff\xda" * 500), 1),
        (photograph()[:-2] + b"\xff\x00\xda" * 500 + b"\xff\xd9", 1),
        (many_scans(MAX_SCANS), MAX_SCANS),
        (b"\xff\xd8" + b"\xff" * 3_000_000, 0),
        (b"\xff\xd8\xff", 0),
    ],
    ids=[
        *("baseline", "progressive", "restarts", "fill bytes", "a picture inside", "a picture behind", "in a comment"),
        *("stuffed", "as many as may be", "fill bytes alone", "nothing"),
    ],
)
def test_jpeg_scans_are_counted_like_a_decoder_does(content, scans):
    assert count_scans(content) == scans


def test_one_scan_over_the_limit_is_rejected():
    with pytest.raises(RejectedError, match="too_much"):
        count_scans(many_scans(MAX_SCANS + 1))


def test_segments_of_a_jpeg_are_counted_too():
    with pytest.raises(RejectedError, match="too_much"):
        count_scans(b"\xff\xd8" + b"\xff\xfe\x00\x02" * (MAX_SEGMENTS + 1))


def test_png_chunks_are_counted_to_the_end_of_the_picture():
    # IHDR, one IDAT, IEND; zero bytes behind it are no chunks.
    assert count_chunks(picture("PNG") + bytes(12 * MAX_SEGMENTS * 2), 8, "big") == 3
    assert count_chunks(picture("WEBP") + bytes(12 * MAX_SEGMENTS * 2), 12, "little") == 1
    odd = b"ALPH" + struct.pack("<I", 3) + b"abc\0"
    body = picture("WEBP")[12:] + odd
    assert count_chunks(b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body, 12, "little") == 2


@pytest.mark.parametrize(("content", "place", "order"), [(many_chunks(), 8, "big"), (many_webp_chunks(), 12, "little")])
def test_too_many_chunks_are_refused(content, place, order):
    with pytest.raises(RejectedError, match="too_much"):
        count_chunks(content, place, order)


def test_ordinary_pictures_have_few_parts():
    assert count_chunks(noise("PNG"), 8, "big") < 10
    assert count_scans(noise("JPEG")) == 1
