"""Test the statement timeouts of management commands."""

import os

import pytest
from django.core import management

import manage
from config.testing import ROOT
from config.version import VERSION


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
    assert f"\n## {VERSION} - " in (ROOT / "CHANGELOG.md").read_text()


def test_statement_timeout_of_the_operator_is_kept(monkeypatch):
    seen = []
    monkeypatch.setattr(
        management, "execute_from_command_line", lambda words: seen.append(os.environ["DATABASE_STATEMENT_SECONDS"])
    )
    monkeypatch.setattr("sys.argv", ["manage.py", "migrate"])
    monkeypatch.setenv("DATABASE_STATEMENT_SECONDS", "600")
    manage.main()
    assert seen == ["600"]
