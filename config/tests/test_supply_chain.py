"""Test that packages are pinned by hash and that production rejects weak settings."""

import json
import os
import secrets
import subprocess
import sys

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


def checked(**settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        check=False,
        cwd=ROOT,
        env={**os.environ, **PRODUCTION, **settings},
        capture_output=True,
        text=True,
    )


def test_production_settings_pass_the_deployment_check():
    done = checked()
    assert (done.returncode, done.stderr) == (0, "")
    # The one that is silenced is about Django's sessions, which we don't use (ADR 0024).
    assert done.stdout.strip() == "System check identified no issues (1 silenced)."


ASKED_BY_HTTPS = """
import django
django.setup()
from django.http import HttpResponse
from django.test import Client
from accounts.auth.staff_login import keep

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


def test_production_enforces_https():
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


START_WITHOUT_MESSAGES = """
import sys
from django.conf import settings
settings.LOCALE_PATHS = [sys.argv[1]]
import config.wsgi
"""


def test_production_does_not_start_without_compiled_messages(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", START_WITHOUT_MESSAGES, str(tmp_path)],
        check=False,
        cwd=ROOT,
        env={**os.environ, **PRODUCTION, "HOUSEKEEPING": "off", "DELIVERY": "off"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert f"{tmp_path}/de/LC_MESSAGES/django.mo is missing: compile the messages" in done.stderr


def test_weak_production_settings_are_reported():
    """The control: the check sees what it is there for."""
    done = checked(SECURE_SSL_REDIRECT="false", SECURE_HSTS_SECONDS="0")
    assert done.returncode == 1
    assert {"security.W004", "security.W008"} <= {word.strip("()?:") for word in done.stderr.split()}


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY"),
        ({"SECRET_KEY": "insecure-key-for-development-and-tests-only-0123456789"}, "SECRET_KEY"),
        ({"SECRET_KEY": "k" * 49}, "SECRET_KEY"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS"),
        ({"DEBUG": "true"}, "DEBUG"),
        ({"DEMO": "true"}, "DEMO"),
    ],
)
def test_production_does_not_start_with_insecure_settings(variables, named):
    done = checked(**variables)
    assert done.returncode == 1
    assert f"ImproperlyConfigured: {named} " in done.stderr


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


def test_every_frontend_package_is_pinned_by_its_hash():
    packages = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    unpinned = [name for name, each in packages.items() if name and not each.get("integrity", "").startswith("sha512-")]
    assert unpinned == []
    assert not any("resolved" in each for each in packages.values())
    wanted = json.loads((ROOT / "frontend" / "package.json").read_text())
    versions = [*wanted["dependencies"].values(), *wanted["devDependencies"].values()]
    assert [version for version in versions if not version[0].isdigit()] == []
