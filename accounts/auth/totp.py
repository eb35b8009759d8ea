"""Authenticator apps (TOTP, RFC 6238)."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

import pyotp
import segno
from django.conf import settings
from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.auth.mfa_enrollment import disable_unused_second_step, enable_second_step
from accounts.credentials.encryption import decrypt_secret, encrypt_secret
from accounts.credentials.mfa_status import ReauthenticatedUser
from accounts.models import AuthenticatorApp, Session, User
from accounts.notifications.outbox import notify_user
from accounts.throttling.rate_limit import RateLimit
from config.api.errors import DomainError, field_error

STEP_SECONDS = 30
# One step early or late.
MAX_CLOCK_SKEW_STEPS = 1
SETUP_LIFETIME = timedelta(minutes=15)
WRONG_CODE_MESSAGE = "That code isn't right. Please try the next one."

code_limit = RateLimit("own-code", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)


@dataclass(frozen=True)
class Secret:
    """A secret in the three formats that apps accept."""

    text: str
    uri: str
    qr: str


def start_setup(user: ReauthenticatedUser, now: datetime) -> Secret:
    """Create the secret of a new app, which is unused until `enable_app`; replace an earlier unused one.

    Raise `second_step_on` if the user has an app.
    """
    secret = pyotp.random_base32()
    if find_app(user) is not None:
        raise DomainError("second_step_on")
    AuthenticatorApp.objects.update_or_create(
        user=user, defaults={"secret": encrypt_secret(secret), "started_at": now, "last_step": 0}
    )
    uri = pyotp.TOTP(secret).provisioning_uri(name=user.email, issuer_name=settings.SITE_NAME)
    # Cameras need a white background, whatever the color scheme of the page.
    qr = segno.make(uri, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return Secret(" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)), uri, qr)


def enable_app(user: User, code: str, session: Session, now: datetime) -> list[str] | None:
    """Enable the app by its first code; return recovery codes if it is the first second factor.

    The user reauthenticated when the secret was created, and enabling the second step deletes earlier unused secrets.
    Raise `ticket_invalid` without an unexpired secret, a field error for a wrong code, or `second_step_on`.
    """
    code_limit.consume(str(user.pk))
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        app = AuthenticatorApp.objects.filter(user=user).first()
        if app is not None and app.turned_on_at is not None:
            raise DomainError("second_step_on")
        if app is None or now >= app.started_at + SETUP_LIFETIME:
            raise DomainError("ticket_invalid")
        if not verify_code(app, code, now):
            raise field_error("code", WRONG_CODE_MESSAGE)
        AuthenticatorApp.objects.filter(pk=app.pk).update(turned_on_at=now)
        codes = enable_second_step(user, session, now)
        record_event("account.authenticator_added", Action.CREATE, "user", user.pk, actor=user)
        notify_user("account.authenticator_added", user)
    code_limit.clear(str(user.pk))
    return codes


def disable_app(user: ReauthenticatedUser) -> None:
    """Delete the app; raise `not_found` if none is enabled."""
    app = find_app(user)
    if app is None:
        raise DomainError("not_found")
    app.delete()
    disable_unused_second_step(user)
    record_event("account.authenticator_removed", Action.DELETE, "user", user.pk, actor=user)
    notify_user("account.authenticator_removed", user)


def find_app(user: User) -> AuthenticatorApp | None:
    """Return the user's enabled app, or None."""
    return AuthenticatorApp.objects.filter(user=user, turned_on_at__isnull=False).first()


def verify_code(app: AuthenticatorApp, code: str, now: datetime) -> bool:
    """Return whether a code is valid now and was never used, and mark it as used.

    A conditional UPDATE decides, so that one of two concurrent requests with the same code succeeds.
    """
    secret = decrypt_secret(app.secret)
    digits = "".join(code.split())
    if secret is None or not (digits.isascii() and digits.isdecimal()):
        return False
    totp = pyotp.TOTP(secret)
    current = int(now.timestamp()) // STEP_SECONDS
    for step in range(current - MAX_CLOCK_SKEW_STEPS, current + MAX_CLOCK_SKEW_STEPS + 1):
        if hmac.compare_digest(totp.generate_otp(step), digits):
            return bool(AuthenticatorApp.objects.filter(pk=app.pk, last_step__lt=step).update(last_step=step))
    return False
