"""A worker whose server was killed must not go on serving: nobody would ever end it, or replace it by a new release."""

import multiprocessing
import os
import signal
import threading
import time

EVERY_SECONDS = 0.5
# What it has in hand may be finished.
GRACE_SECONDS = 10


def end_with_the_server() -> None:
    """Watch the process that started this worker, and end when it is gone; does nothing in a process of its own."""
    if multiprocessing.parent_process() is None:
        return
    threading.Thread(target=watch, args=(os.getppid(),), name="watching the server", daemon=True).start()


def watch(parent: int) -> None:
    """Wait for the parent's end; then ask this process to end, and insist."""
    while os.getppid() == parent:
        time.sleep(EVERY_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
