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

from accounts import access_log, leases
from accounts.audit.hash_chain import seal
from accounts.credentials import challenge_tokens
from accounts.files import stored_files
from accounts.models import User
from accounts.notifications import delivery
from accounts.text.substring_search import fold_missing
from appointments.models import Appointment, PatientOfDoctor
from appointments.notifications.reminders import remind_due
from appointments.scheduling import network_quota
from appointments.scheduling.booking_drafts import sweep_drafts
from appointments.scheduling.expiry import sweep_expired
from config.api.errors import DATABASE_UNAVAILABLE
from doctors.availability.calendar import refresh_due_doctors
from doctors.directory.demand_stats import count_offered
from doctors.directory.search_index import fold_anew
from doctors.verification.decisions import expire_licenses, warn_of_expiry

logger = logging.getLogger(__name__)

NAME = "housekeeping"
EVERY_SECONDS = 15


def fold_people(now: datetime) -> int:
    """Fold the names that were written past the ORM; returns how many rows."""
    return sum(fold_missing(model) for model in (User, PatientOfDoctor, Appointment))


# What a round does, in this order. A part answers how much it did, or how much of each thing.
PARTS: dict[str, Callable[[datetime], int | dict[str, int]]] = {
    "what has run out": sweep_expired,
    "holds forgotten": network_quota.delete_old_held_times,
    "licences run out": expire_licenses,
    "warnings of licences": warn_of_expiry,
    "reminders": remind_due,
    "next free times": refresh_due_doctors,
    "names folded": fold_anew,
    "people folded": fold_people,
    "dates counted": count_offered,
    "audit rows sealed": seal,
    "old messages deleted": delivery.forget_old,
    "stray files deleted": stored_files.delete_due_files,
    "tickets forgotten": challenge_tokens.forget_ended,
    "booking drafts deleted": sweep_drafts,
    "many people read": access_log.tell_of_many,
    "old readings deleted": access_log.forget_old,
}


def do_round(now: datetime) -> dict[str, int]:
    """Do everything that is due; return how much of each.

    A part that fails keeps none of the others back; the round then does not count as done, so that `/readyz` tells.
    """
    done: dict[str, int] = {}
    failed = 0
    for name, part in PARTS.items():
        try:
            came = part(now)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception:
            logger.exception("The housekeeping could not do its part: %s", name)
            failed += 1
        else:
            done |= came if isinstance(came, dict) else {name: came}
    if not failed:
        leases.beat(NAME, now)
    return done


def is_late(now: datetime) -> bool:
    """Return whether the housekeeping has stopped or falls behind."""
    return leases.is_late(NAME, now)


def keep_house(stop: threading.Event) -> None:
    """Do a round every few seconds while it is this process's turn, until `stop` is set."""
    holder = leases.holder_name()
    while True:
        try:
            if leases.take_turn(NAME, timezone.now(), holder):
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
    """Start the housekeeping beside the serving threads; return what ends it."""
    stop = threading.Event()
    threading.Thread(target=keep_house, args=(stop,), name=NAME, daemon=True).start()
    return stop
