"""Deliver the notices in the outbox: claim a notice, send it outside any transaction, and store the result.

Any number of workers on any number of machines may do so concurrently. If a worker dies between sending and storing the
result, its lease expires and the notice is sent again with the same Message-ID. Nothing else is sent twice, and nothing
is lost.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils.crypto import salted_hmac

from accounts import leases
from accounts.models import Notice
from accounts.notifications import registry
from accounts.notifications.channels import (
    CHANNELS,
    NO_CONNECTION,
    Channel,
    ChannelDownError,
    ConnectionLostError,
    DeliveryError,
    RecipientRejectedError,
)
from accounts.notifications.registry import EMAIL_CHANNEL, Message, get_site_host
from config.api.errors import DATABASE_UNAVAILABLE
from config.db.raw_sql import skip_locked
from config.failure_reasons import LogThrottle
from config.metrics import instruments

logger = logging.getLogger(__name__)
down_throttle = LogThrottle()

WORKER_NAME = "delivery"
ROUND_INTERVAL_SECONDS = 5
# Longer than sending one notice takes, or two workers would send the same one.
LEASE_DURATION = timedelta(minutes=5)
# Rounds end early enough for their heartbeat.
MAX_ROUND_SECONDS = 45
# After this many lost connections in a row, the channel is paused: the cause is the server, not a message.
MAX_LOST_CONNECTIONS = 3
# The delay after each failed attempt; after the last, staff see the notice as failed.
RETRY_DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(minutes=60),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
)
# How long the explicit address of a failed notice is kept, so that staff can retry it.
FAILED_ADDRESS_RETENTION = timedelta(days=30)
# The error after that: without its address, a retry would go to the wrong mailbox.
ADDRESS_DELETED = "address_forgotten"

# A message that has been due for longer means that none gets through; `/readyz` says so.
MAX_DUE_DURATION = timedelta(minutes=10)

# No notification waits longer, neither for a retry nor for the end of quiet hours.
MAX_DELAY = timedelta(days=2)

State = Notice.State

# Called before each delivery: True sends the notice, False drops it, a datetime postpones it.
Gate = Callable[[Notice, datetime], bool | datetime]
gates: list[Gate] = []
# The error of a notice that a gate dropped.
NOT_WANTED = "not_wanted"

# Called at the start of each round to add notices that no request could add.
Preparer = Callable[[datetime], object]
preparers: list[Preparer] = []


def deliver_notices(now: datetime, limit: int = 500, stop: threading.Event | None = None) -> Counter[str]:
    """Send the due notices; return the number of each outcome.

    Stops when nothing is due, the time of the round is over, or all channels are down. Channels alternate, and one that
    is down is paused until the next round, so that none delays the others. Setting `stop` ends the round after the
    current notice.
    """
    outcomes: Counter[str] = Counter()
    lost_connections: Counter[str] = Counter()
    deadline = time.monotonic() + MAX_ROUND_SECONDS
    run_preparers(now)
    reset_future_due_dates(now)
    with ExitStack() as stack:
        open_channels: dict[str, Channel] = {}
        queue = deque(CHANNELS)
        while queue and outcomes.total() < limit and time.monotonic() < deadline and not (stop and stop.is_set()):
            name = queue.popleft()
            notice = claim_notice(now, name)
            if notice is None:
                continue
            if name not in open_channels:
                try:
                    open_channels[name] = stack.enter_context(CHANNELS[name]())
                except Exception:
                    logger.exception("The channel %s could not be opened", name)
                    update_notice(notice, error="channel")
                    outcomes["down"] += 1
                    continue
            outcome = process_notice(notice, open_channels[name], now)
            outcomes[outcome] += 1
            instruments.deliveries.labels(name, outcome).inc()
            lost_connections[name] = lost_connections[name] + 1 if outcome == "lost" else 0
            if outcome != "down" and lost_connections[name] < MAX_LOST_CONNECTIONS:
                queue.append(name)
    delete_failed_addresses(now)
    leases.record_heartbeat(WORKER_NAME, now)
    return outcomes


def run_preparers(now: datetime) -> None:
    """Call all preparers; one that fails does not stop the delivery."""
    for prepare in preparers:
        try:
            prepare(now)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception:
            logger.exception("%s could not be done before a round of the delivery", prepare.__name__)


def reset_future_due_dates(now: datetime) -> None:
    """Make notices due whose date is beyond `MAX_DELAY`: it was written by a clock that was fast."""
    notices = Notice.objects.filter(state=State.WAITING, due_at__gt=now + MAX_DELAY)
    # On SQLite, even an UPDATE without effect blocks all other writers.
    if notices.exists():
        notices.update(due_at=now)


def claim_notice(now: datetime, channel: str = EMAIL_CHANNEL) -> Notice | None:
    """Lease the longest due notice of a channel and return it, or None.

    Concurrent workers get different notices: PostgreSQL skips locked rows, and SQLite has one writer at a time.
    """
    if not Notice.objects.due(now).filter(channel=channel).exists():
        # Checked outside a transaction, which would block all other writers on SQLite.
        return None
    with transaction.atomic():
        due = Notice.objects.due(now).filter(channel=channel).select_related("recipient").order_by("due_at", "id")
        notice = skip_locked(due).first()
        if notice is None:
            return None
        notice.lease_until = now + LEASE_DURATION
        notice.message_id = notice.message_id or build_message_id(notice)
        notice.save(update_fields=["lease_until", "message_id"])
    return notice


def build_message_id(notice: Notice) -> str:
    """Return the Message-ID of a notice; it does not reveal how many notices there are."""
    return f"<{salted_hmac('accounts.notice', str(notice.pk)).hexdigest()[:32]}@{get_site_host()}>"


def process_notice(notice: Notice, channel: Channel, now: datetime) -> str:
    """Send a claimed notice and store the result; return the outcome."""
    to = ""
    try:
        to = notice.address or channel.get_address(notice.recipient)
        message = compose_or_skip(notice, to, now)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        # A faulty composer must not stop other messages; a retry may succeed after a deployment.
        logger.exception("Notice %s (%s) could not be composed", notice.pk, notice.event)
        return schedule_retry(notice, "composer", now)
    if isinstance(message, datetime):
        update_notice(notice, due_at=message)
        return "postponed"
    if isinstance(message, str):
        update_notice(notice, state=State.DROPPED, error=message, address="")
        return "dropped"
    try:
        channel.send(message, to, notice.message_id)
    except ChannelDownError as error:
        if down_throttle.allows(notice.channel):
            logger.warning("Messages can't be sent by %s: %s (%s)", notice.channel, error.code, error.reason)
        update_notice(notice, error=error.code)
        return "down"
    except RecipientRejectedError as error:
        update_notice(notice, state=State.FAILED, attempts=notice.attempts + 1, error=error.code)
        log_attempt(logging.WARNING, notice, f"failed ({error.code})")
        return "failed"
    except ConnectionLostError as error:
        return "lost" if schedule_retry(notice, error.code, now) == "postponed" else "failed"
    except DeliveryError as error:
        return schedule_retry(notice, error.code, now)
    except Exception:
        # One message that crashes the channel must not block the others forever.
        logger.exception("Notice %s (%s) could not be handed over", notice.pk, notice.event)
        return schedule_retry(notice, "channel", now)
    update_notice(notice, state=State.SENT, attempts=notice.attempts + 1, delivered_at=now, error="", address="")
    log_attempt(logging.INFO, notice, "sent")
    return "sent"


def log_attempt(level: int, notice: Notice, outcome: str) -> None:
    """Log the outcome of an attempt to send a message, without its recipient."""
    attempt = notice.attempts + 1
    logger.log(level, "Message %s by %s, attempt %d: %s", notice.event, notice.channel, attempt, outcome)


def compose_or_skip(notice: Notice, to: str, now: datetime) -> Message | datetime | str:
    """Return the message, the time to which it is postponed, or the reason to drop it."""
    if not to or (not notice.address and notice.recipient.ended_at is not None):
        return "no_address"
    for gate in gates:
        decision = gate(notice, now)
        if isinstance(decision, datetime):
            return decision
        if not decision:
            return NOT_WANTED
    return registry.compose_message(notice) or "no_longer_helps"


def schedule_retry(notice: Notice, error: str, now: datetime) -> str:
    """Postpone a notice by the next delay, or mark it as failed after the last; return the outcome."""
    attempts = notice.attempts + 1
    if attempts > len(RETRY_DELAYS):
        update_notice(notice, state=State.FAILED, attempts=attempts, error=error)
        log_attempt(logging.WARNING, notice, f"failed ({error})")
        return "failed"
    update_notice(notice, attempts=attempts, due_at=now + RETRY_DELAYS[attempts - 1], error=error)
    log_attempt(logging.INFO, notice, f"will be tried again ({error})")
    return "postponed"


MAX_UPDATE_ATTEMPTS = 4


def update_notice(notice: Notice, **changes: object) -> None:
    """Store the result of a delivery and end the lease.

    Retries while the database is unavailable, so that a sent notice is not sent again.
    """
    for attempt in range(1, MAX_UPDATE_ATTEMPTS + 1):
        try:
            Notice.objects.filter(pk=notice.pk).exclude(state=State.SENT).update(lease_until=None, **changes)
        except DatabaseError:
            if attempt == MAX_UPDATE_ATTEMPTS or connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(attempt)
        else:
            return


def delete_failed_addresses(now: datetime) -> int:
    """Delete the explicit addresses of old failed notices; return how many."""
    old = Notice.objects.filter(state=State.FAILED, created_at__lte=now - FAILED_ADDRESS_RETENTION).exclude(address="")
    return old.update(address="", error=ADDRESS_DELETED)


def delete_old_notices(now: datetime, batch: int = 500) -> int:
    """Delete notices older than `NOTICE_RETENTION_DAYS` that don't wait; return how many.

    Ids increase with time, so the oldest notices are read from the primary key, at most `batch` per call.
    """
    limit = now - timedelta(days=settings.NOTICE_RETENTION_DAYS)
    oldest = Notice.objects.order_by("id").values_list("id", "created_at")[:batch]
    expired = [pk for pk, created_at in oldest if created_at < limit]
    return Notice.objects.filter(pk__in=expired).exclude(state=State.WAITING).delete()[0] if expired else 0


def is_delivery_late(now: datetime) -> bool:
    """Return whether no worker delivers, or the last round was too long ago."""
    return leases.is_worker_late(WORKER_NAME, now)


def get_oldest_due_notice(now: datetime) -> Notice | None:
    """Return the message that has been due the longest."""
    due = Notice.objects.filter(state=State.WAITING, channel__in=CHANNELS, due_at__lte=now)
    return due.only("due_at", "error", "attempts").order_by("due_at").first()


def describe_mail(notice: Notice | None, now: datetime) -> str:
    """Return whether messages get through, by the message that has been due the longest.

    Returns:
        `unavailable` if the mail server can't be reached or refuses every message, `late` if the message has waited for
        longer than rounds take, and otherwise `ok`.
    """
    if notice is None:
        return "ok"
    # What one recipient's server refuses counts as an attempt and is due later.
    if notice.error == NO_CONNECTION or (notice.error and not notice.attempts):
        return "unavailable"
    return "late" if now - notice.due_at > MAX_DUE_DURATION else "ok"


def run_delivery_loop(stop: threading.Event, *, uses_lease: bool) -> None:
    """Deliver every few seconds until `stop` is set; with `uses_lease`, only while no other process does."""
    leases.run_rounds(
        WORKER_NAME,
        lambda now: deliver_notices(now, stop=stop),
        stop,
        interval_seconds=ROUND_INTERVAL_SECONDS,
        uses_lease=uses_lease,
    )


def start_inline_delivery() -> threading.Event:
    """Start the delivery in a thread of the server process; return the event that stops it.

    At exit, the process finishes the current message, which would otherwise be sent again.
    """
    stop = threading.Event()

    def stop_with_main_thread() -> None:
        threading.main_thread().join()
        stop.set()

    threading.Thread(target=stop_with_main_thread, name=f"end of {WORKER_NAME}", daemon=True).start()
    threading.Thread(target=run_delivery_loop, args=(stop,), kwargs={"uses_lease": True}, name=WORKER_NAME).start()
    return stop
