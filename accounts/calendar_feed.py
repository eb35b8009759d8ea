"""The private address of a person's calendar: made once, shown once, taken back at any time."""

import hashlib
import re
import secrets
from datetime import datetime

from django.db import transaction

from accounts.limits import Limit, network_of
from accounts.messages import site_link
from accounts.models import CalendarFeed, User
from accounts.trail import Action, current_address, record

# 256 random bits: nobody finds one by guessing. The limit spares us the work for those who try.
SECRET_BYTES = 32
SECRET = re.compile(r"[\w-]{43}", re.ASCII)
guesses = Limit("calendar-feed", 60)


def hash_of(secret: str) -> str:
    """Answer the fingerprint that is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def standing_feed(user: User) -> CalendarFeed | None:
    """Answer a person's feed; None where there is none."""
    return CalendarFeed.objects.filter(user=user).first()


def make_feed(user: User, now: datetime) -> tuple[CalendarFeed, str]:
    """Make a feed, in place of the one that stands; answers it and its address, which can't be shown again."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    with transaction.atomic():
        feed, _ = CalendarFeed.objects.update_or_create(
            user=user, defaults={"secret_hash": hash_of(secret), "created_at": now}
        )
        record("calendar_feed.made", Action.CREATE, "user", user.pk, by=user)
    return feed, site_link(f"/calendar/{secret}.ics")


def revoke_feed(user: User) -> None:
    """Take a person's feed back; its address answers nobody from now on."""
    with transaction.atomic():
        if CalendarFeed.objects.filter(user=user).delete()[0]:
            record("calendar_feed.revoked", Action.DELETE, "user", user.pk, by=user)


def reader_of(secret: str) -> User | None:
    """Answer whose feed has this secret; None where there is none, or its person may not sign in any more.

    Raises `too_many` for a network from which too many wrong ones came; right ones are answered all the same, since
    calendar services read many people's feeds from one network.
    """
    feed = None
    if SECRET.fullmatch(secret):
        feed = CalendarFeed.objects.select_related("user").filter(secret_hash=hash_of(secret)).first()
    if feed is None or not feed.user.is_active:
        guesses.take(network_of(current_address.get()))
        return None
    return feed.user
