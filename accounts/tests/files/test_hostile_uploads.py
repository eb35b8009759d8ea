"""Hostile files by every way in: a portrait by upload and by link, the evidence for a license, odd names and types.

Appointments' attachments have the same in `appointments/tests/records/test_attachments.py`.
"""

import io
import os
import resource
import struct
import subprocess
import sys
import time
import zlib
from itertools import cycle

import pytest
from django.conf import settings
from django.core.files.storage import default_storage, storages
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from accounts.files import avatars, remote_image
from accounts.files import validation as file_validation
from accounts.files.private_storage import safe_file_name
from accounts.files.validation import (
    MEMORY_LIMIT_BYTES,
    PDF_CPU_SECONDS,
    REJECTION_MESSAGES,
    WORKER_PATH,
    FileRejectedError,
    sanitize_file,
)
from accounts.models import User
from accounts.tests.files.hostile_files import HOSTILE, pdf
from accounts.tests.files.hostile_pictures import CORPUS, MARK
from accounts.tests.files.pictures import chunk, picture
from doctors.models import Verification

pytestmark = pytest.mark.either_engine

PROFILE = "/api/auth/profile"
EVIDENCE = "/api/doctors/verification"
CLAIM = {
    "licenseNumber": "EX-7701",
    "licenseAuthority": "Example Board",
    "licenseRegion": "Ohio",
    "licenseExpiresOn": "2099-01-01",
}

# How a file is judged does not depend on the way it came: by link and as evidence come one in so many of the files, and
# all of them with 1. All portraits are uploaded here, all documents as attachments of appointments.
EVERY = int(os.environ.get("HOSTILE_FILES_EVERY", "5"))

# Names that lead elsewhere, lie, or break what shows them.
NAMES = {
    "up and away": "../../../etc/passwd",
    "from the root": "/etc/cron.d/run",
    "windows": "C:\\Windows\\System32\\run.exe",
    "a zero byte": "license.pdf\x00.exe",
    "turned around": "license\u202efdp.exe",
    "300 letters": "l" * 300 + ".pdf",
    "lines": 'a"\r\nSet-Cookie: token=1\r\n\r\n<script>.pdf',
    "markup": "<img src=x onerror=alert(1)>.pdf",
    "nothing": "",
    "dots": "...",
    "a device": "CON.pdf",
    "two endings": "license.pdf.exe",
    "a formula": "=cmd|'/C calc'!A1.pdf",
    "percent": "%2e%2e%2fpasswd%00.pdf",
    "other letters": "Лицензия 許可証.pdf",
    "stacked marks": "z\u0300\u0301\u0302" * 40 + ".pdf",
    "no end": "license",
    "only an end": ".pdf",
}


@pytest.fixture
def linked(monkeypatch):
    """Return a picture's link with what a test says, past the network."""
    answers = []
    monkeypatch.setattr(remote_image, "fetch_image", lambda link: answers[-1])
    return answers


def kept_portrait() -> bytes:
    [name] = default_storage.listdir("pictures")[1]
    with default_storage.open(f"pictures/{name}") as file:
        return bytes(file.read())


def is_ours(content: bytes, original: bytes) -> bool:
    """Return whether a kept portrait is a plain WebP that shares no run of bytes with what came."""
    with Image.open(io.BytesIO(content)) as shown:
        plain = (shown.format, max(shown.size) <= 512, dict(shown.getexif())) == ("WEBP", True, {})
        clean = not {"icc_profile", "xmp", "exif", "comment"} & set(shown.info)
    # RIFF, its size, WEBP, and one or two chunks of pixels that fill the file to its end.
    whole = len(content) == int.from_bytes(content[4:8], "little") + 8
    tail = original[-16:]
    return plain and clean and whole and MARK not in content and tail not in content


@pytest.mark.parametrize(
    ("name", "road"), [*((name, "upload") for name in CORPUS), *((name, "link") for name in [*CORPUS][::EVERY])]
)
def test_portrait_is_rejected_with_a_reason_or_reencoded(patient, client_of, linked, name, road):
    make, why = CORPUS[name]
    content = make()
    if road == "link":
        linked.append(content)
        answer = client_of(patient).put(PROFILE, {"profilePicture": "https://p.example.com/a.jpg"}, format="json")
        field = "profilePicture"
    else:
        sent = SimpleUploadedFile("me.jpg", content, "image/jpeg")
        answer = client_of(patient).put(PROFILE, {"image": sent}, format="multipart")
        field = "image"

    if why is None:
        assert answer.status_code == 200, answer.json()
        assert is_ours(kept_portrait(), content)
    else:
        assert (answer.status_code, answer.json()["errors"]) == (400, {field: [why]})
        assert not default_storage.exists("pictures")
        assert User.objects.get().picture == ""


@pytest.mark.parametrize("name", [*HOSTILE][::EVERY])
def test_evidence_is_refused_with_a_reason(users, client_of, name, monkeypatch):
    make, code = HOSTILE[name]
    sent = SimpleUploadedFile("license.pdf", make(), "application/pdf")
    answer = client_of(users.unapproved_doctor.user).post(EVIDENCE, {**CLAIM, "document": sent}, format="multipart")

    # An empty part is refused as a field before anybody looks at it.
    why = answer.json()["errors"]["document"][0] if code == "empty" else REJECTION_MESSAGES[code]
    assert (answer.status_code, answer.json()["errors"]) == (400, {"document": [why]})
    assert not storages["records"].exists("doctors")
    assert not Verification.objects.exclude(document_stored_as="").exists()


TYPES = ("application/pdf", "text/html", "image/svg+xml", "x/y; charset=utf-8", "application/x-msdownload")


@pytest.mark.parametrize(("name", "kind"), list(zip(NAMES, cycle(TYPES), strict=False)))
def test_file_name_and_declared_type_decide_nothing(users, client_of, name, kind):
    owner = client_of(users.unapproved_doctor.user)
    sent = SimpleUploadedFile("x", pdf(), kind)
    # Past Django's own cleaning of names, as a client would write it.
    sent._name = NAMES[name]
    answer = owner.post(EVIDENCE, {**CLAIM, "document": sent}, format="multipart")

    if answer.status_code == 400:
        # A name that cannot stand in a form's header, or that leaves no file.
        assert set(answer.json()["errors"]) <= {"document"}
        return
    assert answer.status_code == 201, answer.json()
    shown = answer.json()["data"]["case"]["document"]
    assert shown["contentType"] == "application/pdf"
    assert_tame(shown["name"])
    case = Verification.objects.get()
    assert case.document_stored_as.startswith(f"doctors/{users.unapproved_doctor.pk.hex}/")
    desk = client_of(users.admin)
    file = desk.get(f"/api/admin/doctors/{users.unapproved_doctor.pk}/cases/{case.pk}/document")
    assert (file.status_code, file["Content-Type"]) == (200, "application/pdf")
    assert file["Content-Disposition"].startswith("attachment; filename")
    assert not {"\r", "\n", "\x00"} & set(file["Content-Disposition"])


def assert_tame(name: str) -> None:
    assert name.endswith(".pdf")
    assert len(name) <= 120
    assert not set('/\\\x00\r\n"<>\u202e') & set(name), name
    assert not name.startswith("."), name


@pytest.mark.parametrize("name", NAMES)
def test_displayed_file_name_is_sanitized(name):
    assert_tame(safe_file_name(NAMES[name], "application/pdf"))


# --- Memory and time --------------------------------------------------------------------------


def heaviest() -> bytes:
    """A PNG with as many pixels as an attachment may have, 16 bits and four channels each: 400 MB to unpack."""
    width, height = 8_000, settings.MAX_ATTACHMENT_PIXELS // 8_000
    packer = zlib.compressobj(1)
    row = b"\x00" + b"\x01" * (width * 8)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


MEASURE = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-I", *sys.argv[1:]], stdin=sys.stdin, stdout=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak_of(content: bytes, kind: str, most_pixels: int) -> tuple[int, int]:
    """Examine a file as `run_sandboxed` does; return how the process ended and its peak memory in bytes."""
    program = [
        sys.executable,
        "-c",
        MEASURE,
        str(WORKER_PATH),
        kind,
        str(most_pixels),
        str(MEMORY_LIMIT_BYTES),
        str(PDF_CPU_SECONDS),
    ]
    done = subprocess.run(program, input=content, capture_output=True, check=True)
    code, kilobytes = map(int, done.stdout.split())
    return code, kilobytes * 1024


@pytest.mark.parametrize(
    ("make", "kind", "most"),
    [
        (CORPUS["16 megapixels in a few kilobytes"][0], "PORTRAIT", settings.MAX_PICTURE_PIXELS),
        (CORPUS["169 megapixels in a few kilobytes"][0], "PORTRAIT", settings.MAX_PICTURE_PIXELS),
        (CORPUS["a comment of 100 MB"][0], "PORTRAIT", settings.MAX_PICTURE_PIXELS),
        (heaviest, "PNG", settings.MAX_ATTACHMENT_PIXELS),
        (HOSTILE["pdf packed twice"][0], "PDF", settings.MAX_ATTACHMENT_PIXELS),
        (HOSTILE["pdf that unpacks to more than memory"][0], "PDF", settings.MAX_ATTACHMENT_PIXELS),
    ],
    ids=["16 megapixels", "169 megapixels", "a comment of 100 MB", "50 megapixels of 64 bits", "twice", "unpacks"],
)
def test_sandbox_worker_stays_below_its_limit_and_exits_cleanly(make, kind, most):
    code, peak = peak_of(make(), kind, most)
    assert code == 0
    assert 5 * 1024**2 < peak < MEMORY_LIMIT_BYTES


def test_sandbox_process_cannot_exceed_its_memory_limit(monkeypatch):
    """The control of the test above: the limit is the process's own, and meeting it is an answer."""
    monkeypatch.setattr(file_validation, "MEMORY_LIMIT_BYTES", 160 * 1024**2)
    with pytest.raises(FileRejectedError) as refused:
        sanitize_file(heaviest())
    assert refused.value.code == "too_much"
    monkeypatch.setattr(file_validation, "MEMORY_LIMIT_BYTES", 40 * 1024**2)
    with pytest.raises(avatars.ImageRejectedError, match=avatars.TOO_COMPLEX_MESSAGE):
        avatars.sanitize_avatar(CORPUS["16 megapixels in a few kilobytes"][0]())


def test_sandbox_process_that_takes_too_long_is_terminated(monkeypatch, tmp_path):
    """By its own count of seconds at work, and by the clock on the wall when it only waits."""
    busy = tmp_path / "busy.py"
    busy.write_text("import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass\n")
    monkeypatch.setattr(file_validation, "WORKER_PATH", busy)
    with pytest.raises(FileRejectedError, match=REJECTION_MESSAGES["too_much"]):
        sanitize_file(pdf())
    asleep = tmp_path / "asleep.py"
    asleep.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(file_validation, "WORKER_PATH", asleep)
    monkeypatch.setattr(file_validation, "MAX_WAIT_SECONDS", 0.5)
    began = time.monotonic()
    with pytest.raises(avatars.ImageRejectedError, match=avatars.TOO_COMPLEX_MESSAGE):
        avatars.sanitize_avatar(picture("PNG"))
    # Not a matter of speed: it slept for a minute unless it was ended.
    assert time.monotonic() - began < 50


def test_cpu_limit_is_two_seconds_for_pictures_and_five_for_pdfs(monkeypatch, tmp_path):
    told = tmp_path / "told.py"
    told.write_text("import sys\nsys.stdout.write('ok\\n' + sys.argv[4])\n")
    monkeypatch.setattr(file_validation, "WORKER_PATH", told)
    assert sanitize_file(pdf()).content == b"5"
    assert sanitize_file(picture("JPEG")).content == b"2"
    assert avatars.sanitize_avatar(picture("PNG")) == b"2"


def test_sandbox_worker_confines_itself(tmp_path):
    """What it may not do, tried from inside."""
    tried = f"""
import sys
sys.path.insert(0, {str(WORKER_PATH.parent)!r})
import sandbox_worker, resource
sandbox_worker.limit_resources({MEMORY_LIMIT_BYTES}, {PDF_CPU_SECONDS})
print(resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_CPU)[0])
try:
    with open({str(tmp_path / "made")!r}, "wb") as file:
        file.write(b"x")
except OSError as refused:
    print(type(refused).__name__)
try:
    bytearray({MEMORY_LIMIT_BYTES} + 1)
except MemoryError:
    print("MemoryError")
"""
    done = subprocess.run([sys.executable, "-I", "-c", tried], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(MEMORY_LIMIT_BYTES), str(PDF_CPU_SECONDS), "OSError", "MemoryError"]
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY
