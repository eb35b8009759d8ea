"""Turn maintenance mode on and off."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.http import maintenance


class Command(BaseCommand):
    help = (
        "Turn maintenance mode of this machine on or off: every page and every call of the API gets 503 with"
        " `Retry-After`, at once and without a restart. Without an argument, print whether it is on."
    )
    # It must work while the database is away.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("state", nargs="?", choices=["on", "off"])
        parser.add_argument("--message", default="", help="a sentence for people, such as when the site will be back")

    def handle(self, *args: Any, state: str | None, message: str, **options: Any) -> None:
        if message and state != "on":
            raise CommandError("--message needs `on`.")
        try:
            if state == "on":
                maintenance.start_maintenance(message)
            elif state == "off":
                maintenance.stop_maintenance()
            since = maintenance.get_start()
        except OSError as error:
            raise CommandError(f"MAINTENANCE_FILE can't be used: {error.strerror}: {error.filename}") from None
        self.stdout.write(
            f"Maintenance mode is on since {since:%Y-%m-%d %H:%M %Z}." if since else "Maintenance mode is off."
        )
