"""Keep files and the rows that reference them consistent, although a storage takes no part in a transaction.

Each file has a `StrayFile` row from before it is stored until the transaction that references it, and again from the
transaction that drops the reference until the file is deleted. Housekeeping deletes the files whose rows are due, and
retries while the storage is unavailable.
"""

import contextlib
import logging
from datetime import datetime, timedelta
from functools import partial

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.models.stored_file import StrayFile

logger = logging.getLogger(__name__)

# Much longer than any request between storing a file and referencing it.
UNCLAIMED_LIFETIME = timedelta(days=1)
RETRY_INTERVAL = timedelta(hours=1)
BATCH_SIZE = 100


def store_file(storage: str, name: str, content: bytes) -> None:
    """Store a file under a unique name; it is deleted unless `claim_file` follows within a day."""
    stray = StrayFile.objects.create(storage=storage, name=name, due_at=timezone.now() + UNCLAIMED_LIFETIME)
    try:
        storages[storage].save(name, ContentFile(content))
    except BaseException:
        # A full disk leaves part of the file behind.
        with contextlib.suppress(DatabaseError):
            delete_stray(stray)
        raise


def claim_file(storage: str, name: str) -> None:
    """Keep a stored file. Call this in the transaction that writes its name into a row."""
    StrayFile.objects.filter(storage=storage, name=name).delete()


def delete_on_commit(storage: str, *names: str) -> None:
    """Delete files after the commit. Call this in the transaction that removes their names from the rows."""
    now = timezone.now()
    for name in filter(None, names):
        stray, _ = StrayFile.objects.update_or_create(storage=storage, name=name, defaults={"due_at": now})
        # `robust`: one that fails doesn't keep the others.
        transaction.on_commit(partial(delete_stray, stray), robust=True)


def discard_file(storage: str, name: str) -> None:
    """Delete a stored file at once, because the transaction that should have claimed it failed."""
    # If the database is unavailable too, housekeeping deletes the file by its row.
    with contextlib.suppress(DatabaseError):
        for stray in StrayFile.objects.filter(storage=storage, name=name):
            delete_stray(stray)


def delete_stray(stray: StrayFile) -> bool:
    """Delete a stray file and its row; if the storage fails, schedule a retry and return False."""
    try:
        storages[stray.storage].delete(stray.name)
    except Exception as failure:  # noqa: BLE001 - each storage has its own exceptions
        logger.warning("A file could not be deleted and will be tried again: %s", failure.__class__.__name__)
        StrayFile.objects.filter(pk=stray.pk).update(due_at=timezone.now() + RETRY_INTERVAL)
        return False
    StrayFile.objects.filter(pk=stray.pk).delete()
    return True


def delete_due_files(now: datetime) -> int:
    """Delete up to `BATCH_SIZE` stray files that are due; return how many were deleted."""
    return sum(map(delete_stray, StrayFile.objects.filter(due_at__lte=now).order_by("due_at")[:BATCH_SIZE]))
