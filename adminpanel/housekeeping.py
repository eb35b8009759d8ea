"""What must be done as time passes: end what has run out, keep the next free times true.

One process at a time has the turn, by a lease in the database; it runs inside the serving process by default
(`HOUSEKEEPING=inline`) or as `manage.py housekeeping`.
"""

import logging
import os
import socket
import threading
from datetime import datetime, timedelta

from django.db import DatabaseError, connections
from django.db.models import Q
from django.utils import timezone

from accounts.audit_seal import seal
from accounts.models import Heartbeat
from appointments.expiry import sweep_all
from doctors.approval import expire_licenses, warn_of_expiry
from doctors.calendar import refresh_due
from doctors.demand import count_offered

logger = logging.getLogger(__name__)

NAME = "housekeeping"
EVERY_SECONDS = 15
LEASE = timedelta(seconds=60)
# A round that has not come for so long is late, and `/readyz` says so.
LATE_AFTER = timedelta(minutes=3)


def holder_name() -> str:
    """Name this process among all that could have the turn."""
    return f"{socket.gethostname()[:40]}:{os.getpid()}"


def take_turn(now: datetime, holder: str) -> bool:
    """Take or keep the turn; False while another process has it."""
    Heartbeat.objects.get_or_create(name=NAME)
    mine = Q(holder=holder) | Q(lease_until=None) | Q(lease_until__lte=now)
    return bool(Heartbeat.objects.filter(mine, name=NAME).update(holder=holder, lease_until=now + LEASE))


def do_round(now: datetime) -> dict[str, int]:
    """Do everything that is due; answers how much of each."""
    done = {
        **sweep_all(now),
        "licences run out": expire_licenses(now),
        "warnings of licences": warn_of_expiry(now),
        "next free times": refresh_due(now),
        "dates counted": count_offered(now),
        "audit rows sealed": seal(now),
    }
    Heartbeat.objects.update_or_create(name=NAME, defaults={"beat_at": now})
    return done


def is_late(now: datetime) -> bool:
    """Tell whether the housekeeping has stopped or falls behind."""
    beat = Heartbeat.objects.filter(name=NAME).values_list("beat_at", flat=True).first()
    return beat is None or beat <= now - LATE_AFTER


def keep_house(stop: threading.Event) -> None:
    """Do a round every few seconds while it is this process's turn, until `stop` is set."""
    holder = holder_name()
    while True:
        try:
            if take_turn(timezone.now(), holder):
                do_round(timezone.now())
        except DatabaseError as away:
            logger.warning("Housekeeping could not reach the database: %s", away.__class__.__name__)
        finally:
            connections.close_all()
        if stop.wait(EVERY_SECONDS):
            return


def start_inline() -> threading.Event:
    """Start the housekeeping beside the serving threads; answers what ends it."""
    stop = threading.Event()
    threading.Thread(target=keep_house, args=(stop,), name=NAME, daemon=True).start()
    return stop
