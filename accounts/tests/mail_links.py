"""Deliver waiting mail and open the links in it."""

import re

from django.utils import timezone

from accounts.notifications import delivery

BASE = "https://visits.example.org"
LINK = re.compile(r"https?://\S+\?token=(\S+)")


def deliver(now=None):
    return delivery.deliver_notices(now or timezone.now())


def text_of(mail):
    return mail.get_body(("plain",)).get_content()


def link_in(mail) -> str:
    """Return the one address with a token that a mail's text holds."""
    (link,) = {found.group(0) for found in LINK.finditer(text_of(mail))}
    return link


def token_in(mail) -> str:
    """Return the token of a mail's link."""
    return link_in(mail).split("?token=")[1]
