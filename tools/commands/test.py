"""Run every check and test on both databases and in a browser."""

import functools

from tools.build import build_bundle, collect_static
from tools.commands.check import run_quick_checks
from tools.environment import Env, test_environment
from tools.packages import install_chromium, node_environment, prepare_python
from tools.paths import FRONTEND, REPORTS
from tools.process import run_checked
from tools.reports import Report, run_pytest, run_pytest_on_postgresql, run_tests

HELP = "everything: lint, types, tests on both databases, browser tests"

PARALLEL = ["-n2", "--dist=worksteal"]


def run() -> int:
    prepare_python(development=True)
    REPORTS.mkdir(parents=True, exist_ok=True)
    env, report = test_environment(), Report()
    run_quick_checks(report, env)
    report.run_part("vitest", run_vitest, ["api client"])
    report.run_part("bundle", build_bundle, ["api client"])
    budget = functools.partial(run_checked, ["npm", "run", "budget"], node_environment(), FRONTEND)
    report.run_part("page weight", budget, ["bundle"])
    report.run_part("static files", lambda: collect_static(env), ["bundle"])
    report.run_part("pytest on SQLite", lambda: run_pytest(PARALLEL, env, REPORTS / "sqlite.xml"))
    report.run_part(
        "pytest on PostgreSQL",
        lambda: run_pytest_on_postgresql(
            [*PARALLEL, "-m", "not either_engine", "--first-and-last"], env, REPORTS / "postgresql.xml"
        ),
    )
    report.run_part("browser tests", lambda: run_browser_tests(env), ["static files"])
    return report.finish()


def run_vitest() -> str:
    junit = REPORTS / "vitest.xml"
    argv = ["npm", "test", "--", "--reporter=default", "--reporter=junit", f"--outputFile.junit={junit}"]
    return run_tests(argv, node_environment(), junit, FRONTEND)


def run_browser_tests(env: Env) -> str:
    """Run two files at a time, each with a site and a browser of its own; the tests of one file stay together."""
    arguments = ["-n2", "--dist=loadfile", "frontend/e2e"]
    return run_pytest(arguments, env | {"CHROMIUM": install_chromium(env)}, REPORTS / "browser.xml")
