"""Run tests on a mutant in a copy of the source tree."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.mutation.finder import Mutant
from tools.paths import ROOT

TIMEOUT_SECONDS = 240  # a mutant whose tests take longer hangs, and counts as killed
EXCLUDED_FROM_COPY = (
    ".git",
    ".venv",
    "var",
    "node_modules",
    "frontend_dist",
    "staticfiles",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
)
# Other plugins take longer to load than most mutants to be killed.
PLUGINS = ("-p", "pytest_django.plugin", "-p", "time_machine")

KILLED, SURVIVED, BROKEN = "killed", "SURVIVED", "BROKEN"
DATABASE_FIXTURE = '''

@pytest.fixture(scope="session")
def django_db_setup():
    """Use the migrated database that the environment names, or this worker's copy of it."""
    from django.db import connections

    name, named = os.environ["MUTANT_DATABASE"], connections["default"].settings_dict
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        name = shutil.copy(name, f"{name}-{worker}")
    connections.databases["default"]["NAME"] = named["NAME"] = named["TEST"]["NAME"] = name
'''


@dataclass(frozen=True)
class Outcome:
    """The result of one mutant: `by` is the test that failed, or the reason."""

    mutant: Mutant
    result: str
    by: str
    seconds: float


class SourceCopy:
    """A copy of the source tree, in which one mutant at a time replaces the original."""

    def __init__(self, folder: Path, template: Path | None = None) -> None:
        self.tree, self.folder = folder / "tree", folder
        folder.mkdir(parents=True)
        shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns(*EXCLUDED_FROM_COPY))
        conftest = self.tree / "conftest.py"
        conftest.write_text(f"import os\nimport shutil\n{conftest.read_text()}{DATABASE_FIXTURE}")
        (self.tree / "var").mkdir()
        self.template = template or self.create_template()
        self.writes = 0

    def environment(self, database: Path) -> dict[str, str]:
        # VITE_DEV: no built bundle is needed.
        return {
            **os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ENVIRONMENT": "test",
            "DATABASE_URL": f"sqlite:///{database}", "VITE_DEV": "true",
            "MUTANT_DATABASE": str(database), "STATIC_ROOT": str(self.folder / "static"),
        }  # fmt: skip

    def create_template(self) -> Path:
        """Create the migrated database that each run copies."""
        database = self.folder / "template.sqlite3"
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=self.tree, env=self.environment(database), check=True,
        )  # fmt: skip
        return database

    def run_pytest(
        self, *arguments: str, tests: Sequence[str] = (), seconds: float = TIMEOUT_SECONDS
    ) -> tuple[int, str]:
        """Run tests on a fresh database; return the exit code, -1 if they hang, and the output."""
        database = self.folder / "run.sqlite3"
        for leftover in self.folder.glob("run.sqlite3*"):
            leftover.unlink()
        shutil.copy(self.template, database)
        listed = self.folder / "tests.txt"
        listed.write_text("\n".join(tests))
        command = [
            sys.executable, "-m", "pytest", *PLUGINS, "-p", "no:cacheprovider", "-q", "--tb=no", "--show-capture=no",
            *arguments, f"@{listed}",
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, cwd=self.tree, env=self.environment(database), check=False, capture_output=True, text=True,
                timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return -1, ""
        return done.returncode, done.stdout + done.stderr

    @contextmanager
    def apply_mutant(self, mutant: Mutant) -> Iterator[None]:
        """Replace the file by the mutant until the block ends."""
        path, source = self.tree / mutant.path, (ROOT / mutant.path).read_bytes()
        try:
            self.write(path, mutant.apply(source))
            yield
        finally:
            self.write(path, source)

    def write(self, path: Path, content: bytes) -> None:
        """Write a file with a modification time one second later: bytecode is matched by whole seconds."""
        path.write_bytes(content)
        self.writes += 1
        os.utime(path, (1_000_000_000 + self.writes,) * 2)

    def test_mutant(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Run tests on a mutant until one fails."""
        start = time.monotonic()
        with self.apply_mutant(mutant):
            code, output = self.run_pytest("-x", tests=tests)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
        by = failed[1] if failed else ""
        if code == -1:
            result, by = KILLED, f"nothing ended within {TIMEOUT_SECONDS} s"
        elif code == 1 and failed:
            result = KILLED
        elif code == 0:
            result = SURVIVED
        else:
            result, by = BROKEN, output.strip().splitlines()[-1] if output.strip() else f"exit code {code}"
        return Outcome(mutant, result, by, time.monotonic() - start)
