"""Files without a public URL (record attachments, evidence of doctors), which API views serve to permitted users."""

import re
import secrets
import unicodedata
from pathlib import PurePosixPath

from django.core.files.storage import Storage, storages
from django.http import Http404

from accounts.files import stored_files
from accounts.files.validation import EXTENSIONS, SanitizedFile
from accounts.text.fields import NOT_IN_A_LINE

PRIVATE_STORAGE = "records"
MAX_NAME_LENGTH = 120


def private_storage() -> Storage:
    return storages[PRIVATE_STORAGE]


def store_file(folder: str, file: SanitizedFile) -> str:
    """Store a file under an unguessable name and return it (claim it with `stored_files.claim_file`)."""
    name = f"{folder}/{secrets.token_hex(16)}{EXTENSIONS[file.content_type][0]}"
    stored_files.store_file(PRIVATE_STORAGE, name, file.content)
    return name


def read_file(stored_as: str) -> bytes:
    """Return a file's content; raise Http404 if the storage doesn't have it."""
    try:
        with private_storage().open(stored_as) as file:
            content: bytes = file.read()
    except FileNotFoundError as error:
        raise Http404 from error
    return content


def safe_file_name(name: str, content_type: str) -> str:
    """Return a name safe to display and to save under: one line, no folders, the extension of its content type."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = re.sub(r'[<>:"|?*]', "_", NOT_IN_A_LINE.sub("", last)).strip(" .")
    path = PurePosixPath(clean or "file")
    extensions = EXTENSIONS[content_type]
    ending = path.suffix if path.suffix.lower() in extensions else extensions[0]
    stem = path.stem if path.suffix.lower() in extensions else path.name
    return f"{stem[: MAX_NAME_LENGTH - len(ending)].strip()}{ending}"
