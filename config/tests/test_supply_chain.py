"""Test that packages are pinned by hash and that production rejects weak settings."""

import json
import os
import subprocess
import sys

import pytest

from config.env.checks import check_folders
from config.testing import ROOT
from config.tests.production import PRODUCTION

pytestmark = pytest.mark.either_engine


def checked(**settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        check=False,
        cwd=ROOT,
        env={**os.environ, **PRODUCTION, "TRUSTED_PROXIES": "1", "BACKUP_KEY": "invented-" * 4, **settings},
        capture_output=True,
        text=True,
    )


def test_production_settings_pass_the_deployment_check():
    done = checked()
    assert (done.returncode, done.stderr) == (0, "")
    # Django's sessions, which we don't use (ADR 0024), and two choices of the operator about subdomains.
    assert done.stdout.strip() == "System check identified no issues (3 silenced)."


def test_deployment_check_warns_of_a_missing_backup_key():
    done = checked(BACKUP_KEY="")
    assert done.returncode == 1
    assert "(config.W003) BACKUP_KEY is not set: no backup can be written." in done.stderr


def test_deployment_check_refuses_another_environment():
    done = checked(ENVIRONMENT="development")
    assert done.returncode == 1
    sentence = "ENVIRONMENT is development: a site for real people needs ENVIRONMENT=production."
    assert f"(config.E005) {sentence}" in done.stderr


ASKED_BY_HTTPS = """
import django
django.setup()
from django.http import HttpResponse
from django.test import Client
from accounts.auth.staff_login import set_cookie

proxied = Client(HTTP_HOST="visits.example.org", HTTP_X_FORWARDED_PROTO="https")
print(proxied.get("/api/no/such")["Strict-Transport-Security"])
bare = Client(HTTP_HOST="visits.example.org").get("/api/doctors?a=1")
print(bare.status_code, bare["Location"])
proxied.get("/staff/login/")
kept = HttpResponse()
set_cookie(kept, "a token")
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
        "max-age=31536000",
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
    assert f"{tmp_path}/de/LC_MESSAGES/django.mo is missing or old: compile the messages" in done.stderr


def test_weak_production_settings_are_reported():
    """The control: the check sees what it is there for."""
    done = checked(SECURE_SSL_REDIRECT="false", SECURE_HSTS_SECONDS="0")
    assert done.returncode == 1
    assert {"security.W004", "security.W008"} <= {word.strip("()?:") for word in done.stderr.split()}


def test_missing_and_misspelt_settings_are_reported():
    done = checked(TRUSTED_PROXIES="0", REDIS_URLS="redis://127.0.0.1", GRANIAN_WORKERS="2")
    assert done.returncode == 1
    assert "(config.W002) TRUSTED_PROXIES is 0: behind a proxy" in done.stderr
    assert "(config.W001) REDIS_URLS is not a setting; did you mean REDIS_URL?" in done.stderr
    assert "(config.E003) REDIS_URL must be set with 2 workers" in done.stderr


def test_several_workers_with_redis_pass_the_check():
    done = checked(GRANIAN_WORKERS="2", REDIS_URL="redis://x")
    assert done.returncode == 0, done.stderr


def test_workers_of_the_command_line_count_first(tmp_path):
    """In a worker, whose parent is the server."""
    program = tmp_path / "server.py"
    program.write_text(
        "import os\n"
        "from config.env.checks import count_workers\n"
        "if pid := os.fork():\n"
        "    os.waitpid(pid, 0)\n"
        "else:\n"
        "    print(count_workers(), flush=True)\n"
    )
    for option in (["--workers", "3"], ["--workers=3"]):
        done = subprocess.run(
            [sys.executable, str(program), *option, "config.asgi:application"],
            cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT), "GRANIAN_WORKERS": "2"}, capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        assert done.stdout == "3\n"


def test_folder_for_uploads_that_is_not_writable_is_reported(tmp_path, settings, monkeypatch):
    settings.MEDIA_ROOT, settings.RECORDS_ROOT = tmp_path / "not" / "yet", tmp_path
    assert check_folders() == []
    monkeypatch.setattr("os.access", lambda folder, mode: False)
    assert [error.msg for error in check_folders()] == [
        f"{name} can't be used: the user with the id {os.getuid()} may not write to {tmp_path}."
        for name in ("MEDIA_ROOT", "RECORDS_ROOT")
    ]


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
