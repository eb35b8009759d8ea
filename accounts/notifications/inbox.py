"""The notifications in the app, with the same texts as the emails.

Notices whose email is disabled or postponed are shown; outdated ones and those merged into another are not.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.utils import timezone

from accounts.models import Notice, NoticeQuerySet, User
from accounts.notifications import registry
from accounts.notifications.delivery import NOT_WANTED
from accounts.notifications.languages import user_language
from accounts.notifications.registry import EMAIL_CHANNEL, Message
from config.api.errors import DATABASE_UNAVAILABLE
from config.http.etag import etag_of

logger = logging.getLogger(__name__)

State = Notice.State

# More unread ones than this are not counted.
MAX_UNREAD = 100
# The newest unread notices are composed to find out whether they are outdated; older ones are just counted.
MAX_COMPOSED_UNREAD = 20
# Unread notices are composed again after this time, because they become outdated without any change.
UNREAD_ETAG_SECONDS = 600


def list_notices(user: User) -> NoticeQuerySet:
    """Return the notices that a user may see, newest first.

    A notice of an act that can still be undone has its `created_at` in the future; see `outbox.notify_users`.
    """
    hidden = Q(state=State.MERGED) | (Q(state=State.DROPPED) & ~Q(error=NOT_WANTED))
    notices = Notice.objects.filter(recipient=user, channel=EMAIL_CHANNEL, event__in=registry.list_inbox_events())
    return notices.filter(created_at__lte=timezone.now()).exclude(hidden).order_by("-id")


def render_notices(notices: Iterable[Notice], user: User) -> list[dict[str, Any]]:
    """Return the composed notices for the API, without outdated ones."""
    rows = []
    for notice in notices:
        # Saves each composer a query.
        notice.recipient = user
        message = compose_or_log(notice)
        if message is not None:
            rows.append(serialize_notice(notice, message))
    return rows


def compose_or_log(notice: Notice) -> Message | None:
    """Return the message of a notice; log an error and return None if that fails, so that other notices are shown."""
    try:
        return registry.compose_message(notice)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        logger.exception("Notice %s (%s) could not be composed for the bell", notice.pk, notice.event)
        return None


def serialize_notice(notice: Notice, message: Message) -> dict[str, Any]:
    """Return a notice for the API, without its secret link, which proves a mailbox."""
    label, path = message.action or (None, None)
    return {
        "_id": notice.pk,
        "event": notice.event,
        "title": message.title,
        "lines": [line for line in message.lines if line],
        "facts": [{"name": name, "value": value} for name, value in message.facts],
        "path": path,
        "label": label,
        "at": notice.created_at,
        "read": notice.read_at is not None,
        "language": message.language,
    }


def list_unread_ids(user: User) -> list[int]:
    """Return the ids of the unread notices, newest first, with a single query for polls."""
    return list(list_notices(user).filter(read_at=None).values_list("pk", flat=True)[:MAX_UNREAD])


def compute_unread_etag(user: User, ids: Sequence[int]) -> str:
    """Return the ETag of a user's unread notices, which changes every `UNREAD_ETAG_SECONDS` if there are any."""
    period = int(timezone.now().timestamp()) // UNREAD_ETAG_SECONDS if ids else 0
    content = ",".join((str(user.pk), user_language(user), str(period), *map(str, ids)))
    return etag_of(content.encode())


def summarize_unread(user: User, ids: Sequence[int]) -> dict[str, Any]:
    """Return the number of unread notices that are not outdated, and the newest."""
    newest = Notice.objects.filter(pk__in=ids[:MAX_COMPOSED_UNREAD]).order_by("-id")
    rows = render_notices(newest, user)
    return {"unread": len(rows) + len(ids[MAX_COMPOSED_UNREAD:]), "latest": rows[0] if rows else None}


def mark_read(user: User, ids: Sequence[int] | None, now: datetime) -> None:
    """Mark a user's notices with these ids, or all, as read; ids of other notices are ignored."""
    notices = Notice.objects.filter(recipient=user, read_at=None, created_at__lte=now)
    if ids is not None:
        notices = notices.filter(pk__in=ids)
    notices.update(read_at=now)
