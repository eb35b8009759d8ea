"""Tickets: signed, short-lived, single-use tokens that connect the two steps of a challenge.

Only used tickets are stored, as hashes, until they would have expired.
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
class Purpose:
    """The purpose of a ticket; it is valid for no other."""

    name: str
    lifetime: timedelta

    @property
    def salt(self) -> str:
        return f"accounts.credentials.challenge_tokens.{self.name}"


SECOND_STEP = Purpose("second-step", timedelta(minutes=5))
PASSKEY_SIGN_IN = Purpose("passkey-sign-in", timedelta(minutes=5))
PASSKEY_ADDING = Purpose("passkey-adding", timedelta(minutes=10))
FACTOR_PROOF = Purpose("factor-proof", timedelta(minutes=5))


@dataclass(frozen=True)
class Ticket:
    """A valid ticket."""

    text: str
    issued_at: datetime
    expires_at: datetime
    content: list[Any]


def issue_ticket(purpose: Purpose, now: datetime, *content: str) -> str:
    """Return a signed ticket with `content`, which its holder can read."""
    parts = [secrets.token_urlsafe(16), now.timestamp(), *content]
    return Signer(salt=purpose.salt).sign_object(parts)


def read_ticket(purpose: Purpose, text: str, now: datetime) -> Ticket:
    """Parse a ticket; raise `ticket_invalid` if it is forged, of another kind, expired or used."""
    try:
        _, seconds, *content = Signer(salt=purpose.salt).unsign_object(text)
    except (BadSignature, ValueError) as error:
        raise DomainError("ticket_invalid") from error
    issued_at = datetime.fromtimestamp(seconds, tz=UTC)
    ticket = Ticket(text, issued_at, issued_at + purpose.lifetime, content)
    if now >= ticket.expires_at or SpentTicket.objects.filter(pk=hash_ticket(text)).exists():
        raise DomainError("ticket_invalid")
    return ticket


def spend_ticket(ticket: Ticket) -> None:
    """Mark a ticket as used, in the transaction of its purpose; raise `ticket_invalid` if it was used before."""
    if SpentTicket.objects.filter(pk=hash_ticket(ticket.text)).exists():
        raise DomainError("ticket_invalid")
    SpentTicket.objects.create(digest=hash_ticket(ticket.text), ends_at=ticket.expires_at)


def delete_expired_tickets(now: datetime) -> int:
    """Delete the records of expired tickets; return how many."""
    return SpentTicket.objects.filter(ends_at__lte=now).delete()[0]


def derive_challenge(text: str) -> bytes:
    """Return the WebAuthn challenge derived from a ticket."""
    return hashlib.sha256(b"challenge\0" + text.encode()).digest()


def hash_ticket(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
