"""Strong ETags (RFC 9110, section 8.8.3)."""

import hashlib


def etag_of(content: bytes) -> str:
    """Return the ETag of these bytes, in its quotes."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'
