"""Give memory back: what one request took for a moment must not stay with the process for ever.

A password's hash takes 20 MB for a moment. The C library (glibc) keeps what was freed in a heap of each thread's own,
grown to the largest thing it ever held, and hands it back to the system only when asked to.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress

M_ARENA_MAX = -8
HEAPS = 1
EVERY_SECONDS = 15


def give_back() -> None:
    """Have all threads share one heap and hand back what is free of it every few seconds; before there are threads.

    Returning each large piece at once costs a third of a hash's own time, for each hash.
    Where the C library is another one, nothing is done.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, HEAPS)
        trim = library.malloc_trim
        threading.Thread(target=keep_trimming, args=(trim,), name="giving memory back", daemon=True).start()


def keep_trimming(trim: Callable[[int], object]) -> None:
    """Hand back what is free, for as long as the process lives."""
    pause = threading.Event()
    while not pause.wait(EVERY_SECONDS):
        trim(0)
