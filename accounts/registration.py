"""Open an account."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.audit.log import Action, current_address, record_event
from accounts.models import PatientDetails, Role, User
from accounts.notifications.outbox import notify_user
from accounts.notifications.rate_alerts import AlertThreshold
from accounts.throttling.expensive_requests import set_anonymous_caller
from accounts.throttling.rate_limit import NetworkRateLimit
from config.api.errors import REGISTRY, DomainError

per_address = NetworkRateLimit("registration", settings.MAX_REGISTRATIONS_PER_IP)
overall = AlertThreshold("registration-overall", settings.REGISTRATION_ALERT_LIMIT)


def check_email_is_free(email: str) -> timedelta:
    """Raise `email_taken` for an address that has an account; return by how much the mail to it is put off.

    The one function that says so to anybody: it counts each question, and raises `too_many`.
    """
    per_address.consume(current_address.get())
    delay = overall.consume(current_address.get())
    if User.objects.filter(email=email).exists():
        raise DomainError("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
    return delay


def register(
    role: Role, form: Mapping[str, Any], add_details: Callable[[User], None], now: datetime, language: str
) -> User:
    """Open an account from a checked registration form; `language` is what the browser asked for.

    `add_details` creates what only this role has, in the same transaction. Raises `email_taken`, also when
    two register one address at the same moment (the constraint `one_account_per_email` decides), and `too_many`.
    """
    delay = check_email_is_free(form["email"])
    set_anonymous_caller(form["email"])
    user = User(
        email=form["email"],
        name=form["name"],
        phone=form["phone"],
        gender=form["gender"],
        date_of_birth=form["date_of_birth"],
        role=role,
        language=language,
        agreed_to_privacy_at=now,
        created_at=now,
        # Registering opens a session, which counts as a sign-in.
        last_login=now,
        # Hashed before the transaction: it takes its time, and SQLite has one writer.
        password=make_password(form["password"]),
    )
    with transaction.atomic():
        user.save(force_insert=True)
        add_details(user)
        record_event("account.registered", Action.CREATE, "user", user.pk, actor=user, detail={"role": role})
        notify_user("account.registered", user, delay=delay)
    return user


def register_patient(form: Mapping[str, Any], now: datetime, language: str = "") -> User:
    """Open a patient's account."""

    def add_details(user: User) -> None:
        PatientDetails.objects.create(user=user, blood_group=form["blood_group"], **form["address"])

    return register(Role.PATIENT, form, add_details, now, language)
