"""`manage.py seed_demo`: fill a site with invented people and appointments to try it with."""

from argparse import ArgumentTypeError
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction
from django.utils import timezone

from accounts.audit.log import Action, record_event
from accounts.models import Heartbeat
from adminpanel.operations.demo_accounts import DEMO_ACCOUNTS
from adminpanel.operations.seeding.appointments import create_appointments
from adminpanel.operations.seeding.load_data import LoadData
from adminpanel.operations.seeding.people import load_doctors, load_patients
from adminpanel.operations.seeding.users import create_users, list_missing, store_portraits
from appointments.notifications import reminders
from doctors.directory.demand_stats import count_date
from doctors.models import OfferedTime

COUNTED_DAYS = 30


def parse_count(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ArgumentTypeError(f"{text} is not a whole number.")
    return int(text)


class Command(BaseCommand):
    help = "Creates what is missing of the demo's accounts and appointments; a second run changes nothing."
    # Checks of pages would only delay the start of the site.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--list", action="store_true", help="print the demo accounts: role, email and password; do nothing else"
        )
        load_data = parser.add_argument_group("large sets", "Beside the demo's own, so many in all.")
        for name in ("doctors", "patients", "appointments"):
            load_data.add_argument(f"--{name}", type=parse_count, default=0, metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.IS_PRODUCTION:
            raise CommandError("The demo's passwords are published: they are not for a production site.")
        if options["list"]:
            for account in DEMO_ACCOUNTS:
                self.stdout.write("\t".join((account["role"], account["email"], account["password"])))
            return
        if "accounts_user" not in connection.introspection.table_names():
            raise CommandError("The database has no tables yet: run `manage.py migrate` first.")
        now = timezone.now()
        counts = create_demo(now) | create_load_data(now, options)
        if any(counts.values()):
            record_event("demo.seeded", Action.EXECUTE, "site", None, actor=None, detail=counts)
            self.stdout.write("Made " + ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) + ".")
        else:
            self.stdout.write("The demo is complete; nothing was changed.")


def create_demo(now: datetime) -> dict[str, int]:
    """Create the demo's users and appointments that are missing; return how many of each."""
    doctors, patients = list_missing(load_doctors()), list_missing(load_patients())
    # Before the transaction, which would keep everybody else on SQLite from writing.
    store_portraits([*doctors, *patients])
    with transaction.atomic():
        accounts = create_users(doctors, patients, now)
        appointments = create_appointments(now)
    if not OfferedTime.objects.exists():
        # What the demo's doctors offered in the past weeks, as the housekeeping would have counted it.
        for days in range(COUNTED_DAYS, 1, -1):
            count_date(now.date() - timedelta(days=days))
    # The first reminders are those that are due from now on.
    Heartbeat.objects.get_or_create(name=reminders.WORKER_NAME, defaults={"beat_at": now})
    counts = {"doctors": len(doctors), "patients": len(patients)}
    return counts | {"known accounts": accounts, "appointments": appointments}


def create_load_data(now: datetime, totals: dict[str, Any]) -> dict[str, int]:
    """Create the large sets; return how many of each."""
    load_data = LoadData(now)
    counts = {
        "more doctors": load_data.create_doctors(totals["doctors"]) if totals["doctors"] else 0,
        "more patients": load_data.create_patients(totals["patients"]) if totals["patients"] else 0,
    }
    if totals["appointments"]:
        if not load_data.has_people():
            raise CommandError("--appointments needs --doctors and --patients, in this run or an earlier one.")
        counts["more appointments"] = load_data.create_appointments(totals["appointments"])
    return counts
