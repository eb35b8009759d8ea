"""A second server process on the database of a running server."""

import contextlib
import subprocess
from collections.abc import Iterator
from dataclasses import replace

from config.testing import ROOT, RealServer, find_free_port, wait_until_ready


@contextlib.contextmanager
def start_second_server(server: RealServer) -> Iterator[RealServer]:
    """Start another process of a server on the same database."""
    assert server.process is not None
    port = find_free_port()
    words = [*map(str, server.process.args)]  # type: ignore[arg-type]  # a list, as `running` starts it
    words[words.index("--port") + 1] = str(port)
    second = replace(server, url=f"http://127.0.0.1:{port}", log=server.log.with_name("second.log"))
    with second.log.open("wb") as log:
        second.process = subprocess.Popen(
            words, cwd=ROOT, env=server.environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        wait_until_ready(second)
        yield second
    finally:
        second.stop()
