"""Test the mail settings of the environment."""

import os
import subprocess
import sys

import pytest

from config.testing import ROOT

pytestmark = pytest.mark.either_engine

PRODUCTION = {
    "ENVIRONMENT": "production",
    "SECRET_KEY": "invented-" * 8,
    "ALLOWED_HOSTS": "visits.example.org",
}


def read(**environment):
    """Load the settings in a process of their own; return its output and what it complained of."""
    code = (
        "from config import settings as s;"
        "print(s.EMAIL_BACKEND.rsplit('.', 2)[1], s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_HOST_USER,"
        " s.EMAIL_HOST_PASSWORD, s.EMAIL_USE_TLS, s.EMAIL_USE_SSL)"
    )
    clean = {name: value for name, value in os.environ.items() if name not in {"EMAIL_URL", "DELIVERY"}}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=clean | environment, capture_output=True, text=True, check=False
    )
    return done.stdout.strip(), done.stderr


@pytest.mark.parametrize(
    ("url", "read_as"),
    [
        ("smtp://mail.example.org", "smtp mail.example.org 25   False False"),
        ("smtp+tls://ann:p%40ss@mail.example.org:587", "smtp mail.example.org 587 ann p@ss True False"),
        ("smtp+ssl://ann:secret@mail.example.org:465", "smtp mail.example.org 465 ann secret False True"),
    ],
)
def test_email_url_configures_the_mail_server(url, read_as):
    assert read(**PRODUCTION, EMAIL_URL=url)[0] == read_as


def test_mail_is_printed_by_default():
    assert read(ENVIRONMENT="test")[0].startswith("console")


def test_production_requires_a_mail_server():
    assert "EMAIL_URL must name the mail server" in read(**PRODUCTION)[1]


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"EMAIL_URL": "pigeon://roof"}, "EMAIL_URL must start with"),
        ({"DELIVERY": "sometimes"}, "DELIVERY must be inline or off."),
        ({"EMAIL_TIMEOUT": "600"}, "EMAIL_TIMEOUT must be from 1 to 30."),
    ],
)
def test_invalid_setting_stops_the_start_and_is_named(environment, complaint):
    assert complaint in read(ENVIRONMENT="test", **environment)[1]
