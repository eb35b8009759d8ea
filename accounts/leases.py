"""Leases and heartbeats of background workers, so that only one process does each job."""

import logging
import os
import socket
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import DatabaseError, connections
from django.db.models import Q
from django.utils import timezone

from accounts.models import Heartbeat
from config.failure_reasons import describe_database_failure

logger = logging.getLogger(__name__)

LEASE_DURATION = timedelta(seconds=60)
# `/readyz` reports workers whose last round is older.
MAX_HEARTBEAT_AGE = timedelta(minutes=3)
# A time further ahead was written by a clock that was fast.
MAX_CLOCK_SKEW = timedelta(minutes=10)


def get_holder_name() -> str:
    """Return a name of this process that is unique among all machines."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}"


def acquire_lease(name: str, now: datetime, holder: str) -> bool:
    """Acquire or extend the lease of a job; return False while another process holds it."""
    Heartbeat.objects.get_or_create(name=name)
    is_available = Q(holder=holder) | Q(lease_until=None) | Q(lease_until__lte=now)
    is_available |= Q(lease_until__gt=now + LEASE_DURATION + MAX_CLOCK_SKEW)
    return bool(
        Heartbeat.objects.filter(is_available, name=name).update(holder=holder, lease_until=now + LEASE_DURATION)
    )


def record_heartbeat(name: str, now: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": now})


def list_heartbeats() -> dict[str, datetime | None]:
    """Return the time of each worker's last round."""
    return dict(Heartbeat.objects.values_list("name", "beat_at"))


def is_heartbeat_stale(last: datetime | None, now: datetime) -> bool:
    """Return whether a heartbeat is missing, too old, or implausibly far in the future."""
    return last is None or last <= now - MAX_HEARTBEAT_AGE or last > now + MAX_CLOCK_SKEW


def is_worker_late(name: str, now: datetime) -> bool:
    return is_heartbeat_stale(list_heartbeats().get(name), now)


def run_rounds(
    name: str,
    run_round: Callable[[datetime], object],
    stop: threading.Event,
    *,
    interval_seconds: float,
    uses_lease: bool = True,
) -> None:
    """Run a worker's round every few seconds until `stop` is set; with a lease, only while no other process does."""
    holder = get_holder_name()
    while True:
        try:
            if not uses_lease or acquire_lease(name, timezone.now(), holder):
                run_round(timezone.now())
        except DatabaseError as error:
            logger.warning("The %s worker could not reach the database: %s", name, describe_database_failure(error))
        except Exception:
            # No other thread does this work, so this one goes on whatever happened.
            logger.exception("A round of the %s worker failed", name)
        finally:
            connections.close_all()
        if stop.wait(interval_seconds):
            return
