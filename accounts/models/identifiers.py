"""Primary keys."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Make a UUIDv7 (RFC 9562): unguessable enough to name, and rising with time, so that indexes stay tight."""
    return uuid7()
