"""`manage.py check_connections`: try what the site depends on."""

import contextlib
import logging
import smtplib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import get_connection
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from accounts.notifications.channels import describe_failure
from config import probes
from config.db.description import describe_database
from config.env.checks import describe_folder_problem, describe_user, list_upload_folders
from config.failure_reasons import describe_database_failure
from config.health import migrations

# Whether it can be used, and a sentence.
Result = tuple[bool, str]


class Command(BaseCommand):
    help = (
        "Tries to use the database, Redis, the storage of uploads and the mail server, and prints a sentence for each."
        " Sends no message and writes no file. Exits with 0, or with 1 if one can't be used."
    )
    # What those check is one of the sentences.
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        # It would say the same of the database once more.
        logging.getLogger("config.db").setLevel(logging.CRITICAL)
        failures = 0
        for is_usable, sentence in check_connections():
            self.stdout.write(sentence if is_usable else self.style.ERROR(sentence))
            # Each may take seconds.
            self.stdout.flush()
            failures += not is_usable
        if failures:
            raise CommandError("1 connection failed." if failures == 1 else f"{failures} connections failed.")


def check_connections() -> Iterator[Result]:
    """Yield a result for each server and folder that the settings name."""
    for alias in settings.DATABASES:
        yield check_database(alias)
    yield check_redis()
    yield from check_buckets() if settings.S3_BUCKET else check_folders()
    yield check_mail_server()


def check_database(alias: str) -> Result:
    connection = connections[alias]
    name = f"The {'replica' if alias == 'replica' else 'database'} {describe_database(connection.settings_dict)}"
    file = Path(connection.settings_dict["NAME"])
    # Connecting would create the file. A database in memory has no path.
    if connection.vendor == "sqlite" and file.is_absolute() and not file.exists():
        return True, f"{name} does not exist yet: migrate or restore creates it."
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        # Only the default one can be migrated.
        problem = migrations.describe_problem() if alias == DEFAULT_DB_ALIAS else ""
    except DatabaseError as error:
        return False, f"{name} can't be used: {describe_database_failure(error)}"
    return True, f"{name} responds; {problem}." if problem else f"{name} responds."


def check_redis() -> Result:
    if not settings.REDIS_URL:
        return True, "Redis is not used: REDIS_URL is empty."
    if error := probes.find_redis_error():
        return False, probes.describe_redis_failure(error)
    return True, f"{probes.describe_redis()} responds."


def check_buckets() -> Iterator[Result]:
    for bucket, options in probes.list_buckets().items():
        if error := probes.find_bucket_error(options):
            yield False, probes.describe_bucket_failure(error, bucket)
        else:
            yield True, f"{probes.describe_bucket(bucket)} responds."


def check_folders() -> Iterator[Result]:
    for name, folder in list_upload_folders():
        if problem := describe_folder_problem(name, folder):
            yield False, f"{problem}."
        else:
            yield True, f"{name} can be used: {describe_user()} may write to {folder}."


def check_mail_server() -> Result:
    connection = get_connection(fail_silently=False)
    if not settings.EMAIL_BACKEND.endswith(".smtp.EmailBackend"):
        return True, "No mail server is used: EMAIL_URL names none."
    server = f"The mail server {settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        # After a refused login it is still open.
        with contextlib.closing(connection):
            connection.open()
    except (smtplib.SMTPException, OSError) as error:
        return False, f"The mail server can't be used: {describe_failure(error)}"
    return True, f"{server} accepts the login." if settings.EMAIL_HOST_USER else f"{server} responds; no login is set."
