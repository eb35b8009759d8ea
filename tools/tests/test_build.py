"""Test the preparation of the database for `dev.py run` and `dev.py dev`."""

import sqlite3
from contextlib import closing

import pytest

from config.env.types import TRUE_WORDS
from tools import build, environment
from tools.build import prepare_database
from tools.environment import base_environment
from tools.errors import CommandError


@pytest.mark.either_engine
def test_database_of_an_earlier_version_ends_the_command_with_a_message(tmp_path):
    file = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(file)) as database:
        database.execute("CREATE TABLE doctors_claim (id integer)")
    env = base_environment() | {"ENVIRONMENT": "test", "DATABASE_URL": f"sqlite:///{file}"}
    with pytest.raises(CommandError) as ended:
        prepare_database(env)
    first, *rest = str(ended.value).splitlines()
    assert first == (
        f"The database {file} was made by an earlier version of Wellhour and can't be migrated:"
        " delete or move the file to start with an empty one."
    )
    assert (ended.value.code, rest) == (1, ["Database failed (exit code 1); its output is above."])


@pytest.mark.parametrize(
    ("value", "is_demo"),
    [
        ("true", True),
        ("On", True),
        (" 1 ", True),
        ("yes", True),
        ("ok", False),
        ("y", False),
        ("off", False),
        ("", False),
    ],
)
def test_demo_data_is_seeded_for_the_values_that_the_settings_accept(monkeypatch, value, is_demo):
    commands = []
    monkeypatch.setattr(build, "run_quietly", lambda name, command, env: commands.append(command) or "")
    prepare_database({"DEMO": value})
    assert [command[3:] for command in commands] == [["demo"] if is_demo else []]
    assert environment.TRUE_WORDS == TRUE_WORDS
