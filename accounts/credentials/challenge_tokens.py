"""Tickets: what a first step hands out so that a second one can follow, signed, short-lived and good for one success.

Nothing is stored until a ticket has done its work; only then a fingerprint, until it would have ended by itself.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.signing import BadSignature, Signer

from accounts.models import SpentTicket
from config.api.errors import DomainError


@dataclass(frozen=True)
class Kind:
    """The purpose of a ticket, which is valid for no other."""

    name: str
    lasts: timedelta

    @property
    def salt(self) -> str:
        return f"accounts.credentials.challenge_tokens.{self.name}"


SECOND_STEP = Kind("second-step", timedelta(minutes=5))
PASSKEY_SIGN_IN = Kind("passkey-sign-in", timedelta(minutes=5))
PASSKEY_ADDING = Kind("passkey-adding", timedelta(minutes=10))
FACTOR_PROOF = Kind("factor-proof", timedelta(minutes=5))


@dataclass(frozen=True)
class Ticket:
    """A valid ticket."""

    text: str
    made_at: datetime
    ends_at: datetime
    content: list[Any]


def issue(kind: Kind, now: datetime, *content: str) -> str:
    """Return a signed ticket with `content`, which its holder can read."""
    parts = [secrets.token_urlsafe(16), now.timestamp(), *content]
    return Signer(salt=kind.salt).sign_object(parts)


def read(kind: Kind, text: str, now: datetime) -> Ticket:
    """Parse a ticket; raise `ticket_invalid` if it is forged, of another kind, expired or used."""
    try:
        _, seconds, *content = Signer(salt=kind.salt).unsign_object(text)
    except (BadSignature, ValueError) as error:
        raise DomainError("ticket_invalid") from error
    made_at = datetime.fromtimestamp(seconds, tz=UTC)
    ticket = Ticket(text, made_at, made_at + kind.lasts, content)
    if now >= ticket.ends_at or SpentTicket.objects.filter(pk=digest_of(text)).exists():
        raise DomainError("ticket_invalid")
    return ticket


def spend(ticket: Ticket) -> None:
    """Mark a ticket as used, in the transaction of its purpose; raise `ticket_invalid` if it was used before."""
    if SpentTicket.objects.filter(pk=digest_of(ticket.text)).exists():
        raise DomainError("ticket_invalid")
    SpentTicket.objects.create(digest=digest_of(ticket.text), ends_at=ticket.ends_at)


def forget_ended(now: datetime) -> int:
    """Delete the records of expired tickets; return how many."""
    return SpentTicket.objects.filter(ends_at__lte=now).delete()[0]


def challenge_of(text: str) -> bytes:
    """Return the WebAuthn challenge derived from a ticket."""
    return hashlib.sha256(b"challenge\0" + text.encode()).digest()


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
