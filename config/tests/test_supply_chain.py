"""What is said of the packages, and of the settings that a site for real people runs with."""

import importlib.util
import json
import os
import secrets
import subprocess
import sys
from typing import Any

import pytest

from config.testing import ROOT

pytestmark = pytest.mark.either_engine

PRODUCTION = {
    "ENVIRONMENT": "production",
    "SECRET_KEY": secrets.token_urlsafe(60),
    "ALLOWED_HOSTS": "visits.example.org",
    "BASE_URL": "https://visits.example.org",
    "EMAIL_URL": "smtp://mail.example.org:25",
}


@pytest.fixture(scope="module")
def dev():
    """The program that sets up and checks, as a module."""
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["dev"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["dev"]


def checked(**settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        check=False,
        cwd=ROOT,
        env={**os.environ, **PRODUCTION, **settings},
        capture_output=True,
        text=True,
    )


def test_production_is_deployed_without_a_warning():
    done = checked()
    assert (done.returncode, done.stderr) == (0, "")
    # The one that is silenced is about Django's sessions, which we don't use (decision 24).
    assert done.stdout.strip() == "System check identified no issues (1 silenced)."


ASKED_BY_HTTPS = """
import django
django.setup()
from django.http import HttpResponse
from django.test import Client
from accounts.staff_sign_in import keep

proxied = Client(HTTP_HOST="visits.example.org", HTTP_X_FORWARDED_PROTO="https")
print(proxied.get("/api/no/such")["Strict-Transport-Security"])
bare = Client(HTTP_HOST="visits.example.org").get("/api/doctors?a=1")
print(bare.status_code, bare["Location"])
proxied.get("/staff/login/")
kept = HttpResponse()
keep(kept, "a token")
for cookie in (proxied.cookies["csrftoken"], kept.cookies["staff"]):
    print(cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"])
"""


def test_production_keeps_browsers_to_https():
    done = subprocess.run(
        [sys.executable, "-c", ASKED_BY_HTTPS],
        check=True,
        cwd=ROOT,
        env={**os.environ, **PRODUCTION, "DJANGO_SETTINGS_MODULE": "config.settings", "TRUSTED_PROXIES": "1"},
        capture_output=True,
        text=True,
    )
    cookie = "True True Strict /staff/"
    assert done.stdout.splitlines() == [
        "max-age=31536000; includeSubDomains; preload",
        "301 https://visits.example.org/api/doctors?a=1",
        cookie,
        cookie,
    ]


def test_a_production_with_a_weakness_is_warned_of():
    """The control: the check sees what it is there for."""
    done = checked(SECURE_SSL_REDIRECT="false", SECURE_HSTS_SECONDS="0")
    assert done.returncode == 1
    assert {"security.W004", "security.W008"} <= {word.strip("()?:") for word in done.stderr.split()}


def report(*packages: dict[str, Any]) -> str:
    return json.dumps({"dependencies": list(packages), "fixes": []})


GOOD = {"name": "a", "version": "1", "vulns": []}
BAD = {"name": "b", "version": "2", "vulns": [{"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": []}]}
SKIPPED = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (report(GOOD), ("clean", "1 packages")),
        (report(GOOD, BAD), ("FOUND", "b 2: PYSEC-1")),
        (report(BAD, SKIPPED), ("FOUND", "b 2: PYSEC-1")),
        (report(GOOD, SKIPPED), ("not asked", "could not be asked about 1 of 2 packages")),
        (report(SKIPPED), ("not asked", "could not be asked about 1 of 1 packages")),
        (report(), ("not asked", "could not be asked about any of 0 packages")),
        ("", ("not asked", "could not be asked: no answer that can be read")),
        ("[]", ("not asked", "could not be asked: no answer that can be read")),
    ],
)
def test_silence_about_a_python_package_is_no_pass(dev, printed, verdict):
    assert dev.pip_verdict(printed) == verdict


def test_an_answered_vulnerability_is_known_by_any_of_its_names(dev, monkeypatch):
    monkeypatch.setitem(dev.ANSWERED, "CVE-1", "never reached")
    assert dev.pip_verdict(report(BAD)) == ("clean", "1 packages")


def npm(total: int, found: dict[str, Any] | None = None) -> str:
    counts = {"vulnerabilities": {"total": total}, "dependencies": {"total": 61}}
    return json.dumps({"vulnerabilities": found or {}, "metadata": counts})


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        (npm(0), ("clean", "61 packages")),
        (npm(1, {"b": {"via": [{"url": "https://example.org/GHSA-1"}, "c"]}}), ("FOUND", "b: GHSA-1")),
        (npm(1), ("FOUND", "1 without a name")),
        ('npm warn audit 405\n{"message": "405", "error": {}}', ("not asked", None)),
        ("", ("not asked", None)),
    ],
)
def test_silence_about_a_front_end_package_is_no_pass(dev, printed, verdict):
    result, detail = dev.npm_verdict(printed)
    assert result == verdict[0]
    assert detail == (verdict[1] or "could not be asked: the registry answers no audits")


def test_who_could_not_be_asked_is_neither_pass_nor_fail(dev):
    assert dev.AUDIT_CODES == {"clean": 0, "FOUND": 1, "not asked": 3}


def test_a_secret_is_found_and_a_reviewed_one_is_not_new(dev, monkeypatch, tmp_path):
    found = {"config/settings.py": [{"hashed_secret": "1" * 40, "line_number": 3, "type": "Private Key"}]}
    monkeypatch.setattr(dev, "secrets_in_sources", lambda env: found)
    baseline = tmp_path / "baseline"
    monkeypatch.setattr(dev, "SECRETS_BASELINE", baseline)
    baseline.write_text("{}")
    with pytest.raises(dev.Problem, match="1 new"):
        dev.no_new_secrets({})
    baseline.write_text(json.dumps({"config/settings.py": {"1" * 40: "made up"}}))
    assert dev.no_new_secrets({}) == "1 looked at, none new"


def test_each_reviewed_secret_says_why_it_is_none():
    known = json.loads((ROOT / ".secrets.baseline").read_text())
    assert known
    for file, answers in known.items():
        assert (ROOT / file).is_file(), file
        assert all(len(why) > 20 for why in answers.values()), file


@pytest.mark.parametrize("name", sorted(path.stem for path in ROOT.glob("requirements*.txt")))
def test_every_package_is_pinned_by_its_hashes(name):
    """One version, its hashes, and no address of a registry."""
    lines = (ROOT / f"{name}.txt").read_text().replace("\\\n", " ").splitlines()
    packages = [line for line in lines if line.strip() and not line.startswith("#")]
    assert packages
    for line in packages:
        assert "==" in line.split()[0], line
        assert "--hash=sha256:" in line, line
        assert "://" not in line, line


def test_every_package_of_the_front_end_is_pinned_by_its_hash():
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    unpinned = [name for name, each in packages.items() if name and not each.get("integrity", "").startswith("sha512-")]
    assert unpinned == []
    assert not any("resolved" in each for each in packages.values())
    wanted = json.loads((ROOT / "frontend" / "package.json").read_text())
    versions = [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]
    assert [version for version in versions if not version[0].isdigit()] == []
