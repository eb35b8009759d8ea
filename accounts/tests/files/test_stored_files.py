"""Test that stored files and their rows stay consistent when the storage or the database fails."""

from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.files import stored_files
from accounts.files.stored_files import (
    RETRY_INTERVAL,
    UNCLAIMED_LIFETIME,
    claim_file,
    delete_due_files,
    delete_on_commit,
    discard_file,
    store_file,
)
from accounts.models import StrayFile
from accounts.tests.files.pictures import picture
from adminpanel.operations.housekeeping import run_round

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "somebody/abc.pdf"


@pytest.fixture
def records():
    return storages["records"]


@pytest.fixture
def away(monkeypatch):
    """A storage that is away until told otherwise."""
    real = storages["records"].delete

    def fail(name):
        raise OSError("the storage is away")

    monkeypatch.setattr(storages["records"], "delete", fail)
    return lambda: monkeypatch.setattr(storages["records"], "delete", real)


def test_referenced_file_is_kept(records):
    store_file("records", NAME, b"content")
    with transaction.atomic():
        claim_file("records", NAME)
    assert delete_due_files(timezone.now() + 2 * UNCLAIMED_LIFETIME) == 0
    assert records.exists(NAME)


def test_unreferenced_file_is_deleted_after_a_day(records):
    """As where a process dies between the storage and the database."""
    store_file("records", NAME, b"content")
    now = timezone.now()
    assert (delete_due_files(now), records.exists(NAME)) == (0, True)
    assert run_round(now + UNCLAIMED_LIFETIME + timedelta(minutes=1))["stray files deleted"] == 1
    assert (records.exists(NAME), StrayFile.objects.exists()) == (False, False)


def test_file_is_deleted_when_the_releasing_transaction_commits(records):
    store_file("records", NAME, b"content")
    claim_file("records", NAME)

    with transaction.atomic():
        delete_on_commit("records", NAME)
        transaction.set_rollback(True)
    assert (delete_due_files(timezone.now()), records.exists(NAME)) == (0, True)
    with transaction.atomic():
        delete_on_commit("records", NAME, "")
        assert records.exists(NAME)
    assert (records.exists(NAME), StrayFile.objects.exists()) == (False, False)


def test_unavailable_storage_is_retried(records, away):
    for name in ("a.pdf", "b.pdf"):
        store_file("records", name, b"content")
        claim_file("records", name)
    with transaction.atomic():
        delete_on_commit("records", "a.pdf", "b.pdf")
    now = timezone.now()
    assert [one.due_at > now for one in StrayFile.objects.all()] == [True, True]
    later = now + RETRY_INTERVAL + timedelta(minutes=1)
    assert (delete_due_files(now), delete_due_files(later)) == (0, 0)
    away()
    # Tried again an hour after the last failure, not in each round.
    assert delete_due_files(later + RETRY_INTERVAL) == 2
    assert not records.exists("a.pdf")
    assert not records.exists("b.pdf")


def test_one_run_deletes_a_limited_number_of_files(records, monkeypatch):
    monkeypatch.setattr(stored_files, "BATCH_SIZE", 2)
    for number in range(3):
        store_file("records", f"{number}.pdf", b"content")
    later = timezone.now() + 2 * UNCLAIMED_LIFETIME
    assert [delete_due_files(later), delete_due_files(later), delete_due_files(later)] == [2, 1, 0]


def test_failed_operation_leaves_no_file(records):
    store_file("records", NAME, b"content")
    discard_file("records", NAME)
    assert (records.exists(NAME), StrayFile.objects.exists()) == (False, False)


def test_replaced_portrait_is_deleted_and_the_new_one_referenced(users, client_of):
    for _ in range(2):
        answer = client_of(users.patient).put(
            "/api/auth/profile", {"image": SimpleUploadedFile("me.png", picture(), "image/png")}, format="multipart"
        )
        assert answer.status_code == 200, answer.json()
    users.patient.refresh_from_db()
    assert storages["default"].listdir("pictures")[1] == [users.patient.picture.removeprefix("pictures/")]
    assert not StrayFile.objects.exists()
