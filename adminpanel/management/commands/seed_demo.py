"""Fill a site with invented people and appointments to try it with."""

from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.utils import timezone

from accounts.audit.log import Action, record_event
from accounts.models import Heartbeat
from adminpanel.operations.demo_accounts import demo_accounts
from adminpanel.operations.seeding import appointments as seeding_appointments
from adminpanel.operations.seeding import users as seeding_users
from adminpanel.operations.seeding.load_data import Crowd
from appointments.notifications import reminders
from doctors.directory.demand_stats import count_date
from doctors.models import OfferedTime

COUNTED_DAYS = 30


def whole_number(text: str) -> int:
    """Read a number of people or appointments."""
    if not text.isascii() or not text.isdecimal():
        raise ArgumentTypeError(f"{text} is not a whole number.")
    return int(text)


class Command(BaseCommand):
    """Make what is missing of the demo; a second run changes nothing."""

    help = "Make the demo's accounts, doctors, patients and appointments, as far as they are missing."
    # The start of the site should not wait for checks of pages that this command never shows.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--list", action="store_true", help="print the demo accounts: role, email and password; do nothing else"
        )
        crowd = parser.add_argument_group("large sets", "Beside the demo's own, so many in all.")
        for what in ("doctors", "patients", "appointments"):
            crowd.add_argument(f"--{what}", type=whole_number, default=0, metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.IS_PRODUCTION:
            raise CommandError("The demo's passwords are published: they are not for a production site.")
        if options["list"]:
            for account in demo_accounts():
                self.stdout.write("\t".join((account["role"], account["email"], account["password"])))
            return
        if "accounts_user" not in connection.introspection.table_names():
            raise CommandError("The database has no tables yet: run `manage.py migrate` first.")
        now = timezone.now()
        made = {**make_demo(now), **make_crowd(now, options)}
        if any(made.values()):
            record_event("demo.seeded", Action.EXECUTE, "site", None, actor=None, detail=made)
            self.stdout.write("Made " + ", ".join(f"{count:,} {what}" for what, count in made.items() if count) + ".")
        else:
            self.stdout.write("The demo is complete; nothing was changed.")


def make_demo(now: datetime) -> dict[str, int]:
    """Make what is missing of the demo's people and appointments; return how many of each."""
    doctors, patients = seeding_users.missing_doctors(), seeding_users.missing_patients()
    # Drawn before the transaction, which would keep everybody else on SQLite from writing.
    seeding_users.hang_portraits([*doctors, *patients])
    with transaction.atomic():
        accounts = seeding_users.welcome(doctors, patients, now)
        made = seeding_appointments.top_up(now)
    count_past_dates(now)
    remind_from_now_on(now)
    return {"doctors": len(doctors), "patients": len(patients), "known accounts": accounts, "appointments": made}


def count_past_dates(now: datetime) -> None:
    """Count what the demo's doctors offered in the weeks behind, as the housekeeping would have."""
    if not OfferedTime.objects.exists():
        for days in range(COUNTED_DAYS, 1, -1):
            count_date(now.date() - timedelta(days=days))


def remind_from_now_on(now: datetime) -> None:
    """Let the housekeeping begin with what comes: a site that is tried need not catch up on invented appointments."""
    Heartbeat.objects.get_or_create(name=reminders.NAME, defaults={"beat_at": now})


def make_crowd(now: datetime, wanted: dict[str, Any]) -> dict[str, int]:
    """Make the large sets asked for; return how many of each."""
    crowd = Crowd(now)
    made = {
        "more doctors": crowd.make_doctors(wanted["doctors"]) if wanted["doctors"] else 0,
        "more patients": crowd.make_patients(wanted["patients"]) if wanted["patients"] else 0,
    }
    if wanted["appointments"]:
        if not crowd.has_both():
            raise CommandError("--appointments needs --doctors and --patients, in this run or an earlier one.")
        made["more appointments"] = crowd.make_appointments(wanted["appointments"])
    return made
