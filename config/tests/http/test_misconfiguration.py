"""Test what the log says when ALLOWED_HOSTS or TRUSTED_PROXIES doesn't fit the site's address."""

import pytest
from django.test import Client, override_settings

from config.failure_reasons import LogThrottle
from config.http import misconfiguration

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _fresh_throttles(monkeypatch):
    monkeypatch.setattr(misconfiguration, "host_throttle", LogThrottle())
    monkeypatch.setattr(misconfiguration, "loop_throttle", LogThrottle(seconds=float("inf")))


def warnings_of(caplog):
    return [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["10.0.0.7:8000", "elsewhere.example", "[::ffff]x", "a b", ""])
def test_probes_are_answered_whatever_host_they_name(client, caplog, path, host):
    response = client.get(path, headers={"host": host})
    assert (response.status_code, response["X-Frame-Options"]) == (200, "DENY")
    assert warnings_of(caplog) == []


@pytest.mark.parametrize("path", ["/", "/api/doctors", "/staff/login/", "/healthz/", "/healthz/x", "/readyz%2f"])
def test_everything_else_refuses_other_hosts(client, path):
    assert client.get(path, headers={"host": "10.0.0.7:8000"}).status_code == 400


def test_refused_host_is_logged_once_with_the_setting(client, caplog):
    for host in ("elsewhere.example", "elsewhere.example", "other.example"):
        client.get("/", headers={"host": host})
    assert warnings_of(caplog) == [
        f"A request for the host '{host}' was refused: ALLOWED_HOSTS does not name it"
        for host in ("elsewhere.example", "other.example")
    ]


def test_refused_host_is_escaped_and_shortened(client, caplog):
    client.get("/", headers={"host": "x\r\n\x1b[31mINFO forgéd" + "y" * 300})
    (message,) = warnings_of(caplog)
    assert "'x\\r\\n\\x1b[31mINFO forg\\xe9d" in message
    assert message.isascii()
    assert len(message) < 220


@override_settings(SECURE_SSL_REDIRECT=True, TRUSTED_PROXIES=0)
def test_redirect_loop_behind_an_untrusted_proxy_is_logged_once(caplog):
    headers = {"x-forwarded-proto": "https"}
    client = Client()
    assert [client.get("/?a=1", headers=headers).status_code for _ in range(3)] == [301] * 3
    (message,) = warnings_of(caplog)
    assert "set TRUSTED_PROXIES to the number of your proxies" in message


@pytest.mark.parametrize(
    ("trusted", "headers", "secure"),
    [(0, {}, False), (0, {"x-forwarded-proto": "http"}, False), (1, {"x-forwarded-proto": "http"}, False)],
)
def test_other_redirects_are_no_loop(caplog, trusted, headers, secure):
    with override_settings(SECURE_SSL_REDIRECT=True, TRUSTED_PROXIES=trusted):
        assert Client().get("/", headers=headers, secure=secure).status_code == 301
    assert warnings_of(caplog) == []
