"""Profile pictures: validation, re-encoding and storage."""

import secrets

from django.conf import settings

from accounts.files import stored_files
from accounts.files.validation import FileRejectedError, run_sandboxed

AVATAR_STORAGE = "default"

TOO_LARGE_MESSAGE = f"The picture is larger than {settings.MAX_PICTURE_BYTES // (1024 * 1024)} MB."
NOT_AN_IMAGE_MESSAGE = "Choose a JPEG, PNG or WebP picture."
DAMAGED_MESSAGE = "The picture is damaged and can't be read."
ANIMATED_MESSAGE = "Choose a still picture, not an animated one."
TOO_MANY_PIXELS_MESSAGE = f"The picture has more than {settings.MAX_PICTURE_PIXELS // 1_000_000} megapixels."
TOO_COMPLEX_MESSAGE = "This picture is too complex to be checked."
REJECTION_MESSAGES = {
    "not_a_picture": NOT_AN_IMAGE_MESSAGE,
    "broken": DAMAGED_MESSAGE,
    "animated": ANIMATED_MESSAGE,
    "too_many_pixels": TOO_MANY_PIXELS_MESSAGE,
    "too_much": TOO_COMPLEX_MESSAGE,
}
# JPEG, PNG and WebP; anything else is rejected without starting a process.
MAGIC_NUMBERS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF")


class ImageRejectedError(Exception):
    """The picture is not accepted; the message tells the user why."""


def sanitize_avatar(content: bytes) -> bytes:
    """Re-encode a picture in the sandbox: upright, at most 512 px, WebP, without metadata.

    Raise ImageRejectedError for anything but a JPEG, PNG or WebP of the permitted size, and `unavailable` if the
    sandbox is busy for too long.
    """
    if len(content) > settings.MAX_PICTURE_BYTES:
        raise ImageRejectedError(TOO_LARGE_MESSAGE)
    if not content.startswith(MAGIC_NUMBERS):
        raise ImageRejectedError(NOT_AN_IMAGE_MESSAGE)
    try:
        code, _, webp = run_sandboxed(content, "PORTRAIT", settings.MAX_PICTURE_PIXELS).partition(b"\n")
    except FileRejectedError as error:
        raise ImageRejectedError(TOO_COMPLEX_MESSAGE) from error
    if code != b"ok":
        raise ImageRejectedError(REJECTION_MESSAGES.get(code.decode(), DAMAGED_MESSAGE))
    return webp


def store_avatar(webp: bytes) -> str:
    """Store a re-encoded picture under an unguessable name and return it (claim it with `stored_files.claim_file`)."""
    name = f"pictures/{secrets.token_hex(16)}.webp"
    stored_files.store_file(AVATAR_STORAGE, name, webp)
    return name
