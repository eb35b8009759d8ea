"""Test the checks of a request before any view runs."""

import io
import json

import pytest
from django.test import Client

from config.wsgi import application

pytestmark = pytest.mark.usefixtures("one_connection")


def sent(method: str, address: str, content_type: str, body: bytes = b"{}", **more: str) -> tuple[int, bytes]:
    """Send a request through all that stands before Django; return its status and the body."""
    path, _, query = address.partition("?")
    answered = []
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": content_type,
        **more,
    }
    answer = b"".join(application(environ, lambda status, headers, _=None: answered.append(status)))
    return int(answered[0][:3]), answer


# Some that Python knows and that are none of text, some of text that we don't speak, and what is none at all.
CHARSETS = (
    *("hex", "zlib", "bz2", "base64", "rot13", "punycode", "idna", "undefined", "uu", "quopri", "unicode_escape"),
    *("utf-16", "utf-7", "cp037", "latin-1", "mbcs", "unheard-of", "\x00", "a" * 200),
)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/json; x*=nonsense''%41",
        *(f"application/json; charset={name}" for name in CHARSETS),
        'application/json; charset="hex"',
        "application/json; CHARSET=hex",
        "application/json; charset*=utf-8''hex",
    ],
)
def test_undecodable_body_is_rejected(db, content_type):
    status, body = sent("POST", "/api/auth/login?a=1", content_type)
    assert (status, json.loads(body)["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", '"utf8"', "us-ascii"])
def test_text_body_is_decoded(db, charset):
    assert sent("POST", "/api/auth/login", f"application/json; charset={charset}")[0] == 400


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/api/doctors?search=abc", 200),
        ("GET", "/api/auth/profile?a=1", 401),
        ("GET", "/?a=1", 200),
        ("GET", "/static/x?a=1", 404),
        ("GET", "/media/x?a=1", 404),
        ("GET", "/healthz?a=1", 200),
        ("GET", "/calendar/x.ics?a=1", 404),
        ("POST", "/api/auth/login?a=1", 415),
        ("POST", "/?a=1", 403),
        ("POST", "/nothing?a=1", 403),
        ("POST", "/healthz", 403),
        ("POST", "/staff/login/", 403),
        ("POST", "/staff/logout/", 403),
        ("POST", "/staff/", 403),
    ],
)
def test_unknown_character_set_causes_no_error(db, method, address, status):
    kinds = ("a/b", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
    types = [f"{kind}; charset={charset}" for kind in kinds for charset in CHARSETS]
    assert {kind: sent(method, address, kind)[0] for kind in types} == dict.fromkeys(types, status)


TOKEN = "a" * 32
FORMS = {
    "application/x-www-form-urlencoded": f"csrfmiddlewaretoken={TOKEN}",
    'multipart/form-data; boundary="a b\\\\c"': (
        f'--a b\\c\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{TOKEN}\r\n--a b\\c--\r\n'
    ),
}


@pytest.mark.parametrize("address", ["/", "/nothing", "/healthz", "/unsubscribe", "/staff/login/", "/staff/"])
@pytest.mark.parametrize("kind", FORMS)
def test_form_is_decoded_in_any_known_character_set(db, address, kind):
    """Past the guard against forged requests, which reads the form first."""
    names = ["", *(f"; charset={name}" for name in ("utf-8", "UTF-8", "utf8", '"utf8"', "us-ascii", '" utf-8"'))]
    body, cookie = FORMS[kind].encode(), f"csrftoken={TOKEN}"
    got = {name: sent("POST", address, f"{kind}{name}", body, HTTP_COOKIE=cookie)[0] for name in names}
    assert got == dict.fromkeys(names, got[""])
    # The guard has found its token, or it would answer 403.
    assert got[""] in {302, 400, 404, 405}


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_api_root_is_not_a_page(method):
    answer = getattr(Client(), method)("/api/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer["Cache-Control"] == "no-store"
