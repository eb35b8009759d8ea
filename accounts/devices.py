"""What a browser says it is, in words that a person knows."""

from collections.abc import Callable

from accounts.languages import say

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
