"""Sign in. A failure does not say which part was wrong, except to a person who knows the password."""

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
from accounts.auth.sessions import SIGNED_OUT, is_from_a_new_device, start_session
from accounts.authentication import SessionToken
from accounts.credentials import challenge_tokens, mfa_status
from accounts.credentials.user_agents import compute_device_digest
from accounts.models import ResetRequest, Role, Session, User
from accounts.notifications.outbox import notify_user
from accounts.throttling.expensive_requests import set_anonymous_caller
from accounts.throttling.rate_limit import Cooldown, NetworkRateLimit, RateLimit, get_network
from config.api.errors import DomainError

per_account = NetworkRateLimit("sign-in-account", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)
per_address = NetworkRateLimit("sign-in-address", settings.MAX_SIGN_IN_ATTEMPTS_PER_IP)
# Of the second step, for one person from one network, and from all of them.
second_per_account = NetworkRateLimit("second-step-account", settings.MAX_SIGN_IN_ATTEMPTS_PER_ACCOUNT)
second_per_person = RateLimit("second-step-person", settings.MAX_SECOND_STEP_ATTEMPTS_PER_ACCOUNT)
# Failures for one address from all networks together, after which each other network waits before a try.
guesses = RateLimit("sign-in-everywhere", settings.MAX_SIGN_IN_ATTEMPTS_OVERALL)
guess_wait = Cooldown("sign-in-wait", 60)
# What a person may open: each is a row, and many are nobody's.
sign_ins = RateLimit("sign-ins", settings.MAX_SIGN_INS_PER_HOUR, 3600)


@dataclass(frozen=True)
class SignedIn:
    """Who is in, and the token of the session."""

    user: User
    token: str


@dataclass(frozen=True)
class SecondStepDue:
    """Whose password was right, the ticket for the second step, and how that may be taken."""

    user: User
    ticket: str
    methods: list[str]


@dataclass(frozen=True)
class SecondStep:
    """What a person sends as the second step: one of these."""

    code: str = ""
    recovery_code: str = ""
    passkey: passkeys.Credential | None = None

    @property
    def name(self) -> str:
        """Return what it is called on the wire."""
        if self.passkey is not None:
            return mfa_status.PASSKEY
        return mfa_status.RECOVERY_CODE if self.recovery_code else mfa_status.CODE


WRONG = {
    mfa_status.RECOVERY_CODE: recovery_codes.WRONG,
    mfa_status.PASSKEY: passkeys.NOT_TAKEN,
}

OTHER_ROLE = {
    Role.PATIENT: "This is a patient account. Please sign in as a patient.",
    Role.DOCTOR: "This is a doctor account. Please sign in as a doctor.",
    Role.ADMIN: "This is an admin account. Please sign in as an admin.",
}


def sign_in(
    email: str, password: str, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn | SecondStepDue:
    """Check who it is and open a session, or ask for the second step where one is due. `email` is canonical.

    Raises `login_failed` with the same message and timing for an unknown address and a wrong password, whatever the
    role. With the right password, raises `account_inactive` for an inactive account and `wrong_role` with `data.role`
    for an account of another role. Raises `too_many` after too many tries.
    """
    address = current_address.get()
    per_address.consume(address)
    per_account.consume(address, email)
    slow_down_guesses(email, request, now)
    set_anonymous_caller(email)
    user = User.objects.present().filter(email=email).first()
    # Outside any transaction: hashing takes its time, and SQLite has one writer.
    reason = login_error(user, password)
    with transaction.atomic():
        if user is not None and not reason:
            # Locked and read again, so that a deactivation or a new password at this very moment wins.
            locked = User.objects.locked().get(pk=user.pk)
            reason = "" if locked.password == user.password and locked.ended_at is None else "password"
            user = locked
        if user is not None and not reason:
            reason = why_not_let_in(user, role)
        if user is None or reason:
            refuse(user, reason)
        else:
            done = let_in(user, request, now) if user.second_step_at is None else ask_second_step(user, now)
            per_account.clear(address, email)
            per_address.refund(address)
            guesses.refund(email)
            return done
    raise login_refusal(user, reason)


def slow_down_guesses(email: str, request: Request | HttpRequest, now: datetime) -> None:
    """Count a try at an address; raises `too_many` for up to a minute where it is guessed at from everywhere.

    Devices that have been in the account do not wait, nor do passkeys and password resets, which do not come here. An
    address without an account is treated the same: who the owner is, the worker looks up.
    """
    tries, end = guesses.count(email)
    if tries <= guesses.max_attempts:
        return
    if guesses.is_first_excess(end, email):
        ResetRequest.objects.create(kind=ResetRequest.Kind.GUESSED, email=email, created_at=now)
        record_rate_limit(guesses.name, guesses.max_attempts)
    address = current_address.get()
    device = compute_device_digest(email, address, request.META.get("HTTP_USER_AGENT", ""))
    if Session.objects.filter(device=device).exists():
        return
    try:
        guess_wait.consume(email, get_network(address))
    except DomainError:
        # Nothing was tried.
        per_account.refund(address, email)
        raise


def start_over(user: User, address: str) -> None:
    """Forget what was tried at an account whose owner has proved the mailbox, and let them in from here at once."""
    per_account.clear(address, user.email)
    guesses.clear(user.email)
    sign_ins.clear(str(user.pk))
    guess_wait.reset(user.email, get_network(address))


def ask_second_step(user: User, now: datetime) -> SecondStepDue:
    """Hand out the ticket for the second step; it dies with the password, the second step or a sign-out elsewhere."""
    ticket = challenge_tokens.issue(challenge_tokens.SECOND_STEP, now, user.pk.hex, mfa_status.ground_of(user))
    record_event("account.second_step_asked", Action.EXECUTE, "user", user.pk, actor=None)
    return SecondStepDue(user, ticket, mfa_status.methods_of(user))


def second_step_again(ticket_text: str, now: datetime) -> SecondStepDue:
    """Return what the second step of a ticket needs, for another try; raises `ticket_invalid`."""
    person_id, _ = challenge_tokens.read(challenge_tokens.SECOND_STEP, ticket_text, now).content
    user = User.objects.present().filter(pk=UUID(person_id)).first()
    if user is None:
        raise DomainError("ticket_invalid")
    return SecondStepDue(user, ticket_text, mfa_status.methods_of(user))


def take_second_step(
    ticket_text: str, sent: SecondStep, request: Request | HttpRequest, now: datetime, *, may: Callable[[User], bool]
) -> SignedIn:
    """Finish a sign-in whose password was right, and open the session if `may` allows it.

    Raises `ticket_invalid` for a ticket that has ended or whose ground has changed, `second_step_failed` naming the
    field, `account_inactive`, and `too_many` after too many tries.
    """
    ticket = challenge_tokens.read(challenge_tokens.SECOND_STEP, ticket_text, now)
    person_id, ground = ticket.content
    address = current_address.get()
    per_address.consume(address)
    second_per_person.consume(person_id)
    second_per_account.consume(address, person_id)
    with transaction.atomic():
        user = User.objects.present().locked().filter(pk=UUID(person_id)).first()
        if user is None or mfa_status.ground_of(user) != ground or was_sent_away(user, ticket.made_at):
            raise DomainError("ticket_invalid")
        if user.is_active and may(user) and is_right(user, sent, ticket_text, now):
            challenge_tokens.spend(ticket)
            done = let_in(user, request, now, sent.name)
            second_per_account.clear(address, person_id)
            second_per_person.clear(person_id)
            per_address.refund(address)
            return done
        refuse(user, f"second step: {sent.name}" if user.is_active else "inactive")
    if not user.is_active:
        raise DomainError("account_inactive")
    message = WRONG.get(sent.name, totp.WRONG)
    raise DomainError("second_step_failed", message, errors={sent.name: [message]})


def is_right(user: User, sent: SecondStep, ticket: str, now: datetime) -> bool:
    """Use up what was sent as the second step; return whether it was good."""
    if sent.passkey is not None:
        return passkeys.accept(user, sent.passkey, ticket, now)
    if sent.recovery_code:
        return recovery_codes.use(user, sent.recovery_code, now)
    app = totp.app_of(user)
    return app is not None and totp.accept(app, sent.code, now)


def was_sent_away(user: User, since: datetime) -> bool:
    """Return whether one of a person's sessions was ended from elsewhere since then: what was begun ends with it."""
    return Session.objects.filter(user=user, ended_at__gt=since).exclude(ended_because=SIGNED_OUT).exists()


def sign_in_by_passkey(
    ticket_text: str, credential: passkeys.Credential, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn:
    """Open a session by a passkey that verified its holder: password and second step in one.

    Raises `ticket_invalid`, `login_failed` with the message of a wrong password, `too_many`, and for a passkey that is
    right `account_inactive` and `wrong_role` as `sign_in` does.
    """
    ticket = challenge_tokens.read(challenge_tokens.PASSKEY_SIGN_IN, ticket_text, now)
    address = current_address.get()
    per_address.consume(address)
    passkey = passkeys.called(credential)
    with transaction.atomic():
        users = User.objects.present().locked()
        user = users.filter(pk=passkey.user_id).first() if passkey else None
        reason = "unknown"
        if user is not None:
            is_accepted = passkeys.accept(user, credential, ticket_text, now, alone=True)
            reason = why_not_let_in(user, role) if is_accepted else "passkey"
        if user is None or reason:
            refuse(user, reason)
        else:
            challenge_tokens.spend(ticket)
            done = let_in(user, request, now, mfa_status.PASSKEY)
            per_address.refund(address)
            return done
    raise login_refusal(user, reason)


def let_in(user: User, request: Request | HttpRequest, now: datetime, second: str = "") -> SignedIn:
    """Open the session of a person whose row is locked and who has shown all that is asked.

    Raises `too_many` after too many sessions within an hour.
    """
    sign_ins.consume(str(user.pk))
    user.last_login = now
    user.save(update_fields=["last_login"])
    session = start_session(user, request, now)
    record_event(
        "account.signed_in", Action.EXECUTE, "user", user.pk, actor=user, detail={"with": second} if second else None
    )
    if is_from_a_new_device(session):
        notify_user("account.new_sign_in", user, detail={"session": str(session.pk)})
    return SignedIn(user, str(SessionToken.naming(session)))


def login_error(user: User | None, password: str) -> str:
    """Return why the password is refused, for the audit log; empty when it is right. Hash once in every case."""
    if user is None:
        # As slow as a comparison, so that the time does not tell which addresses are known.
        make_password(password)
        return "unknown"
    return "" if check_password(password, user.password) else "password"


def why_not_let_in(user: User, role: str) -> str:
    """Return why a person who has proved who they are may not sign in as `role`; empty when they may."""
    if not user.is_active:
        return "inactive"
    return "" if user.role == role else "role"


def login_refusal(user: User | None, reason: str) -> DomainError:
    """Build the error of a failed sign-in; only a person who has proved who they are learns more than that."""
    if user is None or reason not in {"inactive", "role"}:
        return DomainError("login_failed")
    if reason == "inactive":
        return DomainError("account_inactive")
    return DomainError("wrong_role", OTHER_ROLE[Role(user.role)], data={"role": user.role})


def refuse(user: User | None, reason: str) -> None:
    """Write the failed try to the trail."""
    record_event(
        "account.sign_in_failed",
        Action.EXECUTE,
        "user",
        user.pk if user else None,
        actor=None,
        outcome=Outcome.MINOR_FAILURE,
        detail={"reason": reason},
    )
