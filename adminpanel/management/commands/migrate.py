"""`manage.py migrate`: Django's command, which also says which database it changes, and why it can't."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.exceptions import InconsistentMigrationHistory, MigrationSchemaMissing

from config.db.description import describe_database


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if options["verbosity"] >= 1:
            self.stdout.write(f"The database is {describe_database(connections[options['database']].settings_dict)}.")
        try:
            super().handle(*args, **options)
        except (MigrationSchemaMissing, InconsistentMigrationHistory) as error:
            # Since PostgreSQL 15 only the owner of a database may create tables in it.
            hint = " The user must own the database." if "permission denied" in str(error) else ""
            raise CommandError(f"{error}{'' if str(error).rstrip().endswith('.') else '.'}{hint}") from error
