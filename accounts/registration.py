"""Registration of users."""

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

address_limit = NetworkRateLimit("registration", settings.MAX_REGISTRATIONS_PER_IP)
alert_threshold = AlertThreshold("registration-overall", settings.REGISTRATION_ALERT_LIMIT)


def check_email_available(email: str) -> timedelta:
    """Raise `email_taken` if an address has an account; return the delay of the welcome email.

    Only this function discloses that, so it counts each call and raises `too_many`.
    """
    address_limit.consume(current_address.get())
    delay = alert_threshold.consume(current_address.get())
    if User.objects.filter(email=email).exists():
        raise DomainError("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
    return delay


def register_user(
    role: Role, form: Mapping[str, Any], add_details: Callable[[User], None], now: datetime, language: str
) -> User:
    """Create an account from a validated form; `language` is negotiated with the browser.

    `add_details` creates the rows of the role in the same transaction. Raise `email_taken`, also for the second of two
    concurrent registrations (by the constraint `one_account_per_email`), or `too_many`.
    """
    delay = check_email_available(form["email"])
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
        # Registration signs in.
        last_login=now,
        # Outside the transaction, because hashing is slow and SQLite has one writer.
        password=make_password(form["password"]),
    )
    with transaction.atomic():
        user.save(force_insert=True)
        add_details(user)
        record_event("account.registered", Action.CREATE, "user", user.pk, actor=user, detail={"role": role})
        notify_user("account.registered", user, delay=delay)
    return user


def register_patient(form: Mapping[str, Any], now: datetime, language: str = "") -> User:
    def add_details(user: User) -> None:
        PatientDetails.objects.create(user=user, blood_group=form["blood_group"], **form["address"])

    return register_user(Role.PATIENT, form, add_details, now, language)
