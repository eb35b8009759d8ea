"""Files and the rows that name them: neither a crash nor a storage that is away leaves a file that no row names.

A storage takes no part in a transaction. So each file has a `StrayFile` row from before it is stored until the
transaction that names it, and again from the one that lets go of it until it is deleted. What such a row names when it
is due, the housekeeping deletes, and tries again where the storage is away.
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

# Much longer than any transaction that is to name a file.
NAMED_WITHIN = timedelta(days=1)
TRY_AGAIN_AFTER = timedelta(hours=1)
BATCH = 100


def store(storage: str, name: str, content: bytes) -> None:
    """Store a file under a name that no other has; it is deleted unless `named` follows within a day."""
    stray = StrayFile.objects.create(storage=storage, name=name, due_at=timezone.now() + NAMED_WITHIN)
    try:
        storages[storage].save(name, ContentFile(content))
    except BaseException:
        # Where the disk is full, a part of it stands there.
        with contextlib.suppress(DatabaseError):
            delete(stray)
        raise


def named(storage: str, name: str) -> None:
    """Keep a file: in the transaction that writes its name into the row that it belongs to."""
    StrayFile.objects.filter(storage=storage, name=name).delete()


def let_go(storage: str, *names: str) -> None:
    """Delete files for good: in the transaction that takes their names out of the rows, and once that is final."""
    now = timezone.now()
    for name in filter(None, names):
        stray, _ = StrayFile.objects.update_or_create(storage=storage, name=name, defaults={"due_at": now})
        # Each on its own, so that one that fails leaves no other behind.
        transaction.on_commit(partial(delete, stray), robust=True)


def drop(storage: str, name: str) -> None:
    """Delete a file that was stored and then not named, since what was to name it failed."""
    # The database may be what failed; then the row that stands since before has it deleted tomorrow.
    with contextlib.suppress(DatabaseError):
        for stray in StrayFile.objects.filter(storage=storage, name=name):
            delete(stray)


def delete(stray: StrayFile) -> bool:
    """Delete a stray file and its row; where the storage is away, answer False and have it tried again later."""
    try:
        # One that is not there any more is no failure.
        storages[stray.storage].delete(stray.name)
    except Exception as failure:  # noqa: BLE001 - each storage raises what it likes, and none may end a round
        logger.warning("A file could not be deleted and will be tried again: %s", failure.__class__.__name__)
        StrayFile.objects.filter(pk=stray.pk).update(due_at=timezone.now() + TRY_AGAIN_AFTER)
        return False
    StrayFile.objects.filter(pk=stray.pk).delete()
    return True


def sweep(now: datetime) -> int:
    """Delete the stray files that are due, a bounded number in a round; return how many went."""
    return sum(map(delete, StrayFile.objects.filter(due_at__lte=now).order_by("due_at")[:BATCH]))
