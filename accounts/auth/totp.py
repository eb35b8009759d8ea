"""The authenticator app: its secret, its codes, and turning it on and off."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

import pyotp
import segno
from django.conf import settings
from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.auth.mfa_enrollment import locked, something_added, something_removed
from accounts.credentials.encryption import decrypt_secret, encrypt_secret
from accounts.credentials.mfa_status import Guarded
from accounts.models import AuthenticatorApp, Session, User
from accounts.notifications.outbox import notify_user
from accounts.throttling.rate_limit import RateLimit
from config.api.errors import DomainError, field_error

ISSUER = "Wellhour"
STEP_SECONDS = 30
# One half minute early or late, for clocks that differ.
TOLERANCE = 1
# How long a shown secret waits for its first code.
SETTING_UP = timedelta(minutes=15)
WRONG = "That code isn't right. Please try the next one."

own_code_tries = RateLimit("own-code", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)


@dataclass(frozen=True)
class Secret:
    """What an app is told, in the three ways that apps take it."""

    text: str
    uri: str
    qr: str


def start(person: Guarded, now: datetime) -> Secret:
    """Make a secret for a new app; it counts for nothing until `turn_on`. Raises `second_step_on` where there is one.

    An earlier one that was never turned on is replaced.
    """
    secret = pyotp.random_base32()
    if app_of(person) is not None:
        raise DomainError("second_step_on")
    AuthenticatorApp.objects.update_or_create(
        user=person, defaults={"secret": encrypt_secret(secret), "started_at": now, "last_step": 0}
    )
    uri = pyotp.TOTP(secret).provisioning_uri(name=person.email, issuer_name=ISSUER)
    # On white whatever the page's colours: cameras want it so.
    picture = segno.make(uri, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return Secret(" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)), uri, picture)


def turn_on(user: User, code: str, session: Session, now: datetime) -> list[str] | None:
    """Turn the app on by its first code; returns recovery codes where this is the first second step.

    The guard was passed when the secret was made, and turning the second step on deletes one that waits since before.
    Raises `ticket_invalid` where no secret waits for its code, a field error for a wrong one, `second_step_on`.
    """
    own_code_tries.consume(str(user.pk))
    with transaction.atomic():
        person = locked(user)
        app = AuthenticatorApp.objects.filter(user=person).first()
        if app is not None and app.turned_on_at is not None:
            raise DomainError("second_step_on")
        if app is None or now >= app.started_at + SETTING_UP:
            raise DomainError("ticket_invalid")
        if not accept(app, code, now):
            raise field_error("code", WRONG)
        AuthenticatorApp.objects.filter(pk=app.pk).update(turned_on_at=now)
        codes = something_added(person, session, now)
        record_event("account.authenticator_added", Action.CREATE, "user", person.pk, actor=person)
        notify_user("account.authenticator_added", person)
    own_code_tries.clear(str(user.pk))
    return codes


def turn_off(person: Guarded) -> None:
    """Turn the app off; raises `not_found` where none is on."""
    app = app_of(person)
    if app is None:
        raise DomainError("not_found")
    app.delete()
    something_removed(person)
    record_event("account.authenticator_removed", Action.DELETE, "user", person.pk, actor=person)
    notify_user("account.authenticator_removed", person)


def app_of(person: User) -> AuthenticatorApp | None:
    """Return the app that a person signs in with, if there is one."""
    return AuthenticatorApp.objects.filter(user=person, turned_on_at__isnull=False).first()


def accept(app: AuthenticatorApp, code: str, now: datetime) -> bool:
    """Use a code up; return whether it was good: of now or the half minute beside it, and never used.

    One conditional UPDATE decides, so that of two who send the same code at the same moment one is let in.
    """
    secret = decrypt_secret(app.secret)
    digits = "".join(code.split())
    if secret is None or not (digits.isascii() and digits.isdecimal()):
        return False
    totp = pyotp.TOTP(secret)
    current = int(now.timestamp()) // STEP_SECONDS
    for step in range(current - TOLERANCE, current + TOLERANCE + 1):
        if hmac.compare_digest(totp.generate_otp(step), digits):
            return bool(AuthenticatorApp.objects.filter(pk=app.pk, last_step__lt=step).update(last_step=step))
    return False
