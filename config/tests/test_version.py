"""Test that the version names the commit that was built."""

import os
import subprocess

import pytest

from config.testing import ROOT
from config.version import RELEASE, read_version

pytestmark = pytest.mark.either_engine

COMMIT = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"


@pytest.mark.parametrize(
    ("content", "version"),
    [
        (f"{COMMIT}\n", f"{RELEASE}+1a2b3c4d"),
        ("1a2b3c4d", f"{RELEASE}+1a2b3c4d"),
        ("", RELEASE),
        ("main", RELEASE),
        ("1a2b3c4d <b>", RELEASE),
        ("1a2b3c4é", RELEASE),
    ],
)
def test_version_has_the_commit_if_it_is_a_hash(tmp_path, content, version):
    file = tmp_path / "REVISION"
    assert read_version(file) == RELEASE
    file.write_text(content)
    assert read_version(file) == version


def test_build_records_the_commit(tmp_path):
    """The build itself fails at its first program, which comes after that."""
    release = tmp_path / "release"
    (release / "deploy").mkdir(parents=True)
    script = release / "deploy" / "build-release"
    script.write_bytes((ROOT / "deploy" / "build-release").read_bytes())
    (tmp_path / "python3").symlink_to("/bin/false")
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def build(**variables):
        subprocess.run(["/bin/sh", script], env=environment | variables, check=False, capture_output=True)
        file = release / "REVISION"
        return file.read_text() if file.exists() else None

    def git(*arguments):
        identity = ["-c", "user.name=Invented", "-c", "user.email=invented@example.org"]
        command = ["git", *identity, "-C", str(release), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert build() is None
    assert build(REVISION=COMMIT) == f"{COMMIT}\n"
    # What an earlier build recorded is not kept.
    assert build() is None
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "Invented")
    assert build() == git("rev-parse", "HEAD")
