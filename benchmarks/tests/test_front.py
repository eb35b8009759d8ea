"""Test the page benchmark when Lighthouse fails."""

import json

import pytest

from benchmarks import front

pytestmark = pytest.mark.either_engine

FIGURES = {audit: {"numericValue": 1.0} for audit in front.AUDITS}
FINE = {"audits": FIGURES, "categories": {"performance": {"score": 1.0}}, "environment": {"benchmarkIndex": 9}}
NO_NAVSTART = {"runtimeError": {"code": "NO_NAVSTART", "message": "Something went wrong"}, "audits": {}}


@pytest.fixture
def lighthouse(monkeypatch):
    """Stand in for Lighthouse: what each run writes (or, for an exception, how it fails), then fine reports."""

    def staged(*runs):
        left, urls = list(runs), []

        def run(*command, **_):
            urls.append(command[2])
            outcome = left.pop(0) if left else FINE
            if isinstance(outcome, Exception):
                raise outcome
            path = next(each for each in command if each.startswith("--output-path=")).partition("=")[2]
            if outcome is not None:
                front.Path(path).write_text(json.dumps(outcome))
            return ""

        monkeypatch.setattr(front, "run", run)
        return urls

    return staged


@pytest.mark.parametrize("failure", [NO_NAVSTART, front.ToolError("node: NO_NAVSTART"), None])
def test_failed_run_is_repeated(lighthouse, failure):
    urls = lighthouse(failure)
    assert front.open_page("http://x/", "chromium") == FINE
    assert urls == ["http://x/"] * 2


def test_failing_page_is_reported_and_others_are_measured(lighthouse, monkeypatch, capsys):
    lighthouse(*[NO_NAVSTART] * front.MAX_ATTEMPTS)
    monkeypatch.setattr(front, "print_page_sizes", lambda _: None)
    monkeypatch.setattr(front, "LIGHTHOUSE", front.FOLDER / "package.json")
    monkeypatch.setenv("CHROMIUM", "chromium")

    class Site:
        url = "http://x"

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def call_django(self, *_):
            return ["7"]

    monkeypatch.setattr(front, "run_site", lambda _: Site())
    front.main([])
    printed = capsys.readouterr().out
    assert "home: not measured after 3 tries. Lighthouse: NO_NAVSTART" in printed
    assert "find: score" in printed
    assert "book: score" in printed
    assert "Traceback" not in printed
