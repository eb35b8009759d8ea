"""One spelling for an e-mail address."""

import unicodedata

from django.utils.encoding import punycode

LONGEST_DOMAIN = 253


def canonical_email(address: str) -> str:
    """Answer the form under which an address is stored and looked up.

    NFKC and case folding (Unicode Standard Annex 15), and the domain as the name system writes it (RFC 3490):
    spellings that lead to one mailbox, or that people can't tell apart, are one account.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", address).casefold()).strip()
    local, at, domain = folded.rpartition("@")
    if not domain.isascii() and len(domain) <= LONGEST_DOMAIN:
        try:
            domain = punycode(domain)
        except UnicodeError:
            # No domain at all; whoever validates the address says so.
            return folded
    return f"{local}{at}{domain}"
