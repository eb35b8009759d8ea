"""Test that oversized headers are rejected before they are parsed."""

import pytest
from django.test import RequestFactory

from config.http.header_limits import LIST_HEADERS, MAX_HEAD_BYTES, MAX_LIST_BYTES, has_large_headers, limit_headers

pytestmark = pytest.mark.either_engine


def environ(path="/api/doctors", **more):
    return RequestFactory().get(path).environ | more


def send_request(environ):
    said = []

    def application(environ, start_response):
        start_response("200 OK", [])
        return [b"served"]

    body = b"".join(limit_headers(application)(environ, lambda *start: said.append(start)))
    return said[0][0], dict(said[0][1]), body


def test_ordinary_headers_are_accepted():
    browser = {
        "HTTP_USER_AGENT": "Mozilla/5.0 " + "x" * 200,
        "HTTP_ACCEPT": "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
        "HTTP_ACCEPT_LANGUAGE": "de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7",
        "HTTP_AUTHORIZATION": "Bearer " + "x" * 600,
        "HTTP_COOKIE": "a=" + "x" * 4_000,
        "HTTP_X_FORWARDED_FOR": "2001:db8::1, 2001:db8::2, 198.51.100.7",
        "CONTENT_TYPE": "multipart/form-data; boundary=" + "-" * 70,
    }
    assert send_request(environ("/api/doctors?search=" + "x" * 500, **browser)) == ("200 OK", {}, b"served")


@pytest.mark.parametrize("name", LIST_HEADERS)
def test_header_lists_are_parsed_up_to_a_limit(name):
    assert send_request(environ(**{name: "a" * MAX_LIST_BYTES}))[0] == "200 OK"
    status, headers, body = send_request(environ(**{name: "a" * (MAX_LIST_BYTES + 1)}))
    assert (status, body) == ("431 Request Header Fields Too Large", b"")
    assert headers == {"Content-Type": "text/plain", "Content-Length": "0", "Cache-Control": "no-store"}


def test_total_header_size_is_limited():
    room = MAX_HEAD_BYTES - sum(
        len(name) + len(value) for name, value in environ().items() if name.startswith("HTTP_")
    ) - len("/api/doctors") - len("HTTP_X_1")  # fmt: skip
    assert not has_large_headers(environ(HTTP_X_1="a" * room))
    assert has_large_headers(environ(HTTP_X_1="a" * (room + 1)))
    assert has_large_headers(environ("/" + "a" * MAX_HEAD_BYTES))
    assert has_large_headers(environ("/?" + "a" * MAX_HEAD_BYTES))
