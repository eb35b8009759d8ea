"""How passwords are hashed and what is asked of them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.exceptions import ValidationError

from config.errors import RuleBroken


class Lane:
    """A bounded lane: so many hash at once, so many wait, and the rest are asked to come again.

    Hashing is meant to be slow. Without the bound, a storm of sign-ins would take every core and thread
    from the people who are already signed in.
    """

    def __init__(self, at_once: int, waiting: int, seconds: float) -> None:
        self.running = threading.BoundedSemaphore(at_once)
        self.places = threading.BoundedSemaphore(at_once + waiting)
        self.seconds = seconds

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Wait for a turn; raises `unavailable` when the queue is full or the wait too long."""
        if not self.places.acquire(blocking=False):
            raise RuleBroken("unavailable", retry_after=2)
        try:
            if not self.running.acquire(timeout=self.seconds):
                raise RuleBroken("unavailable", retry_after=2)
            try:
                yield
            finally:
                self.running.release()
        finally:
            self.places.release()


lane = Lane(settings.PASSWORD_HASHES_AT_ONCE, settings.PASSWORD_HASHES_WAITING, seconds=5)


class Argon2Hasher(Argon2PasswordHasher):
    """Argon2id with the parameters of OWASP's password storage cheat sheet: 19 MiB, 2 passes, 1 lane."""

    time_cost = 2
    memory_cost = 19 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        with lane.enter():
            return super().encode(password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        with lane.enter():
            return super().verify(password, encoded)


def too_short_message(min_length: int) -> str:
    """Answer the specification's sentence, with the number from the setting."""
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
