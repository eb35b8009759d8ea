"""Make the first admin of a site, or one more."""

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

TAKEN = "There is already an account with that email address."


class Command(BaseCommand):
    """Make an admin, who may also do everything on the staff site."""

    help = (
        "Make an admin account. What is not given is asked for. The password is taken from the variable"
        " ADMIN_PASSWORD or typed in, never from the command line, where other users of the machine could read it."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--email", default=os.environ.get("ADMIN_EMAIL", ""), help="or the variable ADMIN_EMAIL")
        parser.add_argument("--name", default=os.environ.get("ADMIN_NAME", ""), help="or the variable ADMIN_NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        email = self.obtain("Email address", "--email", options["email"], EmailAddressField())
        if User.objects.filter(email=email).exists():
            raise CommandError(TAKEN)
        name = self.obtain("Name", "--name", options["name"], NameField())
        password = obtain_password(User(email=email, name=name))
        try:
            with transaction.atomic():
                admin = User.objects.create_superuser(email, password, name=name)
                record_event(
                    "account.created", Action.CREATE, "user", admin.pk, actor=None, detail={"role": Role.ADMIN.value}
                )
        except IntegrityError:
            raise CommandError(TAKEN) from None
        self.stdout.write(f"Made the admin {admin.email}.")

    def obtain(self, label: str, option: str, given: str, field: serializers.CharField) -> str:
        """Take what was given or ask for it; raises CommandError for what can't be used."""
        value = given or ask(f"{label}: ", option)
        try:
            return str(field.run_validation(value))
        except serializers.ValidationError as refused:
            raise CommandError(f"{label}: {first_of(refused.detail)}") from None


def ask(question: str, instead: str, read: Callable[[str], str] = input) -> str:
    """Ask the person at the terminal; raises CommandError where there is none."""
    if not sys.stdin.isatty():
        raise CommandError(f"There is no terminal to ask at: give {instead}.")
    try:
        return read(question)
    except (EOFError, KeyboardInterrupt):
        raise CommandError("Stopped; no account was made.") from None


def obtain_password(admin: User) -> str:
    """Take the password from the environment or ask for it twice; raises CommandError for a weak one."""
    password = os.environ.get("ADMIN_PASSWORD", "")
    if not password:
        password = ask("Password: ", "ADMIN_PASSWORD", getpass.getpass)
        if ask("The same again: ", "ADMIN_PASSWORD", getpass.getpass) != password:
            raise CommandError("The two passwords differ.")
    try:
        validate_password(password, admin)
    except ValidationError as refused:
        raise CommandError("Password: " + " ".join(refused.messages)) from None
    return password


def first_of(detail: Any) -> str:
    """Return the first sentence of a field's refusal."""
    return str(detail[0] if isinstance(detail, list) else detail)
