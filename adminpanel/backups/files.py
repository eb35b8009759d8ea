"""Which files rows name, and the storages that keep them: on disk, in S3 or wherever Django's storages reach."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from adminpanel.backups.archive import Refused, is_plain

# Where names of files stand: table, column, and the storage that the name leads into.
NAMED_BY = (
    ("accounts_user", "picture", "default"),
    ("doctors_verification", "document_stored_as", "records"),
    ("appointments_attachment", "stored_as", "records"),
)

Query = Callable[[str], Iterable[Any]]


def named(tables: Iterable[str], query: Query) -> set[str]:
    """Return the files that rows name, as `storage/name`. `query` runs SQL; a backup may be older than the models."""
    found = set()
    for table, column, storage in NAMED_BY:
        if table in tables:
            rows = query(f"SELECT DISTINCT {column} FROM {table} WHERE {column} <> ''")  # noqa: S608 - our own names
            found |= {f"{storage}/{name}" for (name,) in rows}
    return found


def whereabouts(file: str) -> tuple[Storage, str]:
    """Return the storage and the name in it."""
    storage, _, name = file.partition("/")
    return storages[storage], name


def content(file: str) -> bytes | None:
    """Read a file; None when the storage does not have it."""
    storage, name = whereabouts(file)
    if not is_plain(name):
        return None
    with suppress(FileNotFoundError, SuspiciousFileOperation, IsADirectoryError), storage.open(name) as opened:
        data: bytes = opened.read()
        return data
    return None


def put_back(file: str, data: bytes) -> bool:
    """Store a file under its old name; False when it stands there already. Raises Refused where that can't be done."""
    storage, name = whereabouts(file)
    if not is_plain(name):
        raise Refused(f"{file!r} is no name of a file.")
    standing = content(file)
    if standing == data:
        return False
    if standing is not None:
        # Names are drawn at random, so a file of this name with other content is this one, damaged.
        storage.delete(name)
    stored = storage.save(name, ContentFile(data))
    if stored != name:
        storage.delete(stored)
        raise Refused(f"{file!r} can't be stored under its name.")
    return True
