"""Counters that processes share: Redis where it is installed, otherwise a small substitute."""

import contextlib
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from config.testing import find_free_port


@contextlib.contextmanager
def redis(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve Redis, empty and kept nowhere, on a port of its own unless one is given; return its address."""
    port = port or find_free_port()
    address = f"redis://127.0.0.1:{port}/0"
    program = shutil.which("redis-server")
    if program is None:
        with LittleRedis(port):
            yield f"{address}?protocol=2"
        return
    words = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    with (folder / "redis.log").open("wb") as log:
        process = subprocess.Popen(words, stdout=log, stderr=log)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait(10)


class LittleRedis:
    """The few commands of Redis that counting takes, each done whole before the next one."""

    def __init__(self, port: int) -> None:
        self.values: dict[bytes, tuple[bytes, float]] = {}
        self.lock = threading.Lock()
        self.connections: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", port), backlog=128)

    def __enter__(self) -> "LittleRedis":
        threading.Thread(target=self.serve, daemon=True).start()
        return self

    def __exit__(self, *failure: object) -> None:
        """End like a stopped server, for those who are connected, too."""
        for each in (self.listener, *self.connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines, contextlib.suppress(OSError, ValueError):
            while head := lines.readline():
                words = []
                for _ in range(int(head[1:])):
                    size = int(lines.readline()[1:])
                    words.append(lines.read(size + 2)[:-2])
                with self.lock:
                    answer = self.answer(words[0].upper(), words[1:])
                connection.sendall(answer)

    def answer(self, command: bytes, words: list[bytes]) -> bytes:
        """Do one command; return in the protocol's second version."""
        if command == b"GET":
            return text(self.value(words[0]))
        if command == b"SET":
            options = [word.upper() for word in words[2:]]
            if b"NX" in options and self.value(words[0]) is not None:
                return text(None)
            seconds = float(words[2 + options.index(b"EX") + 1]) if b"EX" in options else float("inf")
            self.values[words[0]] = (words[1], time.monotonic() + seconds)
            return b"+OK\r\n"
        if command == b"EXISTS":
            return number(sum(self.value(word) is not None for word in words))
        if command in {b"INCR", b"INCRBY", b"DECRBY"}:
            step = int(words[1]) if len(words) > 1 else 1
            counted = int(self.value(words[0]) or 0) + (-step if command == b"DECRBY" else step)
            self.values[words[0]] = (str(counted).encode(), self.values.get(words[0], (b"", float("inf")))[1])
            return number(counted)
        if command == b"DEL":
            return number(sum(self.values.pop(word, None) is not None for word in words))
        if command in {b"SELECT", b"FLUSHDB", b"CLIENT"}:
            return b"+OK\r\n"
        return b"-ERR unknown command\r\n"

    def value(self, name: bytes) -> bytes | None:
        value, ends = self.values.get(name, (None, 0.0))
        return value if ends > time.monotonic() else None


def text(value: bytes | None) -> bytes:
    return b"$-1\r\n" if value is None else b"$%d\r\n%s\r\n" % (len(value), value)


def number(value: Any) -> bytes:
    return b":%d\r\n" % value
