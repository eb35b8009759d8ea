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
    """What a ticket is for. None serves another purpose than its own."""

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
    """A ticket of ours that has not ended."""

    text: str
    made_at: datetime
    ends_at: datetime
    content: list[Any]


def issue(kind: Kind, now: datetime, *content: str) -> str:
    """Make a ticket that says `content`, readable by its holder."""
    parts = [secrets.token_urlsafe(16), now.timestamp(), *content]
    return Signer(salt=kind.salt).sign_object(parts)


def read(kind: Kind, text: str, now: datetime) -> Ticket:
    """Open a ticket; raises `ticket_invalid` unless it is ours, of this kind, in time and not spent."""
    try:
        _, seconds, *content = Signer(salt=kind.salt).unsign_object(text)
    except (BadSignature, ValueError) as forged:
        raise DomainError("ticket_invalid") from forged
    made_at = datetime.fromtimestamp(seconds, tz=UTC)
    ticket = Ticket(text, made_at, made_at + kind.lasts, content)
    if now >= ticket.ends_at or SpentTicket.objects.filter(pk=digest_of(text)).exists():
        raise DomainError("ticket_invalid")
    return ticket


def spend(ticket: Ticket) -> None:
    """Use a ticket up, in the transaction of what it was for; raises `ticket_invalid` if that has happened."""
    if SpentTicket.objects.filter(pk=digest_of(ticket.text)).exists():
        raise DomainError("ticket_invalid")
    SpentTicket.objects.create(digest=digest_of(ticket.text), ends_at=ticket.ends_at)


def forget_ended(now: datetime) -> int:
    """Delete the fingerprints of tickets that have ended; return how many."""
    return SpentTicket.objects.filter(ends_at__lte=now).delete()[0]


def challenge_of(text: str) -> bytes:
    """Return what a passkey is asked to sign: as random, as short-lived and as single as the ticket itself."""
    return hashlib.sha256(b"challenge\0" + text.encode()).digest()


def digest_of(text: str) -> str:
    """Return a ticket's fingerprint."""
    return hashlib.sha256(text.encode()).hexdigest()
