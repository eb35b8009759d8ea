"""Files that no address leads to: attachments of records, evidence of doctors; calls of the API hand them out."""

import re
import secrets
import unicodedata
from contextlib import suppress
from pathlib import PurePosixPath

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.http import Http404

from accounts.admitted_files import EXTENSIONS, Admitted
from accounts.text_rules import NOT_IN_A_LINE

LONGEST_NAME = 120


def private_files() -> Storage:
    """Answer the storage that no address leads to."""
    return storages["records"]


def keep(folder: str, file: Admitted) -> str:
    """Store a file under a name that nobody can guess; answers the name."""
    extension = EXTENSIONS[file.content_type][0]
    return save_whole(private_files(), f"{folder}/{secrets.token_hex(16)}{extension}", file.content)


def save_whole(storage: Storage, name: str, content: bytes) -> str:
    """Save a file under a name that nothing has, whole or not at all; answers the name."""
    try:
        return storage.save(name, ContentFile(content))
    except BaseException:
        # Where the disk is full, a part of it stands there.
        with suppress(Exception):
            storage.delete(name)
        raise


def forget(stored_as: str) -> None:
    """Take a file off the storage; one that is not there any more is no failure."""
    private_files().delete(stored_as)


def content_of(stored_as: str) -> bytes:
    """Read a file; raises Http404 where the storage has lost it."""
    try:
        with private_files().open(stored_as) as file:
            content: bytes = file.read()
    except FileNotFoundError as lost:
        raise Http404 from lost
    return content


def shown_name(name: str, content_type: str) -> str:
    """Answer a name that can be shown and saved under: one line, no folders, an ending that says what it is."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = re.sub(r'[<>:"|?*]', "_", NOT_IN_A_LINE.sub("", last)).strip(" .")
    path = PurePosixPath(clean or "file")
    extensions = EXTENSIONS[content_type]
    ending = path.suffix if path.suffix.lower() in extensions else extensions[0]
    stem = path.stem if path.suffix.lower() in extensions else path.name
    return f"{stem[: LONGEST_NAME - len(ending)].strip()}{ending}"
