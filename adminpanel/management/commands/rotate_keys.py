"""`manage.py rotate_keys`: encrypt stored secrets with the current key, so that former keys can be removed."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.credentials.encryption import rotate_secrets

MAX_LISTED_USERS = 20


class Command(BaseCommand):
    help = (
        "Encrypts the secrets of authenticator apps with SECRET_KEY that are still encrypted with one of"
        " SECRET_KEY_FALLBACKS; the site may go on meanwhile, if all its processes have these settings. Afterwards the"
        " fallbacks can be removed. Exits with 0, or with 1 and the ids of the users whose secrets no key decrypts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit with 1 if a secret needs a former key"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        rotation = rotate_secrets(is_dry_run=options["check"])
        undecryptable = rotation.undecryptable
        outdated = "still encrypted with a former key" if options["check"] else "encrypted with it now"
        self.stdout.write(
            f"{rotation.current} secrets were encrypted with SECRET_KEY already, {rotation.outdated} are {outdated},"
            f" {len(undecryptable)} can't be decrypted."
        )
        if undecryptable:
            lines = [
                "No key of SECRET_KEY and SECRET_KEY_FALLBACKS decrypts the authenticator apps of these users.",
                "Add the missing key, or remove an app with `manage.py reset_second_step ID`:",
                *map(str, undecryptable[:MAX_LISTED_USERS]),
            ]
            if len(undecryptable) > MAX_LISTED_USERS:
                lines.append(f"... and {len(undecryptable) - MAX_LISTED_USERS} more")
            raise CommandError("\n".join(lines))
        if options["check"] and rotation.outdated:
            raise CommandError("The fallbacks are still needed: run `manage.py rotate_keys`.")
