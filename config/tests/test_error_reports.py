"""Test what Sentry is told of an exception, by a local server that takes its reports."""

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import brotli
import pytest

from config.error_reports import reduce_event
from config.testing import ROOT

pytestmark = pytest.mark.either_engine

WORD = "Qanarie"
# A request with the word in everything fails with the word in its message, its cause and its variables.
PROGRAM = f"""
import django
django.setup()
from config import error_reports, spa
error_reports.start_reporting()
from django.test import Client

def fail(*args):
    secret = "{WORD}"
    try:
        raise KeyError(secret)
    except KeyError as error:
        raise ValueError(f"{{secret}} is refused") from error

spa.find_page = fail
Client(raise_request_exception=False).get(
    "/{WORD}?q={WORD}", headers={{"user-agent": "{WORD}", "authorization": "Bearer {WORD}", "cookie": "{WORD}={WORD}"}}
)
"""


class Sink:
    """A server that takes envelopes of Sentry's protocol."""

    def __enter__(self):
        bodies = self.bodies = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                decoders = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
                bodies.append(decoders[self.headers["Content-Encoding"]](body).decode())
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.dsn = f"http://key@127.0.0.1:{self.server.server_address[1]}/1"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def events(self):
        lines = [json.loads(line) for body in self.bodies for line in body.splitlines()]
        return [line for line in lines if "exception" in line]


def run(program, **environment):
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"} | environment
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_report_has_types_and_locations_and_nothing_else():
    with Sink() as sink:
        run(PROGRAM, SENTRY_DSN=sink.dsn)
        (event,) = sink.events()
        assert WORD.lower() not in "".join(sink.bodies).lower()
    assert set(event) == {
        "event_id", "timestamp", "platform", "level", "release", "environment", "tags", "exception"
    }  # fmt: skip
    assert (event["release"], event["environment"]) == ("0.1.0", "test")
    assert (event["tags"]["logger"], event["tags"]["route"]) == (
        "django.request",
        "(page)",
    )
    values = event["exception"]["values"]
    assert [value["type"] for value in values] == ["KeyError", "ValueError"]
    assert all(set(value) == {"type", "module", "stacktrace"} for value in values)
    frame = values[-1]["stacktrace"]["frames"][-1]
    assert frame["function"] == "fail"
    assert set(frame) <= {"filename", "function", "module", "lineno", "in_app"}


def test_what_a_newer_sdk_adds_is_left_out():
    event = {
        "event_id": "1",
        "user": {"email": WORD},
        "request": {"url": WORD, "headers": {}, "data": WORD},
        "breadcrumbs": [WORD],
        "extra": {"sys.argv": [WORD]},
        "server_name": WORD,
        "exception": {"values": [{"type": "ValueError", "value": WORD, "stacktrace": None}]},
    }
    assert reduce_event(event, {}) == {
        "event_id": "1",
        "exception": {"values": [{"type": "ValueError", "stacktrace": {"frames": []}}]},
    }


def test_without_an_address_the_sdk_is_not_loaded():
    program = PROGRAM + "\nimport sys; print('sentry_sdk' in sys.modules)"
    assert run(program, SENTRY_DSN="").strip() == "False"
