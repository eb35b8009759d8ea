"""`manage.py migrate`: Django's command, which also says which database it changes."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from config.db.description import describe_database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if options["verbosity"] >= 1:
            self.stdout.write(f"The database is {describe_database(connections[options['database']].settings_dict)}.")
        super().handle(*args, **options)
