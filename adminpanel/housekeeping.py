"""What must be done as time passes: end what has run out, keep the next free times true.

One process at a time has the turn, by a lease in the database; it runs inside the serving process by default
(`HOUSEKEEPING=inline`) or as `manage.py housekeeping`.
"""

import logging
import threading
from datetime import datetime

from django.db import DatabaseError, connections
from django.utils import timezone

from accounts import tickets, turns
from accounts.audit_seal import seal
from appointments.expiry import sweep_all
from appointments.reminders import remind_due
from doctors.approval import expire_licenses, warn_of_expiry
from doctors.calendar import refresh_due
from doctors.demand import count_offered

logger = logging.getLogger(__name__)

NAME = "housekeeping"
EVERY_SECONDS = 15


def do_round(now: datetime) -> dict[str, int]:
    """Do everything that is due; answers how much of each."""
    done = {
        **sweep_all(now),
        "licences run out": expire_licenses(now),
        "warnings of licences": warn_of_expiry(now),
        "reminders": remind_due(now),
        "next free times": refresh_due(now),
        "dates counted": count_offered(now),
        "audit rows sealed": seal(now),
        "tickets forgotten": tickets.forget_ended(now),
    }
    turns.beat(NAME, now)
    return done


def is_late(now: datetime) -> bool:
    """Tell whether the housekeeping has stopped or falls behind."""
    return turns.is_late(NAME, now)


def keep_house(stop: threading.Event) -> None:
    """Do a round every few seconds while it is this process's turn, until `stop` is set."""
    holder = turns.holder_name()
    while True:
        try:
            if turns.take_turn(NAME, timezone.now(), holder):
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
