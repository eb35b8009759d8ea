"""`manage.py housekeeping`: run the periodic tasks."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from adminpanel.operations.housekeeping import run_tasks, run_until_stopped
from config.log_formatters import log_start


class Command(BaseCommand):
    help = (
        "Runs the periodic tasks, such as expiring requests, proposals and holds, and refreshing the next free times."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--once",
            action="store_true",
            help="run one round and exit, with 1 if a task fails, even if another process has the lease",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            counts, failures = run_tasks(timezone.now())
            for name, number in counts.items():
                self.stdout.write(f"{name}: {number}")
            if failures:
                raise CommandError(f"Failed, the log says why: {', '.join(failures)}.")
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        log_start()
        self.stdout.write("Housekeeping; press Ctrl-C to stop.")
        run_until_stopped(stop)
