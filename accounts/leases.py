"""Whose turn it is among processes that do the same work in the background, and when a round was last done."""

import os
import socket
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import Heartbeat

LEASE = timedelta(seconds=60)
# A round that has not come for so long is late, and `/readyz` says so.
LATE_AFTER = timedelta(minutes=3)
# Machines' clocks differ by less. What lies further ahead was written by a clock that has been put right since.
CLOCKS_DIFFER = timedelta(minutes=10)


def holder_name() -> str:
    """Name this process among all that could have the turn."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}"


def take_turn(name: str, now: datetime, holder: str) -> bool:
    """Take or keep the turn; False while another process has it."""
    Heartbeat.objects.get_or_create(name=name)
    mine = Q(holder=holder) | Q(lease_until=None) | Q(lease_until__lte=now)
    mine |= Q(lease_until__gt=now + LEASE + CLOCKS_DIFFER)
    return bool(Heartbeat.objects.filter(mine, name=name).update(holder=holder, lease_until=now + LEASE))


def beat(name: str, now: datetime) -> None:
    """Write down that a round was done."""
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": now})


def last_beats() -> dict[str, datetime | None]:
    """Return when each work's last round was done."""
    return dict(Heartbeat.objects.values_list("name", "beat_at"))


def is_too_old(last: datetime | None, now: datetime) -> bool:
    """Return whether a work whose last round was then has stopped or falls behind."""
    return last is None or last <= now - LATE_AFTER or last > now + CLOCKS_DIFFER


def is_late(name: str, now: datetime) -> bool:
    """Return whether this work has stopped or falls behind."""
    return is_too_old(last_beats().get(name), now)
