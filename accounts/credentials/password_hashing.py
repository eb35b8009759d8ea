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

Answer = TypeVar("Answer")
# How far hashing stands behind everything else that wants a core (`man 7 sched`).
NICE = 10


def stand_back() -> None:
    """Let this thread run when nobody else wants the core. Linux alone has a priority for each thread."""
    if sys.platform == "linux":
        me = os.PRIO_PROCESS, threading.get_native_id()
        with suppress(OSError):
            os.setpriority(*me, os.getpriority(*me) + NICE)


# Threads of their own, since one that has stood back may not come forward again. Argon2 runs without the interpreter's
# lock, so that the others go on beside it.
hands = ThreadPoolExecutor(settings.MAX_CONCURRENT_PASSWORD_HASHES, "hashing", stand_back)


def in_turn(hashing: Callable[[], Answer]) -> Answer:
    """Hash when it is this one's turn, keeping no connection of the pool meanwhile; raises as `Bulkhead.acquire`.

    People who sign in are told apart by network and email address, so that many people of one network can sign in at
    the same moment; one account has one place for each network that tries it.
    """
    if not connection.in_atomic_block and "pool" in connection.settings_dict["OPTIONS"]:
        connection.close()
    with acquire_place(bulkhead):
        return hands.submit(hashing).result()


# Hashing is meant to be slow. Without the bound, a storm of sign-ins would take every core and thread from the people
# who are already signed in. Its share is larger than that of others, since nobody can do anything before signing in.
bulkhead = Bulkhead(
    "hashing", settings.MAX_CONCURRENT_PASSWORD_HASHES, settings.MAX_WAITING_PASSWORD_HASHES, seconds=4, share=2
)


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return in_turn(lambda: super(Argon2Hasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        return in_turn(lambda: super(Argon2Hasher, self).verify(password, encoded))


def too_short_message(min_length: int) -> str:
    """Return the specification's sentence, with the number from the setting."""
    return f"Password must be at least {min_length} characters long"


class MinimumLengthValidator:
    """Ask for a least length, in the specification's words."""

    def __init__(self, min_length: int = 6) -> None:
        self.min_length = min_length

    def validate(self, password: str, user: Any = None) -> None:
        if len(password) < self.min_length:
            raise ValidationError(too_short_message(self.min_length), code="password_too_short")

    def get_help_text(self) -> str:
        return too_short_message(self.min_length)
