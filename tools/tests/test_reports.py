"""Test the results of a test run: anything that did not run or was skipped counts as failed."""

import sys

import pytest

from tools.environment import base_environment
from tools.errors import CommandError
from tools.reports import FAILED, NOT_RUN, PASSED, Report, read_properties, run_tests

pytestmark = pytest.mark.either_engine

WRITE_REPORT = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2]); sys.exit(int(sys.argv[3]))"


def run_suite(folder, counts, exit_code=0):
    junit = folder / "junit.xml"
    xml = f"<testsuites><testsuite {counts} /></testsuites>"
    argv = [sys.executable, "-c", WRITE_REPORT, str(junit), xml, str(exit_code)]
    return run_tests(argv, base_environment(), junit)


def test_passed_tests_are_counted(tmp_path):
    assert run_suite(tmp_path, 'tests="3" failures="0" errors="0" skipped="0"') == "3 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize(
    ("counts", "exit_code", "message"),
    [
        ('tests="3" failures="1" errors="1"', 1, "1 passed, 2 failed, 0 skipped"),
        ('tests="3" skipped="1"', 0, "2 passed, 0 failed, 1 skipped"),
        ('tests="0"', 0, "0 passed, 0 failed, 0 skipped"),
        ('tests="3"', 3, "3 passed, 0 failed, 0 skipped"),
    ],
    ids=["failed", "skipped", "no test", "exit code"],
)
def test_anything_except_passed_tests_is_a_failure(tmp_path, counts, exit_code, message):
    with pytest.raises(CommandError, match=message) as raised:
        run_suite(tmp_path, counts, exit_code)
    assert raised.value.code == 1


def test_report_of_an_earlier_run_is_ignored(tmp_path):
    (tmp_path / "junit.xml").write_text('<testsuite tests="3" />')
    with pytest.raises(CommandError, match="left no report"):
        run_tests([sys.executable, "-c", ""], base_environment(), tmp_path / "junit.xml")


def test_failed_part_does_not_stop_the_others(capsys):
    def fail():
        raise CommandError("line\nbroken", 1)

    def lack():
        raise CommandError("no browser")

    report = Report()
    report.run_part("first", fail)
    report.run_part("second", lambda: "3 passed")
    report.run_part("third", lack)
    report.run_part("fourth", lambda: None, ["second", "first"])
    assert [(part.name, part.result, part.detail) for part in report.parts] == [
        ("first", FAILED, "broken"),
        ("second", PASSED, "3 passed"),
        ("third", NOT_RUN, "no browser"),
        ("fourth", NOT_RUN, "needs first"),
    ]
    assert report.finish() == 1
    assert capsys.readouterr().out.endswith("1 passed, 3 failed\n")


def test_run_without_failures_succeeds(capsys):
    report = Report()
    part = report.run_part("soak", lambda: "3 passed")
    part.settings, part.figures = ["ROUNDS=3"], ["median: 3 ms"]
    assert report.finish() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 passed, 0 failed"
    assert lines[-4].endswith("3 passed ROUNDS=3")
    assert lines[-3].strip() == "median: 3 ms"


def test_figures_are_read_from_the_properties_of_a_report(tmp_path):
    junit = tmp_path / "junit.xml"
    assert read_properties(junit) == []
    junit.write_text('<testsuite><testcase><property name="median" value="3 ms"/></testcase></testsuite>')
    assert read_properties(junit) == ["median: 3 ms"]
