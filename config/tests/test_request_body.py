"""Test hostile requests to the real server: each is rejected, memory stays bounded, and others are served."""

import asyncio
import contextlib
import json
import os
import select
import socket
import subprocess
import threading
from collections import Counter

import httpx
import pytest

from config import request_body as bodies
from config.testing import RealServer

pytestmark = pytest.mark.either_engine

LOGIN = "/api/auth/login"
SLOW = int(os.environ.get("SLOW_CONNECTIONS", "30"))
BURST = 80
ROUNDS = int(os.environ.get("HOSTILE_ROUNDS", "1"))
GOOD = {"email": "nobody@example.com", "password": "x", "role": "patient"}
JSON = "Content-Type: application/json"
FORM = "Content-Type: multipart/form-data; boundary=x"
MEGABYTE = 1024 * 1024


def connect(
    server: RealServer, *lines: str, method: str = "POST", path: str = LOGIN, source: str = "127.0.0.1"
) -> socket.socket:
    """Begin a request, from one of this machine's own addresses; return its connection."""
    to = ("127.0.0.1", int(server.url.rsplit(":", 1)[1]))
    connection = socket.create_connection(to, timeout=60, source_address=(source, 0))
    connection.sendall("\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines]).encode())
    return connection


def send_request(server: RealServer, lines: list[str], body: bytes, method: str, path: str, hangs_up: bool) -> bytes:
    """Send a request as it stands; return the first bytes of what comes back."""
    with connect(server, *lines, "", "", method=method, path=path) as connection:
        # Refused before the end, the answer waits.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(body)
        try:
            if hangs_up:
                connection.shutdown(socket.SHUT_WR)
            return connection.recv(4000)
        except OSError:
            return b"HTTP/1.1 000 reset"


def sized(body: bytes, kind: str = JSON) -> tuple[list[str], bytes]:
    return [kind, f"Content-Length: {len(body)}"], body


def part(name: bytes, value: bytes = b"x") -> bytes:
    return b'--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name, value)


def field(number: bytes) -> bytes:
    return b'{"email": "a@example.com", "password": "x", "role": ' + number + b"}"


# What is sent, and the statuses that may come back.
HOSTILE = {
    "longer than anything may be": (([JSON, "Content-Length: 99999999999"], b"{}"), {413}),
    "a length that is no number": (([JSON, "Content-Length: 1e3"], b"{}"), {400}),
    "a negative length": (([JSON, "Content-Length: -5"], b"{}"), {400}),
    "a length with a sign": (([JSON, "Content-Length: +2"], b"{}"), {400}),
    "a length beyond any number": (([JSON, f"Content-Length: {'9' * 400}"], b"{}"), {400}),
    "two lengths": (([JSON, "Content-Length: 2", "Content-Length: 3"], b"{}"), {400}),
    "less than was said": (([JSON, "Content-Length: 500"], b"{}"), {400}),
    "whole, and less than was said": (([JSON, "Content-Length: 500"], json.dumps(GOOD).encode()), {400}),
    "more than was said": (([JSON, "Content-Length: 2"], b"{}" + b"a" * 1000), {400}),
    "chunks without a length": (([JSON, "Transfer-Encoding: chunked"], b"2\r\n{}\r\n0\r\n\r\n"), {411}),
    "chunks without an end": (
        ([JSON, "Transfer-Encoding: chunked"], (b"10000\r\n" + b"a" * 65536 + b"\r\n") * 400), {411, 0},
    ),
    "chunks and a length": (
        ([JSON, "Transfer-Encoding: chunked", "Content-Length: 2"], b"2\r\n{}\r\n0\r\n\r\n"), {400, 411},
    ),
    "two megabytes of text": (sized(b'"' + b"a" * 2 * MEGABYTE + b'"'), {413, 0}),
    "a form of 20 megabytes": (sized(part(b"a", b"a" * 20 * MEGABYTE) + b"--x--", FORM), {413, 0}),
    "30,000 brackets": (sized(b'{"a": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"), {400}),
    "100,000 brackets": (sized(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"), {413}),
    "9,000 objects": (sized(b'{"a": ' * 9_000 + b"1" + b"}" * 9_000), {400}),
    "100,000 objects": (sized(b'{"a": ' * 100_000 + b"1" + b"}" * 100_000), {413}),
    "4,000 fields": (sized(json.dumps({f"f{n}": n for n in range(4_000)}).encode()), {400}),
    "60,000 fields": (sized(json.dumps({f"f{n}": n for n in range(60_000)}).encode()), {413}),
    "a number of 5,000 digits": (sized(field(b"9" * 5000)), {400}),
    "a number of 60,000 digits": (sized(field(b"9" * 60_000)), {400}),
    "a number of 900,000 digits": (sized(field(b"9" * 900_000)), {413}),
    "a number beyond any": (sized(field(b"1e999999")), {400}),
    "a number below any": (sized(field(b"-1e999999")), {400}),
    "a number next to none": (sized(field(b"1e-999999")), {400}),
    "NaN": (sized(field(b"NaN")), {400}),
    "10,000 parts": (sized(b"".join(part(b"f%d" % n) for n in range(10_000)) + b"--x--\r\n", FORM), {400, 415}),
    "a part's name of a megabyte": (sized(part(b"n" * MEGABYTE) + b"--x--\r\n", FORM), {400, 413, 415}),
    "10,000 boundaries": (sized(b"--x\r\n" * 10_000 + b"--x--\r\n", FORM), {400, 415}),
    "a type of 300,000 parameters": (([f"Content-Type: {';' * 300_000}"], b""), {431}),
    "a list of 300 languages": (([f"Accept-Language: {'de,' * 400}"], b""), {431}),
    "a head of 20 kB": (([JSON, *(f"X-{n}: {'a' * 1000}" for n in range(20))], b""), {431}),
    "a head of a megabyte": (([JSON, *(f"X-{n}: {'a' * 1000}" for n in range(1000))], b""), {431}),
    "an address of 100,000 characters": (([], b""), {404, 414, 431}),
}  # fmt: skip
# Where forms are read: `/api/auth/profile` for who is signed in, and the staff site's page for anybody.
FORM_PATHS = ("/api/auth/profile", "/staff/login/")


def memory_of(server: RealServer) -> int:
    """Return how many megabytes the server and its workers hold."""
    assert server.process is not None
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines() if line.strip()]
    family = {server.process.pid}
    for _ in range(3):
        family |= {pid for pid, parent, _ in rows if parent in family}
    return sum(size for pid, _, size in rows if pid in family) // 1024


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def test_every_hostile_request_is_rejected_and_the_server_keeps_running(real_server, subtests):
    server = real_server()
    with httpx.Client(base_url=server.url, timeout=60) as others:
        assert others.post(LOGIN, json=GOOD).status_code == 401
        before = memory_of(server)
        for _ in range(ROUNDS):
            for what, ((lines, body), expected) in HOSTILE.items():
                path = "/api/" + "a" * 100_000 if what.startswith("an address") else LOGIN
                for target in (path, *(FORM_PATHS if FORM in lines else ())):
                    with subtests.test(what, target=target[:40]):
                        method = "PUT" if target == "/api/auth/profile" else "POST"
                        answer = send_request(server, lines, body, method, target, hangs_up="less than" in what)
                        may = expected | {401, 403} if target in FORM_PATHS else expected
                        assert status_of(answer) in may, answer[:300]
                        assert others.get("/api/doctors").status_code == 200
        # What one request may bring, for each thread, and what Python keeps of it.
        assert memory_of(server) - before < 150
        assert others.post(LOGIN, json=GOOD).status_code == 401
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "Internal Server Error" not in log


def hold(server: RealServer, number: int, networks: int) -> list[socket.socket]:
    """Begin so many bodies that never end, from so many networks."""
    return [
        connect(server, JSON, "Content-Length: 500", "", '{"email"', source=f"127.0.1.{1 + each % networks}")
        for each in range(number)
    ]


def rest(connection: socket.socket) -> bytes:
    """Return what the server still sends over a connection."""
    connection.settimeout(60)
    answer = b""
    with contextlib.suppress(OSError):
        while b"requestId" not in answer and (more := connection.recv(4000)):
            answer += more
    return answer


def test_slow_bodies_block_nobody_and_time_out(real_server):
    """More of them than there are threads, half of them from one network and half from ten."""
    server = real_server()
    body = json.dumps(GOOD).encode() + b" " * 60_000
    with httpx.Client(base_url=server.url, timeout=60) as others:
        held = hold(server, SLOW, 1) + hold(server, SLOW, 10)
        for turn in range(5):
            # Readers are served throughout, and people who write, also from the same network.
            assert {others.get(path).status_code for path in ("/healthz", "/api/doctors", "/api/config")} == {200}
            assert others.post(LOGIN, json={**GOOD, "email": f"nobody-{turn}@example.com"}).status_code == 401
        # An upload of the same network is sent a little at a time until the time of the others is over; its own is
        # three seconds longer.
        with connect(server, JSON, f"Content-Length: {len(body)}", "", "", source="127.0.1.1") as upload:
            for byte in range(0, len(body), 600):
                upload.sendall(body[byte : byte + 600])
                threading.Event().wait(0.1)
            assert status_of(rest(upload)) == 401
        for connection in held:
            response = rest(connection)
            assert status_of(response) == 408
            head = response.lower()
            assert b"connection: close" in head
            assert (b"retry-after: 2" in head, b'"success":false' in head) == (True, True)
            connection.close()
        assert others.post(LOGIN, json={**GOOD, "email": "nobody-x2@example.com"}).status_code == 401


def test_burst_from_one_ip_loses_no_connection(real_server):
    """More requests at once than there are threads, each over a connection of its own."""
    server = real_server()
    start = threading.Barrier(BURST)
    statuses = []

    def write(number):
        start.wait(timeout=60)
        form = {**GOOD, "email": f"nobody-{number}@example.com"}
        statuses.append(httpx.post(f"{server.url}{LOGIN}", json=form, timeout=60).status_code)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(BURST)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(statuses) == BURST
    assert set(statuses) <= {401, 429, 503}


def test_too_many_slow_bodies_evict_those_of_their_own_network(real_server):
    server = real_server(MAX_PENDING_BODIES="8")
    with contextlib.ExitStack() as stack:
        upload = stack.enter_context(connect(server, JSON, "Content-Length: 500", "", '{"email"', source="127.0.2.1"))
        held = [stack.enter_context(each) for each in hold(server, 12, 1)]
        threading.Event().wait(1)
        upload.sendall(b": 1}" + b" " * 488)
        assert status_of(rest(upload)) == 400
        # Five are refused at once; the others are waited for.
        statuses: Counter[int] = Counter()
        while held and (ready := select.select(held, [], [], 60 if statuses[503] < 5 else 0)[0]):
            statuses.update(status_of(rest(connection)) for connection in ready)
            held = [connection for connection in held if connection not in ready]
        assert statuses[503] == 5
        assert set(statuses) <= {503, 408}


def test_slow_client_within_its_deadline_is_served(real_server):
    server = real_server()
    body = json.dumps(GOOD).encode()
    with connect(server, JSON, f"Content-Length: {len(body)}", "", "") as connection:
        for byte in range(0, len(body), 8):
            connection.sendall(body[byte : byte + 8])
            threading.Event().wait(0.1)
        assert status_of(rest(connection)) == 401


def test_clients_with_unfinished_headers_hold_no_thread(real_server):
    server = real_server()
    held = [connect(server, "X-Slow: ", method="GET") for _ in range(4 * SLOW)]
    with httpx.Client(base_url=server.url, timeout=60) as others:
        assert {others.get("/api/doctors").status_code for _ in range(8)} == {200}
        assert others.post(LOGIN, json=GOOD).status_code == 401
    for connection in held:
        connection.close()


NETWORK, OTHER_NETWORK = "192.0.2.1", "198.51.100.1"


async def stall() -> bodies.Message:
    """Receive as from a client that sends nothing more."""
    await asyncio.sleep(3600)
    raise AssertionError


def arriving(*parts: bytes) -> bodies.Receive:
    """Return a `receive` that brings a body in parts, and then that the client has left."""
    left = list(parts)

    async def receive() -> bodies.Message:
        if not left:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    return receive


async def outcome(receiver: bodies.BodyReceiver, receive: bodies.Receive, length: int = 5, network: str = NETWORK):
    try:
        with await receiver.receive(receive, length, network) as content:
            return content.read()
    except bodies.BodyError as error:
        return error.code


async def outcomes_of_stalled(*calls: tuple[int, str]) -> list[bytes | str | None]:
    """Begin bodies that never end, one after the other; return what became of each, None for those still pending."""
    receiver = bodies.BodyReceiver()
    tasks = []
    for length, network in calls:
        tasks.append(asyncio.create_task(outcome(receiver, stall, length, network)))
        await asyncio.sleep(0.01)
    results = [task.result() if task.done() else None for task in tasks]
    assert len(receiver.pending) == results.count(None)
    for task in tasks:
        task.cancel()
    return results


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((b"abcde",), b"abcde"),
        ((b"ab", b"", b"cde"), b"abcde"),
        ((b"ab",), "malformed"),
        ((), "malformed"),
        ((b"abc", b"def"), "malformed"),
    ],
)
def test_body_is_received_completely_or_rejected(parts, expected):
    assert asyncio.run(outcome(bodies.BodyReceiver(), arriving(*parts))) == expected


def test_large_body_is_received_completely():
    body = os.urandom(3 * bodies.MAX_BYTES_IN_MEMORY)
    assert asyncio.run(outcome(bodies.BodyReceiver(), arriving(body[:70_000], body[70_000:]), len(body))) == body


def test_body_that_misses_its_deadline_is_aborted(monkeypatch):
    receiver = bodies.BodyReceiver()
    monkeypatch.setattr(bodies, "MAX_SECONDS", 0.05)
    assert asyncio.run(outcome(receiver, stall)) == "timeout"
    assert receiver.pending == {}


@pytest.mark.parametrize(
    ("length", "seconds"), [(100, 10.005), (100_000, 15.0), (1_000_000, 60.0), (11 * MEGABYTE, 60.0)]
)
def test_the_deadline_grows_with_the_size_to_a_minute(length, seconds):
    assert bodies.compute_timeout(length) == seconds


def test_network_with_the_most_pending_bodies_loses_its_oldest(settings):
    settings.MAX_PENDING_BODIES = 3
    calls = [(5, OTHER_NETWORK), (5, NETWORK), (5, NETWORK), (5, "203.0.113.1")]
    assert asyncio.run(outcomes_of_stalled(*calls)) == [None, "unavailable", None, None]


def test_bodies_within_the_limits_are_kept(settings):
    """The negative control."""
    settings.MAX_PENDING_BODIES = 4
    calls = [(5, OTHER_NETWORK), (5, NETWORK), (5, NETWORK), (5, "203.0.113.1")]
    assert asyncio.run(outcomes_of_stalled(*calls)) == [None] * 4


def test_the_bytes_of_all_pending_bodies_are_limited(settings):
    settings.MAX_PENDING_BODY_BYTES = 20 * MEGABYTE
    calls = [(100, OTHER_NETWORK), (9 * MEGABYTE, NETWORK), (9 * MEGABYTE, NETWORK), (9 * MEGABYTE, OTHER_NETWORK)]
    assert asyncio.run(outcomes_of_stalled(*calls)) == ["unavailable", "unavailable", None, None]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_body_is_not_read_for_methods_without_one(method):
    assert bodies.expected_length({"REQUEST_METHOD": method, "CONTENT_LENGTH": "5"}) == 0
