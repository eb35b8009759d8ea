"""`manage.py housekeeping`: run the periodic tasks."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from adminpanel.operations.housekeeping import run_round, run_until_stopped
from config.log_formatters import log_start


class Command(BaseCommand):
    help = (
        "Runs the periodic tasks, such as expiring requests, proposals and holds, and refreshing the next free times."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="run one round and exit, even if another process has the lease"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            for name, number in run_round(timezone.now()).items():
                self.stdout.write(f"{name}: {number}")
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        log_start()
        self.stdout.write("Housekeeping; press Ctrl-C to stop.")
        run_until_stopped(stop)
