"""`manage.py create_admin`: create an admin account."""

import getpass
import os
import sys
from collections.abc import Callable
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import IntegrityError, transaction
from rest_framework import serializers

from accounts.audit.log import Action, record_event
from accounts.models import Role, User
from accounts.text.fields import EmailAddressField, NameField

EMAIL_TAKEN = "There is already an account with that email address."


class Command(BaseCommand):
    help = (
        "Make an admin account. What is not given is asked for. The password is taken from the variable"
        " ADMIN_PASSWORD or typed in, never from the command line, where other users of the machine could read it."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default=os.environ.get("ADMIN_EMAIL", ""), help="or the variable ADMIN_EMAIL")
        parser.add_argument("--name", default=os.environ.get("ADMIN_NAME", ""), help="or the variable ADMIN_NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        email = self.get_value("Email address", "--email", options["email"], EmailAddressField())
        if User.objects.filter(email=email).exists():
            raise CommandError(EMAIL_TAKEN)
        name = self.get_value("Name", "--name", options["name"], NameField())
        password = get_password(User(email=email, name=name))
        try:
            with transaction.atomic():
                admin = User.objects.create_superuser(email, password, name=name)
                record_event(
                    "account.created", Action.CREATE, "user", admin.pk, actor=None, detail={"role": Role.ADMIN.value}
                )
        except IntegrityError:
            raise CommandError(EMAIL_TAKEN) from None
        self.stdout.write(f"Made the admin {admin.email}.")

    def get_value(self, label: str, option: str, value: str, field: serializers.CharField) -> str:
        """Return the validated value, asked for if it is empty; raise CommandError if it is invalid."""
        try:
            return str(field.run_validation(value or ask(f"{label}: ", option)))
        except serializers.ValidationError as error:
            raise CommandError(f"{label}: {get_first_message(error.detail)}") from None


def ask(question: str, alternative: str, read: Callable[[str], str] = input) -> str:
    """Return what is typed at the terminal; raise CommandError if there is no terminal."""
    if not sys.stdin.isatty():
        raise CommandError(f"There is no terminal to ask at: give {alternative}.")
    try:
        return read(question)
    except (EOFError, KeyboardInterrupt):
        raise CommandError("Stopped; no account was made.") from None


def get_password(admin: User) -> str:
    """Return the password from the environment, or asked for twice; raise CommandError if it is weak."""
    password = os.environ.get("ADMIN_PASSWORD", "")
    if not password:
        password = ask("Password: ", "ADMIN_PASSWORD", getpass.getpass)
        if ask("The same again: ", "ADMIN_PASSWORD", getpass.getpass) != password:
            raise CommandError("The two passwords differ.")
    try:
        validate_password(password, admin)
    except ValidationError as error:
        raise CommandError("Password: " + " ".join(error.messages)) from None
    return password


def get_first_message(detail: Any) -> str:
    return str(detail[0] if isinstance(detail, list) else detail)
