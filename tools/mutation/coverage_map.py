"""Know which tests run which lines, so that a mutant is tested by those that could notice."""

import hashlib
import json
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tools.mutation.finder import Mutant, list_sources
from tools.mutation.source_copy import SourceCopy
from tools.paths import ROOT

RESULTS = ROOT / "var" / "mutations"
# Too slow for what they could notice: random requests, large data, processes, and the tests of this package.
EXCLUDED_TESTS = (
    "config/tests/api/test_openapi.py", "appointments/tests/doctor_desk/test_scale.py",
    "adminpanel/tests/queries/test_users_scale.py", "adminpanel/tests/operations/test_seed_demo.py",
    "appointments/tests/scheduling/test_calendar_machine.py",
    "accounts/tests/notifications/test_delivery_processes.py", "doctors/tests/test_slot_engine.py",
    "appointments/tests/notifications/test_reminder_fortnight.py", "tools/tests/test_mutation.py",
    # These need the built pages, which a copy lacks.
    "config/tests/test_spa.py", "config/tests/http/test_security_headers.py",
)  # fmt: skip
# The first tests to run on a mutant whose line runs on import.
DEFAULT_TESTS = "adminpanel/tests/contracts/test_access_matrix.py"
DEFAULT_TESTS_BY_KIND = {"transition": "appointments/tests/test_transitions.py"}


class CoverageMap:
    """Which tests run which lines, recorded by coverage.py in one run without mutants."""

    def __init__(self, lines: Mapping[str, Mapping[str, list[int]]], tests: Sequence[str]) -> None:
        self.tests = tests
        self.lines = {path: {int(line): by for line, by in each.items()} for path, each in lines.items()}
        self.sizes = [0] * len(tests)
        for each in self.lines.values():
            for by in each.values():
                for number in by:
                    self.sizes[number] += 1

    def list_tests(self, mutant: Mutant, first: Iterable[str] = ()) -> list[str]:
        """Return the tests that run a mutant's lines: first `first`, then those that run little else."""
        by_line = self.lines.get(mutant.path, {})
        runs = {number for line in range(mutant.line, mutant.last_line + 1) for number in by_line.get(line, ())}
        if not runs:
            low, high = mutant.around
            runs = {number for line, by in by_line.items() if low <= line <= high for number in by}
        named = [self.tests[number] for number in sorted(runs, key=lambda number: (self.sizes[number], number))]
        if not mutant.in_function:
            file = DEFAULT_TESTS_BY_KIND.get(mutant.kind, DEFAULT_TESTS)
            named = [*(test for test in self.tests if test.split("::")[0] == file), *named]
        known = set(self.tests)
        # If no test is known to run the lines, as with the body of a class, any may notice.
        return list(dict.fromkeys([*(test for test in first if test in known), *(named or self.tests)]))


def hash_tree(tests: Sequence[str] = ()) -> str:
    """Return a hash of everything that the coverage map depends on."""
    digest = hashlib.sha256(" ".join(tests).encode())
    for app in (*sorted({path.parts[len(ROOT.parts)] for path in list_sources()}), "config", "templates"):
        for path in sorted((ROOT / app).rglob("*.*")):
            if path.suffix in {".py", ".html", ".txt"}:
                digest.update(path.as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def list_exclusions(tests: Sequence[str]) -> list[str]:
    """Return the pytest options that leave out slow tests, unless the tests are given."""
    return [] if tests else [f"--ignore={path}" for path in EXCLUDED_TESTS]


def load_coverage_map(copy: SourceCopy, tests: Sequence[str] = ()) -> CoverageMap:
    """Run all or the given tests once under coverage, or read the map that such a run of the same code left."""
    file, state = RESULTS / ("map-of-some.json" if tests else "map.json"), hash_tree(tests)
    if file.exists():
        saved = json.loads(file.read_text())
        if saved["state"] == state:
            return CoverageMap(saved["lines"], saved["tests"])
    print("Running the tests without a mutant", flush=True)
    start = time.monotonic()
    shutil.rmtree(copy.folder / "coverage", ignore_errors=True)
    code, output = copy.run_pytest(
        "-p", "pytest_cov.plugin", "--cov", "--cov-context=test", "--cov-report=", "-p", "xdist", "-n2",
        *list_exclusions(tests), tests=tests, seconds=60 * 60,
    )  # fmt: skip
    if code:
        raise SystemExit(f"{output[-4000:]}\nThe tests fail without a mutant; their output is above.")
    import coverage

    data = coverage.CoverageData(str(copy.tree / ".coverage"))
    data.read()
    numbers: dict[str, int] = {}
    lines: dict[str, dict[int, list[int]]] = {}
    for name in sorted(data.measured_files()):
        path = Path(name).relative_to(copy.tree.resolve()).as_posix()
        for line, contexts in sorted(data.contexts_by_lineno(name).items()):
            by = {context.rpartition("|")[0] for context in contexts if context}
            if by:
                lines.setdefault(path, {})[line] = sorted(numbers.setdefault(test, len(numbers)) for test in sorted(by))
    RESULTS.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"state": state, "tests": list(numbers), "lines": lines}))
    print(f"  {output.strip().splitlines()[-1]}; the map took {time.monotonic() - start:.0f} s", flush=True)
    return CoverageMap(json.loads(json.dumps(lines)), list(numbers))
