"""Take each check away in turn and expect a red test every time: `python3 dev.py mutate`.

    python3 dev.py mutate --list                 what would be taken away, and nothing is run
    python3 dev.py mutate                        everything; a table, and exit code 1 where a mutant survived
    python3 dev.py mutate --only permission      those whose kind or key has one of these words
    python3 dev.py mutate --rest                 those that the last runs left over: not tried yet, or alive
    python3 dev.py mutate --jobs 4               so many at a time
    python3 dev.py mutate --only holds --tests appointments/tests/test_holds.py
                                                 with these tests alone: what they kill is killed, the rest is left open

The tests run once without any mutant while coverage.py notes which test runs which line; a mutant is then tried with
the tests that run its lines, those that killed it before and the most particular ones first, up to the first failure.
All of it happens in copies of the tree, each run on a SQLite file of its own; where a mutant changes a function, tests
that are loaded already are tried first (`mutation_warm.py`). What came of each mutant is kept in
`var/mutations/`, so that a run which was stopped goes on with `--rest`.

A mutant that survives either asks for a test or is no mutant at all: what it changes can't be told from outside.
Those stand in `EQUIVALENT`, each with the reason.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from adminpanel.tests.mutation_equivalents import EQUIVALENT
from adminpanel.tests.mutation_sites import ROOT, Mutant, mutants, sources

KEPT = ROOT / "var" / "mutations"
LONGEST = 240  # seconds; whatever takes longer hangs, and is seen
# What a copy of the tree does without.
NOT_COPIED = (
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
# Too slow for what they could notice: random requests, crowds, processes of their own, and the mutants' own tests.
NOT_RUN = (
    "config/tests/test_openapi.py", "appointments/tests/test_scale.py", "adminpanel/tests/test_people_scale.py",
    "adminpanel/tests/test_seed_demo.py", "appointments/tests/test_calendar_machine.py",
    "accounts/tests/test_delivery_processes.py", "doctors/tests/test_free_times.py",
    "appointments/tests/test_reminder_fortnight.py", "adminpanel/tests/test_mutations.py",
    # These look at the built pages, which the copies do without.
    "config/tests/test_first_paint.py", "config/tests/test_browser_safety.py",
)  # fmt: skip
# Where no test runs a mutant's line by itself: what is decided while modules load.
ALWAYS = "adminpanel/tests/test_access_matrix.py"
ALWAYS_OF = {"transition": "appointments/tests/test_states.py"}

MOST_TESTS, NEAREST = 200, 25  # by a program that starts anew, for what can't be swapped and for what can
# The others take longer to load than most mutants to die.
PLUGINS = ("-p", "pytest_django.plugin", "-p", "time_machine")

KILLED, SURVIVED, BROKEN = "killed", "SURVIVED", "BROKEN"
DATABASE = '''

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
    """What came of one mutant."""

    mutant: Mutant
    result: str
    by: str
    seconds: float


class Bench:
    """A copy of the tree in which one mutant at a time lives."""

    def __init__(self, folder: Path, template: Path | None = None) -> None:
        self.tree, self.folder = folder / "tree", folder
        folder.mkdir(parents=True)
        shutil.copytree(ROOT, self.tree, ignore=shutil.ignore_patterns(*NOT_COPIED))
        conftest = self.tree / "conftest.py"
        conftest.write_text(f"import os\nimport shutil\n{conftest.read_text()}{DATABASE}")
        (self.tree / "var").mkdir()
        self.template = template or self.migrated()
        self.writes = 0

    def environment(self, database: Path) -> dict[str, str]:
        # The page's bundle need not be built for this.
        return {
            **os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "ENVIRONMENT": "test",
            "DATABASE_URL": f"sqlite:///{database}", "VITE_DEV": "true",
            "MUTANT_DATABASE": str(database), "STATIC_ROOT": str(self.folder / "static"),
        }  # fmt: skip

    def migrated(self) -> Path:
        """Make the database that each run copies."""
        database = self.folder / "template.sqlite3"
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=self.tree, env=self.environment(database), check=True,
        )  # fmt: skip
        return database

    def pytest(self, *arguments: str, tests: Sequence[str] = (), seconds: float = LONGEST) -> tuple[int, str]:
        """Run tests in the copy, on a fresh database; answers the exit code, -1 if they hang, and what was printed."""
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
    def without(self, mutant: Mutant) -> Iterator[None]:
        """Take the check away for as long as the block lasts."""
        path, source = self.tree / mutant.path, (ROOT / mutant.path).read_bytes()
        try:
            self.write(path, mutant.apply(source))
            yield
        finally:
            self.write(path, source)

    def write(self, path: Path, content: bytes) -> None:
        """Write a file, a second later than before: compiled modules are told apart by whole seconds."""
        path.write_bytes(content)
        self.writes += 1
        os.utime(path, (1_000_000_000 + self.writes,) * 2)

    def attempt(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Run the tests on a mutant, up to the first that fails."""
        began = time.monotonic()
        with self.without(mutant):
            code, printed = self.pytest("-x", tests=tests)
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.MULTILINE)
        by = failed[1] if failed else ""
        if code == -1:
            result, by = KILLED, f"nothing ended within {LONGEST} s"
        elif code == 1 and failed:
            result = KILLED
        elif code == 0:
            result = SURVIVED
        else:
            result, by = BROKEN, printed.strip().splitlines()[-1] if printed.strip() else f"exit code {code}"
        return Outcome(mutant, result, by, time.monotonic() - began)


class Warm:
    """Tests that are loaded once, in a bench of their own, and tried on one mutant after another.

    Most mutants change the body of a function or one value, and die in a fraction of a second so. Whatever else
    changes, and whatever seems to survive, is tried again as a file of the tree, by a program that starts anew.
    """

    def __init__(self, bench: Bench, *arguments: str) -> None:
        self.bench = bench
        orders, self.orders = os.pipe()
        self.answers, answers = os.pipe()
        environment = {
            **bench.environment(bench.folder / "warm.sqlite3"), "MUTANT_ORDERS": str(orders),
            "MUTANT_ANSWERS": str(answers),
        }  # fmt: skip
        self.log = (bench.folder / "warm.log").open("w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *PLUGINS, "-p", "adminpanel.tests.mutation_warm", "-p", "no:cacheprovider",
             "-q", "-s", "--tb=no", *arguments],
            cwd=bench.tree, env=environment, stdout=self.log, stderr=subprocess.STDOUT, pass_fds=(orders, answers),
        )  # fmt: skip
        os.close(orders)
        os.close(answers)
        self.reader = os.fdopen(self.answers)
        self.tests = set(json.loads(self.reader.readline() or "[]"))

    def ask(self, tests: Sequence[str], mutant: Mutant | None = None) -> dict[str, str]:
        """Run tests on a mutant, or on the code as it is."""
        database = self.bench.folder / "warm-run.sqlite3"
        for leftover in self.bench.folder.glob("warm-run.sqlite3*"):
            leftover.unlink()
        shutil.copy(self.bench.template, database)
        order: dict[str, Any] = {
            "database": str(database),
            "tests": list(tests),
            "source": "",
            "path": "",
            "line": 0,
            "seconds": LONGEST,
        }
        if mutant:
            source = (ROOT / mutant.path).read_bytes()
            order |= {"source": mutant.apply(source).decode(), "path": str(self.bench.tree / mutant.path)}
            order |= {"line": mutant.line, "in_function": mutant.in_function}
        os.write(self.orders, f"{json.dumps(order)}\n".encode())
        return dict(json.loads(self.reader.readline() or '{"result": "broken", "by": "the loaded tests ended"}'))

    def attempt(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Try a mutant here, and by a program of its own where that leaves anything to doubt."""
        began, left = time.monotonic(), list(tests)
        while True:
            told = self.ask(left, mutant)
            if told["result"] == "hangs":
                return Outcome(mutant, KILLED, told["by"], time.monotonic() - began)
            if told["result"] != "killed":
                break
            if self.ask([told["by"]])["result"] == "survived":
                return Outcome(mutant, KILLED, told["by"], time.monotonic() - began)
            # It fails in such a child whatever the code says.
            left.remove(told["by"])
        # The loaded tests have said that it lives; that their code was swapped rightly, the nearest tests can tell.
        outcome = self.bench.attempt(mutant, tests[: NEAREST if mutant.in_function else MOST_TESTS])
        return Outcome(mutant, outcome.result, outcome.by, time.monotonic() - began)

    def stop(self) -> None:
        """End the loaded tests."""
        os.close(self.orders)
        self.process.wait(60)
        self.reader.close()
        self.log.close()


# --- Which tests run which lines --------------------------------------------------------------


class Map:
    """Which tests run which lines, from one run without any mutant."""

    def __init__(self, lines: Mapping[str, Mapping[str, list[int]]], tests: Sequence[str]) -> None:
        self.tests = tests
        self.lines = {path: {int(line): by for line, by in each.items()} for path, each in lines.items()}
        self.sizes = [0] * len(tests)
        for each in self.lines.values():
            for by in each.values():
                for number in by:
                    self.sizes[number] += 1

    def tests_of(self, mutant: Mutant, first: Iterable[str] = ()) -> list[str]:
        """List the tests that run a mutant's lines: its killers of old, then whoever runs little else."""
        by_line = self.lines.get(mutant.path, {})
        runs = {number for line in range(mutant.line, mutant.last_line + 1) for number in by_line.get(line, ())}
        if not runs:
            low, high = mutant.around
            runs = {number for line, by in by_line.items() if low <= line <= high for number in by}
        named = [self.tests[number] for number in sorted(runs, key=lambda number: (self.sizes[number], number))]
        if not mutant.in_function:
            file = ALWAYS_OF.get(mutant.kind, ALWAYS)
            named = [*(test for test in self.tests if test.split("::")[0] == file), *named]
        known = set(self.tests)
        # Where none is known to run it, as with a class's own lines and tests that somebody chose, each may notice.
        return list(dict.fromkeys([*(test for test in first if test in known), *(named or self.tests)]))


def state_of_the_tree(tests: Sequence[str] = ()) -> str:
    """Answer a digest of all code and all tests: what the map was made from."""
    digest = hashlib.sha256(" ".join(tests).encode())
    for app in (*sorted({path.parts[len(ROOT.parts)] for path in sources()}), "config", "templates"):
        for path in sorted((ROOT / app).rglob("*.*")):
            if path.suffix in {".py", ".html", ".txt"} and "mutation" not in path.stem:
                digest.update(path.as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def not_run(tests: Sequence[str]) -> list[str]:
    """Name what is left out of a run, for pytest; nothing where somebody has chosen the tests."""
    return [] if tests else [f"--ignore={path}" for path in NOT_RUN]


def made_map(bench: Bench, tests: Sequence[str] = ()) -> Map:
    """Run every test, or those named, once under coverage, or read what such a run of the same tree found."""
    kept, state = KEPT / ("map-of-some.json" if tests else "map.json"), state_of_the_tree(tests)
    if kept.exists():
        found = json.loads(kept.read_text())
        if found["state"] == state:
            return Map(found["lines"], found["tests"])
    print("Running the tests without any mutant", flush=True)
    began = time.monotonic()
    shutil.rmtree(bench.folder / "coverage", ignore_errors=True)
    code, printed = bench.pytest(
        "-p", "pytest_cov.plugin", "--cov", "--cov-context=test", "--cov-report=", "-p", "xdist", "-n2",
        *not_run(tests), tests=tests, seconds=60 * 60,
    )  # fmt: skip
    if code:
        raise SystemExit(f"{printed[-4000:]}\nThe tests fail without any mutant; what they said stands above.")
    import coverage

    data = coverage.CoverageData(str(bench.tree / ".coverage"))
    data.read()
    numbers: dict[str, int] = {}
    lines: dict[str, dict[int, list[int]]] = {}
    for name in sorted(data.measured_files()):
        path = Path(name).relative_to(bench.tree.resolve()).as_posix()
        for line, contexts in sorted(data.contexts_by_lineno(name).items()):
            by = {context.rpartition("|")[0] for context in contexts if context}
            if by:
                lines.setdefault(path, {})[line] = sorted(numbers.setdefault(test, len(numbers)) for test in sorted(by))
    KEPT.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps({"state": state, "tests": list(numbers), "lines": lines}))
    print(f"  {printed.strip().splitlines()[-1]}; the map took {time.monotonic() - began:.0f} s", flush=True)
    return Map(json.loads(json.dumps(lines)), list(numbers))


# --- The run ----------------------------------------------------------------------------------


def earlier() -> dict[str, dict[str, str]]:
    """Answer what came of each mutant in earlier runs."""
    kept = KEPT / "results.json"
    return dict(json.loads(kept.read_text())) if kept.exists() else {}


def run(chosen: Sequence[Mutant], jobs: int, named: Sequence[str] = ()) -> list[Outcome]:
    """Try each mutant; what came of it is kept as soon as it is known, but not what lives through some tests."""
    before, outcomes, lock = earlier(), dict[str, Outcome](), threading.Lock()
    benches: SimpleQueue[Warm] = SimpleQueue()
    with tempfile.TemporaryDirectory(prefix="wellhour-mutants-") as place, ExitStack() as stack:
        folder = Path(place)
        first = Bench(folder / "0")
        known = made_map(first, named)
        for number in range(jobs):
            bench = Bench(folder / str(number), first.template) if number else first
            warm = Warm(bench, *not_run(named), *named)
            stack.callback(warm.stop)
            benches.put(warm)

        def one(mutant: Mutant) -> None:
            old = before.get(mutant.key, {})
            tests = known.tests_of(mutant, [old["by"]] if old.get("result") == KILLED else [])
            warm = benches.get()
            try:
                outcome = warm.attempt(mutant, tests)
            finally:
                benches.put(warm)
            with lock:
                outcomes[mutant.key] = outcome
                if outcome.result == KILLED or not named:
                    before[mutant.key] = {"result": outcome.result, "by": outcome.by}
                KEPT.mkdir(parents=True, exist_ok=True)
                (KEPT / "results.json").write_text(json.dumps(before, indent=1, sort_keys=True))
                print(f"{len(outcomes):>4}/{len(chosen)} {row_of(outcome)}", flush=True)

        with ThreadPoolExecutor(jobs) as pool:
            for future in [pool.submit(one, mutant) for mutant in chosen]:
                future.result()
    return [outcomes[mutant.key] for mutant in chosen]


def row_of(outcome: Outcome) -> str:
    """Write one line of the table."""
    mutant, by = outcome.mutant, outcome.by
    if outcome.result == SURVIVED and mutant.key in EQUIVALENT:
        by = f"equivalent: {EQUIVALENT[mutant.key]}"
    what = mutant.key.partition(" ")[2]
    return f"{outcome.result:<9} {mutant.path}:{mutant.line} {mutant.kind}: {what} | {by} ({outcome.seconds:.0f} s)"


def report(outcomes: Sequence[Outcome]) -> int:
    """Print counts by kind, and what is alive; answers the exit code."""
    alive = [each for each in outcomes if each.result == SURVIVED and each.mutant.key not in EQUIVALENT]
    broken = [each for each in outcomes if each.result == BROKEN]
    # Whoever is called equivalent and dies is none.
    wrong = [each for each in outcomes if each.result == KILLED and each.mutant.key in EQUIVALENT]
    print(f"\n{'Kind':<12} {'Mutants':>7} {'Killed':>7} {'Equivalent':>10} {'Alive':>6}")
    kinds = dict.fromkeys(each.mutant.kind for each in outcomes)
    for kind in [*kinds, "all"]:
        own = [each for each in outcomes if kind in {each.mutant.kind, "all"}]
        killed = sum(each.result == KILLED for each in own)
        living = sum(each in alive or each in broken for each in own)
        print(f"{kind:<12} {len(own):>7} {killed:>7} {len(own) - killed - living:>10} {living:>6}")
    for title, some in (("Alive", alive), ("Broken", broken), ("Called equivalent, but killed", wrong)):
        for each in some:
            print(f"{title}: {row_of(each)}")
    return 1 if alive or broken or wrong else 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="dev.py mutate", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="list the mutants and run nothing")
    parser.add_argument("--only", action="append", default=[], help="a word of the kind or key; may be given again")
    parser.add_argument("--rest", action="store_true", help="only what earlier runs did not kill")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--tests", action="append", default=[], help="a file of tests to try alone; may be given again")
    options = parser.parse_args(arguments)
    chosen = mutants(options.only)
    if options.rest:
        done = earlier()
        chosen = [each for each in chosen if done.get(each.key, {}).get("result") != KILLED]
    if options.list:
        for mutant in chosen:
            print(f"{mutant.kind:<12} {mutant.path}:{mutant.line} {mutant.key.partition(' ')[2]}")
        print(f"{len(chosen)} mutants")
        return 0
    return report(run(chosen, options.jobs, options.tests))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
