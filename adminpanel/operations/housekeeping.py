"""Housekeeping: periodic tasks, such as expiring requests and refreshing the next free times.

One process at a time runs them, by a lease in the database: a serving process by default (`HOUSEKEEPING=inline`), or
`manage.py housekeeping`.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from accounts import access_log, leases
from accounts.audit.hash_chain import seal_events
from accounts.credentials import challenge_tokens
from accounts.files import stored_files
from accounts.models import User
from accounts.notifications import delivery
from accounts.text.substring_search import fold_missing_rows
from adminpanel.operations import pending_work
from appointments.models import Appointment, PatientOfDoctor
from appointments.notifications.reminders import create_due_reminders
from appointments.scheduling import network_quota
from appointments.scheduling.booking_drafts import delete_old_drafts
from appointments.scheduling.expiry import sweep_expired
from config.api.errors import DATABASE_UNAVAILABLE
from doctors.availability.calendar import refresh_due_doctors
from doctors.directory.demand_stats import count_next_date
from doctors.directory.search_index import fold_outdated
from doctors.verification.decisions import expire_licenses, warn_of_expiry

logger = logging.getLogger(__name__)

WORKER_NAME = "housekeeping"
ROUND_INTERVAL_SECONDS = 15


def fold_missing_names(now: datetime) -> int:
    """Fold the names that were written without the ORM; return how many rows."""
    return sum(fold_missing_rows(model) for model in (User, PatientOfDoctor, Appointment))


def check_delivery(now: datetime) -> int:
    """Notify admins if messages are no longer sent."""
    return pending_work.notify_of_late_worker(delivery.WORKER_NAME, now)


def check_housekeeping(now: datetime) -> int:
    """Notify admins if rounds no longer take place; the delivery calls it."""
    return pending_work.notify_of_late_worker(WORKER_NAME, now)


# In the order in which a round runs them. A task returns one count, or several by name.
TASKS: dict[str, Callable[[datetime], int | dict[str, int]]] = {
    "expired": sweep_expired,
    "old holds deleted": network_quota.delete_old_held_times,
    "licenses expired": expire_licenses,
    "license warnings": warn_of_expiry,
    "reminders": create_due_reminders,
    "next free times": refresh_due_doctors,
    "doctor names folded": fold_outdated,
    "personal names folded": fold_missing_names,
    "dates counted": count_next_date,
    "audit rows sealed": seal_events,
    "old messages deleted": delivery.delete_old_notices,
    "stray files deleted": stored_files.delete_due_files,
    "login challenges deleted": challenge_tokens.delete_expired_tickets,
    "booking drafts deleted": delete_old_drafts,
    "pending work notices": pending_work.notify_of_pending_work,
    "late delivery notices": check_delivery,
    "mass access alerts": access_log.notify_of_heavy_readers,
    "old access log rows deleted": access_log.delete_old_readings,
}


def run_round(now: datetime) -> dict[str, int]:
    """Run all tasks; return the count of each."""
    counts, _failures = run_tasks(now)
    return counts


def run_tasks(now: datetime) -> tuple[dict[str, int], list[str]]:
    """Run all tasks; return the count of each that succeeded, and the names of the others.

    If one fails, the others still run, but the round does not count as done, so that `/readyz` reports it.
    """
    counts: dict[str, int] = {}
    failures: list[str] = []
    for name, task in TASKS.items():
        try:
            result = task(now)
        except DATABASE_UNAVAILABLE:
            raise
        except Exception:
            logger.exception("A housekeeping task failed: %s", name)
            failures.append(name)
        else:
            counts |= result if isinstance(result, dict) else {name: result}
    if not failures:
        leases.record_heartbeat(WORKER_NAME, now)
    if any(counts.values()):
        logger.info("Housekeeping: %s", ", ".join(f"{name} {number}" for name, number in counts.items() if number))
    return counts, failures


def is_late(now: datetime) -> bool:
    """Return whether the housekeeping has stopped or falls behind."""
    return leases.is_worker_late(WORKER_NAME, now)


def run_until_stopped(stop: threading.Event) -> None:
    """Run a round every few seconds while this process has the lease, until `stop` is set."""
    leases.run_rounds(WORKER_NAME, run_round, stop, interval_seconds=ROUND_INTERVAL_SECONDS)


def start_inline() -> threading.Event:
    """Start the housekeeping beside the serving threads; return the event that stops it."""
    stop = threading.Event()
    threading.Thread(target=run_until_stopped, args=(stop,), name=WORKER_NAME, daemon=True).start()
    return stop
