"""Limit the memory that glibc keeps after it was freed.

A password hash takes 20 MB for a moment. glibc keeps freed memory in an arena per thread, each as large as it ever was,
and returns it to the system only on request.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress

M_ARENA_MAX = -8
MAX_ARENAS = 1
INTERVAL_SECONDS = 15


def limit_heap() -> None:
    """Make all threads share one arena and trim it every few seconds; call this before threads start.

    Returning each large block at once would cost a third of a hash's time. Does nothing with another C library.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, MAX_ARENAS)
        trim = library.malloc_trim
        threading.Thread(target=trim_heap, args=(trim,), name="malloc trim", daemon=True).start()


def trim_heap(trim: Callable[[int], object]) -> None:
    pause = threading.Event()
    while not pause.wait(INTERVAL_SECONDS):
        trim(0)
