"""Hostile requests against the real server: each gets a clear refusal, memory stays bounded, and others are served."""

import contextlib
import json
import os
import socket
import subprocess
from collections import Counter

import httpx
import pytest

from config import bodies
from config.testing import RealServer

pytestmark = pytest.mark.either_engine

LOGIN = "/api/auth/login"
SLOW = int(os.environ.get("SLOW_CONNECTIONS", "24"))
ROUNDS = int(os.environ.get("HOSTILE_ROUNDS", "1"))
GOOD = {"email": "nobody@example.com", "password": "x", "role": "patient"}
JSON = "Content-Type: application/json"
FORM = "Content-Type: multipart/form-data; boundary=x"
MEGABYTE = 1024 * 1024


def connect(server: RealServer, *lines: str, method: str = "POST", path: str = LOGIN) -> socket.socket:
    """Begin a request; answers its connection."""
    connection = socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=60)
    connection.sendall("\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *lines]).encode())
    return connection


def ask(server: RealServer, lines: list[str], body: bytes, method: str, path: str, hangs_up: bool) -> bytes:
    """Send a request as it stands; answers the first bytes of what comes back."""
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
    "100,000 brackets": (sized(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"), {400}),
    "100,000 objects": (sized(b'{"a": ' * 100_000 + b"1" + b"}" * 100_000), {400}),
    "100,000 fields": (sized(json.dumps({f"f{n}": n for n in range(60_000)}).encode()), {400}),
    "a number of 5,000 digits": (sized(field(b"9" * 5000)), {400}),
    "a number of 900,000 digits": (sized(field(b"9" * 900_000)), {400}),
    "a number beyond any": (sized(field(b"1e999999")), {400}),
    "a number below any": (sized(field(b"-1e999999")), {400}),
    "a number next to none": (sized(field(b"1e-999999")), {400}),
    "NaN": (sized(field(b"NaN")), {400}),
    "10,000 parts": (sized(b"".join(part(b"f%d" % n) for n in range(10_000)) + b"--x--\r\n", FORM), {400, 415}),
    "a part's name of a megabyte": (sized(part(b"n" * MEGABYTE) + b"--x--\r\n", FORM), {400, 413, 415}),
    "10,000 boundaries": (sized(b"--x\r\n" * 10_000 + b"--x--\r\n", FORM), {400, 415}),
    "a head of a megabyte": (([JSON, *(f"X-{n}: {'a' * 1000}" for n in range(1000))], b""), {431}),
    "an address of 100,000 characters": (([], b""), {404, 414, 431}),
}  # fmt: skip
# Where forms are read: `/api/auth/profile` for who is signed in, and the staff site's page for anybody.
FORM_PATHS = ("/api/auth/profile", "/staff/login/")


def memory_of(server: RealServer) -> int:
    """Answer how many megabytes the server and its workers hold."""
    assert server.process is not None
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines() if line.strip()]
    family = {server.process.pid}
    for _ in range(3):
        family |= {pid for pid, parent, _ in rows if parent in family}
    return sum(size for pid, _, size in rows if pid in family) // 1024


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def test_every_hostile_request_is_refused_and_the_server_goes_on(real_server, subtests):
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
                        answer = ask(server, lines, body, method, target, hangs_up="less than" in what)
                        may = expected | {401, 403} if target in FORM_PATHS else expected
                        assert status_of(answer) in may, answer[:300]
                        assert others.get("/api/doctors").status_code == 200
        # What one request may bring, for each thread, and what Python keeps of it.
        assert memory_of(server) - before < 150
        assert others.post(LOGIN, json=GOOD).status_code == 401
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "Internal Server Error" not in log


def test_clients_that_send_no_body_hold_some_threads_and_never_all(real_server):
    server = real_server()
    with httpx.Client(base_url=server.url, timeout=60) as others:
        held = [connect(server, JSON, "Content-Length: 500", "", '{"email"') for _ in range(SLOW)]
        # Readers are served throughout.
        assert {others.get(path).status_code for path in ("/healthz", "/api/doctors", "/api/config") * 4} == {200}
        # Who would wait is told so, and is not kept waiting: the rest of the slow ones, too.
        refused = others.post(LOGIN, json=GOOD)
        assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (
            503,
            "unavailable",
            "2",
        )
        told: Counter[int] = Counter()
        for connection in held:
            connection.settimeout(5)
            try:
                told[status_of(connection.recv(400))] += 1
            except TimeoutError:
                told[-1] += 1
        assert told == {503: SLOW - 3, -1: 3}
        for connection in held:
            connection.close()
        # As soon as the last of them has hung up, all is as before.
        for _ in range(100):
            if others.post(LOGIN, json=GOOD).status_code == 401:
                break
        assert others.post(LOGIN, json=GOOD).status_code == 401


def test_clients_that_send_no_end_of_their_head_hold_no_thread(real_server):
    server = real_server()
    held = [connect(server, "X-Slow: ", method="GET") for _ in range(4 * SLOW)]
    with httpx.Client(base_url=server.url, timeout=60) as others:
        assert {others.get("/api/doctors").status_code for _ in range(8)} == {200}
        assert others.post(LOGIN, json=GOOD).status_code == 401
    for connection in held:
        connection.close()


def test_a_place_is_waited_for_while_it_will_soon_be_free(monkeypatch):
    places = bodies.Places(1)
    assert places.enter()
    monkeypatch.setattr(bodies, "WAIT_FOR_PLACE", 0.01)
    # Held for no time yet, so one waits a little, and is refused after all.
    assert not places.enter()
    monkeypatch.setattr(bodies, "SLOW_AFTER", 0.0)
    monkeypatch.setattr(bodies, "WAIT_FOR_PLACE", 3600)
    # Held by a slow one: not waited for.
    assert not places.enter()
    places.leave()
    assert places.enter()


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_body_where_none_belongs_is_not_read(method):
    class Unread:
        def read(self, size):
            raise AssertionError

    environ = {"REQUEST_METHOD": method, "CONTENT_LENGTH": "5", "wsgi.input": Unread()}
    assert bodies.taken(environ) == (b"", "")
