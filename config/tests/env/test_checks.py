"""Test what is checked beyond single settings."""

import os
import sqlite3
from pathlib import Path

import pytest
from django.core.checks import run_checks

from config.env.checks import CONFIGURATION, describe_file_problem

pytestmark = pytest.mark.either_engine


def test_missing_and_new_files_of_a_usable_folder_are_fine(tmp_path):
    file = tmp_path / "db.sqlite3"
    assert describe_file_problem(file) is None
    file.touch()
    assert describe_file_problem(file) is None
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE a (b)")
    assert describe_file_problem(file) is None


def test_missing_folder_is_named(tmp_path):
    folder = tmp_path / "none"
    assert describe_file_problem(folder / "db.sqlite3") == f"the folder {folder} does not exist"


def test_other_file_is_named(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("Nothing that SQLite wrote")
    assert describe_file_problem(file) == f"{file} is not a SQLite database"


@pytest.mark.parametrize("protected", ["folder", "file"])
def test_protected_folder_and_file_are_named(tmp_path, monkeypatch, protected):
    file = tmp_path / "db.sqlite3"
    file.touch()
    target = {"folder": tmp_path, "file": file}[protected]
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != target)
    act = {"folder": f"write to {tmp_path}", "file": f"read and write {file}"}[protected]
    user = f"the user with the id {os.getuid()}"
    assert describe_file_problem(file) == f"{user} may not {act}"


def test_server_starts_outside_production():
    # As config/wsgi.py checks; only `check --deploy` asks for production.
    assert run_checks(tags=[CONFIGURATION], include_deployment_checks=True) == []
    assert "config.E005" in {each.id for each in run_checks(include_deployment_checks=True)}
