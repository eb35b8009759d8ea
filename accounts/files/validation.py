"""Which files may be attached to an appointment: told by their content alone, and made harmless."""

import io
import logging
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from accounts.throttling.expensive_requests import acquire_place
from config.http.concurrency_limit import Bulkhead

# CPU time of the process that examines a file. A photograph of 50 megapixels takes one second, a PDF of 2,000 pages
# 0.7 s; one with many small objects takes longer.
PICTURE_SECONDS = 2
PDF_SECONDS = 5
LONGEST_WAIT = 25.0
MEMORY = 1024 * 1024 * 1024
EXAMINER = Path(__file__).with_name("sandbox_worker.py")

NOT_TAKEN = "Choose a PDF, or a JPEG, PNG or WebP picture."
REFUSALS = {
    "empty": "This file is empty.",
    "too_large": f"The file is larger than {settings.MAX_ATTACHMENT_BYTES // (1024 * 1024)} MB.",
    "not_taken": NOT_TAKEN,
    "two_in_one": "This file is also something else than it shows. Please save it again and add that one.",
    "active": "This PDF contains programs, films or other files. Please print it to a new PDF and add that one.",
    "encrypted": "This PDF is locked with a password. Please save it without one.",
    "too_much": "This file is too complex to be checked. Please add a simpler or smaller version of it.",
    "broken": "The file is damaged and can't be read.",
    "animated": "Choose a still picture, not an animated one.",
    "too_many_pixels": f"The picture has more than {settings.MAX_ATTACHMENT_PIXELS // 1_000_000} megapixels.",
}

# The string by which virus scanners are tried (EICAR), in two parts so that none takes this file for it.
SCANNER_TEST = b"EICAR-STANDARD" + b"-ANTIVIRUS-TEST-FILE"
PDF_END = re.compile(rb"%%EOF[\x00\t\n\x0c\r ]*\Z")
# What a browser or a server would run, should it be led to take a picture for a page.
MARKUP = re.compile(rb"<\?php|<script|<html|<!doctype|<iframe", re.IGNORECASE)
OTHER_ARCHIVES = re.compile(rb"Rar!\x1a\x07|7z\xbc\xaf\x27\x1c")
EXTENSIONS = {
    "application/pdf": (".pdf",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/webp": (".webp",),
}

logger = logging.getLogger(__name__)
bulkhead = Bulkhead("files", settings.FILES_EXAMINED_AT_ONCE, settings.FILES_WAITING, seconds=LONGEST_WAIT)


class FileRejectedError(Exception):
    """This is no file that we take; the message says why, for a person."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(REFUSALS[code])


@dataclass(frozen=True, slots=True)
class Admitted:
    """A file that may be kept, as it will be handed out."""

    content_type: str
    content: bytes


def admitted(content: bytes) -> Admitted:
    """Return what may be kept of a PDF or a still picture: the same pages or pixels, written again.

    The work is done in a process of its own, with at most 1 GB and 5 s (2 s for a picture). Raises FileRejectedError
    for a file that is not accepted, and `unavailable` when no place for it comes free in time.
    """
    if not content:
        raise FileRejectedError("empty")
    kind = kind_of(content)
    if SCANNER_TEST in content:
        raise FileRejectedError("not_taken")
    if is_two_in_one(content, kind):
        raise FileRejectedError("two_in_one")
    code, _, kept = examine(content, kind).partition(b"\n")
    if code != b"ok":
        raise FileRejectedError(code.decode() if code.decode() in REFUSALS else "broken")
    if len(kept) > settings.MAX_ATTACHMENT_BYTES:
        raise FileRejectedError("too_large")
    return Admitted("application/pdf" if kind == "PDF" else f"image/{kind.lower()}", kept)


def kind_of(content: bytes) -> str:
    """Return the type of a file by its first bytes; its name says nothing. Raises FileRejectedError."""
    if content.startswith(b"%PDF-"):
        return "PDF"
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "WEBP"
    raise FileRejectedError("not_taken")


def is_two_in_one(content: bytes, kind: str) -> bool:
    """Return whether another program would find something else in this file."""
    if zipfile.is_zipfile(io.BytesIO(content)) or OTHER_ARCHIVES.search(content):
        return True
    if kind == "PDF":
        return not PDF_END.search(content)
    if kind == "PNG" and not content.endswith(b"IEND\xaeB`\x82"):
        # A picture that is only cut short has no end at all; that one is damaged, not two.
        return b"IEND\xaeB`\x82" in content
    if kind == "WEBP" and len(content) > int.from_bytes(content[4:8], "little") + 9:
        return True
    return b"%PDF-" in content[:2048] or bool(MARKUP.search(content))


def examine(content: bytes, kind: str, most_pixels: int = settings.MAX_ATTACHMENT_PIXELS) -> bytes:
    """Have a confined process read the file when it is this caller's turn; raises as `Bulkhead.acquire`."""
    with acquire_place(bulkhead):
        return examine_apart(content, kind, most_pixels)


def examine_apart(content: bytes, kind: str, most_pixels: int) -> bytes:
    """Return what a confined process says of the file and makes of it; called by `examine` alone."""
    limits = (str(most_pixels), str(MEMORY), str(PDF_SECONDS if kind == "PDF" else PICTURE_SECONDS))
    try:
        done = subprocess.run(
            [sys.executable, "-I", str(EXAMINER), kind, *limits],
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST_WAIT,
            check=False,
            cwd="/",
            env={},
        )
    except subprocess.TimeoutExpired as slow:
        raise FileRejectedError("too_much") from slow
    if done.returncode:
        # It came to its limits, or could not work at all.
        logger.warning("A file could not be examined: the process ended with %s.", done.returncode)
        raise FileRejectedError("too_much")
    return done.stdout
