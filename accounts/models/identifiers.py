"""Primary keys."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a UUIDv7 (RFC 9562), which can't be guessed and increases with time, so that indexes stay compact."""
    return uuid7()
