"""Test which libraries a worker does without until a request needs them."""

import os
import subprocess
import sys

import pytest

from config.testing import ROOT
from config.tests.production import PRODUCTION

pytestmark = pytest.mark.either_engine

# Tens of megabytes of each worker together.
OPTIONAL = {"PIL", "boto3", "pikepdf", "redis", "sentry_sdk", "typst", "uharfbuzz", "webauthn"}
PROGRAM = """
import sys
import config.asgi
from django.urls import resolve
resolve("/api/doctors")
print("loaded:", *sorted(name for name in sys.modules if "." not in name))
"""


def test_worker_starts_without_optional_libraries(tmp_path):
    environment = PRODUCTION | {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "MEDIA_ROOT": str(tmp_path / "media"),
        "RECORDS_ROOT": str(tmp_path / "records"),
        "METRICS_ROOT": str(tmp_path / "metrics"),
        "STATIC_ROOT": os.environ["STATIC_ROOT"],
        "WORKER_THREADS": "16",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.partition("loaded:")[2].split())
    assert "django" in loaded
    assert loaded & OPTIONAL == set()
