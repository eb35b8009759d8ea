"""A stand-in for S3 that stores objects in memory, and can be taken away and given back at the same address."""

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from config.testing import find_free_port


@dataclass
class S3Server:
    port: int = field(default_factory=find_free_port)
    objects: dict[str, bytes] = field(default_factory=dict)
    # Cleared, it accepts connections and answers nothing.
    is_running: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.is_running.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextlib.contextmanager
def serve_s3(store: S3Server) -> Iterator[None]:
    """Serve the objects; any bucket is there."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self, status: int, body: bytes = b"") -> None:
            store.is_running.wait()
            self.send_response(status)
            # Nobody is served on an open connection once it has stopped.
            self.send_header("Connection", "close")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", '"invented"')
            self.end_headers()
            if self.command != "HEAD":
                # Who has waited too long has gone.
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

        def do_HEAD(self) -> None:
            path = self.path.partition("?")[0]
            is_bucket = path.count("/") == 1
            self.respond(200 if is_bucket else 404 if path not in store.objects else 200, store.objects.get(path, b""))

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            self.respond(200 if path in store.objects else 404, store.objects.get(path, b""))

        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            store.objects[self.path.partition("?")[0]] = body
            self.respond(200)

        def do_DELETE(self) -> None:
            store.objects.pop(self.path.partition("?")[0], None)
            self.respond(204)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", store.port), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
