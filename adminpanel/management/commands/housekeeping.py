"""`manage.py housekeeping`: end what has run out, keep the next free times true."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from adminpanel.operations.maintenance import do_round, keep_house


class Command(BaseCommand):
    help = "Ends unanswered requests, proposals and holds, and brings the kept next free times up to date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--once", action="store_true", help="do one round and exit, even while another process runs them"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            for name, number in do_round(timezone.now()).items():
                self.stdout.write(f"{name}: {number}")
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        self.stdout.write("Housekeeping; Ctrl-C ends it.")
        keep_house(stop)
