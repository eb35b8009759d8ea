"""Test the ASGI application of the server: slow clients hold no thread."""

import asyncio
import io
import socket
from pathlib import Path

import httpx
import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse

from config import asgi
from config.asgi import MAX_BUFFERED_BYTES, build_environ, is_streamed

pytestmark = pytest.mark.either_engine

# More than one connection for each of the server's threads, and more than a connection's buffers hold.
CONNECTIONS, REQUESTS = 20, 12


def test_clients_that_do_not_read_hold_no_thread(real_server):
    server = real_server()
    picture = Path(server.environment["MEDIA_ROOT"]) / "pictures" / "large.webp"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(bytes(MAX_BUFFERED_BYTES - 1))
    request = b"GET /media/pictures/large.webp HTTP/1.1\r\nHost: localhost\r\n\r\n"
    held = []
    with httpx.Client(base_url=server.url, timeout=20) as others:
        assert len(others.get("/media/pictures/large.webp").content) == MAX_BUFFERED_BYTES - 1
        for _ in range(CONNECTIONS):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", int(server.url.rsplit(":", 1)[1])))
            connection.sendall(request * REQUESTS)
            held.append(connection)
        assert {others.get("/api/config").status_code for _ in range(100)} == {200}
    for connection in held:
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.close()


def test_websocket_request_is_handled_as_http(real_server):
    server = real_server()
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    answer = httpx.get(f"{server.url}/api/config", headers=headers)
    assert (answer.status_code, answer.json()["success"]) == (200, True)
    assert "NotImplementedError" not in server.log.read_text()


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (HttpResponse(b"abc"), False),
        (FileResponse(io.BytesIO(b"abc")), False),
        (StreamingHttpResponse([b"x"], headers={"Content-Length": str(MAX_BUFFERED_BYTES + 1)}), True),
        (StreamingHttpResponse([b"a", b"bc"]), True),
        ([b"abc"], False),
    ],
    ids=["in memory", "short file", "long file", "of unknown length", "of a wrapper"],
)
def test_long_responses_are_sent_in_chunks(response, expected):
    assert is_streamed(response) is expected


SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "raw_path": b"/caf%C3%A9/%FF%00",
    "query_string": b"a=%20&b=\xff",
    "server": ("127.0.0.1", "8000"),
    "client": ("192.0.2.1", "50000"),
    "headers": [
        (b"host", b"localhost"),
        (b"content-type", b"text/plain"),
        (b"accept", b"a/b"),
        (b"accept", b"c/d"),
        (b"cookie", b"x=1"),
        (b"cookie", b"y=2"),
    ],
}


def test_the_environment_follows_pep_3333():
    environ = build_environ(SCOPE)
    expected = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/caf\xc3\xa9/\xff\x00",
        "QUERY_STRING": "a=%20&b=\xff",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.1",
        "CONTENT_TYPE": "text/plain",
        "HTTP_HOST": "localhost",
        "HTTP_ACCEPT": "a/b,c/d",
        "HTTP_COOKIE": "x=1; y=2",
    }
    assert {name: value for name, value in environ.items() if not name.startswith("wsgi.")} == expected


def serve(pieces, *, client_reads=True, client_leaves=False, monkeypatch):
    """Serve a response that streams `pieces`; return the messages that the server got."""
    messages = []

    def wsgi(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return StreamingHttpResponse(pieces)

    async def receive():
        if not client_leaves:
            await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message):
        if not client_reads:
            await asyncio.sleep(3600)
        messages.append(message)
        await asyncio.sleep(0.01)

    monkeypatch.setattr(asgi, "wsgi_application", wsgi)
    asyncio.run(asgi.application(SCOPE, receive, send))
    return messages


# Closing a response looks after the connections of the database.
@pytest.mark.django_db
def test_long_response_is_streamed_in_chunks(monkeypatch):
    start, *rest = serve([b"ab", b"c"], monkeypatch=monkeypatch)
    assert start == {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]}
    assert [(each["body"], each.get("more_body", False)) for each in rest] == [
        (b"ab", True),
        (b"c", True),
        (b"", False),
    ]


@pytest.mark.django_db
def test_response_to_a_client_that_does_not_read_is_aborted(monkeypatch):
    monkeypatch.setattr(asgi, "CHUNK_TIMEOUT_SECONDS", 0.05)
    with pytest.raises(TimeoutError):
        serve([b"ab"], client_reads=False, monkeypatch=monkeypatch)


@pytest.mark.django_db
def test_disconnected_client_stops_the_response(monkeypatch):
    made = []
    pieces = (made.append(number) or b"x" for number in range(1000))
    assert len(serve(pieces, client_leaves=True, monkeypatch=monkeypatch)) < 10
    assert len(made) < 10
