"""The drill: what `backup` writes while people book comes back whole, and nothing else does."""

import gzip
import hashlib
import io
import json
import os
import random
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.tests.files.pictures import picture
from adminpanel.backups import archive, files, making
from adminpanel.backups.archive import MANIFEST, SEAL, Archive, Refused, Writer, read_manifest
from adminpanel.backups.restoring import checked, restore
from appointments.tests.scheduling.booking_load import Bookers, appointments, halves
from appointments.tests.scheduling.concurrency import sign_in
from config.settings import DEFAULT_BACKUP_KEY
from config.testing import ROOT, own_database, placed, running

PDF = b"%PDF-1.4\n%%EOF\n"
ON_TRAIL = "SELECT event, action, agent_role, entity_type, entity_id FROM accounts_auditevent WHERE event LIKE 'data.%'"


def command(server, *words):
    """Run a management command; return its exit code, and what it printed."""
    argv = [sys.executable, "manage.py", *words]
    done = subprocess.run(argv, check=False, cwd=ROOT, env=server.environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def content_of(server):
    """Return every row of every table but what a restore itself writes, and the bytes of every file."""
    if server.is_sqlite:
        tables = server.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    else:
        tables = server.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    rows = {}
    for (table,) in tables:
        where, what = "", "*"
        if table == "accounts_auditevent":
            where = " WHERE event NOT IN ('data.backed_up', 'data.restored')"
        if table == "accounts_session":
            what = "id, user_id, created_at, expires_at, user_agent"
        rows[table] = sorted(map(repr, server.sql(f"SELECT {what} FROM {table}{where}")))
    del rows["accounts_heartbeat"]
    found = {}
    for root in (server.environment["MEDIA_ROOT"], server.environment["RECORDS_ROOT"]):
        for path in sorted(Path(root).rglob("*")):
            if path.is_file():
                found[str(path.relative_to(Path(root).parent))] = path.read_bytes()
    return rows, found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A running site with people, bookings, a portrait and a file of a record; what books, and what was kept."""
    folder = tmp_path_factory.mktemp("site")
    with running(folder, workers=2) as server:
        bookers = Bookers(server, 3)
        with bookers:
            bookers.wait_for(10)
        with httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[0]}, timeout=60) as patient:
            sent = patient.put("/api/auth/profile", files={"image": ("me.jpg", picture("JPEG"), "image/jpeg")})
            assert sent.status_code == 200, sent.text
        server.manage(
            "shell", "-c",
            "from datetime import timedelta; from django.utils import timezone; from appointments.models import *;"
            "from accounts.files.private_storage import keep; from accounts.files.validation import Admitted;"
            "appointment = Appointment.objects.order_by('pk').first();"
            f"name = keep(appointment.pk.hex, Admitted('application/pdf', {PDF!r}));"
            "Attachment.objects.create(appointment=appointment, name='a.pdf', content_type='application/pdf',"
            f" size={len(PDF)}, sha256='0' * 64, stored_as=name, added_at=timezone.now(),"
            " added_by=appointment.patient);"
            "from accounts.audit.hash_chain import seal; print(seal(timezone.now() + timedelta(hours=1)))",
        )  # fmt: skip
        yield server, bookers, folder


@pytest.fixture(scope="module")
def backup(site):
    """A backup of the quiet site, and the site's content."""
    server, _, folder = site
    path = folder / "quiet.tar"
    code, printed = command(server, "backup", str(path))
    assert code == 0, printed
    digest = re.search(r"Hash (\w+)", printed)[1]
    assert ("data.backed_up", "R", "", "backup", digest[:32]) in server.sql(ON_TRAIL)
    return path, content_of(server), digest


@pytest.fixture
def elsewhere(tmp_path):
    """Another machine: an empty database and no files."""
    with own_database(tmp_path) as url:
        yield placed(tmp_path, url)


def test_a_restored_site_is_the_one_that_was_backed_up(site, backup, elsewhere):
    path, content, digest = backup
    code, printed = command(elsewhere, "restore", str(path), "--expect", digest)
    assert (code, "Everybody is signed out" in printed) == (0, True), printed
    assert content_of(elsewhere) == content
    assert elsewhere.sql(ON_TRAIL) == [("data.restored", "E", "", "backup", digest[:32])]
    # What stands on guard stands again, the trail verifies, and nothing waits to be migrated.
    code, printed = command(elsewhere, "verify_audit")
    assert (code, "The trail is as it was written." in printed) == (0, True), printed
    assert "not sealed yet" in printed
    assert not printed.startswith("0 rows")
    # The site runs on it: a session of before is over, signing in and booking work, ids go on where they were.
    try:
        elsewhere.start()
        with closing(sign_in(elsewhere, "patient1@example.com", "patient")) as client:
            old = client.get("/api/auth/profile", headers={"Authorization": site[1].tokens[0]})
            assert (old.status_code, old.json()["code"]) == (401, "session_ended")
            assert site[1].book(1, client).status_code == 201
        assert halves(elsewhere) == {}
    finally:
        elsewhere.stop()
    # A second restore without --replace changes nothing; with it everything is as in the backup once more.
    before = content_of(elsewhere)
    code, printed = command(elsewhere, "restore", str(path))
    assert (code, "The database is not empty. Say --replace" in printed) == (1, True), printed
    assert content_of(elsewhere) == before
    code, printed = command(elsewhere, "restore", str(path), "--replace")
    assert (code, " 0 files of the backup" in printed) == (0, True), printed
    assert content_of(elsewhere) == content
    assert elsewhere.sql("SELECT count(*) FROM accounts_session WHERE ended_at IS NULL") == [(0,)]


def test_backups_amid_bookings_are_of_one_moment(site, elsewhere, tmp_path):
    server, bookers, _ = site
    made = []
    with bookers, httpx.Client(base_url=server.url, headers={"Authorization": bookers.tokens[1]}, timeout=60) as one:
        for number in range(2):
            bookers.wait_for(3)
            before, path = set(bookers.acknowledged), tmp_path / f"{number}.tar"
            # Portraits come and go meanwhile.
            making_it = subprocess.Popen(
                [sys.executable, "manage.py", "backup", str(path)], cwd=ROOT, env=server.environment
            )
            while making_it.poll() is None:
                one.put("/api/auth/profile", files={"image": ("me.jpg", picture("JPEG"), "image/jpeg")})
            assert making_it.returncode == 0
            made.append((path, before))
    assert bookers.answers.keys() == {201}, (bookers.answers, bookers.odd)
    for path, before in made:
        code, printed = command(elsewhere, "restore", str(path), "--replace")
        assert code == 0, printed
        assert halves(elsewhere) == {}
        # All that was acknowledged before it began, and nothing that never was.
        assert before <= appointments(elsewhere) <= appointments(server)
        named = elsewhere.sql("SELECT picture FROM accounts_user WHERE picture <> ''")
        assert len(named) >= 1
        for (name,) in named:
            assert Path(elsewhere.environment["MEDIA_ROOT"], name).is_file()


def test_a_running_site_goes_on_with_what_was_restored(site, backup):
    """The database is not swapped behind the back of those who have it open."""
    server, bookers, _ = site
    path, (rows, _), _ = backup
    code, printed = command(server, "restore", str(path), "--replace")
    assert code == 0, printed
    assert len(appointments(server)) == len(rows["appointments_appointment"])
    with closing(sign_in(server, "patient2@example.com", "patient")) as client:
        bookers.tokens[2] = client.headers["Authorization"]
        assert bookers.book(2, client).status_code == 201
    assert halves(server) == {}
    assert len(appointments(server)) == len(rows["appointments_appointment"]) + 1


def test_only_the_owner_reads_a_backup_and_nothing_is_left_beside_it(site, backup):
    server, _, folder = site
    assert stat.S_IMODE(backup[0].stat().st_mode) == 0o600
    assert [one.name for one in folder.iterdir() if one.name.startswith(".")] == []
    content = backup[0].read_bytes()
    code, printed = command(server, "backup", str(backup[0]))
    assert (code, "is there already. No backup was written." in printed) == (1, True), printed
    assert backup[0].read_bytes() == content
    code, printed = command(server, "backup", str(folder / "no such folder" / "x.tar"))
    assert (code, "No backup was written." in printed, "Traceback" in printed) == (1, True, False)


def parts_of(path):
    with tarfile.open(path) as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}


def rewritten(path, target, change, key=DEFAULT_BACKUP_KEY):
    """Write a backup again, its manifest changed and everything sealed as it should be."""
    parts = parts_of(path)
    manifest = read_manifest(path, parts[MANIFEST])
    with target.open("wb") as out:
        writer = Writer(out, key)
        for name, data in parts.items():
            if name not in {MANIFEST, SEAL}:
                writer.add(name, io.BytesIO(data), len(data))
        change(manifest)
        writer.seal(manifest)


def tarred(target, entries):
    """Write a tar of (TarInfo or name, bytes)."""
    with tarfile.open(target, "w") as tar:
        for entry, data in entries:
            info = entry if isinstance(entry, tarfile.TarInfo) else tarfile.TarInfo(entry)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))


HOLES = b"1\n0\n0\n".ljust(512, b"\0")


def full_of_holes():
    """Name a file of a few bytes that unpacks to ten terabytes."""
    entry = tarfile.TarInfo("files/default/holes")
    entry.pax_headers = {
        "GNU.sparse.major": "1",
        "GNU.sparse.minor": "0",
        "GNU.sparse.name": entry.name,
        "GNU.sparse.realsize": str(10**13),
    }
    return entry


def a_link(kind, name="files/records/x", to="/etc/passwd"):
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, to
    return entry


def swapped(parts):
    """Let two parts change places, their names staying."""
    files_ = [name for name in parts if name.startswith("files/")]
    one, other = files_[0], files_[1]
    return {**parts, one: parts[other], other: parts[one]}


DAMAGE = {
    "cut short": lambda path, to: to.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut before its end": lambda path, to: tarred(to, [p for p in parts_of(path).items() if p[0] != SEAL]),
    "empty": lambda path, to: to.write_bytes(b""),
    "something else": lambda path, to: to.write_bytes(random.Random(1).randbytes(20_000)),
    "compressed": lambda path, to: to.write_bytes(gzip.compress(path.read_bytes())),
    "a part altered": lambda path, to: tarred(
        to, [(n, d + b" " if n.startswith("database/") else d) for n, d in parts_of(path).items()]
    ),
    "a part missing": lambda path, to: tarred(
        to, [(n, d) for n, d in parts_of(path).items() if not n.startswith("files/records")]
    ),
    "parts swapped": lambda path, to: tarred(to, swapped(parts_of(path)).items()),
    "a part too many": lambda path, to: tarred(to, [("files/default/extra", b"x"), *parts_of(path).items()]),
    "a part twice": lambda path, to: tarred(to, [*list(parts_of(path).items())[:1], *parts_of(path).items()]),
    "a way out": lambda path, to: tarred(to, [("files/records/../../../x", b"x"), *parts_of(path).items()]),
    "a name from the root": lambda path, to: tarred(to, [("/tmp/x", b"x"), *parts_of(path).items()]),
    "a symbolic link": lambda path, to: tarred(to, [(a_link(tarfile.SYMTYPE), b""), *parts_of(path).items()]),
    "a hard link": lambda path, to: tarred(to, [(a_link(tarfile.LNKTYPE), b""), *parts_of(path).items()]),
    "a device": lambda path, to: tarred(to, [(a_link(tarfile.CHRTYPE), b""), *parts_of(path).items()]),
    "a folder": lambda path, to: tarred(to, [(a_link(tarfile.DIRTYPE, "files"), b""), *parts_of(path).items()]),
    "ten terabytes of holes": lambda path, to: tarred(to, [(full_of_holes(), HOLES), *parts_of(path).items()]),
    "another manifest": lambda path, to: tarred(
        to, [(n, d.replace(b'at": "2', b'at": "3') if n == MANIFEST else d) for n, d in parts_of(path).items()]
    ),
    "a newer format": lambda path, to: rewritten(path, to, lambda m: setattr(m, "format", 2)),
    "the other engine": lambda path, to: rewritten(
        path, to, lambda m: setattr(m, "engine", {"sqlite": "postgresql", "postgresql": "sqlite"}[m.engine])
    ),
    "a former schema": lambda path, to: rewritten(path, to, lambda m: m.tables.update(doctors_claim=0)),
    "a newer release": lambda path, to: rewritten(path, to, lambda m: m.migrations["accounts"].append("0999_later")),
    "a file that it names and lacks": lambda path, to: rewritten(path, to, lambda m: m.files.append("records/none")),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGE)
def test_damage_is_refused_before_the_database_is_asked_anything(backup, tmp_path, db, django_assert_num_queries, kind):
    harmed = tmp_path / "harmed.tar"
    DAMAGE[kind](backup[0], harmed)
    with django_assert_num_queries(0), pytest.raises(Refused) as refused:
        restore(harmed, timezone.now(), replace=True)
    assert str(refused.value).endswith(".")
    assert storages["records"].base_location
    assert not list(Path(storages["records"].location).rglob("*"))


def test_the_archive_as_it_was_written_is_taken(backup, tmp_path):
    """What the damaged ones are held against: rewriting alone harms nothing."""
    tarred(tmp_path / "same.tar", parts_of(backup[0]).items())
    rewritten(backup[0], tmp_path / "rewritten.tar", lambda m: None)
    for path in (backup[0], tmp_path / "same.tar", tmp_path / "rewritten.tar"):
        assert Archive(path).digest == backup[2]


def test_no_flipped_bit_goes_unseen(backup, tmp_path):
    """A bit of padding may flip; then every part is still as it was."""
    whole, chance = backup[0].read_bytes(), random.Random(7)
    refused = 0
    for _ in range(int(os.environ.get("BACKUP_FLIPS", "60"))):
        harmed = bytearray(whole)
        harmed[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        path = tmp_path / "flipped.tar"
        path.write_bytes(harmed)
        try:
            assert parts_of(path) == parts_of(backup[0])
            assert Archive(path).digest == backup[2]
        except (Refused, AssertionError, tarfile.TarError):
            with pytest.raises(Refused):
                Archive(path)
            refused += 1
    assert refused > 10


def test_a_refused_restore_changes_nothing(backup, elsewhere, tmp_path):
    """By the command, on a site with rows: damage, a wrong hash, and rows that the manifest does not count."""
    command(elsewhere, "restore", str(backup[0]))
    before = content_of(elsewhere)
    DAMAGE["a part altered"](backup[0], tmp_path / "harmed.tar")

    def miscount(manifest):
        manifest.tables["accounts_user"] += 1

    rewritten(backup[0], tmp_path / "miscounted.tar", miscount)
    for words in (["harmed.tar"], ["miscounted.tar"], ["quiet.tar", "--expect", "0" * 64]):
        path = backup[0] if words[0] == "quiet.tar" else tmp_path / words[0]
        code, printed = command(elsewhere, "restore", str(path), "--replace", *words[1:])
        assert (code, "Nothing was restored." in printed, "Traceback" in printed) == (1, True, False), printed
        assert content_of(elsewhere) == before
    code, printed = command(elsewhere, "restore", str(backup[0]), "--check")
    assert (code, "is whole and can be restored here" in printed) == (0, True), printed
    assert content_of(elsewhere) == before


# --- The key of the seal -----------------------------------------------------------------------

OTHER_KEY = "another-key-of-more-than-thirty-two-characters"


def with_an_admin(path, target, key):
    """Make a patient superuser in a backup, as somebody could who can write to where it is kept; seal it again."""
    parts = parts_of(path)
    manifest = read_manifest(path, parts[MANIFEST])
    copy = target.with_suffix(".sqlite3")
    copy.write_bytes(parts["database/db.sqlite3"])
    with closing(sqlite3.connect(copy)) as database:
        changed = database.execute("UPDATE accounts_user SET is_superuser = 1, is_staff = 1, role = 'admin'").rowcount
        database.commit()
    assert changed > 0
    parts["database/db.sqlite3"] = copy.read_bytes()
    with target.open("wb") as out:
        writer = Writer(out, key)
        for name, data in parts.items():
            if name not in {MANIFEST, SEAL}:
                writer.add(name, io.BytesIO(data), len(data))
        writer.seal(manifest)
    return target


def unkeyed(path, target):
    """Seal a backup as earlier releases did."""
    parts = parts_of(path)
    del parts[SEAL]
    tarred(target, [*parts.items(), ("manifest.sha256", hashlib.sha256(parts[MANIFEST]).hexdigest().encode())])
    return target


def refusal_of(path, expected=""):
    with pytest.raises(Refused) as refused:
        Archive(path, expected)
    return str(refused.value)


# It changes a row in SQLite's file.
@pytest.mark.either_engine
@pytest.mark.parametrize("seal", ["another key", "no key", "the hash as the seal"])
def test_a_changed_row_sealed_without_the_key_is_refused_by_check_and_restore(backup, elsewhere, tmp_path, seal):
    forged = with_an_admin(backup[0], tmp_path / "forged.tar", OTHER_KEY)
    if seal != "another key":
        forged = unkeyed(forged, tmp_path / "unkeyed.tar")
    if seal == "the hash as the seal":
        parts = parts_of(forged)
        parts[SEAL] = parts.pop("manifest.sha256")
        tarred(forged, parts.items())
    for words in (["--check"], ["--replace"], ["--replace", "--expect", backup[2]]):
        code, printed = command(elsewhere, "restore", str(forged), *words)
        assert (code, "Nothing was restored." in printed, "Traceback" in printed) == (1, True, False), printed
    assert elsewhere.sql("SELECT count(*) FROM sqlite_master") == [(0,)]
    # The control: sealed with the key it would be taken.
    taken = with_an_admin(backup[0], tmp_path / "sealed.tar", DEFAULT_BACKUP_KEY)
    code, printed = command(elsewhere, "restore", str(taken), "--check")
    assert code == 0, printed


def test_a_backup_sealed_with_another_key_needs_its_hash(backup, settings):
    settings.BACKUP_KEY = OTHER_KEY
    assert "is sealed with another key than BACKUP_KEY" in refusal_of(backup[0])
    assert Archive(backup[0], backup[2]).digest == backup[2]
    assert "is not the backup with the hash" in refusal_of(backup[0], "0" * 64)
    settings.BACKUP_KEY = ""
    assert "BACKUP_KEY is not set. Set it." in refusal_of(backup[0])
    assert Archive(backup[0], backup[2]).digest == backup[2]


def test_a_backup_sealed_with_an_earlier_key_is_taken(backup, settings):
    settings.BACKUP_KEY, settings.BACKUP_KEY_FALLBACKS = OTHER_KEY, ["yet another", DEFAULT_BACKUP_KEY]
    assert Archive(backup[0]).digest == backup[2]
    settings.BACKUP_KEY = ""
    assert Archive(backup[0]).digest == backup[2]
    # A fallback that is empty is no key.
    settings.BACKUP_KEY_FALLBACKS = [""]
    assert "BACKUP_KEY is not set" in refusal_of(backup[0])


def test_a_backup_of_a_release_without_keys_needs_its_hash(backup, tmp_path):
    old = unkeyed(backup[0], tmp_path / "old.tar")
    assert "was made by an older release, whose seal has no key" in refusal_of(old)
    assert "--expect HASH" in refusal_of(old)
    assert Archive(old, backup[2]).digest == backup[2]
    # Both seals are the mark of neither.
    both = [*parts_of(backup[0]).items(), ("manifest.sha256", backup[2].encode())]
    tarred(tmp_path / "both.tar", both)
    assert "is no whole backup" in refusal_of(tmp_path / "both.tar", backup[2])


def test_no_backup_is_written_without_a_key(settings, tmp_path, db):
    settings.BACKUP_KEY = ""
    with pytest.raises(CommandError, match=r"BACKUP_KEY is not set.* No backup was written\."):
        call_command("backup", str(tmp_path / "x.tar"))
    assert list(tmp_path.iterdir()) == []


def test_the_key_is_in_no_backup(backup):
    assert DEFAULT_BACKUP_KEY.encode() not in backup[0].read_bytes()


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
def test_production_takes_no_weak_key(variables, starts):
    environment = {
        "PATH": os.environ["PATH"], "ENVIRONMENT": "production", "SECRET_KEY": "k" * 50, "ALLOWED_HOSTS": "example.com",
        "BASE_URL": "https://example.com", "DATABASE_URL": "sqlite:////tmp/none.sqlite3",
        "EMAIL_URL": "smtp+tls://mail.example.com:587", **variables,
    }  # fmt: skip
    program = "from config import settings; print(repr(settings.BACKUP_KEY))"
    done = subprocess.run(
        [sys.executable, "-c", program], check=False, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (done.returncode == 0) == starts, done.stderr
    if starts:
        # The known one of development is never production's.
        assert done.stdout.strip() == repr(variables.get("BACKUP_KEY", ""))
    else:
        assert "BACKUP_KEY must be at least 32 random characters" in done.stderr


def test_a_backup_whose_migrations_no_longer_exist_is_named(backup, tmp_path):
    former = tmp_path / "former.tar"
    DAMAGE["a former schema"](backup[0], former)
    with pytest.raises(Refused, match="was made by an earlier version of Wellhour and can't be migrated"):
        checked(former)


def test_a_backup_of_an_older_release_is_brought_up_to_date(elsewhere, tmp_path):
    """Made before the migrations are done, as one does before an update; here those that came with Django."""
    elsewhere.manage("migrate", "-v0")
    elsewhere.manage("migrate", "admin", "0001", "-v0")
    elsewhere.sql(
        "INSERT INTO accounts_user (id, email, name, phone, gender, role, status, picture, password, is_superuser,"
        " is_staff, created_at, pending_email, language) VALUES ('0194f3c0-0000-7000-8000-000000000001',"
        " 'old@example.com', 'Olda Example', '', 'female', 'patient', 'active', '', '!', false, false,"
        " '2026-01-01 10:00:00', '', '')"
    )
    path = tmp_path / "old.tar"
    code, printed = command(elsewhere, "backup", str(path))
    assert code == 0, printed
    other = tmp_path / "other"
    other.mkdir()
    with own_database(other) as url:
        target = placed(other, url)
        code, printed = command(target, "restore", str(path))
        assert (code, "brought up to date" in printed) == (0, True), printed
        assert target.sql("SELECT email FROM accounts_user") == [("old@example.com",)]
        target.manage("migrate", "--check")
        try:
            target.start()  # comes up only when nothing is missing
        finally:
            target.stop()


def test_files_that_the_storage_lost_are_told_and_keep_no_backup_back(site, tmp_path):
    server, _, _folder = site
    records = Path(server.environment["RECORDS_ROOT"])
    away = tmp_path / "away"
    shutil.move(records, away)
    try:
        code, printed = command(server, "backup", str(tmp_path / "lost.tar"))
        assert (code, "that the storage has lost:" in printed) == (3, True), printed
        manifest = Archive(tmp_path / "lost.tar").manifest
        assert len(manifest.lost) == 1
        assert manifest.lost[0].startswith("records/")
    finally:
        shutil.move(away, records)


def test_every_column_that_names_a_file_is_known():
    named = {(table, column) for table, column, _ in files.NAMED_BY}
    found = {
        (model._meta.db_table, column.column)
        for model in apps.get_models()
        for column in model._meta.concrete_fields
        if column.get_internal_type() in {"FileField", "ImageField"}
        or column.name == "picture"
        or column.name.endswith("stored_as")
    }
    assert found == named


def test_any_storage_of_django_will_do(settings):
    """As S3 would: nothing asks a storage for a path."""
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = {**settings.STORAGES, "records": memory, "default": memory}
    assert files.content("records/a/b.pdf") is None
    assert files.put_back("records/a/b.pdf", PDF) is True
    assert files.put_back("records/a/b.pdf", PDF) is False
    # One of the same name that is damaged gives way.
    storages["records"].delete("a/b.pdf")
    storages["records"].save("a/b.pdf", ContentFile(b"other"))
    assert files.put_back("records/a/b.pdf", PDF) is True
    assert files.content("records/a/b.pdf") == PDF
    with pytest.raises(Refused):
        files.put_back("records/../b.pdf", PDF)


def test_a_file_that_goes_while_it_is_copied_has_the_rows_read_anew(monkeypatch, tmp_path):
    """An act lets go of a picture between the reading of the rows and the copying of the files."""
    moments = [["default/old.webp", "default/kept.webp"], ["default/new.webp", "default/kept.webp"]]
    kept = {"default/new.webp": b"new", "default/kept.webp": b"kept"}
    taken = []

    def snapshot(folder):
        taken.append(folder)
        (folder / "db.sqlite3").write_bytes(b"moment %d" % len(taken))
        return archive.Manifest("now", "sqlite", {}, {"t": 1}, files=moments[min(len(taken), 2) - 1])

    for engine in (making.sqlite, making.postgresql):
        monkeypatch.setattr(engine, "snapshot", snapshot)
    monkeypatch.setattr(making.files, "content", kept.get)
    monkeypatch.setattr(making, "write_down", lambda digest: True)
    making.make(tmp_path / "x.tar")
    manifest = Archive(tmp_path / "x.tar").manifest
    assert (manifest.files, manifest.lost) == (moments[1], [])
    parts = parts_of(tmp_path / "x.tar")
    assert [d for n, d in parts.items() if n.startswith("database/")] == [b"moment 2"]
    assert {n: d for n, d in parts.items() if n.startswith("files/")} == {f"files/{n}": d for n, d in kept.items()}
    assert json.loads(parts[MANIFEST])["engine"] == "sqlite"
    assert connection.vendor in {"sqlite", "postgresql"}
