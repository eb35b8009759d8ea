"""The form of a backup: one tar of plain files, then a manifest with the SHA-256 of each, then the manifest's seal.

The seal is an HMAC with `BACKUP_KEY`, which is never in the archive, so that write access to the place where backups
are kept is not enough to make one. Nothing is ever unpacked by name: a reader compares the whole archive with its
manifest first, and then asks for the parts that the manifest names.
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
SEAL = "manifest.hmac"
# Of earlier releases: the manifest's own SHA-256, which anybody can compute.
UNKEYED_SEAL = "manifest.sha256"
# What the manifest is read into memory for at most; a million files take about half of it.
LONGEST_MANIFEST = 512 * 1024 * 1024
CHUNK = 1024 * 1024
GIVE_HASH = "Without the key, restore it only with --expect HASH, the hash that was printed when it was made."


class Refused(Exception):  # noqa: N818 - the name says what happened
    """This can't be backed up or restored; the message says why, for the operator."""


def seal_of(manifest: bytes, key: str) -> str:
    """Return the HMAC-SHA256 of a manifest, in hexadecimal."""
    return hmac.new(key.encode(), b"wellhour backup\0" + manifest, hashlib.sha256).hexdigest()


def sealing_key() -> str:
    """Return the key for a new backup; raises Refused without one."""
    if not settings.BACKUP_KEY:
        raise Refused("BACKUP_KEY is not set: set it to at least 32 random characters, and keep it apart from backups.")
    return str(settings.BACKUP_KEY)


class Readable(Protocol):
    """Whatever can be read from."""

    def read(self, size: int = -1, /) -> bytes: ...


@dataclass
class Manifest:
    """What a backup says of itself."""

    made_at: str
    engine: str
    # The applied migrations of each app.
    migrations: dict[str, list[str]]
    # How many rows each table has.
    tables: dict[str, int]
    # Which columns each table's part holds, and where its sequences stand; PostgreSQL alone.
    columns: dict[str, list[str]] = field(default_factory=dict)
    sequences: dict[str, list[Any]] = field(default_factory=dict)
    # The files that rows name, as `storage/name`, and those of them that the storage has lost.
    files: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    # SHA-256 and length of each part.
    parts: dict[str, list[Any]] = field(default_factory=dict)
    format: int = FORMAT

    def as_bytes(self) -> bytes:
        return orjson.dumps(asdict(self), option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2)


def is_plain(name: str) -> bool:
    """Return whether a name leads to a file below the folder it is looked up in, on any system."""
    pieces = name.split("/")
    return not re.search(r"[\\\x00-\x1f\x7f:]", name) and not {"", ".", ".."} & set(pieces)


class Writer:
    """Writes the parts of a backup, then what seals it."""

    def __init__(self, out: IO[bytes], key: str) -> None:
        self.key = key
        self.tar = tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - closed by `seal`
        self.parts: dict[str, list[Any]] = {}

    def add(self, name: str, content: Readable, size: int) -> None:
        """Add one part of `size` bytes."""
        reading = Hashing(content)
        self._entry(name, reading, size)
        self.parts[name] = [reading.digest.hexdigest(), size]

    def seal(self, manifest: Manifest) -> str:
        """Add the manifest and its seal, and finish; returns the manifest's hash."""
        manifest.parts = self.parts
        content = manifest.as_bytes()
        for name, text in ((MANIFEST, content), (SEAL, seal_of(content, self.key).encode())):
            self._entry(name, io.BytesIO(text), len(text))
        self.tar.close()
        return hashlib.sha256(content).hexdigest()

    def _entry(self, name: str, content: Any, size: int) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mode = size, 0o600
        self.tar.addfile(entry, content)


class Kept:
    """A part of an archive; raises Refused where the archive ends too early or can't be read."""

    def __init__(self, content: IO[bytes], path: Path) -> None:
        self.content = content
        self.path = path

    def read(self, size: int = -1) -> bytes:
        try:
            return self.content.read(size)
        except (tarfile.TarError, EOFError) as broken:
            raise Refused(f"{self.path} is damaged: {broken}.") from broken
        except OSError as unreadable:
            raise Refused(f"{self.path} can't be read: {unreadable.strerror}.") from unreadable


class Hashing:
    """A reader that hashes what goes through it."""

    def __init__(self, content: Readable) -> None:
        self.content = content
        self.digest = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self.content.read(size)
        self.digest.update(data)
        return data


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that only its owner reads and that appears under its name whole, on the disk, or not at all.

    Raises Refused when something has that name already.
    """
    if path.exists() or path.is_symlink():
        raise Refused(f"{path} is there already.")
    hidden = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    descriptor = os.open(hidden, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        hidden.rename(path)
    except BaseException:
        hidden.unlink(missing_ok=True)
        raise
    # The name itself must be on the disk too; some file systems can't say so, and are none the worse for it.
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


class Archive:
    """A backup that has been compared with its manifest, byte for byte."""

    def __init__(self, path: Path, expected: str = "") -> None:
        """Read the whole archive; raises Refused unless every part is there as it was written, and nothing else.

        `expected` is the hash that was printed when the backup was made; without it the seal has to be of a key of
        this site.
        """
        self.path = path
        found: dict[str, list[Any]] = {}
        texts: dict[str, bytes] = {}
        for entry, content in self._entries():
            if entry.name in found or entry.name in texts:
                raise Refused(f"{path} holds {entry.name!r} twice.")
            if entry.name in {MANIFEST, SEAL, UNKEYED_SEAL}:
                if entry.size > LONGEST_MANIFEST:
                    raise Refused(f"{path} has a manifest that is too long.")
                texts[entry.name] = content.read()
                continue
            digest = hashlib.sha256()
            while data := content.read(CHUNK):
                digest.update(data)
            found[entry.name] = [digest.hexdigest(), entry.size]
        if texts.keys() not in ({MANIFEST, SEAL}, {MANIFEST, UNKEYED_SEAL}):
            raise Refused(f"{path} is no whole backup: its end is missing, or it is something else.")
        self.digest = hashlib.sha256(texts[MANIFEST]).hexdigest()
        if texts.get(UNKEYED_SEAL, self.digest.encode()) != self.digest.encode():
            raise Refused(f"{path} is damaged: its manifest is not as it was written.")
        if expected and expected != self.digest:
            raise Refused(f"{path} is not the backup with the hash {expected}; it has {self.digest}.")
        if not expected:
            self._check_seal(texts[MANIFEST], texts.get(SEAL))
        self.manifest = read_manifest(path, texts[MANIFEST])
        self._compare(found)

    def _check_seal(self, manifest: bytes, seal: bytes | None) -> None:
        """Raise Refused unless the manifest was sealed with one of this site's keys."""
        if seal is None:
            raise Refused(f"{self.path} was made by an older release, whose seal has no key. {GIVE_HASH}")
        keys = [key for key in (settings.BACKUP_KEY, *settings.BACKUP_KEY_FALLBACKS) if key]
        if not keys:
            raise Refused(f"{self.path} is sealed with a key, and BACKUP_KEY is not set. Set it. {GIVE_HASH}")
        if not any(hmac.compare_digest(seal_of(manifest, key).encode(), seal) for key in keys):
            raise Refused(
                f"{self.path} was changed, or is sealed with another key than BACKUP_KEY and BACKUP_KEY_FALLBACKS."
                f" {GIVE_HASH}"
            )

    def _compare(self, found: dict[str, list[Any]]) -> None:
        """Hold what was found against the manifest; raises Refused when one has what the other does not."""
        for name in sorted(found.keys() | self.manifest.parts.keys()):
            if name not in found:
                raise Refused(f"{self.path} is damaged: {name!r} is missing.")
            if name not in self.manifest.parts:
                raise Refused(f"{self.path} holds {name!r}, which its manifest does not know.")
            if found[name] != self.manifest.parts[name]:
                raise Refused(f"{self.path} is damaged: {name!r} is not as it was written.")

    def _entries(self) -> Iterator[tuple[tarfile.TarInfo, "Kept"]]:
        """Walk over the archive; raises Refused for whatever is no plain file with a plain name."""
        try:
            with tarfile.open(self.path, "r:") as tar:
                for entry in tar:
                    # A file with holes is as long as it says, however few bytes it brings.
                    is_file = entry.type == tarfile.REGTYPE and not entry.issparse()
                    content = tar.extractfile(entry) if is_file else None
                    if content is None or not is_plain(entry.name):
                        raise Refused(f"{self.path} holds {entry.name!r}, which no backup does.")
                    yield entry, Kept(content, self.path)
                    # The list of what was read would grow with the archive.
                    tar.members = []  # type: ignore[attr-defined]  # a plain list, as its documentation says
        except (tarfile.TarError, EOFError) as broken:
            raise Refused(f"{self.path} is damaged, or no backup: {broken}.") from broken
        except OSError as unreadable:
            raise Refused(f"{self.path} can't be read: {unreadable.strerror}.") from unreadable

    def parts(self, wanted: set[str]) -> Iterator[tuple[str, Hashing]]:
        """Hand out these parts in the archive's order; raises Refused when one has changed since it was compared."""
        for entry, content in self._entries():
            if entry.name in wanted:
                reading = Hashing(content)
                yield entry.name, reading
                while reading.read(CHUNK):
                    pass
                if reading.digest.hexdigest() != self.manifest.parts[entry.name][0]:
                    raise Refused(f"{self.path} has changed while it was read.")


def read_manifest(path: Path, content: bytes) -> Manifest:
    """Take a manifest apart; raises Refused for another format."""
    try:
        manifest = Manifest(**orjson.loads(content))
    except (ValueError, TypeError) as unknown:
        raise Refused(f"{path} has a manifest of another format; a newer release may read it.") from unknown
    if manifest.format != FORMAT:
        raise Refused(f"{path} has format {manifest.format}; this release reads format {FORMAT}.")
    wanted = {f"files/{name}" for name in manifest.files} - {f"files/{name}" for name in manifest.lost}
    if not wanted <= manifest.parts.keys():
        raise Refused(f"{path} is damaged: files are missing that its manifest names.")
    return manifest
