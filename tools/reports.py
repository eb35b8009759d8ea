"""Collect how the parts of a check or a test run went."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from tools.environment import Env
from tools.errors import CommandError
from tools.paths import PYTHON, ROOT
from tools.postgresql import hide_password, provide_postgresql
from tools.process import run_checked

PASSED, FAILED, NOT_RUN = "passed", "FAILED", "did not run"


@dataclass
class Part:
    """The outcome of one part, with the settings it ran with and the figures it recorded, if any."""

    name: str
    result: str
    seconds: float
    detail: str
    settings: Sequence[str] = ()
    figures: Sequence[str] = ()


@dataclass
class Report:
    """The table at the end of a run."""

    parts: list[Part] = field(default_factory=list)

    def run_part(self, name: str, action: Callable[[], str | None], needs: Sequence[str] = ()) -> Part:
        """Run one part; a failure goes into the table, so that the remaining parts run too."""
        print(f"\n== {name}", flush=True)
        start = time.monotonic()
        try:
            if missing := [part.name for part in self.parts if part.name in needs and part.result != PASSED]:
                raise CommandError(f"needs {', '.join(missing)}")
            result, detail = PASSED, action() or ""
        except CommandError as error:
            print(error, flush=True)
            result, detail = FAILED if error.code == 1 else NOT_RUN, str(error).splitlines()[-1]
        part = Part(name, result, time.monotonic() - start, detail)
        self.parts.append(part)
        return part

    def finish(self) -> int:
        """Print the table; return the exit code."""
        width = max([24, *(len(part.name) for part in self.parts)])
        print(f"\n{'Part':<{width}} {'Result':<12} {'Time':>7}  Detail")
        for part in self.parts:
            detail = " ".join([part.detail, *part.settings])
            print(f"{part.name:<{width}} {part.result:<12} {part.seconds:>6.1f}s  {detail}".rstrip())
            for figure in part.figures:
                print(f"{'':<{width}}   {figure}")
        passed = sum(part.result == PASSED for part in self.parts)
        print(f"{'Total':<{width + 13}} {sum(part.seconds for part in self.parts):>6.1f}s")
        if passed < len(self.parts):
            print(f"See the rows that say {FAILED} or {NOT_RUN}.")
        print(f"{passed} passed, {len(self.parts) - passed} failed", flush=True)
        return 0 if passed == len(self.parts) else 1


def run_tests(argv: Sequence[str], env: Env, junit: Path, cwd: Path = ROOT) -> str:
    """Run tests that write a JUnit report; return their counts. A skipped test counts as a failure."""
    junit.unlink(missing_ok=True)
    failure: CommandError | None = None
    try:
        run_checked(argv, env, cwd)
    except CommandError as error:
        failure = error
    if not junit.exists():
        raise failure or CommandError("left no report", 1)
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in ET.parse(junit).iter("testsuite"):  # noqa: S314 - our own tools have just written it
        for name in counts:
            counts[name] += int(suite.get(name) or 0)
    failed = counts["failures"] + counts["errors"]
    summary = f"{counts['tests'] - failed - counts['skipped']} passed, {failed} failed, {counts['skipped']} skipped"
    if failure or failed or counts["skipped"] or not counts["tests"]:
        raise CommandError(summary, 1)
    return summary


def run_pytest(arguments: Sequence[str], env: Env, junit: Path) -> str:
    return run_tests([PYTHON, "-m", "pytest", *arguments, f"--junitxml={junit}"], env, junit)


def run_pytest_on_postgresql(arguments: Sequence[str], env: Env, junit: Path) -> str:
    with provide_postgresql(env) as url:
        print(f"Using {hide_password(url)}", flush=True)
        return run_pytest(arguments, env | {"DATABASE_URL": url}, junit)


def read_properties(junit: Path) -> list[str]:
    """Return what tests measured, from the properties of their JUnit report."""
    if not junit.exists():
        return []
    tree = ET.parse(junit)  # noqa: S314 - our own tools have just written it
    return [f"{each.get('name')}: {each.get('value')}" for each in tree.iter("property")]
