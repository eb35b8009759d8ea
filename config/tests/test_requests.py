"""What a request may look like before any view has seen it."""

import io
import json

import pytest
from django.test import Client

from config.wsgi import application


def test_a_content_type_that_cannot_be_taken_apart_is_refused(db):
    answered = []
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/api/auth/login",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(b"{}"),
        "CONTENT_LENGTH": "2",
        "CONTENT_TYPE": "application/json; x*=nonsense''%41",
    }
    body = b"".join(application(environ, lambda status, headers: answered.append(status)))
    assert answered[0].startswith("415")
    assert json.loads(body)["code"] == "unsupported_media_type"


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_the_root_of_the_api_is_no_page(method):
    answer = getattr(Client(), method)("/api/")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert answer["Cache-Control"] == "no-store"
