"""Test the upload and removal of profile pictures."""

import io

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from accounts.files import avatars
from accounts.models import AuditEvent, User
from accounts.tests.files import pictures as made

pytestmark = pytest.mark.either_engine

PROFILE = "/api/auth/profile"


def upload(client, content: bytes, filename: str = "me.jpg", kind: str = "image/jpeg", **fields):
    return client.put(PROFILE, {"image": SimpleUploadedFile(filename, content, kind)} | fields, format="multipart")


def stored() -> list[str]:
    return default_storage.listdir("pictures")[1] if default_storage.exists("pictures") else []


def kept_content() -> bytes:
    [name] = stored()
    with default_storage.open(f"pictures/{name}") as file:
        return bytes(file.read())


GOOD = {
    "JPEG": made.picture("JPEG"),
    "PNG": made.picture("PNG"),
    "WebP": made.picture("WEBP"),
    "transparent": made.picture("PNG", mode="RGBA", color=(1, 2, 3, 4)),
    "palette": made.picture("PNG", mode="P", color=1),
    "16 bits": made.picture("PNG", mode="I;16", color=900),
    "gray, transparent": made.picture("PNG", mode="LA", color=(1, 2)),
    "black and white": made.picture("PNG", mode="1", color=1),
    "for print": made.picture("JPEG", mode="CMYK", color=(1, 2, 3, 4)),
    "gray": made.picture("JPEG", mode="L", color=7),
    "one pixel": made.picture("PNG", size=(1, 1)),
    "16 megapixels": made.picture("PNG", size=(4000, 4000)),
    "a line": made.picture("PNG", size=(16_000, 1)),
    "damaged EXIF": made.picture("JPEG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff" + b"\xff" * 40),
}


@pytest.mark.parametrize(("gray", "shown"), [(0, 0), (40_000, 156), (65_535, 255)])
def test_16_bit_gray_keeps_its_shade(gray, shown):
    portrait = Image.open(io.BytesIO(avatars.sanitize_avatar(made.picture("PNG", mode="I;16", color=gray))))

    assert portrait.convert("L").getpixel((0, 0)) == pytest.approx(shown, abs=1)


HOSTILE = {
    "nothing": (b"", avatars.NOT_AN_IMAGE_MESSAGE),
    "zeros": (b"\x00" * 100, avatars.NOT_AN_IMAGE_MESSAGE),
    "HTML": (made.HTML, avatars.NOT_AN_IMAGE_MESSAGE),
    "SVG": (made.SVG, avatars.NOT_AN_IMAGE_MESSAGE),
    "EPS": (made.EPS, avatars.NOT_AN_IMAGE_MESSAGE),
    "TIFF": (made.picture("TIFF"), avatars.NOT_AN_IMAGE_MESSAGE),
    "GIF": (made.picture("GIF"), avatars.NOT_AN_IMAGE_MESSAGE),
    "BMP": (made.picture("BMP"), avatars.NOT_AN_IMAGE_MESSAGE),
    "ICO": (made.picture("ICO"), avatars.NOT_AN_IMAGE_MESSAGE),
    "JPEG 2000": (made.picture("JPEG2000"), avatars.NOT_AN_IMAGE_MESSAGE),
    "animated PNG": (made.animated("PNG"), avatars.ANIMATED_MESSAGE),
    "animated WebP": (made.animated("WEBP"), avatars.ANIMATED_MESSAGE),
    "169 megapixels in a few kilobytes": (made.decompression_bomb(), avatars.TOO_MANY_PIXELS_MESSAGE),
    "the largest size that a PNG can claim": (made.png(2**31 - 1, 2**31 - 1, b""), avatars.TOO_MANY_PIXELS_MESSAGE),
    "just over 16 megapixels": (made.png(4001, 4000, b""), avatars.TOO_MANY_PIXELS_MESSAGE),
    "a comment of 100 MB": (made.text_bomb(), avatars.NOT_AN_IMAGE_MESSAGE),
    "no size": (made.png(0, 0, b""), avatars.NOT_AN_IMAGE_MESSAGE),
    "pixels that are none": (made.png(50, 50, b"no deflate stream"), avatars.DAMAGED_MESSAGE),
    "half a PNG": (made.noise("PNG")[:3000], avatars.DAMAGED_MESSAGE),
    "half a JPEG": (made.noise("JPEG")[:3000], avatars.DAMAGED_MESSAGE),
    "half a WebP": (made.noise("WEBP")[:3000], avatars.NOT_AN_IMAGE_MESSAGE),
    "a PNG's first bytes": (made.picture("PNG")[:30], avatars.NOT_AN_IMAGE_MESSAGE),
    "a JPEG's first bytes": (b"\xff\xd8\xff\xe0" + b"\x00" * 60, avatars.NOT_AN_IMAGE_MESSAGE),
}


def nearest(pixel) -> str:
    red, _, blue = pixel
    return "red" if red > 200 > 60 > blue else "blue" if blue > 200 > 60 > red else str(pixel)


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_picture_is_reencoded_as_a_small_webp(patient, client_of, content):
    answer = upload(client_of(patient), content, filename="../../etc/passwd.php", kind="text/html")

    assert answer.status_code == 200
    path = answer.json()["data"]["user"]["profilePicture"]
    [name] = stored()
    assert path == f"/media/pictures/{name}"
    assert len(name) == 32 + len(".webp")
    with Image.open(io.BytesIO(kept_content())) as kept:
        assert (kept.format, max(kept.size) <= 512, dict(kept.getexif())) == ("WEBP", True, {})


def test_picture_is_rotated_and_loses_its_metadata(patient, client_of):
    upload(client_of(patient), made.two_sided() + b"<script>alert('SECRET')</script>")

    content = kept_content()
    assert b"SECRET" not in content
    assert b"EXIF" not in content
    with Image.open(io.BytesIO(content)) as kept:
        upright = kept.convert("RGB")
    # Turned a quarter clockwise: what was on the left is on top.
    assert upright.size == (40, 80)
    assert [nearest(upright.getpixel((20, y))) for y in (10, 70)] == ["red", "blue"]


@pytest.mark.parametrize(("content", "why"), HOSTILE.values(), ids=HOSTILE)
def test_other_content_is_rejected_with_a_reason(patient, client_of, content, why):
    answer = upload(client_of(patient), content)

    assert (answer.status_code, answer.json()["errors"]) == (400, {"image": [why]})
    assert (stored(), User.objects.get().picture, AuditEvent.objects.count()) == ([], "", 0)


def test_a_file_of_more_than_five_megabytes_is_too_large(patient, client_of):
    answer = upload(client_of(patient), made.picture("PNG") + b"\x00" * (5 * 1024 * 1024))

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert answer.json()["errors"] == {"image": ["The picture is larger than 5 MB."]}
    assert stored() == []


def test_body_over_six_megabytes_is_not_read(patient, client_of):
    answer = upload(client_of(patient), b"\x00" * (7 * 1024 * 1024))

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("value", ["a text", "", None, 7, [], {}, ["a"], True])
def test_value_that_is_not_a_file_is_rejected(patient, client_of, value):
    answer = client_of(patient).put(PROFILE, {"image": value}, format="json")

    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["image"])


def test_a_new_picture_replaces_the_old_one(patient, client_of, django_capture_on_commit_callbacks):
    client = client_of(patient)
    upload(client, made.picture("PNG"))
    [first] = stored()

    with django_capture_on_commit_callbacks(execute=True):
        upload(client, made.picture("JPEG"))

    [second] = stored()
    assert second != first
    assert User.objects.get().picture == f"pictures/{second}"


def test_removed_picture_is_deleted(patient, client_of, django_capture_on_commit_callbacks):
    client = client_of(patient)
    upload(client, made.picture("PNG"))

    with django_capture_on_commit_callbacks(execute=True):
        answer = client.put(PROFILE, {"removeImage": True}, format="json")

    assert (answer.status_code, answer.json()["data"]["user"]["profilePicture"]) == (200, None)
    assert stored() == []


def test_removing_a_missing_picture_changes_nothing(patient, client_of):
    answer = client_of(patient).put(PROFILE, {"removeImage": "true"}, format="multipart")

    assert answer.status_code == 200
    assert AuditEvent.objects.count() == 0


def test_a_refused_change_keeps_the_old_picture_and_stores_no_new_one(patient, client_of):
    client = client_of(patient)
    upload(client, made.picture("PNG"))
    before = stored()

    assert upload(client, made.picture("PNG"), name="", phone="no phone").status_code == 400
    assert stored() == before


def test_a_failing_transaction_leaves_no_file_behind(patient, client_of, monkeypatch):
    monkeypatch.setattr("accounts.profile.record_event", lambda *args, **kwargs: 1 / 0)
    client = client_of(patient)
    client.raise_request_exception = False

    assert upload(client, made.picture("PNG")).status_code == 500
    assert (stored(), User.objects.get().picture) == ([], "")


def test_phone_jpeg_with_a_second_image_is_accepted(patient, client_of):
    out = io.BytesIO()
    first, second = Image.new("RGB", (64, 64), "red"), Image.new("RGB", (32, 32), "blue")
    first.save(out, "MPO", save_all=True, append_images=[second])

    assert upload(client_of(patient), out.getvalue()).status_code == 200
    with Image.open(io.BytesIO(kept_content())) as kept:
        assert kept.size == (64, 64)
