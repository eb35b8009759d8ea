"""The private URL of a user's calendar, which is shown once and can be revoked."""

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

# 256 random bits can't be guessed; the limit saves the work of failing attempts.
SECRET_BYTES = 32
SECRET = re.compile(r"[\w-]{43}", re.ASCII)
guess_limit = NetworkRateLimit("calendar-feed", 60)
# Each sends an email.
creation_limit = RateLimit("calendar-feed-made", 10)

FEED_CREATED = "calendar_feed.made"


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_feed(user: User) -> CalendarFeed | None:
    return CalendarFeed.objects.filter(user=user).first()


def create_feed(user: User, now: datetime) -> tuple[CalendarFeed, str]:
    """Create a feed, replacing an earlier one; return it and its URL, which can't be shown again.

    The owner is notified, because the feed outlives an intruder's session. Raise `too_many`.
    """
    secret = secrets.token_urlsafe(SECRET_BYTES)
    creation_limit.consume(str(user.pk))
    with transaction.atomic():
        # Serialized, so that each creation is notified.
        user = User.objects.locked().get(pk=user.pk)
        feed, _created = CalendarFeed.objects.update_or_create(
            user=user, defaults={"secret_hash": hash_secret(secret), "created_at": now}
        )
        record_event(FEED_CREATED, Action.CREATE, "user", user.pk, actor=user)
        notify_user(FEED_CREATED, user)
    return feed, build_site_url(f"/calendar/{secret}.ics")


def revoke_feed(user: User, actor: User | None) -> bool:
    """Delete a user's feed; return whether there was one."""
    with transaction.atomic():
        if not CalendarFeed.objects.filter(user=user).delete()[0]:
            return False
        record_event("calendar_feed.revoked", Action.DELETE, "user", user.pk, actor=actor)
    return True


def find_feed_user(secret: str) -> User | None:
    """Return the active user whose feed has this secret, or None.

    Raise `too_many` for a wrong secret after too many from the same network. Valid ones are not limited, because
    calendar services read the feeds of many users from one network.
    """
    feed = None
    if SECRET.fullmatch(secret):
        feed = CalendarFeed.objects.select_related("user").filter(secret_hash=hash_secret(secret)).first()
    if feed is None or not feed.user.is_active:
        guess_limit.consume(current_address.get())
        return None
    return feed.user


def compose_feed_created(notice: Notice) -> Message:
    """Return the message about a new URL, without the URL itself."""
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


def get_feed_revoked_text() -> str:
    return _("Your private calendar link no longer works. You can create a new one.")


def register_composers() -> None:
    register_composer(FEED_CREATED, compose_feed_created)
