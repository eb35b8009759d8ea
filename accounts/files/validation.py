"""Validation of uploaded files: the type is detected from the content, and the file is sanitized in a sandbox."""

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

# CPU time of the sandbox. A photograph of 50 megapixels takes one second, a PDF of 2,000 pages 0.7 s; one with many
# small objects takes longer.
IMAGE_CPU_SECONDS = 2
PDF_CPU_SECONDS = 5
MAX_WAIT_SECONDS = 25.0
MEMORY_LIMIT_BYTES = 1024 * 1024 * 1024
WORKER_PATH = Path(__file__).with_name("sandbox_worker.py")

UNSUPPORTED_TYPE_MESSAGE = "Choose a PDF, or a JPEG, PNG or WebP picture."
REJECTION_MESSAGES = {
    "empty": "This file is empty.",
    "too_large": f"The file is larger than {settings.MAX_ATTACHMENT_BYTES // (1024 * 1024)} MB.",
    "not_taken": UNSUPPORTED_TYPE_MESSAGE,
    "two_in_one": "This file is also something else than it shows. Please save it again and add that one.",
    "active": "This PDF contains programs, films or other files. Please print it to a new PDF and add that one.",
    "encrypted": "This PDF is locked with a password. Please save it without one.",
    "too_much": "This file is too complex to be checked. Please add a simpler or smaller version of it.",
    "broken": "The file is damaged and can't be read.",
    "animated": "Choose a still picture, not an animated one.",
    "too_many_pixels": f"The picture has more than {settings.MAX_ATTACHMENT_PIXELS // 1_000_000} megapixels.",
}

# The test string for virus scanners, split so that no scanner flags this source file.
EICAR_SIGNATURE = b"EICAR-STANDARD" + b"-ANTIVIRUS-TEST-FILE"
PDF_TRAILER = re.compile(rb"%%EOF[\x00\t\n\x0c\r ]*\Z")
# Markup that a browser or a server would run if it mistook an image for a page.
HTML_MARKUP = re.compile(rb"<\?php|<script|<html|<!doctype|<iframe", re.IGNORECASE)
ARCHIVE_SIGNATURES = re.compile(rb"Rar!\x1a\x07|7z\xbc\xaf\x27\x1c")
EXTENSIONS = {
    "application/pdf": (".pdf",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/png": (".png",),
    "image/webp": (".webp",),
}

logger = logging.getLogger(__name__)
bulkhead = Bulkhead(
    "files", settings.MAX_CONCURRENT_FILE_CHECKS, settings.MAX_WAITING_FILE_CHECKS, seconds=MAX_WAIT_SECONDS
)


class FileRejectedError(Exception):
    """The file is not accepted; the message tells the user why."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(REJECTION_MESSAGES[code])


@dataclass(frozen=True, slots=True)
class SanitizedFile:
    content_type: str
    content: bytes


def sanitize_file(content: bytes) -> SanitizedFile:
    """Rewrite a PDF or a still picture in the sandbox, keeping only its pages or pixels.

    Raise FileRejectedError for a file that is not accepted, and `unavailable` if the sandbox is busy for too long.
    """
    if not content:
        raise FileRejectedError("empty")
    kind = detect_type(content)
    if EICAR_SIGNATURE in content:
        raise FileRejectedError("not_taken")
    if is_polyglot(content, kind):
        raise FileRejectedError("two_in_one")
    code, _, sanitized = run_sandboxed(content, kind).partition(b"\n")
    if code != b"ok":
        raise FileRejectedError(code.decode() if code.decode() in REJECTION_MESSAGES else "broken")
    if len(sanitized) > settings.MAX_ATTACHMENT_BYTES:
        raise FileRejectedError("too_large")
    return SanitizedFile("application/pdf" if kind == "PDF" else f"image/{kind.lower()}", sanitized)


def detect_type(content: bytes) -> str:
    """Return the type of a file from its first bytes; raise FileRejectedError for unsupported ones."""
    if content.startswith(b"%PDF-"):
        return "PDF"
    if content.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "WEBP"
    raise FileRejectedError("not_taken")


def is_polyglot(content: bytes, kind: str) -> bool:
    """Return whether another program could read this file as a different type."""
    if zipfile.is_zipfile(io.BytesIO(content)) or ARCHIVE_SIGNATURES.search(content):
        return True
    if kind == "PDF":
        return not PDF_TRAILER.search(content)
    if kind == "PNG" and not content.endswith(b"IEND\xaeB`\x82"):
        # A truncated PNG has no IEND at all; that one is damaged, not a polyglot.
        return b"IEND\xaeB`\x82" in content
    if kind == "WEBP" and len(content) > int.from_bytes(content[4:8], "little") + 9:
        return True
    return b"%PDF-" in content[:2048] or bool(HTML_MARKUP.search(content))


def run_sandboxed(content: bytes, kind: str, max_pixels: int = settings.MAX_ATTACHMENT_PIXELS) -> bytes:
    """Run the sandbox worker on a file once the bulkhead admits it; raise as `Bulkhead.acquire`."""
    with acquire_place(bulkhead):
        return run_worker(content, kind, max_pixels)


def run_worker(content: bytes, kind: str, max_pixels: int) -> bytes:
    limits = (str(max_pixels), str(MEMORY_LIMIT_BYTES), str(PDF_CPU_SECONDS if kind == "PDF" else IMAGE_CPU_SECONDS))
    try:
        process = subprocess.run(
            [sys.executable, "-I", str(WORKER_PATH), kind, *limits],
            input=content,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=MAX_WAIT_SECONDS,
            check=False,
            cwd="/",
            env={},
        )
    except subprocess.TimeoutExpired as error:
        raise FileRejectedError("too_much") from error
    if process.returncode:
        # The worker reached a resource limit or could not start.
        logger.warning("A file could not be examined: the process ended with %s.", process.returncode)
        raise FileRejectedError("too_much")
    return process.stdout
