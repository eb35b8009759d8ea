"""Test the mail settings of the environment."""

import os
import subprocess
import sys

import pytest

from config.testing import ROOT
from config.tests.production import PRODUCTION

pytestmark = pytest.mark.either_engine


def read(**environment):
    """Load the settings in a process of their own; return what they make of the mail server."""
    code = (
        "from config import settings as s;"
        "print(s.EMAIL_BACKEND.rsplit('.', 2)[1], s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_HOST_USER,"
        " s.EMAIL_HOST_PASSWORD, s.EMAIL_USE_TLS, s.EMAIL_USE_SSL)"
    )
    clean = {name: value for name, value in os.environ.items() if name not in {"EMAIL_URL", "DELIVERY"}}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=clean | environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("url", "read_as"),
    [
        ("smtp://mail.example.org", "smtp mail.example.org 25   False False"),
        ("smtp+tls://ann:p%40ss@mail.example.org:587", "smtp mail.example.org 587 ann p@ss True False"),
        ("smtp+ssl://ann:secret@mail.example.org:465", "smtp mail.example.org 465 ann secret False True"),
    ],
)
def test_email_url_configures_the_mail_server(url, read_as):
    assert read(**PRODUCTION | {"EMAIL_URL": url}) == read_as


def test_mail_is_printed_by_default():
    assert read(ENVIRONMENT="test").startswith("console")
