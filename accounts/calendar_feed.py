"""The private address of a person's calendar: made once, shown once, taken back at any time."""

import hashlib
import re
import secrets
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.audit.log import Action, current_address, record_event
from accounts.models import CalendarFeed, Notice, User
from accounts.notifications.date_format import format_datetime
from accounts.notifications.outbox import notify_user
from accounts.notifications.registry import Message, build_site_url, get_not_you_text, register_composer
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit

# 256 random bits: nobody finds one by guessing. The limit spares us the work for those who try.
SECRET_BYTES = 32
SECRET = re.compile(r"[\w-]{43}", re.ASCII)
guesses = NetworkRateLimit("calendar-feed", 60)
# Each is told by mail.
making = RateLimit("calendar-feed-made", 10)

MADE = "calendar_feed.made"


def hash_of(secret: str) -> str:
    """Return the fingerprint that is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def standing_feed(user: User) -> CalendarFeed | None:
    """Return a person's feed; None where there is none."""
    return CalendarFeed.objects.filter(user=user).first()


def make_feed(user: User, now: datetime) -> tuple[CalendarFeed, str]:
    """Make a feed, in place of the one that stands; return it and its address, which can't be shown again.

    The owner is notified: a thief with a session for a moment could go on reading for years. Raises `too_many`.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    making.consume(str(user.pk))
    with transaction.atomic():
        # One after the other, or two would be told as one.
        user = User.objects.locked().get(pk=user.pk)
        feed, _created = CalendarFeed.objects.update_or_create(
            user=user, defaults={"secret_hash": hash_of(secret), "created_at": now}
        )
        record_event(MADE, Action.CREATE, "user", user.pk, actor=user)
        notify_user(MADE, user)
    return feed, build_site_url(f"/calendar/{secret}.ics")


def revoke_feed(user: User, actor: User | None) -> bool:
    """Take a person's feed back; its address answers nobody from now on. Answers whether there was one."""
    with transaction.atomic():
        if not CalendarFeed.objects.filter(user=user).delete()[0]:
            return False
        record_event("calendar_feed.revoked", Action.DELETE, "user", user.pk, actor=actor)
    return True


def reader_of(secret: str) -> User | None:
    """Return whose feed has this secret; None where there is none, or its person may not sign in any more.

    Raises `too_many` for a network from which too many wrong ones came; right ones are answered all the same, since
    calendar services read many people's feeds from one network.
    """
    feed = None
    if SECRET.fullmatch(secret):
        feed = CalendarFeed.objects.select_related("user").filter(secret_hash=hash_of(secret)).first()
    if feed is None or not feed.user.is_active:
        guesses.consume(current_address.get())
        return None
    return feed.user


def was_made(notice: Notice) -> Message:
    """Notify the user that an address was made; the bell must not hand it out again, so it is not named."""
    return Message(
        subject=_("A private calendar link was created for your account"),
        title=_("A private calendar link was created for your account"),
        lines=(
            _("Anyone with this link can see when and where your appointments are, without signing in."),
            _("An earlier link no longer works. You can remove this one at any time."),
        ),
        facts=((_("When"), format_datetime(notice.created_at)),),
        action=(_("View your calendar link"), "/profile/notices"),
        closing=(get_not_you_text(),),
    )


def feed_gone() -> str:
    """Say that the address went with something else."""
    return _("Your private calendar link no longer works. You can create a new one.")


def register_composers() -> None:
    """Name the composer of this event."""
    register_composer(MADE, was_made)
