"""The uploaded files that rows name, in any of Django's storages: on disk or in S3."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from adminpanel.operations.backups.archive import BackupError, is_safe_name

# The columns that hold names of files: table, column, storage.
FILE_COLUMNS = (
    ("accounts_user", "picture", "default"),
    ("doctors_verification", "document_stored_as", "records"),
    ("appointments_attachment", "stored_as", "records"),
)

Query = Callable[[str], Iterable[Any]]


def list_named_files(tables: Iterable[str], query: Query) -> set[str]:
    """Return the files that rows name, as `storage/name`.

    `query` runs SQL, since the tables of a backup may be older than the models.
    """
    files = set()
    for table, column, storage in FILE_COLUMNS:
        if table in tables:
            rows = query(f"SELECT DISTINCT {column} FROM {table} WHERE {column} <> ''")  # noqa: S608 - our own names
            files |= {f"{storage}/{name}" for (name,) in rows}
    return files


def resolve(file: str) -> tuple[Storage, str]:
    """Return the storage of `storage/name`, and the name in it."""
    storage, _, name = file.partition("/")
    return storages[storage], name


def read_file(file: str) -> bytes | None:
    """Return a file's content; None if the storage does not have it."""
    storage, name = resolve(file)
    if not is_safe_name(name):
        return None
    with suppress(FileNotFoundError, SuspiciousFileOperation, IsADirectoryError), storage.open(name) as opened:
        data: bytes = opened.read()
        return data
    return None


def restore_file(file: str, data: bytes) -> bool:
    """Store a file under its old name; return False if it is there already.

    Raises:
        BackupError: The file can't be stored under that name.
    """
    storage, name = resolve(file)
    if not is_safe_name(name):
        raise BackupError(f"{file!r} is no name of a file.")
    existing_data = read_file(file)
    if existing_data == data:
        return False
    if existing_data is not None:
        # Names are random, so a file of this name with other content is this one, damaged.
        storage.delete(name)
    stored_name = storage.save(name, ContentFile(data))
    if stored_name != name:
        storage.delete(stored_name)
        raise BackupError(f"{file!r} can't be stored under its name.")
    return True
