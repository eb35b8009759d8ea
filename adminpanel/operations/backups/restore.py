"""Restore a backup."""

import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from accounts.audit.log import Action, Outcome
from accounts.auth.sessions import RESTORED
from adminpanel.operations.backups import media, postgresql, sqlite
from adminpanel.operations.backups.archive import Archive, BackupError, Manifest
from config.db.former_schema import ORIGIN, has_former_schema

# Tables that have rows in an empty site.
SYSTEM_TABLES = {"django_migrations", "django_content_type", "auth_permission", "accounts_heartbeat"}
# Of an empty index, on SQLite (`doctors/directory/search_index.py`).
SYSTEM_TABLES |= {"doctors_search_inside_data", "doctors_search_inside_config"}


@dataclass
class RestoreResult:
    manifest: Manifest
    stored_files: int
    # The backup was of an older release, and the migrations since have been applied.
    is_migrated: bool


def compare_migrations(manifest: Manifest) -> tuple[list[str], list[str]]:
    """Return the backup's migrations that this release does not have, and this release's that the backup lacks."""
    ours = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    theirs = {f"{app}.{name}" for app, names in manifest.migrations.items() for name in names}
    return sorted(theirs - ours), sorted(ours - theirs)


def open_archive(path: Path, expected_hash: str = "") -> Archive:
    """Return an archive that is intact and that this release can restore; raise BackupError for any other."""
    archive = Archive(path, expected_hash)
    manifest = archive.manifest
    if manifest.engine != connection.vendor:
        raise BackupError(f"{path} is a backup of {manifest.engine}, and this site's database is {connection.vendor}.")
    if has_former_schema(manifest.tables):
        raise BackupError(f"{path} {ORIGIN}: restore it with that version.")
    unknown_migrations, _ = compare_migrations(manifest)
    if unknown_migrations:
        raise BackupError(f"{path} comes from a newer release: this one does not have {', '.join(unknown_migrations)}.")
    return archive


def restore_backup(path: Path, now: datetime, *, replace: bool = False, expected_hash: str = "") -> RestoreResult:
    """Restore everything, or change nothing and raise BackupError.

    Rows change in one transaction, after the files they name are in place. It also ends every session, since one that
    was ended after the backup would be valid again, and audits the restore.

    Args:
        path: The archive.
        now: The time of the restore.
        replace: Whether rows that exist may be discarded.
        expected_hash: The hash that was printed when the backup was made.
    """
    archive = open_archive(path, expected_hash)
    manifest = archive.manifest
    engine = sqlite if connection.vendor == "sqlite" else postgresql
    # Beside the archive, where there is room for it and the same people may read both.
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        loader = engine.Loader(manifest, Path(folder))
        counts, migrations = loader.inspect_database()
        if not replace and any(count for table, count in counts.items() if table not in SYSTEM_TABLES):
            raise BackupError("The database is not empty. Say --replace to give up what is in it.")
        loader.check_migrations(migrations)
        for name, content in archive.iterate_parts(engine.list_parts(manifest)):
            loader.extract(name, content)
        loader.prepare(list_final_statements(archive.hash, manifest, now))
        stored_files = 0
        names = {f"files/{file}" for file in manifest.files} & manifest.parts.keys()
        for name, content in archive.iterate_parts(names):
            stored_files += media.restore_file(name.removeprefix("files/"), content.read())
        loader.load()
    _, missing_migrations = compare_migrations(manifest)
    if missing_migrations:
        call_command("migrate", interactive=False, verbosity=0)
    return RestoreResult(manifest, stored_files, bool(missing_migrations))


def list_final_statements(digest: str, manifest: Manifest, now: datetime) -> list[tuple[str, list[Any]]]:
    """Return the SQL that ends all sessions and audits the restore; the tables may be older than the models."""
    is_sqlite = connection.vendor == "sqlite"
    moment: Any = f"{now:%Y-%m-%d %H:%M:%S.%f}" if is_sqlite else now
    detail = orjson.dumps({"made_at": manifest.made_at}).decode()
    columns = (
        "recorded_at, event, action, outcome, agent_role, source_address, entity_type, entity_id, request_id, detail"
    )
    # Drivers know nothing of enumerations.
    action, outcome = str(Action.EXECUTE), str(Outcome.SUCCESS)
    values = [moment, "data.restored", action, outcome, "", "", "backup", digest[:32], "", detail]
    placeholders = ", ".join(["%s"] * (len(values) - 1) + ["%s" if is_sqlite else "%s::jsonb"])
    return [
        ("UPDATE accounts_session SET ended_at = %s, ended_because = %s WHERE ended_at IS NULL", [moment, RESTORED]),
        (f"INSERT INTO accounts_auditevent ({columns}) VALUES ({placeholders})", values),  # noqa: S608 - our own names
    ]
