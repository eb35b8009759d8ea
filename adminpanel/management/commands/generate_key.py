"""`manage.py generate_key`: print a random key for `SECRET_KEY` or `BACKUP_KEY`."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand

# 384 bits, in 64 characters that no shell and no file of settings treats specially.
KEY_BYTES = 48


class Command(BaseCommand):
    help = "Prints a random key for SECRET_KEY or BACKUP_KEY. Works before any setting is made."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(secrets.token_urlsafe(KEY_BYTES))
