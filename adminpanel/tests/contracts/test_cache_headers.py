"""Nothing that answers under `/api` may be kept by a cache: every route, every method, every way to fail.

But for what everybody is shown of doctors: browsers may keep that, and ask each time whether it is still true. The
description of the API is the same for everybody, so that any cache may keep it, and asks each time.
"""

import pytest
from django.db import OperationalError
from django.test import Client

from accounts.auth import login
from accounts.throttling.rate_limit import NetworkRateLimit
from adminpanel.tests.contracts.access_matrix import METHODS, list_routes, matrix_site
from doctors.directory import query as directory_query

pytestmark = pytest.mark.either_engine

__all__ = ["matrix_site"]  # a fixture

NO_STORE = "no-store"
PUBLIC = {"doctor-list", "doctor-detail", "doctor-filters", "doctor-slots"}
DESCRIPTION = {"schema", "api-docs"}


def get_expected_header(route, method, audience, status):
    """Return what an answer must say."""
    if route in DESCRIPTION and method in {"GET", "HEAD"} and status == 200:
        return "public, no-cache"
    is_public = route in PUBLIC and method in {"GET", "HEAD"} and audience == "anonymous" and status == 200
    return "no-cache" if is_public else NO_STORE


def test_every_response_has_cache_headers(matrix_site):
    clients, addresses = matrix_site
    api = [pattern.name for pattern in list_routes() if addresses.get(pattern.name, "").startswith("/api")]
    assert len(api) > 70
    kept, statuses = [], set()
    # What ends an account or a session comes last.
    for route in sorted(
        api, key=lambda name: (name in {"account-close", "admin-user-detail", "logout", "session-list"}, name)
    ):
        for method in (*METHODS, "HEAD", "OPTIONS"):
            for audience in ("anonymous", "patient owner", "doctor owner", "admin"):
                body = "{}" if method in {"POST", "PUT", "PATCH", "DELETE"} else ""
                answer = clients[audience].generic(method, addresses[route], body, content_type="application/json")
                statuses.add(answer.status_code)
                if answer.get("Cache-Control") != get_expected_header(route, method, audience, answer.status_code):
                    kept.append((route, method, audience, answer.status_code, answer.get("Cache-Control")))
    assert kept == []
    assert statuses >= {200, 201, 302, 400, 401, 403, 404, 405, 409}


@pytest.mark.parametrize("route", sorted(PUBLIC))
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_public_doctor_pages_are_cacheable_with_revalidation(matrix_site, route, method, settings):
    settings.PUBLIC_CACHE_SECONDS = 5
    clients, addresses = matrix_site
    for audience, client in clients.items():
        # Asked more than once: what the server keeps goes to nobody else either.
        for _ in range(3):
            answer = client.generic(method, addresses[route])
            says = (answer.status_code, answer["Cache-Control"], "Authorization" in answer.get("Vary", ""))
            if audience == "anonymous":
                assert says == (200, "no-cache", True)
            else:
                assert says in {(200, NO_STORE, False), (401, NO_STORE, False)}


def test_not_modified_response_has_cache_headers(patient, client_of):
    client = client_of(patient)
    tag = client.get("/api/notices/unread")["ETag"]
    answer = client.get("/api/notices/unread", HTTP_IF_NONE_MATCH=tag)
    assert (answer.status_code, answer["Cache-Control"]) == (304, NO_STORE)


def away(*args, **kwargs):
    raise OperationalError("away")


def broken(*args, **kwargs):
    raise ZeroDivisionError


@pytest.mark.parametrize(("what", "status"), [(away, 503), (broken, 500)])
def test_server_error_has_cache_headers(monkeypatch, db, what, status):
    monkeypatch.setattr(directory_query, "search_directory", what)
    answer = Client(raise_request_exception=False).get("/api/doctors")
    assert (answer.status_code, answer["Cache-Control"]) == (status, NO_STORE)


def test_rate_limit_response_has_cache_headers(monkeypatch, api, db):
    monkeypatch.setattr(login, "address_limit", NetworkRateLimit("sign-in-address", 0))
    answer = api.post("/api/auth/login", {"email": "a@example.com", "password": "x", "role": "patient"}, format="json")
    assert (answer.status_code, answer["Cache-Control"]) == (429, NO_STORE)


@pytest.mark.parametrize("address", ["/api", "/api/", "/api/nothing", "/api//doctors", "/api/doctors/", "/api/%00"])
@pytest.mark.parametrize("method", METHODS)
def test_unusual_urls_have_cache_headers(db, address, method):
    answer = Client().generic(method, address)
    # With a slash behind it, the directory is itself.
    route = "doctor-list" if address == "/api/doctors/" else ""
    assert answer["Cache-Control"] == get_expected_header(route, method, "anonymous", answer.status_code)


def test_middleware_responses_have_cache_headers(db, settings):
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example.com"]
    settings.CORS_URLS_REGEX = r"^/api/.*$"
    preflight = Client().options(
        "/api/doctors", headers={"Origin": "https://app.example.com", "Access-Control-Request-Method": "GET"}
    )
    assert preflight["Access-Control-Allow-Origin"] == "https://app.example.com"
    settings.SECURE_SSL_REDIRECT = True
    to_https = Client().get("/api/doctors")
    other_host = Client().get("/api/doctors", headers={"Host": "evil.example.com"})
    settings.SECURE_SSL_REDIRECT = False
    other_host_again = Client().get("/api/doctors", headers={"Host": "evil.example.com"})
    too_large = Client().post("/api/auth/login", b"x", content_type="application/json", CONTENT_LENGTH="99999999")
    answers = [preflight, to_https, other_host, other_host_again, too_large]
    assert [answer.status_code for answer in answers] == [200, 301, 400, 400, 413]
    assert [answer["Cache-Control"] for answer in answers] == [NO_STORE] * 5
