"""Mailed links that let their holder act without a sign-in.

The token is a signed value over the person, a moment and a digest of what the link depends on, so that nothing is
stored and a link dies of itself once that has changed. The page that it opens asks before it acts.
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
    """What a link is for. No link serves another purpose than its own."""

    name: str
    path: str
    lasts: timedelta
    # What the link depends on: once this has changed, it is dead.
    state: Callable[[User], tuple[str, ...]]


PASSWORD_RESET = Purpose(
    "password-reset", "/reset-password", timedelta(minutes=30), lambda user: (user.password, user.email)
)
# The address of a registration; confirming it twice changes nothing.
OWN_EMAIL = Purpose("own-email", "/confirm-email", timedelta(days=7), lambda user: (user.email,))
NEW_EMAIL = Purpose(
    "new-email",
    "/confirm-email",
    timedelta(days=3),
    lambda user: (user.password, user.email, user.pending_email),
)


def digest_of(purpose: Purpose, user: User) -> str:
    """Return what tells whether a link's ground still stands; nothing can be learnt from it."""
    return salted_hmac(salt_of(purpose), "\0".join((str(user.pk), *purpose.state(user)))).hexdigest()[:32]


def link(purpose: Purpose, user: User, made_at: datetime, digest: str = "") -> str:
    """Make the path of a link; `digest` where it is to depend on how things stood earlier."""
    content = [user.pk.hex, int(made_at.timestamp()), digest or digest_of(purpose, user)]
    return f"{purpose.path}?token={Signer(salt=salt_of(purpose)).sign_object(content)}"


def person_of_link(purpose: Purpose, token: str, now: datetime) -> User:
    """Return whose link this is; raises `link_invalid` unless it is ours, in time, unused and its person active."""
    person_id, made_at, digest = content_of(salt_of(purpose), token, 3)
    user = User.objects.active().filter(pk=UUID(person_id)).first()
    if user is None or now.timestamp() >= made_at + purpose.lasts.total_seconds() or not stands(purpose, user, digest):
        raise DomainError("link_invalid")
    return user


def locked_person(purpose: Purpose, token: str, now: datetime) -> User:
    """Do the same with the person's row locked, so that a link is used once however often it is pressed."""
    user = person_of_link(purpose, token, now)
    user = User.objects.locked().get(pk=user.pk)
    if not user.is_active or not stands(purpose, user, content_of(salt_of(purpose), token, 3)[2]):
        raise DomainError("link_invalid")
    return user


def stands(purpose: Purpose, user: User, digest: str) -> bool:
    """Return whether all that a link depends on is as it was."""
    return constant_time_compare(digest, digest_of(purpose, user))


def content_of(salt: str, token: str, parts: int) -> list[Any]:
    """Return what a token of ours holds; raises `link_invalid` for any other."""
    try:
        content = Signer(salt=salt).unsign_object(token)
    except (BadSignature, ValueError) as forged:
        raise DomainError("link_invalid") from forged
    if not isinstance(content, list) or len(content) != parts:
        raise DomainError("link_invalid")
    return content


def salt_of(purpose: Purpose) -> str:
    """Keep the links of one purpose apart from those of all others."""
    return f"accounts.credentials.signed_links.{purpose.name}"
