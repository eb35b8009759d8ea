"""Canonical email addresses."""

import re
import unicodedata
from contextlib import suppress

from django.utils.encoding import punycode

MAX_DOMAIN_LENGTH = 253
# RFC 3490 accepts each of these as a separator of labels.
FULL_STOPS = re.compile("[.。．｡]")
# Letters that IDNA 2003 (RFC 3490) maps to others and IDNA 2008 (RFC 5891) preserves: domains with and without them
# have different owners, so mail for one must not open an account of the other.
PRESERVED_LETTERS = "ßς"


def canonical_email(address: str) -> str:
    """Return the form in which an address is stored and looked up.

    It is NFKC and lower case (Unicode Standard Annex 15), with the domain in its ASCII form (RFC 5891), so spellings of
    one mailbox, or that people can't tell apart, are one account.
    """
    # Split before folding, because domains preserve letters that folding loses.
    local, at, domain = unicodedata.normalize("NFKC", address).strip().rpartition("@")
    # Lower case instead of case folding, which turns one mailbox's "ß" into another's "ss".
    local = unicodedata.normalize("NFKC", local.lower())
    domain = "".join(
        character if character in PRESERVED_LETTERS else character.casefold() for character in domain.replace("ẞ", "ß")
    )
    domain = unicodedata.normalize("NFKC", domain)
    if not domain.isascii() and len(domain) <= MAX_DOMAIN_LENGTH:
        # If that fails it is not a domain, which the address's validation reports.
        with suppress(UnicodeError):
            domain = ".".join(ascii_label(label) for label in FULL_STOPS.split(domain))
    return f"{local}{at}{domain}"


def ascii_label(label: str) -> str:
    """Return the ASCII form of a domain label; raise UnicodeError if it has none."""
    if set(PRESERVED_LETTERS) & set(label):
        return f"xn--{label.encode('punycode').decode()}"
    return punycode(label)
