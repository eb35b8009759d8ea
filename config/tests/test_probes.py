"""Test what `/readyz` says of Redis, folders, buckets and the mail queue, and what it costs."""

import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from botocore.exceptions import EndpointConnectionError  # type: ignore[import-untyped]  # it has no types
from django.utils import timezone
from redis.exceptions import ConnectionError as RedisConnectionError

from accounts.models import Notice
from accounts.notifications.outbox import notify_user
from accounts.tests.factories import PatientFactory
from accounts.tests.redis_server import redis
from config import health, probes
from config.api.errors import to_domain_error
from config.failure_reasons import LogThrottle
from config.testing import find_free_port
from config.version import VERSION

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _fresh_probes(monkeypatch):
    monkeypatch.setattr(probes, "redis", probes.CachedProbe(probes.check_redis, 0))
    monkeypatch.setattr(probes, "buckets", probes.CachedProbe(probes.check_buckets, 0))
    monkeypatch.setattr(probes, "log_throttle", LogThrottle())


def use_redis(settings, url):
    settings.REDIS_URL = url
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url}}


def test_a_site_without_redis_and_s3_is_ready(client):
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (
        200,
        {
            "status": "ok",
            "amiss": [],
            "version": VERSION,
            "maintenance": "off",
            "housekeeping": "late",
            "delivery": "late",
            "mail": "ok",
            "redis": "off",
            "storage": "ok",
        },
    )


def test_dead_redis_is_reported_and_its_recovery_too(client, settings, tmp_path, caplog):
    with redis(tmp_path) as url:
        use_redis(settings, url)
        assert client.get("/readyz").json()["redis"] == "ok"
    for _ in range(2):
        response = client.get("/readyz")
        assert (response.status_code, response.json()["amiss"]) == (503, ["Redis does not respond"])
        assert (response.json()["redis"], response["Retry-After"]) == ("unavailable", "5")
    address = url.removeprefix("redis://").removesuffix("?protocol=2")
    (message,) = [record.getMessage() for record in caplog.records if "Redis" in record.getMessage()]
    assert message.startswith(f"Redis at {address} does not respond: ")
    assert "refused" in message


def test_password_of_redis_is_not_logged(settings, caplog):
    settings.REDIS_URL = "rediss://:hunter2@cache.example.org:6380/1"
    probes.log_redis_failure(RedisConnectionError("WRONGPASS for hunter2"))
    assert [record.getMessage() for record in caplog.records] == [
        "Redis at cache.example.org:6380/1 does not respond: WRONGPASS for …"
    ]


def test_unwritable_folder_is_reported(client, settings, monkeypatch, caplog):
    monkeypatch.setattr("os.access", lambda folder, mode: False)
    for _ in range(2):
        response = client.get("/readyz")
        assert response.status_code == 503
        assert response.json()["amiss"] == ["MEDIA_ROOT is not writable", "RECORDS_ROOT is not writable"]
        assert response.json()["storage"] == "unavailable"
    assert len([record for record in caplog.records if "may not write to" in record.getMessage()]) == 2


class Storage(BaseHTTPRequestHandler):
    """As much of S3 as is asked: whether a bucket is there."""

    status = 200

    def do_HEAD(self):
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


def use_s3(settings, port):
    options = {
        "bucket_name": "files",
        "endpoint_url": f"http://127.0.0.1:{port}",
        "region_name": "us-east-1",
        "access_key": "invented-access",
        "secret_key": "invented-secret",
    }
    backend = "storages.backends.s3.S3Storage"
    settings.S3_BUCKET = "files"
    settings.STORAGES = settings.STORAGES | {
        name: {"BACKEND": backend, "OPTIONS": options} for name in ("default", "records")
    }


def test_bucket_out_of_reach_leaves_the_site_ready(client, settings, caplog):
    with ThreadingHTTPServer(("127.0.0.1", 0), Storage) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        use_s3(settings, port)
        assert client.get("/readyz").json()["storage"] == "ok"
        Storage.status = 403
        try:
            response = client.get("/readyz")
        finally:
            Storage.status = 200
            server.shutdown()
    assert (response.status_code, response.json()["storage"], response.json()["amiss"]) == (200, "unavailable", [])
    use_s3(settings, find_free_port())
    assert client.get("/readyz").json()["storage"] == "unavailable"
    (message,) = [record.getMessage() for record in caplog.records if "bucket" in record.getMessage()]
    assert message.startswith(f"The bucket files at http://127.0.0.1:{port} can't be used: ")
    assert "403" in message
    assert "invented" not in message


def test_picture_in_a_bucket_out_of_reach_is_a_503(client, settings, caplog):
    port = find_free_port()
    use_s3(settings, port)
    client.raise_request_exception = False
    response = client.get("/media/pictures/invented.webp")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "The service is briefly unavailable." in response.content.decode()
    (message,) = [record.getMessage() for record in caplog.records if "bucket" in record.getMessage()]
    assert message.startswith(f"The bucket files at http://127.0.0.1:{port} can't be used: ")


def test_failure_of_a_bucket_has_a_code_of_its_own(settings):
    error = EndpointConnectionError(endpoint_url="http://127.0.0.1:9")
    assert to_domain_error(error) is None
    use_s3(settings, 9)
    assert to_domain_error(error).code == "unavailable"


def test_message_that_nobody_can_send_makes_mail_late(client):
    notify_user("account.password_changed", PatientFactory())
    assert client.get("/readyz").json()["mail"] == "ok"
    Notice.objects.update(due_at=timezone.now() - timedelta(minutes=11))
    response = client.get("/readyz")
    assert (response.status_code, response.json()["mail"]) == (200, "late")


@pytest.mark.parametrize(
    ("stored", "mail"),
    [
        ({"error": "no_connection"}, "unavailable"),
        ({"error": "no_connection", "attempts": 2}, "unavailable"),
        # The mail server greets nobody.
        ({"error": "smtp_421"}, "unavailable"),
        # One recipient's server has refused for now, and it is time for the next attempt.
        ({"error": "smtp_450", "attempts": 1}, "ok"),
    ],
)
def test_mail_server_that_is_away_is_reported_at_once(client, stored, mail):
    notify_user("account.password_changed", PatientFactory())
    Notice.objects.update(**stored)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["mail"]) == (200, mail)
    Notice.objects.update(state=Notice.State.SENT, error="")
    assert client.get("/readyz").json()["mail"] == "ok"


def test_a_probe_is_asked_by_one_caller_at_a_time():
    asked, release = [], threading.Event()

    def check():
        asked.append(1)
        release.wait(10)
        return "broken"

    probe = probes.CachedProbe(check, 60)
    slow = threading.Thread(target=probe.find_problem)
    slow.start()
    while not asked:
        time.sleep(0.01)
    assert [probe.find_problem() for _ in range(3)] == [""] * 3
    release.set()
    slow.join()
    assert [probe.find_problem() for _ in range(3)] == ["broken"] * 3
    assert len(asked) == 1


def test_a_result_is_kept_for_its_seconds(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(probes.time, "monotonic", lambda: now[0])
    results = ["broken", ""]
    probe = probes.CachedProbe(lambda: results.pop(0), 5)
    assert probe.find_problem() == "broken"
    now[0] += 4.9
    assert probe.find_problem() == "broken"
    now[0] += 0.1
    assert probe.find_problem() == ""
    now[0] += 4.9
    assert probe.find_problem() == ""
    assert results == []


def test_database_that_does_not_respond_is_reported(client, monkeypatch):
    def refuse(*args):
        raise health.DatabaseError

    monkeypatch.setattr(health.Migrations, "describe_problem", refuse)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["amiss"]) == (503, ["the database does not respond"])
    assert response.json()["mail"] == "unknown"
