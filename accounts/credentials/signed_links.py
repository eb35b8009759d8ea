"""Signed links in emails, which work without a session.

A token contains the user, the time, and a digest of the state that the link depends on. Nothing is stored, and a change
of that state invalidates the link. The page that it opens asks for confirmation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User
from config.api.errors import DomainError


@dataclass(frozen=True)
class Purpose:
    """The purpose of a link; it is valid for no other."""

    name: str
    path: str
    lifetime: timedelta
    # Any change of these values invalidates the link.
    state: Callable[[User], tuple[str, ...]]

    @property
    def salt(self) -> str:
        return f"accounts.credentials.signed_links.{self.name}"


PASSWORD_RESET = Purpose(
    "password-reset", "/reset-password", timedelta(minutes=30), lambda user: (user.password, user.email)
)
# The registered address; confirming it twice changes nothing.
OWN_EMAIL = Purpose("own-email", "/confirm-email", timedelta(days=7), lambda user: (user.email,))
NEW_EMAIL = Purpose(
    "new-email",
    "/confirm-email",
    timedelta(days=3),
    lambda user: (user.password, user.email, user.pending_email),
)


def compute_state_digest(purpose: Purpose, user: User) -> str:
    """Return a digest that changes with the state that a link depends on."""
    return salted_hmac(purpose.salt, "\0".join((str(user.pk), *purpose.state(user)))).hexdigest()[:32]


def build_link(purpose: Purpose, user: User, issued_at: datetime, digest: str = "") -> str:
    """Return the path of a link; pass `digest` if it depends on an earlier state."""
    content = [user.pk.hex, int(issued_at.timestamp()), digest or compute_state_digest(purpose, user)]
    return f"{purpose.path}?token={Signer(salt=purpose.salt).sign_object(content)}"


def get_link_user(purpose: Purpose, token: str, now: datetime) -> User:
    """Return the user of a link; raise `link_invalid` if it is forged, expired or used, or the user is inactive."""
    user_id, issued_at, digest = read_token(purpose.salt, token, 3)
    user = User.objects.active().filter(pk=UUID(user_id)).first()
    if (
        user is None
        or now.timestamp() >= issued_at + purpose.lifetime.total_seconds()
        or not is_state_unchanged(purpose, user, digest)
    ):
        raise DomainError("link_invalid")
    return user


def lock_link_user(purpose: Purpose, token: str, now: datetime) -> User:
    """Return the user of a link with the row locked, so that concurrent requests use the link once."""
    user = get_link_user(purpose, token, now)
    user = User.objects.locked().get(pk=user.pk)
    if not user.is_active or not is_state_unchanged(purpose, user, read_token(purpose.salt, token, 3)[2]):
        raise DomainError("link_invalid")
    return user


def is_state_unchanged(purpose: Purpose, user: User, digest: str) -> bool:
    return constant_time_compare(digest, compute_state_digest(purpose, user))


def read_token(salt: str, token: str, parts: int) -> list[Any]:
    """Return the content of a token; raise `link_invalid` if it is forged or does not have this many parts."""
    try:
        content = Signer(salt=salt).unsign_object(token)
    except (BadSignature, ValueError) as error:
        raise DomainError("link_invalid") from error
    if not isinstance(content, list) or len(content) != parts:
        raise DomainError("link_invalid")
    return content
