"""What a browser says it is, in words that a person knows."""

from collections.abc import Callable

from django.utils.crypto import salted_hmac

from accounts.languages import ENGLISH, say, speaking
from accounts.throttling.rate_limit import get_network

# In the order in which they give themselves away: most call themselves by the names of others too.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("iPhone", lambda: say("an iPhone")),
    ("iPad", lambda: say("an iPad")),
    ("Android", lambda: "Android"),
    ("Windows", lambda: "Windows"),
    ("Mac OS X", lambda: say("a Mac")),
    ("Linux", lambda: "Linux"),
)


def device_words(user_agent: str) -> str:
    """Name browser and system; never in the browser's own words, which anybody can make up."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "") or say("An unknown browser")
    system = next((name() for mark, name in SYSTEMS if mark in user_agent), "")
    return say("{browser} on {system}", browser=browser, system=system) if system else browser


def readable_agent(user_agent: str) -> str:
    """Return what a browser calls itself as a session keeps it."""
    return "".join(character for character in user_agent if character.isprintable())[:200]


def device_digest(email: str, address: str, user_agent: str) -> str:
    """Return what a session remembers of where a person signed in: account, network and kind of browser, as one digest.

    It is looked up by an index of its own, so that the time is the same whether an address has an account.
    """
    with speaking(ENGLISH):
        parts = email, get_network(address), device_words(readable_agent(user_agent))
    return salted_hmac("accounts.device", "\0".join(parts)).hexdigest()[:32]
