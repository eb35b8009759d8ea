"""Files that no address leads to: attachments of records, evidence of doctors; calls of the API hand them out."""

import re
import secrets
import unicodedata
from pathlib import PurePosixPath

from django.core.files.storage import Storage, storages
from django.http import Http404

from accounts.files import stored_files
from accounts.files.validation import EXTENSIONS, Admitted
from accounts.text.fields import NOT_IN_A_LINE

STORAGE = "records"
LONGEST_NAME = 120


def private_files() -> Storage:
    """Return the storage that no address leads to."""
    return storages[STORAGE]


def keep(folder: str, file: Admitted) -> str:
    """Store a file under a name that nobody can guess; return the name (see `stored_files.named`)."""
    name = f"{folder}/{secrets.token_hex(16)}{EXTENSIONS[file.content_type][0]}"
    stored_files.store(STORAGE, name, file.content)
    return name


def content_of(stored_as: str) -> bytes:
    """Read a file; raises Http404 where the storage has lost it."""
    try:
        with private_files().open(stored_as) as file:
            content: bytes = file.read()
    except FileNotFoundError as lost:
        raise Http404 from lost
    return content


def shown_name(name: str, content_type: str) -> str:
    """Return a name that can be shown and saved under: one line, no folders, an ending that says what it is."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = re.sub(r'[<>:"|?*]', "_", NOT_IN_A_LINE.sub("", last)).strip(" .")
    path = PurePosixPath(clean or "file")
    extensions = EXTENSIONS[content_type]
    ending = path.suffix if path.suffix.lower() in extensions else extensions[0]
    stem = path.stem if path.suffix.lower() in extensions else path.name
    return f"{stem[: LONGEST_NAME - len(ending)].strip()}{ending}"
