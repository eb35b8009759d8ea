"""Notify admins of work that waits for them: applications, messages that can't be delivered, workers that are late."""

import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts import leases
from accounts.models import Notice, Role, User
from accounts.notifications import delivery
from accounts.notifications.outbox import notify_users
from accounts.notifications.registry import Message, register_composer
from doctors.models import CaseState, Verification

PENDING_WORK = "admin.pending_work"
WORKER_LATE = "admin.worker_late"
# From this hour of `DEFAULT_TIME_ZONE` on, once a day.
DAILY_HOUR = 8
# A worker that is late for so long will hardly recover by itself; a restart takes seconds.
URGENT_AFTER = timedelta(minutes=10)
# When this process began, by the monotonic clock.
STARTED_AT = time.monotonic()


def notify_of_pending_work(now: datetime) -> int:
    """Notify admins, once a day in the morning, if anything waits for them; return how many were notified."""
    local = now.astimezone(ZoneInfo(settings.DEFAULT_TIME_ZONE))
    version = local.date().toordinal()
    if (
        local.hour < DAILY_HOUR
        or is_written(PENDING_WORK, "site", "today", version)
        or not any(count_pending_work(now))
    ):
        return 0
    return notify_admins(PENDING_WORK, "site", "today", version)


def notify_of_late_worker(name: str, now: datetime) -> int:
    """Notify admins at once, and once for each outage, that a background worker has stopped; return how many.

    Each worker watches the other one, since none can report its own end. `/readyz` reports both. After planned
    maintenance both were away, so a process waits before it judges the other one.
    """
    if timedelta(seconds=time.monotonic() - STARTED_AT) < URGENT_AFTER:
        return 0
    last = leases.list_heartbeats().get(name)
    if last is None or now - last < URGENT_AFTER:
        return 0
    version = int(last.timestamp() // 60)
    if is_written(WORKER_LATE, "worker", name, version):
        return 0
    return notify_admins(WORKER_LATE, "worker", name, version)


def notify_admins(event: str, subject_type: str, subject_id: str, version: int) -> int:
    """Notify the active admins; return how many there are."""
    admins = list(User.objects.active().filter(role=Role.ADMIN).order_by("pk"))
    notify_users(event, subject_type, subject_id, admins, version=version)
    return len(admins)


def is_written(event: str, subject_type: str, subject_id: str, version: int) -> bool:
    """Return whether admins were notified already; the columns are those that the unique index begins with."""
    subject = {"subject_type": subject_type, "subject_id": subject_id}
    return Notice.objects.filter(event=event, **subject, version=version).exists()


def count_pending_work(day: datetime) -> tuple[int, int]:
    """Return how many applications wait for a decision, and how many messages failed within a day before or since."""
    return (
        Verification.objects.filter(state=CaseState.OPEN).count(),
        # The last attempt was at `due_at`. Older ones were in an earlier notice.
        Notice.objects.filter(state=Notice.State.FAILED, due_at__gt=day - timedelta(days=1)).count(),
    )


def describe_pending_work(notice: Notice) -> Message | None:
    """Return the message about what waits when it is read; None when nothing does any more."""
    applications, failed = count_pending_work(notice.created_at)
    lines = []
    if applications:
        lines.append(
            ngettext(
                "{number} application of a doctor is waiting for a decision.",
                "{number} applications of doctors are waiting for a decision.",
                applications,
            ).format(number=applications)
        )
    if failed:
        lines.append(
            ngettext(
                "{number} message could not be delivered.",
                "{number} messages could not be delivered.",
                failed,
            ).format(number=failed)
        )
    if not lines:
        return None
    return Message(
        subject=_("Work is waiting for you"),
        title=_("Work is waiting for you"),
        lines=tuple(lines),
        action=(_("Open the dashboard"), "/admin/dashboard"),
    )


def describe_late_worker(notice: Notice) -> Message | None:
    """Return the message about a worker that has stopped; None once it is back."""
    if not leases.is_worker_late(notice.subject_id, timezone.now()):
        return None
    what = (
        _("For more than ten minutes, no messages were sent.")
        if notice.subject_id == delivery.WORKER_NAME
        else _("For more than ten minutes, no requests and holds expired and no reminders were prepared.")
    )
    return Message(
        subject=_("A background worker stopped"),
        title=_("A background worker stopped"),
        lines=(what, _("Please contact the operator of the site.")),
        action=(_("Open the dashboard"), "/admin/dashboard"),
    )


def register_composers() -> None:
    """Name the composers of these events."""
    register_composer(PENDING_WORK, describe_pending_work)
    register_composer(WORKER_LATE, describe_late_worker)
