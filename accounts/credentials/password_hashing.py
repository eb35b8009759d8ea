"""Password hashing and validation."""

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError
from django.db import connection

from accounts.throttling.expensive_requests import acquire_place
from config.http.concurrency_limit import Bulkhead

Result = TypeVar("Result")
# See `man 7 sched`.
NICENESS_INCREMENT = 10


def lower_thread_priority() -> None:
    """Lower the priority of the current thread. Only Linux has priorities per thread."""
    if sys.platform == "linux":
        thread = os.PRIO_PROCESS, threading.get_native_id()
        with suppress(OSError):
            os.setpriority(*thread, os.getpriority(*thread) + NICENESS_INCREMENT)


# Separate threads, because a lowered priority can't be raised again. Argon2 releases the GIL.
executor = ThreadPoolExecutor(settings.MAX_CONCURRENT_PASSWORD_HASHES, "hashing", lower_thread_priority)


def run_hashing(compute_hash: Callable[[], Result]) -> Result:
    """Hash in the executor, within the bulkhead and without a database connection; raise as `Bulkhead.acquire`.

    Callers are identified by network and email address, so that many users of one network can sign in concurrently, and
    each network has one place per account.
    """
    if not connection.in_atomic_block and "pool" in connection.settings_dict["OPTIONS"]:
        connection.close()
    with acquire_place(bulkhead):
        return executor.submit(compute_hash).result()


# Without this bound, many sign-ins would take all cores and threads from signed-in users. The share is larger than that
# of other bulkheads, because signing in comes before everything else.
bulkhead = Bulkhead(
    "hashing", settings.MAX_CONCURRENT_PASSWORD_HASHES, settings.MAX_WAITING_PASSWORD_HASHES, seconds=4, share=2
)


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return run_hashing(lambda: super(Argon2Hasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return run_hashing(lambda: super(Argon2Hasher, self).verify(password, encoded))


def get_too_short_message(min_length: int) -> str:
    """Return the message in the specification, with the number from the setting."""
    return f"Password must be at least {min_length} characters long"


class MinimumLengthValidator:
    """Require a minimum length, with the message in the specification."""

    def __init__(self, min_length: int = 6) -> None:
        self.min_length = min_length

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) < self.min_length:
            raise ValidationError(get_too_short_message(self.min_length), code="password_too_short")

    def get_help_text(self) -> str:
        return get_too_short_message(self.min_length)
