"""Deliver what waits in the outbox: claim a notice, send it outside any transaction, mark it.

Any number of workers on any number of machines may do so at once. A worker that dies between sending and marking leaves
a lease that runs out; the notice is then sent once more under the same Message-ID. Nothing else is sent twice, and
nothing is lost.
"""

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import leases
from accounts.models import Notice
from accounts.notifications import registry
from accounts.notifications.channels import (
    CHANNELS,
    Channel,
    ChannelDownError,
    ConnectionLostError,
    DeliveryError,
    RecipientRejectedError,
)
from accounts.notifications.registry import MAILBOX, Message, site_host
from config.api.errors import DATABASE_UNAVAILABLE
from config.db.raw_sql import skip_locked

logger = logging.getLogger(__name__)

NAME = "delivery"
EVERY_SECONDS = 5
# Longer than any single sending takes, or two workers would send the same.
LEASE = timedelta(minutes=5)
# A round ends after so long, so that its heartbeat is seen in time.
ROUND_SECONDS = 45
# After so many connections lost one after another a round ends: the server has a trouble that is no single message's.
LOST_IN_A_ROW = 3
# How long after each failed try the next one comes; after the last, staff see the notice as failed.
WAITS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(minutes=60),
    timedelta(hours=3),
    timedelta(hours=6),
    timedelta(hours=12),
    timedelta(hours=24),
)
# An address of its own is kept so long with a notice that failed, for staff to try again.
KEEP_FAILED_ADDRESS = timedelta(days=30)
# What is noted then: without that address, a further try would go to another mailbox than it was meant for.
ADDRESS_FORGOTTEN = "address_forgotten"

# No notification waits longer, neither for a retry nor for the end of quiet hours.
MAX_DELAY = timedelta(days=2)

State = Notice.State

# Asked before each sending: True to send, False to drop it, or a moment to wait for.
Gate = Callable[[Notice, datetime], bool | datetime]
gates: list[Gate] = []
# Why a gate drops a notice.
NOT_WANTED = "not_wanted"

# Done at the start of each round: what puts notices into the outbox that nobody's act could.
Preparer = Callable[[datetime], object]
preparers: list[Preparer] = []


def deliver(now: datetime, limit: int = 500, stop: threading.Event | None = None) -> Counter[str]:
    """Send what is due, until nothing is, the round's time is over or all channels are down; return how many of each.

    The channels take turns, and one that is down is left alone until the next round: none holds up the others. `stop`,
    once set, ends it after the notice in hand.
    """
    done: Counter[str] = Counter()
    ends = time.monotonic() + ROUND_SECONDS
    lost: Counter[str] = Counter()
    prepare(now)
    bring_near(now)
    with ExitStack() as stack:
        open_channels: dict[str, Channel] = {}
        turn = deque(CHANNELS)
        while turn and sum(done.values()) < limit and time.monotonic() < ends and not (stop and stop.is_set()):
            name = turn.popleft()
            notice = claim(now, name)
            if notice is None:
                continue
            if name not in open_channels:
                try:
                    open_channels[name] = stack.enter_context(CHANNELS[name]())
                except Exception:
                    logger.exception("The channel %s could not be opened", name)
                    mark(notice, error="channel")
                    done["down"] += 1
                    continue
            outcome = handle(notice, open_channels[name], now)
            done[outcome] += 1
            # A server that drops one connection after another is left alone until the next round.
            lost[name] = lost[name] + 1 if outcome == "lost" else 0
            if outcome != "down" and lost[name] < LOST_IN_A_ROW:
                turn.append(name)
    forget_addresses(now)
    leases.beat(NAME, now)
    return done


def prepare(now: datetime) -> None:
    """Fill the outbox; one source that fails keeps nobody's messages back."""
    for fill in preparers:
        try:
            fill(now)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception:
            logger.exception("%s could not be done before a round of the delivery", fill.__name__)


def bring_near(now: datetime) -> None:
    """Make due what would wait longer than anything does: a clock that has been put right since wrote its moment."""
    astray = Notice.objects.filter(state=State.WAITING, due_at__gt=now + MAX_DELAY)
    # Looked at first, since on SQLite each write keeps all others waiting.
    if astray.exists():
        astray.update(due_at=now)


def claim(now: datetime, channel: str = MAILBOX) -> Notice | None:
    """Take the notice of a channel that has been due the longest in hand, for the time of the lease; None when none is.

    Workers that claim at the same time get different ones: rows locked by another are skipped (PostgreSQL), or there is
    one writer at a time (SQLite).
    """
    if not Notice.objects.due(now).filter(channel=channel).exists():
        # Looked at first without a transaction, which would keep every other writer of SQLite waiting.
        return None
    with transaction.atomic():
        due = Notice.objects.due(now).filter(channel=channel).select_related("recipient").order_by("due_at", "id")
        notice = skip_locked(due).first()
        if notice is None:
            return None
        notice.lease_until = now + LEASE
        notice.message_id = notice.message_id or message_id_of(notice)
        notice.save(update_fields=["lease_until", "message_id"])
    return notice


def message_id_of(notice: Notice) -> str:
    """Make a notice's Message-ID. It tells nobody how many messages there are."""
    return f"<{salted_hmac('accounts.notice', str(notice.pk)).hexdigest()[:32]}@{site_host()}>"


def handle(notice: Notice, channel: Channel, now: datetime) -> str:
    """Send one claimed notice and mark what came of it; return that in a word."""
    to = ""
    try:
        to = notice.address or channel.address_of(notice.recipient)
        message = what_to_send(notice, to, now)
    except DATABASE_UNAVAILABLE:
        raise
    except Exception:
        # A fault in a composer must not stop the others' messages; it is tried again, perhaps after a repair.
        logger.exception("Notice %s (%s) could not be composed", notice.pk, notice.event)
        return try_again(notice, "composer", now)
    if isinstance(message, datetime):
        mark(notice, due_at=message)
        return "postponed"
    if isinstance(message, str):
        mark(notice, state=State.DROPPED, error=message, address="")
        return "dropped"
    try:
        channel.send(message, to, notice.message_id)
    except ChannelDownError as down:
        logger.warning("Notices can't be sent by %s: %s", notice.channel, down.code)
        mark(notice, error=down.code)
        return "down"
    except RecipientRejectedError as refusal:
        mark(notice, state=State.FAILED, attempts=notice.attempts + 1, error=refusal.code)
        return "failed"
    except ConnectionLostError as lost:
        return "lost" if try_again(notice, lost.code, now) == "postponed" else "failed"
    except DeliveryError as failure:
        return try_again(notice, failure.code, now)
    except Exception:
        # One message that trips the channel up must not stop the others for ever.
        logger.exception("Notice %s (%s) could not be handed over", notice.pk, notice.event)
        return try_again(notice, "channel", now)
    mark(notice, state=State.SENT, attempts=notice.attempts + 1, delivered_at=now, error="", address="")
    return "sent"


def what_to_send(notice: Notice, to: str, now: datetime) -> Message | datetime | str:
    """Return the message; or a moment to wait for, or why it is to be dropped."""
    if not to or (not notice.address and notice.recipient.ended_at is not None):
        return "no_address"
    for gate in gates:
        verdict = gate(notice, now)
        if isinstance(verdict, datetime):
            return verdict
        if not verdict:
            return NOT_WANTED
    return registry.compose(notice) or "no_longer_helps"


def try_again(notice: Notice, error: str, now: datetime) -> str:
    """Put a notice off for longer each time; after the last time it has failed, and staff see it."""
    tries = notice.attempts + 1
    if tries > len(WAITS):
        mark(notice, state=State.FAILED, attempts=tries, error=error)
        return "failed"
    mark(notice, attempts=tries, due_at=now + WAITS[tries - 1], error=error)
    return "postponed"


MARK_TRIES = 4


def mark(notice: Notice, **changes: object) -> None:
    """Write down what came of a notice and let it go.

    What was sent must not be sent again because the database was away for a moment: it is tried a few times.
    """
    for attempt in range(1, MARK_TRIES + 1):
        try:
            Notice.objects.filter(pk=notice.pk).exclude(state=State.SENT).update(lease_until=None, **changes)
        except DatabaseError:
            if attempt == MARK_TRIES or connection.in_atomic_block:
                raise
            connection.close()
            time.sleep(attempt)
        else:
            return


def forget_addresses(now: datetime) -> int:
    """Empty the addresses of notices that failed and were written long ago, however often they were tried; how many."""
    old = Notice.objects.filter(state=State.FAILED, created_at__lte=now - KEEP_FAILED_ADDRESS).exclude(address="")
    return old.update(address="", error=ADDRESS_FORGOTTEN)


def forget_old(now: datetime, batch: int = 500) -> int:
    """Delete notices that were written long ago, whatever became of them; return how many. For the housekeeping.

    Ids rise with time, so that the oldest are read off the key, a bounded number in a round.
    """
    limit = now - timedelta(days=settings.NOTICE_RETENTION_DAYS)
    oldest = Notice.objects.order_by("id").values_list("id", "created_at")[:batch]
    old = [pk for pk, written in oldest if written < limit]
    # One that waits is still told, after however long a time without a worker.
    return Notice.objects.filter(pk__in=old).exclude(state=State.WAITING).delete()[0] if old else 0


def is_late(now: datetime) -> bool:
    """Return whether nobody delivers, or delivery falls behind."""
    return leases.is_late(NAME, now)


def keep_delivering(stop: threading.Event, *, in_turn: bool) -> None:
    """Do a round every few seconds until `stop` is set; `in_turn`: only while no other process does."""
    holder = leases.holder_name()
    while True:
        try:
            if not in_turn or leases.take_turn(NAME, timezone.now(), holder):
                deliver(timezone.now(), stop=stop)
        except DatabaseError as away:
            logger.warning("The delivery could not reach the database: %s", away.__class__.__name__)
        except Exception:
            # This thread is all that delivers: whatever went wrong, the next round is done.
            logger.exception("A round of the delivery broke off")
        finally:
            connections.close_all()
        if stop.wait(EVERY_SECONDS):
            return


def start_inline() -> threading.Event:
    """Start the delivery beside the serving threads; return what ends it.

    A process that is asked to end waits for the message in hand: otherwise it would come a second time.
    """
    stop = threading.Event()

    def end_with_the_process() -> None:
        threading.main_thread().join()
        stop.set()

    threading.Thread(target=end_with_the_process, name=f"end of {NAME}", daemon=True).start()
    threading.Thread(target=keep_delivering, args=(stop,), kwargs={"in_turn": True}, name=NAME).start()
    return stop
