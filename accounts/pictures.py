"""Portraits: what is taken, how it is made harmless, where it is kept."""

import io
import secrets

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from PIL import Image, ImageOps

from accounts.private_files import save_whole

FORMATS = ("JPEG", "PNG", "WEBP")
LONGEST_SIDE = 512

TOO_LARGE = f"The picture is larger than {settings.MAX_PICTURE_BYTES // (1024 * 1024)} MB."
NOT_A_PICTURE = "Choose a JPEG, PNG or WebP picture."
BROKEN = "The picture is damaged and can't be read."
ANIMATED = "Choose a still picture, not an animated one."
TOO_MANY_PIXELS = f"The picture has more than {settings.MAX_PICTURE_PIXELS // 1_000_000} megapixels."

# Pillow's own bound only warns, and is far above ours, which is checked before anything is decoded.
Image.MAX_IMAGE_PIXELS = None


class PictureRefused(Exception):  # noqa: N818 - the name says what happened
    """This is no picture that we take; the message says why, for a person."""


def harmless(content: bytes) -> bytes:
    """Re-encode a picture: upright, at most 512 px, WebP, without metadata or anything else that came along.

    Raises PictureRefused for all but a JPEG, PNG or WebP of the permitted size.
    """
    if len(content) > settings.MAX_PICTURE_BYTES:
        raise PictureRefused(TOO_LARGE)
    try:
        # Only these three decoders are tried, whatever the name or the declared type says.
        picture = Image.open(io.BytesIO(content), formats=FORMATS)
    except Exception as unreadable:
        raise PictureRefused(NOT_A_PICTURE) from unreadable
    with picture:
        if picture.width * picture.height > settings.MAX_PICTURE_PIXELS:
            raise PictureRefused(TOO_MANY_PIXELS)
        # Some telephones write a second picture behind a JPEG (MPO); the first one is the photograph.
        if picture.format != "MPO" and getattr(picture, "n_frames", 1) != 1:
            raise PictureRefused(ANIMATED)
        try:
            return encoded(picture)
        except Exception as broken:
            raise PictureRefused(BROKEN) from broken


def encoded(picture: Image.Image) -> bytes:
    """Decode, turn upright, shrink and write as WebP."""
    # A JPEG can be decoded at a fraction of its size, which saves most of the memory.
    picture.draft("RGB", (LONGEST_SIDE * 2, LONGEST_SIDE * 2))
    picture.load()
    upright = turned_upright(picture)
    has_alpha = upright.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in upright.info
    small = upright.convert("RGBA" if has_alpha else "RGB")
    small.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    # From the bare pixels, so that no EXIF, colour profile, comment or trailing bytes are carried over.
    bare = Image.frombytes(small.mode, small.size, small.tobytes())
    out = io.BytesIO()
    bare.save(out, "WEBP", quality=82, method=4)
    return out.getvalue()


def turned_upright(picture: Image.Image) -> Image.Image:
    """Turn a picture as its EXIF says; damaged EXIF says nothing."""
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # noqa: BLE001 - hostile EXIF makes its reader raise almost anything
        return picture


def keep(webp: bytes) -> str:
    """Store a re-encoded picture under a name that nobody can guess; answers the name."""
    return save_whole(default_storage, f"pictures/{secrets.token_hex(16)}.webp", webp)


def forget(name: str) -> None:
    """Delete a stored picture once the transaction that let go of it is final."""
    if name:
        transaction.on_commit(lambda: default_storage.delete(name), robust=True)
