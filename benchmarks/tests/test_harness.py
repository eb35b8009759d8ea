"""Test the benchmark harness: complete responses, detected errors, correct ratios."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import baseline
from benchmarks.harness import (
    Case,
    Figures,
    Table,
    build_request,
    measure_interleaved,
    measure_load,
    parse_response,
    send_request,
)
from doctors.tests.factories import DoctorFactory


class Handler(BaseHTTPRequestHandler):
    """Return `/n` with n bytes, and 503 where n is 13."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        size = int(self.path.strip("/"))
        self.send_response(503 if size == 13 else 200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(b"x" * size)

    def log_message(self, *_):
        pass


@pytest.fixture
def port():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


@pytest.mark.either_engine
@pytest.mark.parametrize(
    ("received", "found"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", None),
        (b"HTTP/1.1 200 OK\r\nContent-Len", None),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhelloHTTP", (200, b"hello", 43)),
        (b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", (304, b"", 38)),
    ],
)
def test_response_is_parsed_only_when_complete(received, found):
    assert parse_response(received) == found


@pytest.mark.either_engine
def test_each_request_is_sent_once_and_counted(port):
    asked = []

    def what(number):
        asked.append(number)
        return build_request("GET", f"/{number + 100}")

    figures, following = measure_load(Case(port, what), seconds=0.2, clients=3)
    assert figures.response_count == len(asked) == following
    assert sorted(asked) == list(range(following))
    assert 0 < figures.p50_ms <= figures.p95_ms
    assert send_request(port, build_request("GET", "/70000"))[1] == b"x" * 70000


@pytest.mark.either_engine
def test_unexpected_response_ends_the_run(port):
    with pytest.raises(RuntimeError, match="503"):
        measure_load(Case(port, build_request("GET", "/13")), seconds=0.2, clients=1)
    figures = measure_interleaved(
        {"refused": Case(port, build_request("GET", "/13"), frozenset({503}))}, rounds=2, seconds=0.05
    )
    assert figures["refused"].response_count


@pytest.mark.either_engine
def test_first_repetition_is_skipped_and_the_median_used():
    several = [Figures(*(number,) * 4, response_count=1) for number in (9.0, 1.0, 2.0)]
    assert Figures.combine(several) == Figures(2.0, 2.0, 2.0, 2.0, 3)


@pytest.mark.either_engine
def test_table_marks_ratios_below_the_target(capsys):
    table = Table("Title", ("ratio", "is", "wanted", ""))
    table.print_ratio("high enough", 0.8, minimum=0.75)
    table.print_ratio("too low", 0.7, minimum=0.75)
    table.print_ratio("too high", 1.6, maximum=1.5)
    table.print_ratio("no target", 3)
    assert table.missed == ["too low", "too high"]
    assert capsys.readouterr().out.count("MISSED") == 2


@pytest.mark.django_db
def test_baseline_view_sends_exactly_the_product_response(rf, client, settings):
    settings.PUBLIC_CACHE_SECONDS = 0
    doctor = DoctorFactory.create()
    address = f"/api/doctors/{doctor.pk}/slots?days=7"
    client.get(address)
    with CaptureQueriesContext(connection) as ours:
        assert client.get(address).status_code == 200
    baseline.statements_by_url.clear()
    baseline.replay(rf.get("/baseline/replay", {"of": address}))
    with CaptureQueriesContext(connection) as theirs:
        assert baseline.replay(rf.get("/baseline/replay", {"of": address})).status_code == 200
    assert len(theirs) == len(ours)


@pytest.mark.either_engine
@pytest.mark.parametrize("name", import_module("benchmarks.names").NAMES)
def test_each_benchmark_describes_its_comparison(name):
    module = import_module(f"benchmarks.{name}")
    assert callable(module.main)
    assert len(module.__doc__) > 150
