"""Test the command that tries what the site depends on."""

import io
import logging
import os
import re
import subprocess
import sys

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.tests.redis_server import redis
from config import health
from config.db.description import describe_database
from config.testing import ROOT, find_free_port
from config.tests.s3_server import S3Server, serve_s3

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

MANAGE = [sys.executable, "manage.py"]


@pytest.fixture(autouse=True)
def _log_levels():
    logger = logging.getLogger("config.db")
    level = logger.level
    yield
    logger.setLevel(level)


def run():
    """Return what the command prints, and the error that ends it."""
    out = io.StringIO()
    try:
        call_command("check_connections", stdout=out, no_color=True)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), ""


def use_mail_server(settings, port, password):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "ann", password


@pytest.fixture
def mail_port():
    """Run a mail server with one account; return its port."""

    def authenticate(server, session, envelope, mechanism, data):
        return AuthResult(success=data.password == b"right", handled=False, message=None)

    port = find_free_port()
    options = {"authenticator": authenticate, "auth_require_tls": False}
    controller = Controller(object(), hostname="127.0.0.1", port=port, **options)
    controller.start()
    yield port
    controller.stop()


def test_each_connection_that_works_is_a_sentence(settings, tmp_path, mail_port):
    use_mail_server(settings, mail_port, "right")
    with redis(tmp_path) as url:
        settings.REDIS_URL = url
        settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url}}
        sentences, error = run()
    user = f"the user with the id {os.getuid()}"
    assert error == ""
    assert sentences[0] == f"The database {describe_database(connection.settings_dict)} responds."
    assert sentences[1] == f"Redis at {url.removeprefix('redis://').removesuffix('?protocol=2')} responds."
    assert [re.sub(r"write to /.*", "write to …", each) for each in sentences[2:4]] == [
        f"MEDIA_ROOT can be used: {user} may write to …",
        f"RECORDS_ROOT can be used: {user} may write to …",
    ]
    assert sentences[4:] == [f"The mail server 127.0.0.1:{mail_port} accepts the login."]


def test_bucket_that_responds_is_named_once(settings):
    store = S3Server()
    options = {
        "bucket_name": "files",
        "endpoint_url": store.url,
        "region_name": "us-east-1",
        "access_key": "invented-access",
        "secret_key": "invented-secret",
    }
    storage = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    settings.S3_BUCKET = "files"
    settings.STORAGES = settings.STORAGES | {"default": storage, "records": storage}
    with serve_s3(store):
        sentences, error = run()
    assert error == ""
    assert sentences[2:-1] == [f"The bucket files at {store.url} responds."]


def test_what_a_site_does_not_use_is_no_failure(settings):
    sentences, error = run()
    assert error == ""
    assert sentences[1] == "Redis is not used: REDIS_URL is empty."
    assert sentences[-1] == "No mail server is used: EMAIL_URL names none."


def test_login_that_is_refused_is_named_without_the_password(settings, mail_port):
    use_mail_server(settings, mail_port, "hunter2")
    sentences, error = run()
    assert error == "1 connection failed."
    assert sentences[-1].startswith(f"The mail server can't be used: 127.0.0.1:{mail_port}: 535 ")
    assert "hunter2" not in sentences[-1]


def test_everything_out_of_reach_is_named_with_the_reason_and_without_secrets():
    environment = {
        "ENVIRONMENT": "test",
        "DATABASE_URL": "postgresql://ann:hunter2@127.0.0.1:1/visits",
        "REDIS_URL": "redis://:hunter2@127.0.0.1:2/0",
        "S3_BUCKET": "files",
        "S3_RECORDS_BUCKET": "records",
        "S3_ENDPOINT_URL": "http://127.0.0.1:4",
        "S3_ACCESS_KEY": "hunter2-access",
        "S3_SECRET_KEY": "hunter2-secret",
        "EMAIL_URL": "smtp+tls://ann:hunter2@127.0.0.1:3",
    }
    done = subprocess.run(
        [*MANAGE, "check_connections"], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    starts = [
        "The database visits at 127.0.0.1:1 can't be used: OperationalError: ",
        "Redis at 127.0.0.1:2/0 does not respond: ",
        "The bucket files at http://127.0.0.1:4 can't be used: Could not connect",
        "The bucket records at http://127.0.0.1:4 can't be used: Could not connect",
        "The mail server can't be used: 127.0.0.1:3: ",
    ]
    lines = done.stdout.splitlines()
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=True)] == starts
    assert all("refused" in line for line in (lines[0], lines[1], lines[4]))
    assert (done.returncode, done.stderr) == (1, "CommandError: 5 connections failed.\n")
    assert "hunter2" not in done.stdout


def test_missing_sqlite_file_is_not_created(tmp_path):
    file = tmp_path / "db.sqlite3"
    environment = os.environ | {"ENVIRONMENT": "test", "DATABASE_URL": f"sqlite:///{file}", "REDIS_URL": ""}
    done = subprocess.run(
        [*MANAGE, "check_connections"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == f"The database {file} does not exist yet: migrate or restore creates it."
    assert not file.exists()


def test_waiting_migrations_are_named(monkeypatch):
    monkeypatch.setattr(health.migrations, "migrated_at", float("-inf"))
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda self, targets: [None] * 3)
    lines, error = run()
    assert lines[0] == f"The database {describe_database(connection.settings_dict)} responds; 3 migrations are waiting."
    assert error == ""
