#!/usr/bin/env python
"""Run Wellhour's management commands."""

import os
import sys

# These run for as long as the site does.
WORKERS = {"housekeeping", "deliver"}


def main() -> None:
    if sys.argv[1:] in (["version"], ["--version"]):
        # Django would name its own.
        from config.version import VERSION

        sys.stdout.write(f"{VERSION}\n")
        return
    if sys.argv[1:2] == ["generate_key"]:
        generate_key()
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if not WORKERS & set(sys.argv[1:2]):
        # An index on a large table, or a large set of rows, takes longer than any request may.
        os.environ.setdefault("DATABASE_STATEMENT_SECONDS", "0")
        # A command has one connection. Without a pool it fails at once, and with the database's own reason.
        os.environ.setdefault("DATABASE_POOL_SIZE", "0")
    else:
        import django

        django.setup()
        from config import error_reports, log_formatters

        log_formatters.install_exception_hooks()
        error_reports.start_reporting()
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError, OperationalError, connection

    try:
        execute_from_command_line(sys.argv)
    except DatabaseError as error:
        from config.failure_reasons import is_table_missing

        if is_table_missing(error):
            sys.exit(f"The database {connection.settings_dict['NAME']} lacks tables: run `manage.py migrate` first.")
        # The others concern a statement. The class itself is what SQLite says of a file that is no database.
        if type(error) not in (OperationalError, DatabaseError):
            raise
        # The driver names the server and its reason, and never a password.
        sys.exit(f"The database {connection.settings_dict['NAME']} can't be used: {error}")
    except OSError as error:
        if sys.argv[1:2] != ["sendtestemail"]:
            raise
        from accounts.notifications.channels import describe_failure

        sys.exit(f"Email can't be sent through {describe_failure(error)}.")


def generate_key() -> None:
    """Run this command without the site's settings, which may be incomplete until it has been run."""
    from django.conf import settings

    settings.configure()
    from adminpanel.management.commands.generate_key import Command

    Command().run_from_argv(sys.argv)


if __name__ == "__main__":
    main()
