"""One spelling for an e-mail address."""

import unicodedata


def canonical_email(address: str) -> str:
    """Answer the form under which an address is stored and looked up.

    NFKC and case folding (Unicode Standard Annex 15): spellings that people can't tell apart are one account.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", address).casefold()).strip()
