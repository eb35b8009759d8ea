"""What must be done as time passes: end what has run out, keep the next free times true.

One process at a time has the turn, by a lease in the database; it runs inside the serving process by default
(`HOUSEKEEPING=inline`) or as `manage.py housekeeping`.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from django.db import DatabaseError, connections
from django.utils import timezone

from accounts import delivery, stored_files, tickets, turns
from accounts.audit_seal import seal
from appointments.expiry import sweep_all
from appointments.reminders import remind_due
from config.errors import DATABASE_AWAY
from doctors import freshness
from doctors.approval import expire_licenses, warn_of_expiry
from doctors.calendar import refresh_due
from doctors.demand import count_offered
from doctors.search_index import fold_anew

logger = logging.getLogger(__name__)

NAME = "housekeeping"
EVERY_SECONDS = 15

# What a round does, in this order. A part answers how much it did, or how much of each thing.
PARTS: dict[str, Callable[[datetime], int | dict[str, int]]] = {
    "what has run out": sweep_all,
    "licences run out": expire_licenses,
    "warnings of licences": warn_of_expiry,
    "reminders": remind_due,
    "next free times": refresh_due,
    "names folded": fold_anew,
    "dates counted": count_offered,
    "audit rows sealed": seal,
    "old messages deleted": delivery.forget_old,
    "stray files deleted": stored_files.sweep,
    "public changes forgotten": freshness.forget_old,
    "tickets forgotten": tickets.forget_ended,
}


def do_round(now: datetime) -> dict[str, int]:
    """Do everything that is due; answers how much of each.

    A part that fails keeps none of the others back; the round then does not count as done, so that `/readyz` tells.
    """
    done: dict[str, int] = {}
    failed = 0
    for name, part in PARTS.items():
        try:
            came = part(now)
        except DATABASE_AWAY:
            raise
        except Exception:
            logger.exception("The housekeeping could not do its part: %s", name)
            failed += 1
        else:
            done |= came if isinstance(came, dict) else {name: came}
    if not failed:
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
        except Exception:
            # This thread is all that keeps house: whatever went wrong, the next round is done.
            logger.exception("A round of the housekeeping broke off")
        finally:
            connections.close_all()
        if stop.wait(EVERY_SECONDS):
            return


def start_inline() -> threading.Event:
    """Start the housekeeping beside the serving threads; answers what ends it."""
    stop = threading.Event()
    threading.Thread(target=keep_house, args=(stop,), name=NAME, daemon=True).start()
    return stop
