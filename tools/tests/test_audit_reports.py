"""Test the parsing of pip-audit and npm audit reports: a skipped package does not pass."""

import json
from typing import Any

import pytest

from tools import audit_reports
from tools.audit_reports import CLEAN, EXIT_CODES, NOT_CHECKED, VULNERABLE, read_npm_audit, read_pip_audit

pytestmark = pytest.mark.either_engine

GOOD = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": []}]}
SKIPPED = {"name": "c", "skip_reason": "not found"}
NO_PIP_REPORT = "pip-audit gave no report"
NO_NPM_REPORT = "npm gave no report; the registry may not support audits"


def pip_report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(packages), "fixes": []})


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        (pip_report(GOOD), (CLEAN, "1 packages")),
        (pip_report(GOOD, BAD), (VULNERABLE, "b 2: PYSEC-1")),
        (pip_report(BAD, SKIPPED), (VULNERABLE, "b 2: PYSEC-1")),
        (pip_report(GOOD, SKIPPED), (NOT_CHECKED, "1 of 2 packages could not be looked up")),
        (pip_report(SKIPPED), (NOT_CHECKED, "1 of 1 packages could not be looked up")),
        (pip_report(), (NOT_CHECKED, "0 of 0 packages could not be looked up")),
        ("", (NOT_CHECKED, NO_PIP_REPORT)),
        ("[]", (NOT_CHECKED, NO_PIP_REPORT)),
    ],
)
def test_skipped_python_package_is_not_clean(output, verdict):
    assert read_pip_audit(output) == verdict


def test_reviewed_vulnerability_is_recognized_by_any_of_its_ids(monkeypatch):
    monkeypatch.setitem(audit_reports.REVIEWED_VULNERABILITIES, "CVE-1", "never reached")
    assert read_pip_audit(pip_report(BAD)) == (CLEAN, "1 packages")


def npm_report(total: int, vulnerabilities: dict[str, Any] | None = None) -> str:
    counts = {"vulnerabilities": {"total": total}, "dependencies": {"total": 61}}
    return json.dumps({"vulnerabilities": vulnerabilities or {}, "metadata": counts})


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        (npm_report(0), (CLEAN, "61 packages")),
        (npm_report(1, {"b": {"via": [{"url": "https://example.org/GHSA-1"}, "c"]}}), (VULNERABLE, "b: GHSA-1")),
        (npm_report(1), (VULNERABLE, "1 without an id")),
        ('npm warn audit 405\n{"message": "405", "error": {}}', (NOT_CHECKED, NO_NPM_REPORT)),
        ("", (NOT_CHECKED, NO_NPM_REPORT)),
    ],
)
def test_skipped_frontend_package_is_not_clean(output, verdict):
    assert read_npm_audit(output) == verdict


def test_unchecked_audit_has_its_own_exit_code():
    assert EXIT_CODES == {CLEAN: 0, VULNERABLE: 1, NOT_CHECKED: 3}
