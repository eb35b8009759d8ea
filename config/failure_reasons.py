"""What the log says of another server's failure: the driver's own words, without secrets and on one line."""

import threading
import time

REDACTED = "…"
MAX_LENGTH = 200


def describe_reason(error: BaseException | str, *secrets: str) -> str:
    """Return why a connection failed, without the given secrets.

    Only for failures to connect: what a database says of a statement quotes the statement's values.
    """
    text = " ".join(str(error).split()) or type(error).__name__
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    return text[:MAX_LENGTH]


class LogThrottle:
    """Allows one message for each key in a period, and no more than `max_keys` of them."""

    def __init__(self, seconds: float = 60, max_keys: int = 20) -> None:
        self.seconds = seconds
        self.max_keys = max_keys
        self.logged: set[str] = set()
        self.ends = float("-inf")
        self._lock = threading.Lock()

    def allows(self, key: str = "") -> bool:
        """Return whether a message about this key may be logged now, which then counts as logged."""
        with self._lock:
            if time.monotonic() >= self.ends:
                self.logged.clear()
                self.ends = time.monotonic() + self.seconds
            if key in self.logged or len(self.logged) >= self.max_keys:
                return False
            self.logged.add(key)
            return True
