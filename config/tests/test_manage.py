"""Test the statement timeouts of management commands."""

import os
import re
import subprocess
import sys

import pytest
from aiosmtpd.controller import Controller
from django.core import management

import manage
from config.testing import ROOT, create_database, find_free_port
from config.version import RELEASE, VERSION


@pytest.mark.parametrize(
    ("argv", "seconds"),
    [
        (["manage.py"], "0"), (["manage.py", "migrate"], "0"), (["manage.py", "seed_demo", "--list"], "0"),
        (["manage.py", "housekeeping"], None), (["manage.py", "deliver", "--once"], None),
    ],
)  # fmt: skip
def test_statement_timeout_applies_to_background_commands_only(monkeypatch, argv, seconds):
    seen = []
    monkeypatch.setattr(
        management, "execute_from_command_line", lambda words: seen.append(os.environ.get("DATABASE_STATEMENT_SECONDS"))
    )
    monkeypatch.setattr("sys.argv", argv)
    # Taken back with the rest when the test ends.
    monkeypatch.setenv("DATABASE_STATEMENT_SECONDS", "")
    monkeypatch.delenv("DATABASE_STATEMENT_SECONDS")
    manage.main()
    assert seen == [seconds]


@pytest.mark.parametrize("word", ["version", "--version"])
def test_version_is_that_of_the_product(monkeypatch, capsys, word):
    monkeypatch.setattr("sys.argv", ["manage.py", word])
    manage.main()
    assert capsys.readouterr().out == f"{VERSION}\n"


def test_changelog_has_the_version():
    assert f"\n## {RELEASE} - " in (ROOT / "CHANGELOG.md").read_text()


def test_statement_timeout_of_the_operator_is_kept(monkeypatch):
    seen = []
    monkeypatch.setattr(
        management, "execute_from_command_line", lambda words: seen.append(os.environ["DATABASE_STATEMENT_SECONDS"])
    )
    monkeypatch.setattr("sys.argv", ["manage.py", "migrate"])
    monkeypatch.setenv("DATABASE_STATEMENT_SECONDS", "600")
    manage.main()
    assert seen == ["600"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "postgresql://ann:hunter2@127.0.0.1:1/visits",
            "database visits can't be used: .*port 1 failed: Connection refused",
        ),
        (
            "sqlite:////no/such/folder/db.sqlite3",
            "DATABASE_URL can't be used: the folder /no/such/folder does not exist",
        ),
        (f"sqlite:///{ROOT / 'manage.py'}", "DATABASE_URL can't be used: .*/manage.py is not a SQLite database"),
    ],
)
def test_database_that_cannot_be_reached_is_named_with_the_reason(url, reason):
    done = subprocess.run(
        [sys.executable, "manage.py", "showmigrations"],
        cwd=ROOT, env=os.environ | {"ENVIRONMENT": "test", "DATABASE_URL": url}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert re.search(reason, done.stderr)
    assert "Traceback" not in done.stderr
    assert "hunter2" not in done.stderr


def test_file_that_is_no_database_is_named_where_no_check_comes_first():
    done = subprocess.run(
        [sys.executable, "manage.py", "migrate"],
        cwd=ROOT, env=os.environ | {"ENVIRONMENT": "test", "DATABASE_URL": f"sqlite:///{ROOT / 'manage.py'}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"The database {ROOT / 'manage.py'} can't be used: file is not a database"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [["rotate_keys"], ["verify_audit"], ["deliver", "--once"]])
def test_command_on_an_unmigrated_database_says_what_to_do(words, tmp_path):
    with create_database(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=os.environ | {"ENVIRONMENT": "test", "DATABASE_URL": url}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert re.fullmatch(
        r"The database \S+ lacks tables: run `manage\.py migrate` first\.", done.stderr.splitlines()[-1]
    )
    assert "Traceback" not in done.stderr


class RejectingMailServer:
    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802 - aiosmtpd calls it by this name
        return "550 5.7.1 Relaying denied"


@pytest.mark.parametrize(("is_listening", "reason"), [(False, r".*Connection refused"), (True, r".*Relaying denied.*")])
def test_test_email_that_cannot_be_sent_is_one_sentence(is_listening, reason):
    port = find_free_port()
    server = Controller(RejectingMailServer(), hostname="127.0.0.1", port=port)
    environment = {
        "ENVIRONMENT": "test", "EMAIL_URL": f"smtp://127.0.0.1:{port}", "DEFAULT_FROM_EMAIL": "visits@example.org",
    }  # fmt: skip
    if is_listening:
        server.start()
    try:
        done = subprocess.run(
            [sys.executable, "manage.py", "sendtestemail", "you@example.org"],
            cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        if is_listening:
            server.stop()
    assert done.returncode == 1
    assert re.fullmatch(rf"Email can't be sent through 127\.0\.0\.1:{port}: {reason}\.", done.stderr.splitlines()[-1])
    assert "Traceback" not in done.stderr
