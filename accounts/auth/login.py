"""Sign-in. Only a client that knows the password learns why a sign-in failed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.audit.log import Action, Outcome, current_address, record_event, record_rate_limit
from accounts.auth import passkeys, recovery_codes, totp
from accounts.auth.sessions import SIGNED_OUT, create_session, is_new_device
from accounts.authentication import SessionToken
from accounts.credentials import challenge_tokens, mfa_status
from accounts.credentials.user_agents import compute_device_digests
from accounts.models import ResetRequest, Role, Session, User
from accounts.notifications.outbox import notify_user
from accounts.throttling.expensive_requests import set_anonymous_caller
from accounts.throttling.rate_limit import Cooldown, NetworkRateLimit, RateLimit, get_network
from config.api.errors import DomainError

account_limit = NetworkRateLimit("sign-in-account", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)
address_limit = NetworkRateLimit("sign-in-address", settings.MAX_SIGN_IN_ATTEMPTS_PER_IP)
# Second steps per user, from one network and from all.
second_step_account_limit = NetworkRateLimit("second-step-account", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)
second_step_user_limit = RateLimit("second-step-person", settings.MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT)
# Failures per email address from all networks, after which unknown networks must wait before each attempt.
guess_limit = RateLimit("sign-in-everywhere", settings.MAX_SIGN_IN_ATTEMPTS_OVERALL)
guess_cooldown = Cooldown("sign-in-wait", 60)
# Sessions per user.
session_limit = RateLimit("sign-ins", settings.MAX_SIGN_INS_PER_HOUR, 3600)


@dataclass(frozen=True)
class SignedIn:
    """A finished sign-in: the user and the session's token."""

    user: User
    token: str


@dataclass(frozen=True)
class SecondStepRequired:
    """A correct password that needs a second step: the user, its ticket, and the available methods."""

    user: User
    ticket: str
    methods: list[str]


@dataclass(frozen=True)
class SecondStep:
    """The second factor that was sent: exactly one of these."""

    code: str = ""
    recovery_code: str = ""
    passkey: passkeys.Credential | None = None

    @property
    def method(self) -> str:
        """Return its name in the API."""
        if self.passkey is not None:
            return mfa_status.PASSKEY
        return mfa_status.RECOVERY_CODE if self.recovery_code else mfa_status.CODE


WRONG_FACTOR_MESSAGES = {
    mfa_status.CODE: totp.WRONG_CODE_MESSAGE,
    mfa_status.RECOVERY_CODE: recovery_codes.WRONG_CODE_MESSAGE,
    mfa_status.PASSKEY: passkeys.REJECTED_MESSAGE,
}

WRONG_ROLE_MESSAGES = {
    Role.PATIENT: "This is a patient account. Please sign in as a patient.",
    Role.DOCTOR: "This is a doctor account. Please sign in as a doctor.",
    Role.ADMIN: "This is an admin account. Please sign in as an admin.",
}


def sign_in(
    email: str, password: str, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn | SecondStepRequired:
    """Check the password and open a session, or require the second step. `email` is canonical.

    Raise `login_failed`, with the same message and timing for an unknown address and a wrong password. With the correct
    password, raise `account_inactive`, or `wrong_role` with `data.role`. Raise `too_many` after too many attempts.
    """
    address = current_address.get()
    address_limit.consume(address)
    account_limit.consume(address, email)
    throttle_guesses(email, request, now)
    set_anonymous_caller(email)
    user = User.objects.present().filter(email=email).first()
    # Outside the transaction, because hashing is slow and SQLite has one writer.
    reason = find_password_failure(user, password)
    with transaction.atomic():
        if user is not None and not reason:
            # Locked and reloaded, so that a concurrent deactivation or password change wins.
            locked = User.objects.locked().get(pk=user.pk)
            reason = "" if locked.password == user.password and locked.ended_at is None else "password"
            user = locked
        if user is not None and not reason:
            reason = find_denial_reason(user, role)
        if user is None or reason:
            record_failure(user, reason)
        else:
            result = (
                complete_sign_in(user, request, now) if user.second_step_at is None else require_second_step(user, now)
            )
            account_limit.clear(address, email)
            address_limit.refund(address)
            guess_limit.refund(email)
            return result
    raise build_login_error(user, reason)


def throttle_guesses(email: str, request: Request | HttpRequest, now: datetime) -> None:
    """Count an attempt; over the limit, raise `too_many` for networks that must wait, for up to a minute.

    Devices that have signed in to the account don't wait; passkeys and password resets are not counted here. Addresses
    without an account are treated the same; only the worker looks for the owner.
    """
    attempts, window_end = guess_limit.count(email)
    if attempts <= guess_limit.max_attempts:
        return
    if guess_limit.is_first_excess(window_end, email):
        ResetRequest.objects.create(kind=ResetRequest.Kind.GUESSED, email=email, created_at=now)
        record_rate_limit(guess_limit.name, guess_limit.max_attempts)
    address = current_address.get()
    devices = compute_device_digests(email, address, request.META.get("HTTP_USER_AGENT", ""))
    if Session.objects.filter(device__in=devices).exists():
        return
    try:
        guess_cooldown.consume(email, get_network(address))
    except DomainError:
        # The password was not checked.
        account_limit.refund(address, email)
        raise


def reset_attempts(user: User, address: str) -> None:
    """Reset the attempt counters of a user who has proved their mailbox, and the cooldown of this network."""
    account_limit.clear(address, user.email)
    guess_limit.clear(user.email)
    session_limit.clear(str(user.pk))
    guess_cooldown.reset(user.email, get_network(address))


def require_second_step(user: User, now: datetime) -> SecondStepRequired:
    """Issue a ticket, which any change of credentials and sign-out from elsewhere invalidates."""
    ticket = challenge_tokens.issue_ticket(
        challenge_tokens.SECOND_STEP, now, user.pk.hex, mfa_status.compute_credentials_digest(user)
    )
    record_event("account.second_step_asked", Action.EXECUTE, "user", user.pk, actor=None)
    return SecondStepRequired(user, ticket, mfa_status.list_methods(user))


def repeat_second_step(ticket_text: str, now: datetime) -> SecondStepRequired:
    """Return the second step of a ticket for another attempt; raise `ticket_invalid`."""
    user_id, _ = challenge_tokens.read_ticket(challenge_tokens.SECOND_STEP, ticket_text, now).content
    user = User.objects.present().filter(pk=UUID(user_id)).first()
    if user is None:
        raise DomainError("ticket_invalid")
    return SecondStepRequired(user, ticket_text, mfa_status.list_methods(user))


def complete_second_step(
    ticket_text: str,
    response: SecondStep,
    request: Request | HttpRequest,
    now: datetime,
    *,
    is_allowed: Callable[[User], bool],
) -> SignedIn:
    """Verify the second step and open a session, if `is_allowed` returns True for the user.

    Raise `ticket_invalid` if the ticket has expired or the credentials have changed, `second_step_failed` with the
    field, `account_inactive`, or `too_many`.
    """
    ticket = challenge_tokens.read_ticket(challenge_tokens.SECOND_STEP, ticket_text, now)
    user_id, digest = ticket.content
    address = current_address.get()
    address_limit.consume(address)
    second_step_user_limit.consume(user_id)
    second_step_account_limit.consume(address, user_id)
    with transaction.atomic():
        user = User.objects.present().locked().filter(pk=UUID(user_id)).first()
        if (
            user is None
            or mfa_status.compute_credentials_digest(user) != digest
            or was_signed_out_since(user, ticket.issued_at)
        ):
            raise DomainError("ticket_invalid")
        if user.is_active and is_allowed(user) and verify_second_step(user, response, ticket_text, now):
            challenge_tokens.spend_ticket(ticket)
            signed_in = complete_sign_in(user, request, now, response.method)
            second_step_account_limit.clear(address, user_id)
            second_step_user_limit.clear(user_id)
            address_limit.refund(address)
            return signed_in
        record_failure(user, f"second step: {response.method}" if user.is_active else "inactive")
    if not user.is_active:
        raise build_inactive_account_error()
    message = WRONG_FACTOR_MESSAGES[response.method]
    raise DomainError("second_step_failed", message, errors={response.method: [message]})


def verify_second_step(user: User, response: SecondStep, ticket: str, now: datetime) -> bool:
    """Return whether the factor is valid, and mark it as used."""
    if response.passkey is not None:
        return passkeys.verify_passkey(user, response.passkey, ticket, now)
    if response.recovery_code:
        return recovery_codes.use_code(user, response.recovery_code, now)
    app = totp.find_app(user)
    return app is not None and totp.verify_code(app, response.code, now)


def was_signed_out_since(user: User, since: datetime) -> bool:
    """Return whether a session of the user was ended from elsewhere since then, which ends pending sign-ins too."""
    return Session.objects.filter(user=user, ended_at__gt=since).exclude(ended_because=SIGNED_OUT).exists()


def sign_in_with_passkey(
    ticket_text: str, credential: passkeys.Credential, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn:
    """Open a session with a passkey that verified its user, which replaces password and second step.

    Raise `ticket_invalid`, `login_failed`, `too_many` and, if the passkey is valid, `account_inactive` or `wrong_role`
    as `sign_in` does.
    """
    ticket = challenge_tokens.read_ticket(challenge_tokens.PASSKEY_SIGN_IN, ticket_text, now)
    address = current_address.get()
    address_limit.consume(address)
    passkey = passkeys.find_passkey(credential)
    with transaction.atomic():
        users = User.objects.present().locked()
        user = users.filter(pk=passkey.user_id).first() if passkey else None
        reason = "unknown"
        if user is not None:
            is_accepted = passkeys.verify_passkey(user, credential, ticket_text, now, is_passwordless=True)
            reason = find_denial_reason(user, role) if is_accepted else "passkey"
        if user is None or reason:
            record_failure(user, reason)
        else:
            challenge_tokens.spend_ticket(ticket)
            signed_in = complete_sign_in(user, request, now, mfa_status.PASSKEY)
            address_limit.refund(address)
            return signed_in
    raise build_login_error(user, reason)


def complete_sign_in(user: User, request: Request | HttpRequest, now: datetime, second: str = "") -> SignedIn:
    """Open the session of an authenticated user, whose row is locked.

    Raise `too_many` after too many sessions within an hour.
    """
    session_limit.consume(str(user.pk))
    user.last_login = now
    user.save(update_fields=["last_login"])
    session = create_session(user, request, now)
    record_event(
        "account.signed_in", Action.EXECUTE, "user", user.pk, actor=user, detail={"with": second} if second else None
    )
    if is_new_device(session):
        notify_user("account.new_sign_in", user, detail={"session": str(session.pk)})
    return SignedIn(user, str(SessionToken.for_session(session)))


def find_password_failure(user: User | None, password: str) -> str:
    """Return why the password is rejected, for the audit log, or "" if it is correct. Hash exactly once in any case."""
    if user is None:
        # As slow as a comparison, so that the time does not reveal which addresses have accounts.
        make_password(password)
        return "unknown"
    return "" if check_password(password, user.password) else "password"


def find_denial_reason(user: User, role: str) -> str:
    """Return why an authenticated user may not sign in as `role`, or "" if they may."""
    if not user.is_active:
        return "inactive"
    return "" if user.role == role else "role"


def build_login_error(user: User | None, reason: str) -> DomainError:
    """Return the error of a failed sign-in, with details only for an authenticated user."""
    if user is None or reason not in {"inactive", "role"}:
        return DomainError("login_failed")
    if reason == "inactive":
        return build_inactive_account_error()
    return DomainError("wrong_role", WRONG_ROLE_MESSAGES[Role(user.role)], data={"role": user.role})


def build_inactive_account_error() -> DomainError:
    """Return the error for a deactivated account, which asks to contact us only if the operator has set a contact."""
    has_contact = any(settings.CONTACT.values())
    return DomainError("account_inactive", "" if has_contact else "This account has been deactivated.")


def record_failure(user: User | None, reason: str) -> None:
    """Add the failed attempt to the audit log."""
    record_event(
        "account.sign_in_failed",
        Action.EXECUTE,
        "user",
        user.pk if user else None,
        actor=None,
        outcome=Outcome.MINOR_FAILURE,
        detail={"reason": reason},
    )
