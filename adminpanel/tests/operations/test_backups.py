"""What `backup` writes while people book is restored completely, and nothing else is accepted."""

import gzip
import hashlib
import io
import os
import random
import re
import sqlite3
import stat
import subprocess
import sys
import tarfile
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from accounts.audit import append_only
from accounts.tests.files.pictures import picture
from adminpanel.operations.backups import create, media
from adminpanel.operations.backups.archive import (
    MANIFEST,
    SIGNATURE,
    Archive,
    ArchiveWriter,
    BackupError,
    Manifest,
    parse_manifest,
)
from adminpanel.operations.backups.restore import open_archive, restore_backup
from appointments.tests.scheduling.booking_load import Bookers, appointments, halves
from appointments.tests.scheduling.concurrency import sign_in
from config.env.options import DEFAULT_BACKUP_KEY
from config.testing import ROOT, build_server, create_database, create_migrated_database, run_server
from config.tests.production import PRODUCTION

PDF = b"%PDF-1.4\n%%EOF\n"
AUDITED = "SELECT event, action, agent_role, entity_type, entity_id FROM accounts_auditevent WHERE event LIKE 'data.%'"


def run_command(server, *arguments):
    """Run a management command; return its exit code and output."""
    argv = [sys.executable, "manage.py", *arguments]
    result = subprocess.run(argv, check=False, cwd=ROOT, env=server.environment, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def read_content(server):
    """Return every row, without those that a restore itself writes, and the bytes of every file."""
    if server.is_sqlite:
        tables = server.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    else:
        tables = server.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    rows = {}
    for (table,) in tables:
        condition, columns = "", "*"
        if table == "accounts_auditevent":
            condition = " WHERE event NOT IN ('data.backed_up', 'data.restored')"
        if table == "accounts_session":
            columns = "id, user_id, created_at, expires_at, user_agent"
        rows[table] = sorted(map(repr, server.sql(f"SELECT {columns} FROM {table}{condition}")))
    del rows["accounts_heartbeat"]
    contents = {}
    for root in (server.environment["MEDIA_ROOT"], server.environment["RECORDS_ROOT"]):
        for path in sorted(Path(root).rglob("*")):
            if path.is_file():
                contents[str(path.relative_to(Path(root).parent))] = path.read_bytes()
    return rows, contents


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a running site with users, bookings, a portrait and an attachment; who books; and its folder."""
    folder = tmp_path_factory.mktemp("site")
    with run_server(folder, workers=2) as server:
        bookers = Bookers(server, 3)
        with bookers:
            bookers.wait_for(10)
        with httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[0]}, timeout=60) as patient:
            response = patient.put("/api/auth/profile", files={"image": ("me.jpg", picture("JPEG"), "image/jpeg")})
            assert response.status_code == 200, response.text
        server.manage(
            "shell", "-c",
            "from datetime import timedelta; from django.utils import timezone; from appointments.models import *;"
            "from accounts.files.private_storage import store_file;"
            "from accounts.files.validation import SanitizedFile;"
            "appointment = Appointment.objects.order_by('pk').first();"
            f"name = store_file(appointment.pk.hex, SanitizedFile('application/pdf', {PDF!r}));"
            "Attachment.objects.create(appointment=appointment, name='a.pdf', content_type='application/pdf',"
            f" size={len(PDF)}, sha256='0' * 64, stored_as=name, added_at=timezone.now(),"
            " added_by=appointment.patient);"
            "from accounts.audit import hash_chain;"
            " print(hash_chain.seal_events(timezone.now() + timedelta(hours=1)))",
        )  # fmt: skip
        yield server, bookers, folder


@pytest.fixture(scope="module")
def backup(site):
    """Return a backup of the idle site, the site's content, and the printed hash."""
    server, _, folder = site
    path = folder / "idle.tar"
    code, output = run_command(server, "backup", str(path))
    assert code == 0, output
    digest = re.search(r"Hash (\w+)", output)[1]
    assert ("data.backed_up", "R", "", "backup", digest[:32]) in server.sql(AUDITED)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in folder.iterdir() if file.name.startswith(".")] == []
    return path, read_content(server), digest


@pytest.fixture
def other_site(tmp_path):
    """Return another machine: an empty database and no files."""
    with create_database(tmp_path) as url:
        yield build_server(tmp_path, url)


def test_a_restored_site_is_the_one_that_was_backed_up(site, backup, other_site, tmp_path):
    path, content, digest = backup
    code, output = run_command(other_site, "restore", str(path), "--expect", digest)
    assert (code, "Everybody is signed out" in output) == (0, True), output
    assert read_content(other_site) == content
    assert other_site.sql(AUDITED) == [("data.restored", "E", "", "backup", digest[:32])]
    # The audit log is intact, and `/readyz` of the new site checks triggers and migrations.
    code, output = run_command(other_site, "verify_audit")
    assert (code, "The audit log was not altered." in output) == (0, True), output
    assert "not sealed yet" in output
    assert not output.startswith("0 rows")
    # Earlier sessions are over, signing in and booking work, ids go on where they were.
    try:
        other_site.start()
        with closing(sign_in(other_site, "patient1@example.com", "patient")) as client:
            response = client.get("/api/auth/profile", headers={"Authorization": site[1].tokens[0]})
            assert (response.status_code, response.json()["code"]) == (401, "session_ended")
            assert site[1].book(1, client).status_code == 201
        assert halves(other_site) == {}
    finally:
        other_site.stop()
    # A refused restore changes nothing: rows exist, or they are not those that the manifest counts.
    before = read_content(other_site)
    code, output = run_command(other_site, "restore", str(path))
    assert (code, "The database is not empty. Say --replace" in output) == (1, True), output
    assert read_content(other_site) == before
    miscounted = tmp_path / "miscounted.tar"
    rewrite_manifest(path, miscounted, lambda m: m.tables.update(accounts_user=m.tables["accounts_user"] + 1))
    code, output = run_command(other_site, "restore", str(miscounted), "--replace")
    assert (code, "Nothing was restored." in output, "Traceback" in output) == (1, True, False), output
    assert read_content(other_site) == before
    # With --replace everything is as in the backup again, and the site's role keeps its privileges.
    if not other_site.is_sqlite:
        other_site.sql("GRANT SELECT ON accounts_auditevent TO pg_monitor")
    code, output = run_command(other_site, "restore", str(path), "--replace")
    assert (code, " 0 files of the backup" in output) == (0, True), output
    assert read_content(other_site) == content
    assert other_site.sql("SELECT count(*) FROM accounts_session WHERE ended_at IS NULL") == [(0,)]
    if not other_site.is_sqlite:
        assert other_site.sql("SELECT has_table_privilege('pg_monitor', 'accounts_auditevent', 'SELECT')") == [(True,)]


def test_a_backup_amid_bookings_is_of_one_moment(site, other_site, tmp_path):
    server, bookers, _ = site
    path = tmp_path / "busy.tar"
    with bookers, httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[1]}, timeout=60) as client:
        bookers.wait_for(3)
        acknowledged = set(bookers.acknowledged)
        # Portraits are replaced meanwhile.
        process = subprocess.Popen([sys.executable, "manage.py", "backup", str(path)], cwd=ROOT, env=server.environment)
        while process.poll() is None:
            client.put("/api/auth/profile", files={"image": ("me.jpg", picture("JPEG"), "image/jpeg")})
            time.sleep(0.05)
        assert process.returncode == 0
    assert bookers.answers.keys() == {201}, (bookers.answers, bookers.odd)
    code, output = run_command(other_site, "restore", str(path))
    assert code == 0, output
    assert halves(other_site) == {}
    # Everything that was acknowledged before the backup began, and nothing that never was.
    assert acknowledged <= appointments(other_site) <= appointments(server)
    names = other_site.sql("SELECT picture FROM accounts_user WHERE picture <> ''")
    assert len(names) >= 1
    for (name,) in names:
        assert Path(other_site.environment["MEDIA_ROOT"], name).is_file()


def test_a_running_site_goes_on_with_what_was_restored(site, backup):
    server, bookers, _ = site
    path, (rows, _), _ = backup
    code, output = run_command(server, "restore", str(path), "--replace")
    assert code == 0, output
    assert len(appointments(server)) == len(rows["appointments_appointment"])
    with closing(sign_in(server, "patient2@example.com", "patient")) as client:
        bookers.tokens[2] = client.headers["Authorization"]
        assert bookers.book(2, client).status_code == 201
    assert halves(server) == {}
    assert len(appointments(server)) == len(rows["appointments_appointment"]) + 1


def test_no_file_is_overwritten_and_a_missing_folder_is_reported(backup, tmp_path):
    content = backup[0].read_bytes()
    with pytest.raises(CommandError, match=r"already exists\. No backup was written\."):
        call_command("backup", str(backup[0]))
    assert backup[0].read_bytes() == content
    with pytest.raises(CommandError, match=r"can't be written: .* No backup was written\."):
        call_command("backup", str(tmp_path / "no such folder" / "x.tar"))


def run_with_pipes(server, *arguments, stdin=b""):
    """Run a management command; return its exit code, and what it wrote to standard output and standard error."""
    argv = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(argv, check=False, cwd=ROOT, env=server.environment, input=stdin, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


def test_a_backup_is_written_to_and_restored_from_a_pipe(site, other_site, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for each in (site[0], other_site):
        each.environment["TMPDIR"] = str(temporary)
    try:
        code, archive, errors = run_with_pipes(site[0], "backup", "-")
        assert code == 0, errors
        rows, stored_files = read_content(site[0])
    finally:
        del site[0].environment["TMPDIR"]
    summary = re.search(
        r"^Wrote standard output: (\d+ rows in \d+ tables), (\d files)\.\nHash (\w{64})\n\Z", errors, re.MULTILINE
    )
    row_count, file_count, digest = summary.groups()
    # The whole output is the archive.
    path = tmp_path / "piped.tar"
    path.write_bytes(archive)
    assert Archive(path).hash == digest

    code, output, errors = run_with_pipes(other_site, "restore", "-", "--check", stdin=archive)
    assert code == 0, errors
    assert re.fullmatch(rb"Standard input, made at [^ ]+, is complete and can be restored here\.\n", output)
    code, output, errors = run_with_pipes(other_site, "restore", "-", "--expect", digest, stdin=archive)
    assert code == 0, errors
    assert output.decode().startswith(f"Restored {row_count} and {file_count} of")
    restored_rows, restored_files = read_content(other_site)
    assert restored_rows == rows
    # The site may still have portraits that were replaced.
    assert f"{len(restored_files)} files" == file_count
    assert restored_files.items() <= stored_files.items()
    assert list(temporary.iterdir()) == []


@pytest.mark.either_engine
def test_a_truncated_pipe_is_refused(backup, other_site):
    content = backup[0].read_bytes()
    for stdin in (b"", content[: len(content) // 2]):
        code, output, errors = run_with_pipes(other_site, "restore", "-", stdin=stdin)
        assert (code, output) == (1, b"")
        assert re.search(r"^CommandError: Standard input is [^/]+ Nothing was restored\.\n\Z", errors, re.MULTILINE)


@pytest.mark.either_engine
def test_a_pipe_that_nobody_reads_is_reported(site):
    server = site[0]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as out:
        done = subprocess.run(
            [sys.executable, "manage.py", "backup", "-"],
            check=False, cwd=ROOT, env=server.environment, stdout=out, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "CommandError: standard output can't be written: Broken pipe. No backup was written."
    )


@pytest.mark.either_engine
def test_terminals_are_refused(monkeypatch, db):
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    with pytest.raises(CommandError, match=r"Standard output is a terminal.* No backup was written\."):
        call_command("backup", "-")
    with pytest.raises(CommandError, match=r"Standard input is a terminal.* Nothing was restored\."):
        call_command("restore", "-")


def read_parts(path):
    with tarfile.open(path) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def write_archive(target, parts, manifest, key=DEFAULT_BACKUP_KEY):
    """Write a correctly signed backup with these parts."""
    with target.open("wb") as out:
        writer = ArchiveWriter(out, key)
        for name, data in parts.items():
            if name not in {MANIFEST, SIGNATURE}:
                writer.add(name, io.BytesIO(data), len(data))
        writer.finish(manifest)


def rewrite_manifest(path, target, change):
    """Write a backup with a changed manifest and a correct signature."""
    parts = read_parts(path)
    manifest = parse_manifest(path, parts[MANIFEST])
    change(manifest)
    write_archive(target, parts, manifest)


def write_tar(target, entries):
    """Write a tar of (TarInfo or name, bytes)."""
    with tarfile.open(target, "w") as tar:
        for entry, data in entries:
            info = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


HOLES = b"1\n0\n0\n".ljust(512, b"\0")


def sparse_file():
    """Return the entry of a file of a few bytes that unpacks to ten terabytes."""
    entry = tarfile.TarInfo("files/default/holes")
    entry.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": entry.name,
        "GNU.sparse.realsize": str(10**13),
    }
    return entry


def link(kind, name="files/records/x", to="/etc/passwd"):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, to
    return entry


def swap_parts(parts):
    """Exchange the content of two parts."""
    first, second, *_ = (name for name in parts if name.startswith("files/"))
    return {**parts, first: parts[second], second: parts[first]}


DAMAGE = {
    "cut short": lambda path, to: to.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut before its end": lambda path, to: write_tar(to, [p for p in read_parts(path).items() if p[0] != SIGNATURE]),
    "empty": lambda path, to: to.write_bytes(b""),
    "something else": lambda path, to: to.write_bytes(random.Random(1).randbytes(20_000)),
    "compressed": lambda path, to: to.write_bytes(gzip.compress(path.read_bytes())),
    "a part altered": lambda path, to: write_tar(
        to, [(n, d + b" " if n.startswith("database/") else d) for n, d in read_parts(path).items()]
    ),
    "a part missing": lambda path, to: write_tar(
        to, [(n, d) for n, d in read_parts(path).items() if not n.startswith("files/records")]
    ),
    "parts swapped": lambda path, to: write_tar(to, swap_parts(read_parts(path)).items()),
    "a part too many": lambda path, to: write_tar(to, [("files/default/extra", b"x"), *read_parts(path).items()]),
    "a part twice": lambda path, to: write_tar(to, [*list(read_parts(path).items())[:1], *read_parts(path).items()]),
    "a way out": lambda path, to: write_tar(to, [("files/records/../../../x", b"x"), *read_parts(path).items()]),
    "a name from the root": lambda path, to: write_tar(to, [("/tmp/x", b"x"), *read_parts(path).items()]),
    "a symbolic link": lambda path, to: write_tar(to, [(link(tarfile.SYMTYPE), b""), *read_parts(path).items()]),
    "a hard link": lambda path, to: write_tar(to, [(link(tarfile.LNKTYPE), b""), *read_parts(path).items()]),
    "a device": lambda path, to: write_tar(to, [(link(tarfile.CHRTYPE), b""), *read_parts(path).items()]),
    "a folder": lambda path, to: write_tar(to, [(link(tarfile.DIRTYPE, "files"), b""), *read_parts(path).items()]),
    "ten terabytes of holes": lambda path, to: write_tar(to, [(sparse_file(), HOLES), *read_parts(path).items()]),
    "another manifest": lambda path, to: write_tar(
        to, [(n, d.replace(b'at": "2', b'at": "3') if n == MANIFEST else d) for n, d in read_parts(path).items()]
    ),
    "a newer format": lambda path, to: rewrite_manifest(path, to, lambda m: setattr(m, "format", 2)),
    "the other engine": lambda path, to: rewrite_manifest(
        path, to, lambda m: setattr(m, "engine", {"sqlite": "postgresql", "postgresql": "sqlite"}[m.engine])
    ),
    "a former schema": lambda path, to: rewrite_manifest(path, to, lambda m: m.tables.update(doctors_claim=0)),
    "a newer release": lambda path, to: rewrite_manifest(
        path, to, lambda m: m.migrations["accounts"].append("0999_later")
    ),
    "a file that it names and lacks": lambda path, to: rewrite_manifest(
        path, to, lambda m: m.files.append("records/none")
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_before_any_query(backup, tmp_path, db, django_assert_num_queries, kind):
    damaged = tmp_path / "damaged.tar"
    DAMAGE[kind](backup[0], damaged)
    with django_assert_num_queries(0), pytest.raises(BackupError) as error:
        restore_backup(damaged, timezone.now(), replace=True)
    assert str(error.value).endswith(".")
    assert storages["records"].base_location
    assert not list(Path(storages["records"].location).rglob("*"))


@pytest.mark.either_engine
def test_an_intact_archive_is_accepted(backup, tmp_path):
    """The control of the damaged ones: rewriting alone does no damage."""
    write_tar(tmp_path / "same.tar", read_parts(backup[0]).items())
    rewrite_manifest(backup[0], tmp_path / "rewritten.tar", lambda m: None)
    for path in (backup[0], tmp_path / "same.tar", tmp_path / "rewritten.tar"):
        assert Archive(path).hash == backup[2]


@pytest.mark.either_engine
def test_every_flipped_bit_is_noticed(backup, tmp_path):
    """A bit of padding may flip; then every part is still as it was."""
    intact, parts, random_bits = backup[0].read_bytes(), read_parts(backup[0]), random.Random(7)
    path = tmp_path / "flipped.tar"
    refused = 0
    for _ in range(int(os.environ.get("BACKUP_FLIPS", "40"))):
        damaged = bytearray(intact)
        damaged[random_bits.randrange(len(intact))] ^= 1 << random_bits.randrange(8)
        path.write_bytes(damaged)
        try:
            archive = Archive(path)
        except BackupError:
            refused += 1
        else:
            assert (archive.hash, read_parts(path)) == (backup[2], parts)
    assert refused > 10


# --- The key of the signature ------------------------------------------------------------------

OTHER_KEY = "another-key-of-more-than-thirty-two-characters"


def make_everybody_admin(path, target, key):
    """Change rows in a backup, as somebody could who can write to where it is stored, and sign it again."""
    parts = read_parts(path)
    manifest = parse_manifest(path, parts[MANIFEST])
    copy = target.with_suffix(".sqlite3")
    copy.write_bytes(parts["database/db.sqlite3"])
    with closing(sqlite3.connect(copy)) as database:
        changed = database.execute("UPDATE accounts_user SET is_superuser = 1, is_staff = 1, role = 'admin'").rowcount
        database.commit()
    assert changed > 0
    write_archive(target, parts | {"database/db.sqlite3": copy.read_bytes()}, manifest, key)


def expect_refusal(path, expected_hash=""):
    """Return the message with which an archive is refused."""
    with pytest.raises(BackupError) as error:
        Archive(path, expected_hash)
    return str(error.value)


# It changes a row in SQLite's file.
@pytest.mark.either_engine
@pytest.mark.parametrize("signature", ["another key", "no key", "the hash as the signature"])
def test_changed_rows_signed_without_the_key_are_refused_by_check_and_restore(
    backup, tmp_path, db, django_assert_num_queries, signature
):
    forged, signed = tmp_path / "forged.tar", tmp_path / "signed.tar"
    make_everybody_admin(backup[0], forged, OTHER_KEY)
    if signature != "another key":
        parts = read_parts(forged)
        del parts[SIGNATURE]
        name = "manifest.sha256" if signature == "no key" else SIGNATURE
        write_tar(forged, [*parts.items(), (name, hashlib.sha256(parts[MANIFEST]).hexdigest().encode())])
    for options in (["--check"], ["--replace"], ["--replace", "--expect", backup[2]]):
        with django_assert_num_queries(0), pytest.raises(CommandError, match=r"Nothing was restored\.$"):
            call_command("restore", str(forged), *options)
    # The control: signed with the key it would be accepted.
    make_everybody_admin(backup[0], signed, DEFAULT_BACKUP_KEY)
    output = io.StringIO()
    with django_assert_num_queries(0):
        call_command("restore", str(signed), "--check", stdout=output)
    assert "is complete and can be restored here" in output.getvalue()


@pytest.mark.either_engine
def test_a_backup_signed_with_another_key_needs_its_hash(backup, settings):
    settings.BACKUP_KEY = OTHER_KEY
    assert "is signed with another key than BACKUP_KEY" in expect_refusal(backup[0])
    assert Archive(backup[0], backup[2]).hash == backup[2]
    assert "is not the backup with the hash" in expect_refusal(backup[0], "0" * 64)
    settings.BACKUP_KEY = ""
    assert "BACKUP_KEY is not set. Set it." in expect_refusal(backup[0])
    assert Archive(backup[0], backup[2]).hash == backup[2]


@pytest.mark.either_engine
def test_a_backup_signed_with_an_earlier_key_is_accepted(backup, settings):
    settings.BACKUP_KEY, settings.BACKUP_KEY_FALLBACKS = OTHER_KEY, ["yet another", DEFAULT_BACKUP_KEY]
    assert Archive(backup[0]).hash == backup[2]
    settings.BACKUP_KEY = ""
    assert Archive(backup[0]).hash == backup[2]
    # A fallback that is empty is no key.
    settings.BACKUP_KEY_FALLBACKS = [""]
    assert "BACKUP_KEY is not set" in expect_refusal(backup[0])


@pytest.mark.either_engine
def test_no_backup_is_written_without_a_key(settings, tmp_path, db):
    settings.BACKUP_KEY = ""
    with pytest.raises(CommandError, match=r"BACKUP_KEY is not set.* No backup was written\."):
        call_command("backup", str(tmp_path / "x.tar"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.either_engine
def test_the_key_is_in_no_backup(backup):
    assert DEFAULT_BACKUP_KEY.encode() not in backup[0].read_bytes()


@pytest.mark.either_engine
@pytest.mark.parametrize(
    ("variables", "starts"),
    [
        ({}, True),
        ({"BACKUP_KEY": "a" * 32}, True),
        ({"BACKUP_KEY": "too-short"}, False),
        ({"BACKUP_KEY": DEFAULT_BACKUP_KEY}, False),
        ({"BACKUP_KEY": "a" * 32, "BACKUP_KEY_FALLBACKS": DEFAULT_BACKUP_KEY}, False),
    ],
)
def test_production_accepts_no_weak_key(variables, starts):
    environment = {"PATH": os.environ["PATH"], **PRODUCTION, **variables}
    program = "from config import settings; print(repr(settings.BACKUP_KEY))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (done.returncode == 0) == starts, done.stderr
    if starts:
        # The known one of development is never production's.
        assert done.stdout.strip() == repr(variables.get("BACKUP_KEY", ""))
    else:
        assert re.match(r"BACKUP_KEY(_FALLBACKS)? must be at least 32 random characters", done.stderr)


@pytest.mark.either_engine
def test_a_backup_whose_migrations_no_longer_exist_is_named(backup, tmp_path):
    former = tmp_path / "former.tar"
    DAMAGE["a former schema"](backup[0], former)
    with pytest.raises(BackupError, match="was made by an earlier version of Wellhour and can't be migrated"):
        open_archive(former)


def test_a_backup_of_an_older_release_that_lacks_a_lost_file_is_migrated(other_site, tmp_path):
    """It is made before an update's migrations are applied; here those of Django's admin."""
    path, folder = tmp_path / "old.tar", tmp_path / "old"
    folder.mkdir()
    with create_migrated_database(folder) as url:
        old_site = build_server(folder, url)
        old_site.manage("migrate", "admin", "0001", "-v0")
        old_site.sql(
            "INSERT INTO accounts_user (id, email, name, phone, gender, role, status, picture, password, is_superuser,"
            " is_staff, created_at, pending_email, language) VALUES ('0194f3c0-0000-7000-8000-000000000001',"
            " 'old@example.com', 'Olda Example', '', 'female', 'patient', 'active', 'lost.webp', '!', false, false,"
            " '2026-01-01 10:00:00', '', '')"
        )
        code, output = run_command(old_site, "backup", str(path))
        assert (code, "that the storage has lost:\ndefault/lost.webp" in output) == (3, True), output
    assert Archive(path).manifest.lost == ["default/lost.webp"]
    code, output = run_command(other_site, "restore", str(path))
    assert (code, "brought up to date" in output) == (0, True), output
    assert other_site.sql("SELECT email FROM accounts_user") == [("old@example.com",)]
    applied_migrations = set(other_site.sql("SELECT app, name FROM django_migrations"))
    assert applied_migrations == MigrationLoader(None).disk_migrations.keys()
    if other_site.is_sqlite:
        triggers = other_site.sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    else:
        triggers = other_site.sql("SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'")
    assert set(append_only.build_triggers(connection.vendor)) <= {name for (name,) in triggers}


@pytest.mark.either_engine
def test_every_column_that_names_a_file_is_listed():
    columns = {
        (model._meta.db_table, column.column)
        for model in apps.get_models()
        for column in model._meta.concrete_fields
        if column.get_internal_type() in {"FileField", "ImageField"}
        or column.name == "picture"
        or column.name.endswith("stored_as")
    }
    assert {(table, column) for table, column, _ in media.FILE_COLUMNS} == columns


@pytest.mark.either_engine
def test_files_are_restored_to_any_storage(settings):
    """S3, for one: nothing asks a storage for a path."""
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "records": memory, "default": memory}
    assert media.read_file("records/a/b.pdf") is None
    assert media.restore_file("records/a/b.pdf", PDF) is True
    assert media.restore_file("records/a/b.pdf", PDF) is False
    # A damaged one of the same name is replaced.
    storages["records"].delete("a/b.pdf")
    storages["records"].save("a/b.pdf", ContentFile(b"other"))
    assert media.restore_file("records/a/b.pdf", PDF) is True
    assert media.read_file("records/a/b.pdf") == PDF
    with pytest.raises(BackupError):
        media.restore_file("records/../b.pdf", PDF)


@pytest.mark.either_engine
def test_rows_are_read_again_when_a_file_is_deleted_meanwhile(monkeypatch, tmp_path):
    """A picture is replaced between the reading of the rows and the copying of the files."""
    names = [["default/old.webp", "default/kept.webp"], ["default/new.webp", "default/kept.webp"]]
    contents = {"default/new.webp": b"new", "default/kept.webp": b"kept"}
    folders = []

    def take_snapshot(folder):
        folders.append(folder)
        (folder / "db.sqlite3").write_bytes(b"snapshot %d" % len(folders))
        return Manifest("now", "sqlite", {}, {"t": 1}, files=names[min(len(folders), 2) - 1])

    for engine in (create.sqlite, create.postgresql):
        monkeypatch.setattr(engine, "take_snapshot", take_snapshot)
    monkeypatch.setattr(create.media, "read_file", contents.get)
    monkeypatch.setattr(create, "audit_backup", lambda digest: True)
    create.create_backup(tmp_path / "x.tar")
    manifest = Archive(tmp_path / "x.tar").manifest
    assert (manifest.files, manifest.lost) == (names[1], [])
    parts = read_parts(tmp_path / "x.tar")
    assert [d for n, d in parts.items() if n.startswith("database/")] == [b"snapshot 2"]
    assert {n: d for n, d in parts.items() if n.startswith("files/")} == {f"files/{n}": d for n, d in contents.items()}
