"""Portraits: what is taken, how it is made harmless, where it is kept."""

import secrets

from django.conf import settings

from accounts.files import stored_files
from accounts.files.validation import FileRejectedError, examine

STORAGE = "default"

TOO_LARGE = f"The picture is larger than {settings.MAX_PICTURE_BYTES // (1024 * 1024)} MB."
NOT_A_PICTURE = "Choose a JPEG, PNG or WebP picture."
BROKEN = "The picture is damaged and can't be read."
ANIMATED = "Choose a still picture, not an animated one."
TOO_MANY_PIXELS = f"The picture has more than {settings.MAX_PICTURE_PIXELS // 1_000_000} megapixels."
TOO_MUCH = "This picture is too complex to be checked."
REFUSALS = {
    "not_a_picture": NOT_A_PICTURE,
    "broken": BROKEN,
    "animated": ANIMATED,
    "too_many_pixels": TOO_MANY_PIXELS,
    "too_much": TOO_MUCH,
}
# What the three kinds begin with; a process is started for nothing else.
BEGINNINGS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF")


class PictureRejectedError(Exception):
    """This is no picture that we take; the message says why, for a person."""


def harmless(content: bytes) -> bytes:
    """Re-encode a picture: upright, at most 512 px, WebP, without metadata or anything else that came along.

    Raises PictureRejectedError for all but a JPEG, PNG or WebP of the permitted size. The work is done in the confined
    process that examines all files of strangers, and raises `unavailable` when no place for it comes free in time.
    """
    if len(content) > settings.MAX_PICTURE_BYTES:
        raise PictureRejectedError(TOO_LARGE)
    if not content.startswith(BEGINNINGS):
        raise PictureRejectedError(NOT_A_PICTURE)
    try:
        word, _, kept = examine(content, "PORTRAIT", settings.MAX_PICTURE_PIXELS).partition(b"\n")
    except FileRejectedError as refused:
        raise PictureRejectedError(TOO_MUCH) from refused
    if word != b"ok":
        raise PictureRejectedError(REFUSALS.get(word.decode(), BROKEN))
    return kept


def keep(webp: bytes) -> str:
    """Store a re-encoded picture under a name that nobody can guess; return the name (see `stored_files.named`)."""
    name = f"pictures/{secrets.token_hex(16)}.webp"
    stored_files.store(STORAGE, name, webp)
    return name
