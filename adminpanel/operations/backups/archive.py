"""The archive: a tar of plain files, a manifest with the SHA-256 of each, and a signature of the manifest.

The signature is an HMAC with `BACKUP_KEY`, which is never in the archive, so write access to stored backups is not
enough to forge one. Nothing is extracted by name: a reader compares the whole archive with its manifest first, and then
asks for the parts that the manifest names.
"""

import hashlib
import hmac
import io
import os
import re
import secrets
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol

import orjson
from django.conf import settings

FORMAT = 1
MANIFEST = "manifest.json"
SIGNATURE = "manifest.hmac"
# The manifest is read into memory; a million files take about half of this.
MAX_MANIFEST_BYTES = 512 * 1024 * 1024
CHUNK_BYTES = 1024 * 1024
EXPECT_HINT = "Without the key, restore it only with --expect HASH, the hash that was printed when it was made."


class BackupError(Exception):
    """The message says, for the operator, why this can't be backed up or restored."""


def sign(manifest: bytes, key: str) -> str:
    """Return the HMAC-SHA256 of a manifest, in hexadecimal."""
    return hmac.new(key.encode(), b"wellhour backup\0" + manifest, hashlib.sha256).hexdigest()


def get_signing_key() -> str:
    """Return the key for a new backup; raise BackupError without one."""
    if not settings.BACKUP_KEY:
        raise BackupError(
            "BACKUP_KEY is not set: set it to at least 32 random characters, and keep it apart from backups."
        )
    return str(settings.BACKUP_KEY)


class Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


@dataclass
class Manifest:
    """What a backup holds."""

    made_at: str
    engine: str
    # The applied migrations of each app.
    migrations: dict[str, list[str]]
    # The number of rows of each table.
    tables: dict[str, int]
    # PostgreSQL only: the columns in each table's part, and the state of its sequences.
    columns: dict[str, list[str]] = field(default_factory=dict)
    sequences: dict[str, list[Any]] = field(default_factory=dict)
    # The files that rows name, as `storage/name`, and those of them that the storage has lost.
    files: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    # SHA-256 and length of each part.
    parts: dict[str, list[Any]] = field(default_factory=dict)
    format: int = FORMAT

    def to_json(self) -> bytes:
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)


def parse_manifest(path: Path, content: bytes) -> Manifest:
    """Return the manifest of the archive at `path`; raise BackupError for another format."""
    try:
        manifest = Manifest(**orjson.loads(content))
    except (ValueError, TypeError) as error:
        raise BackupError(f"{path} has a manifest of another format; a newer release may read it.") from error
    if manifest.format != FORMAT:
        raise BackupError(f"{path} has format {manifest.format}; this release reads format {FORMAT}.")
    names = {f"files/{name}" for name in manifest.files} - {f"files/{name}" for name in manifest.lost}
    if not names <= manifest.parts.keys():
        raise BackupError(f"{path} is damaged: files are missing that its manifest names.")
    return manifest


def is_safe_name(name: str) -> bool:
    """Return whether a name leads to a file below the folder it is looked up in, on any system."""
    segments = name.split("/")
    return not re.search(r"[\\\x00-\x1f\x7f:]", name) and not {"", ".", ".."} & set(segments)


class HashingReader:
    """A reader that hashes what goes through it."""

    def __init__(self, content: Readable) -> None:
        self.content = content
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self.content.read(size)
        self.digest.update(data)
        return data


class PipeWriter:
    """Lets `tarfile` write to a pipe: it asks for the position once, which a pipe does not know."""

    def __init__(self, out: IO[bytes]) -> None:
        self.out = out

    def write(self, data: bytes) -> int:
        return self.out.write(data)

    def tell(self) -> int:
        return 0


class ArchiveWriter:
    """Writes the parts of a backup, then its manifest and signature."""

    def __init__(self, out: IO[bytes] | PipeWriter, key: str) -> None:
        self.key = key
        # Closed by `finish`.
        file: Any = out  # it is only written to
        self.tar = tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - `finish` closes it
        self.parts: dict[str, list[Any]] = {}

    def add(self, name: str, content: Readable, size: int) -> None:
        """Add one part of `size` bytes."""
        reader = HashingReader(content)
        self._add_entry(name, reader, size)
        self.parts[name] = [reader.digest.hexdigest(), size]

    def finish(self, manifest: Manifest) -> str:
        """Add the manifest and its signature; return the manifest's hash."""
        manifest.parts = self.parts
        content = manifest.to_json()
        for name, text in ((MANIFEST, content), (SIGNATURE, sign(content, self.key).encode())):
            self._add_entry(name, io.BytesIO(text), len(text))
        self.tar.close()
        return hashlib.sha256(content).hexdigest()

    def _add_entry(self, name: str, content: Any, size: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        self.tar.addfile(entry, content)


@contextmanager
def create_atomically(path: Path) -> Iterator[IO[bytes]]:
    """Create a file that only its owner may read; it appears under its name complete and flushed, or not at all.

    Raises:
        BackupError: Something has that name already.
    """
    if path.exists() or path.is_symlink():
        raise BackupError(f"{path} already exists.")
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        temporary.rename(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    # Flush the rename too; some file systems don't support that.
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class EntryReader:
    """An entry of an archive; raises BackupError where the archive ends too early or can't be read."""

    def __init__(self, content: IO[bytes], path: Path) -> None:
        self.content = content
        self.path = path

    def read(self, size: int = -1) -> bytes:
        try:
            return self.content.read(size)
        except (tarfile.TarError, EOFError) as error:
            raise BackupError(f"{self.path} is damaged: {error}.") from error
        except OSError as error:
            raise BackupError(f"{self.path} can't be read: {error.strerror}.") from error


class Archive:
    """A backup that has been compared with its manifest, byte for byte."""

    def __init__(self, path: Path, expected_hash: str = "") -> None:
        """Read the whole archive; raise BackupError unless it holds every part as it was written, and nothing else.

        Args:
            path: The archive.
            expected_hash: The hash that was printed when the backup was made; without it, the signature must be of one
                of this site's keys.
        """
        self.path = path
        parts: dict[str, list[Any]] = {}
        texts: dict[str, bytes] = {}
        for entry, content in self._iterate_entries():
            if entry.name in parts or entry.name in texts:
                raise BackupError(f"{path} holds {entry.name!r} twice.")
            if entry.name in {MANIFEST, SIGNATURE}:
                if entry.size > MAX_MANIFEST_BYTES:
                    raise BackupError(f"{path} has a manifest that is too long.")
                texts[entry.name] = content.read()
                continue
            digest = hashlib.sha256()
            while data := content.read(CHUNK_BYTES):
                digest.update(data)
            parts[entry.name] = [digest.hexdigest(), entry.size]
        if texts.keys() != {MANIFEST, SIGNATURE}:
            raise BackupError(f"{path} is not a complete backup: its end is missing, or it is something else.")
        self.hash = hashlib.sha256(texts[MANIFEST]).hexdigest()
        if expected_hash and expected_hash != self.hash:
            raise BackupError(f"{path} is not the backup with the hash {expected_hash}; it has {self.hash}.")
        if not expected_hash:
            self._check_signature(texts[MANIFEST], texts[SIGNATURE])
        self.manifest = parse_manifest(path, texts[MANIFEST])
        self._compare_with_manifest(parts)

    def iterate_parts(self, names: set[str]) -> Iterator[tuple[str, HashingReader]]:
        """Yield these parts in the archive's order; raise BackupError if one has changed since it was compared."""
        for entry, content in self._iterate_entries():
            if entry.name in names:
                reader = HashingReader(content)
                yield entry.name, reader
                while reader.read(CHUNK_BYTES):
                    pass
                if reader.digest.hexdigest() != self.manifest.parts[entry.name][0]:
                    raise BackupError(f"{self.path} has changed while it was read.")

    def _check_signature(self, manifest: bytes, signature: bytes) -> None:
        """Raise BackupError unless the manifest was signed with one of this site's keys."""
        keys = [key for key in (settings.BACKUP_KEY, *settings.BACKUP_KEY_FALLBACKS) if key]
        if not keys:
            raise BackupError(f"{self.path} is signed with a key, and BACKUP_KEY is not set. Set it. {EXPECT_HINT}")
        if not any(hmac.compare_digest(sign(manifest, key).encode(), signature) for key in keys):
            raise BackupError(
                f"{self.path} was changed, or is signed with another key than BACKUP_KEY and BACKUP_KEY_FALLBACKS."
                f" {EXPECT_HINT}"
            )

    def _compare_with_manifest(self, parts: dict[str, list[Any]]) -> None:
        """Raise BackupError unless these are exactly the parts that the manifest names."""
        for name in sorted(parts.keys() | self.manifest.parts.keys()):
            if name not in parts:
                raise BackupError(f"{self.path} is damaged: {name!r} is missing.")
            if name not in self.manifest.parts:
                raise BackupError(f"{self.path} holds {name!r}, which its manifest does not know.")
            if parts[name] != self.manifest.parts[name]:
                raise BackupError(f"{self.path} is damaged: {name!r} is not as it was written.")

    def _iterate_entries(self) -> Iterator[tuple[tarfile.TarInfo, EntryReader]]:
        """Yield the archive's entries; raise BackupError for one that is no plain file with a safe name."""
        try:
            with tarfile.open(self.path, "r:") as tar:
                for entry in tar:
                    # A sparse file is as long as it says, however few bytes the archive holds.
                    is_file = entry.type == tarfile.REGTYPE and not entry.issparse()
                    content = tar.extractfile(entry) if is_file else None
                    if content is None or not is_safe_name(entry.name):
                        raise BackupError(f"{self.path} holds {entry.name!r}, which no backup does.")
                    yield entry, EntryReader(content, self.path)
                    # `tarfile` remembers every entry, which would take memory for each.
                    tar.members = []  # type: ignore[attr-defined]  # a plain list, as its documentation says
        except (tarfile.TarError, EOFError) as error:
            raise BackupError(f"{self.path} is damaged, or no backup: {error}.") from error
        except OSError as error:
            raise BackupError(f"{self.path} can't be read: {error.strerror}.") from error
