"""Bring a backup back."""

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
from adminpanel.backups import files, postgresql, sqlite
from adminpanel.backups.archive import Archive, Manifest, Refused
from config.db.former_schema import ORIGIN, has_former_schema

# What every database has without anybody having entered something.
OF_THE_SITE = {"django_migrations", "django_content_type", "auth_permission", "accounts_heartbeat"}
# Of an empty index, on SQLite (`doctors/directory/search_index.py`).
OF_THE_SITE |= {"doctors_search_inside_data", "doctors_search_inside_config"}


@dataclass
class Restored:
    """What came of it."""

    manifest: Manifest
    files_stored: int
    # The backup was of an older release, and the migrations since have been done.
    was_older: bool


def unknown_and_waiting(manifest: Manifest) -> tuple[list[str], list[str]]:
    """Return the backup's migrations that this release does not have, and this release's that the backup lacks."""
    ours = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    theirs = {f"{app}.{name}" for app, names in manifest.migrations.items() for name in names}
    return sorted(theirs - ours), sorted(ours - theirs)


def checked(path: Path, expected: str = "") -> Archive:
    """Read a whole backup; raises Refused unless it is as it was written and this release can use it."""
    archive = Archive(path, expected)
    manifest = archive.manifest
    if manifest.engine != connection.vendor:
        raise Refused(f"{path} is a backup of {manifest.engine}, and this site's database is {connection.vendor}.")
    if has_former_schema(manifest.tables):
        raise Refused(f"{path} {ORIGIN}: restore it with that version.")
    if unknown := unknown_and_waiting(manifest)[0]:
        raise Refused(f"{path} comes from a newer release: this one does not have {', '.join(unknown)}.")
    return archive


def restore(path: Path, now: datetime, *, replace: bool = False, expected: str = "") -> Restored:
    """Bring everything back, or change nothing; raises Refused.

    Rows change in one transaction, after the files they name are in place. Every session ends with it, since one that
    was ended after the backup would live again, and the trail says that it was done.
    """
    archive = checked(path, expected)
    manifest = archive.manifest
    engine = sqlite if connection.vendor == "sqlite" else postgresql
    # Beside the archive: there is room for it, and the same people may read both.
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as scratch:
        loading = engine.Loading(manifest, Path(scratch))
        rows, migrations = loading.standing()
        if not replace and any(number for table, number in rows.items() if table not in OF_THE_SITE):
            raise Refused("The database is not empty. Say --replace to give up what is in it.")
        loading.refuse_unfit(migrations)
        for name, content in archive.parts(engine.parts(manifest)):
            loading.take(name, content)
        loading.check(ending(archive.digest, manifest, now))
        stored = 0
        wanted = {f"files/{file}" for file in manifest.files} & manifest.parts.keys()
        for name, content in archive.parts(wanted):
            stored += files.put_back(name.removeprefix("files/"), content.read())
        loading.finish()
    waiting = unknown_and_waiting(manifest)[1]
    if waiting:
        call_command("migrate", interactive=False, verbosity=0)
    return Restored(manifest, stored, bool(waiting))


def ending(digest: str, manifest: Manifest, now: datetime) -> list[tuple[str, list[Any]]]:
    """Return what is done to the rows before anybody sees them: statements, since they may be older than the models."""
    is_sqlite = connection.vendor == "sqlite"
    moment: Any = f"{now:%Y-%m-%d %H:%M:%S.%f}" if is_sqlite else now
    detail = orjson.dumps({"made_at": manifest.made_at}).decode()
    columns = (
        "recorded_at, event, action, outcome, agent_role, source_address, entity_type, entity_id, request_id, detail"
    )
    values = [moment, "data.restored", Action.EXECUTE, Outcome.SUCCESS, "", "", "backup", digest[:32], "", detail]
    places = ", ".join(["%s"] * (len(values) - 1) + ["%s" if is_sqlite else "%s::jsonb"])
    return [
        ("UPDATE accounts_session SET ended_at = %s, ended_because = %s WHERE ended_at IS NULL", [moment, RESTORED]),
        (f"INSERT INTO accounts_auditevent ({columns}) VALUES ({places})", [*map(plain, values)]),  # noqa: S608 - ours
    ]


def plain(value: Any) -> Any:
    """Return a choice as the text it is; drivers know nothing of enumerations."""
    return str(value) if isinstance(value, str) else value
