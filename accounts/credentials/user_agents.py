"""Readable browser names and device fingerprints from user agent headers."""

from collections.abc import Callable

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.throttling.rate_limit import get_network

# The order matters: most browsers also contain the names of others.
BROWSERS = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("iPhone", lambda: _("an iPhone")),
    ("iPad", lambda: _("an iPad")),
    ("Android", lambda: "Android"),
    ("Windows", lambda: "Windows"),
    ("Mac OS X", lambda: _("a Mac")),
    ("Linux", lambda: "Linux"),
)


def describe_device(user_agent: str) -> str:
    """Return the browser and system in our own words, since the header may contain anything."""
    browser = next((name for mark, name in BROWSERS if mark in user_agent), "") or _("An unknown browser")
    system = next((name() for mark, name in SYSTEMS if mark in user_agent), "")
    return _("{browser} on {system}").format(browser=browser, system=system) if system else browser


def clean_user_agent(user_agent: str) -> str:
    """Return the printable part of a user agent header, as stored in a session."""
    return "".join(character for character in user_agent if character.isprintable())[:200]


def compute_device_digest(email: str, address: str, user_agent: str, key: str | None = None) -> str:
    """Return a digest of account, network and kind of browser, by which a session's device is recognized.

    It has an index of its own, so that a lookup takes the same time whether or not an address has an account. Without
    a key it is made with the current one of this site.
    """
    with override(settings.LANGUAGE_CODE):
        parts = email, get_network(address), describe_device(clean_user_agent(user_agent))
    return salted_hmac("accounts.device", "\0".join(parts), key).hexdigest()[:32]


def compute_device_digests(email: str, address: str, user_agent: str) -> list[str]:
    """Return the digests of a device by each of the site's keys, for sessions from the time of a former one."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [compute_device_digest(email, address, user_agent, key) for key in keys]
