"""Exit of workers whose parent was killed; they would serve an old release forever."""

import multiprocessing
import os
import signal
import threading
import time

INTERVAL_SECONDS = 0.5
# Time for open requests after SIGTERM.
GRACE_SECONDS = 10


def watch_parent() -> None:
    """Exit when the parent of this worker is gone; do nothing in a process that is no worker."""
    if multiprocessing.parent_process() is None:
        return
    threading.Thread(target=wait_for_parent, args=(os.getppid(),), name="parent watchdog", daemon=True).start()


def wait_for_parent(parent: int) -> None:
    """Wait until the parent is gone, then send SIGTERM to this process, and exit after a grace period."""
    while os.getppid() == parent:
        time.sleep(INTERVAL_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)
