"""One spelling for an e-mail address."""

import re
import unicodedata
from contextlib import suppress

from django.utils.encoding import punycode

MAX_DOMAIN_LENGTH = 253
# RFC 3490 takes each of these between the parts of a domain.
FULL_STOPS = re.compile("[.。．｡]")
# The letters that the first rules of names (RFC 3490) wrote as others and the present ones (RFC 5891) keep: with and
# without them are two domains, of two owners, and mail for one must not open an account at the other.
PRESERVED_LETTERS = "ßς"


def canonical_email(address: str) -> str:
    """Return the form under which an address is stored and looked up.

    NFKC and lower case (Unicode Standard Annex 15), and the domain as the name system writes it (RFC 5891):
    spellings that lead to one mailbox, or that people can't tell apart, are one account.
    """
    # Divided before it is folded, since names keep letters that folding loses.
    local, at, domain = unicodedata.normalize("NFKC", address).strip().rpartition("@")
    # Lower case and no more: folding makes one mailbox's "ß" another one's "ss". What stays beyond ASCII is refused.
    local = unicodedata.normalize("NFKC", local.lower())
    domain = "".join(one if one in PRESERVED_LETTERS else one.casefold() for one in domain.replace("ẞ", "ß"))
    domain = unicodedata.normalize("NFKC", domain)
    if not domain.isascii() and len(domain) <= MAX_DOMAIN_LENGTH:
        # Where that fails it is no domain at all, which validation of the address reports.
        with suppress(UnicodeError):
            domain = ".".join(ascii_label(label) for label in FULL_STOPS.split(domain))
    return f"{local}{at}{domain}"


def ascii_label(label: str) -> str:
    """Return one part of a domain as the name system writes it; raises UnicodeError where it has no such form."""
    if set(PRESERVED_LETTERS) & set(label):
        return f"xn--{label.encode('punycode').decode()}"
    return punycode(label)
