"""What the log says of another server's failure: the driver's own words, without secrets and on one line."""

import threading
import time

from django.conf import settings
from django.db import InterfaceError, OperationalError

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


def is_table_missing(error: Exception) -> bool:
    """Return whether a statement failed because its table does not exist: the database is not migrated."""
    # https://www.postgresql.org/docs/current/errcodes-appendix.html
    is_undefined_table = getattr(error.__cause__, "sqlstate", "") == "42P01"
    return is_undefined_table or str(error).startswith("no such table: ")


def describe_database_failure(error: Exception) -> str:
    """Return the type of a database error and, if no statement's values can be in it, the driver's reason."""
    kind = type(error).__name__
    if not isinstance(error, OperationalError | InterfaceError):
        return kind
    # SQLite's messages quote what a full-text search can't parse; PostgreSQL's quote values below the first line.
    first_line = getattr(error.__cause__, "sqlite_errorname", "") or str(error).strip().partition("\n")[0]
    if not first_line:
        return kind
    passwords = [str(each.get("PASSWORD") or "") for each in settings.DATABASES.values()]
    return f"{kind}: {describe_reason(first_line, *passwords)}"


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
