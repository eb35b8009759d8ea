"""Test the errors of an unavailable database and a full disk, on every kind of route."""

import errno

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import OperationalError, connection
from django.test import Client
from psycopg.errors import DiskFull

from accounts.auth import staff_login
from accounts.authentication import SessionTokenAuthentication
from accounts.files import stored_files
from config import spa
from config.api.errors import to_domain_error


def disk_full():
    """What each engine's driver raises, as Django hands it on."""
    if connection.vendor == "sqlite":
        return OperationalError("database or disk is full")
    full = OperationalError('could not extend file "base/1/2": No space left on device')
    full.__cause__ = DiskFull()
    return full


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_disk_is_507_for_files(code):
    rule = to_domain_error(OSError(code, "no room"))
    assert (rule.status, rule.code, rule.retry_after) == (507, "storage_full", 60)


def test_a_full_disk_is_507_for_rows():
    assert (to_domain_error(disk_full()).status, to_domain_error(disk_full()).code) == (507, "storage_full")
    assert (
        to_domain_error(OperationalError("away")).status,
        to_domain_error(OperationalError("away")).retry_after,
    ) == (503, 5)
    # Where there is room, an error of the disk is what it is.
    assert to_domain_error(OperationalError("disk I/O error")).status == 503
    assert to_domain_error(OSError(errno.EACCES, "not yours")) is None


@pytest.mark.parametrize(
    ("raised", "status", "retry"),
    [(OperationalError("away"), 503, "5"), (OSError(errno.ENOSPC, "no room"), 507, "60"), (ValueError(), 500, None)],
)
def test_full_disk_is_507_on_the_staff_site_and_media_too(monkeypatch, raised, status, retry):
    def fail(*_, **__):
        raise raised

    monkeypatch.setattr(SessionTokenAuthentication, "get_active_session", fail)
    monkeypatch.setattr(staff_login, "parse_token", lambda token: (None, ""))
    monkeypatch.setattr(spa.default_storage, "open", fail)
    client = Client(raise_request_exception=False)
    client.cookies["staff"] = "x"
    picture = "/media/pictures/0123456789abcdef0123456789abcdef.webp"
    # A picture that can't be opened is one that is not there.
    for address in ("/staff/", *([] if isinstance(raised, OSError) else [picture])):
        answer = client.get(address)
        assert (answer.status_code, answer.headers.get("Retry-After")) == (status, retry), address
        assert "Something went wrong on our side" in answer.content.decode()


@pytest.mark.django_db
def test_partially_written_file_is_deleted(tmp_path, monkeypatch):
    class Full(FileSystemStorage):
        def _save(self, name, content):
            super()._save(name, content)
            raise OSError(errno.ENOSPC, "no room")

    monkeypatch.setattr(stored_files, "storages", {"records": Full(tmp_path)})
    with pytest.raises(OSError, match="no room"):
        stored_files.store_file("records", "a/b.pdf", b"half")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert not stored_files.StrayFile.objects.exists()
