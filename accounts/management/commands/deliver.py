"""`manage.py deliver`: send the messages in the outbox."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from accounts.notifications.delivery import deliver_notices, run_delivery_loop
from config.log_formatters import log_start


class Command(BaseCommand):
    help = "Sends the messages in the outbox. Any number of these may run at once, on any number of machines."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="run one round and exit")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["once"]:
            for name, number in sorted(deliver_notices(timezone.now()).items()):
                self.stdout.write(f"{name}: {number}")
            return
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        log_start()
        self.stdout.write("Delivering; press Ctrl-C to stop.")
        run_delivery_loop(stop, uses_lease=False)
