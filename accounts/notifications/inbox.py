"""The bell: the notices of a person in the page, in the same words as the mails.

A mail that a person does not want, or that comes later, is no reason to hide a notice; one that helps nobody any more
is, and one whose words stand in another's.
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
from accounts.notifications.registry import MAILBOX, Message
from config.api.errors import DATABASE_UNAVAILABLE
from config.http.etag import etag_of

logger = logging.getLogger(__name__)

State = Notice.State

# More unread ones than this are not counted.
MAX_UNREAD = 100
# So many of the newest are worded to see whether they still help; older ones count as they are.
WORDED = 20
# After this many seconds unread notices are worded again, even where nothing was added or read.
WORDED_ANEW = 600


def notices_of(person: User) -> NoticeQuerySet:
    """Return the notices that the bell may show a person, newest first.

    A notice of an act that can still be undone has its `created_at` in the future; see `trail.notify`.
    """
    hidden = Q(state=State.MERGED) | (Q(state=State.DROPPED) & ~Q(error=NOT_WANTED))
    shown = Notice.objects.filter(recipient=person, channel=MAILBOX, event__in=registry.shown_events())
    shown = shown.filter(created_at__lte=timezone.now())
    return shown.exclude(hidden).order_by("-id")


def worded(notices: Iterable[Notice], person: User) -> list[dict[str, Any]]:
    """Put notices into words; those that no longer help are left out."""
    rows = []
    for notice in notices:
        # Known already, and every composer asks for it.
        notice.recipient = person
        message = words_of(notice)
        if message is not None:
            rows.append(represent(notice, message))
    return rows


def words_of(notice: Notice) -> Message | None:
    """Compose a notice for the page; one that can't be composed does not keep the others from being seen."""
    try:
        return registry.compose(notice)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        logger.exception("Notice %s (%s) could not be composed for the bell", notice.pk, notice.event)
        return None


def represent(notice: Notice, message: Message) -> dict[str, Any]:
    """Write a notice as the page shows it. Links that act by themselves are never here: they prove a mailbox."""
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


def unread_ids(person: User) -> list[int]:
    """Return which are unread, the newest first; one statement, and all that a poll without news costs."""
    return list(notices_of(person).filter(read_at=None).values_list("pk", flat=True)[:MAX_UNREAD])


def etag_of_unread(person: User, ids: Sequence[int]) -> str:
    """Make the ETag of a person's unread notices; it holds for a while, since notices stop helping by time alone."""
    # A person without any has nothing that could.
    while_it_holds = int(timezone.now().timestamp()) // WORDED_ANEW if ids else 0
    content = ",".join((str(person.pk), user_language(person), str(while_it_holds), *map(str, ids)))
    return etag_of(content.encode())


def unread(person: User, ids: Sequence[int]) -> dict[str, Any]:
    """Return how many unread notices there are, and the newest; those that no longer help don't count."""
    newest = Notice.objects.filter(pk__in=ids[:WORDED]).order_by("-id")
    rows = worded(newest, person)
    return {"unread": len(rows) + len(ids[WORDED:]), "latest": rows[0] if rows else None}


def mark_read(person: User, ids: Sequence[int] | None, now: datetime) -> None:
    """Note that a person has seen these notices, or all; what is not theirs is passed over."""
    notices = Notice.objects.filter(recipient=person, read_at=None, created_at__lte=now)
    if ids is not None:
        notices = notices.filter(pk__in=ids)
    notices.update(read_at=now)
