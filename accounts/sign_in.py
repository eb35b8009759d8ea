"""Sign in, and let nobody learn from a failure which part was wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.http import HttpRequest
from rest_framework.request import Request

from accounts import authenticator_app, passkeys, recovery_codes, second_step, tickets
from accounts.authentication import SessionToken
from accounts.limits import Limit, network_of
from accounts.models import Session, User
from accounts.sessions import SIGNED_OUT, is_from_a_new_device, start_session
from accounts.trail import Action, Outcome, current_address, record, tell
from config.errors import RuleBroken

per_account = Limit("sign-in-account", settings.SIGN_IN_TRIES_PER_ACCOUNT)
per_address = Limit("sign-in-address", settings.SIGN_IN_TRIES_PER_ADDRESS)
# Of the second step, for one person from one network, and from all of them.
second_per_account = Limit("second-step-account", settings.SIGN_IN_TRIES_PER_ACCOUNT)
second_per_person = Limit("second-step-person", settings.SECOND_STEP_TRIES_PER_ACCOUNT)


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
        """Answer what it is called on the wire."""
        if self.passkey is not None:
            return second_step.PASSKEY
        return second_step.RECOVERY_CODE if self.recovery_code else second_step.CODE


WRONG = {
    second_step.RECOVERY_CODE: recovery_codes.WRONG,
    second_step.PASSKEY: passkeys.NOT_TAKEN,
}


def sign_in(
    email: str, password: str, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn | SecondStepDue:
    """Check who it is and open a session, or ask for the second step where one is due. `email` is canonical.

    Raises `login_failed` in the same words and time for an unknown address, a wrong password and a wrong
    role, `account_inactive` for a stopped account whose password was right, `too_many` after too many tries.
    """
    address = network_of(current_address.get())
    per_address.take(address)
    per_account.take(email, address)
    user = User.objects.present().filter(email=email).first()
    # Outside any transaction: hashing takes its time, and SQLite has one writer.
    reason = why_refused(user, password, role)
    with transaction.atomic():
        if user is not None and not reason:
            # Locked and read again, so that a deactivation or a new password at this very moment wins.
            locked = User.objects.locked().get(pk=user.pk)
            reason = "" if locked.password == user.password and locked.ended_at is None else "password"
            user = locked
        if user is None or reason:
            refuse(user, reason)
        elif not user.is_active:
            refuse(user, "inactive")
        else:
            done = let_in(user, request, now) if user.second_step_at is None else ask_second_step(user, now)
            per_account.clear(email, address)
            per_address.give_back(address)
            return done
    raise RuleBroken("login_failed" if user is None or reason else "account_inactive")


def ask_second_step(user: User, now: datetime) -> SecondStepDue:
    """Hand out the ticket for the second step; it dies with the password, the second step or a sign-out elsewhere."""
    ticket = tickets.issue(tickets.SECOND_STEP, now, user.pk.hex, second_step.ground_of(user))
    record("account.second_step_asked", Action.EXECUTE, "user", user.pk, by=None)
    return SecondStepDue(user, ticket, second_step.methods_of(user))


def second_step_again(ticket_text: str, now: datetime) -> SecondStepDue:
    """Answer what the second step of a ticket needs, for another try; raises `ticket_invalid`."""
    person_id, _ = tickets.read(tickets.SECOND_STEP, ticket_text, now).content
    user = User.objects.present().filter(pk=UUID(person_id)).first()
    if user is None:
        raise RuleBroken("ticket_invalid")
    return SecondStepDue(user, ticket_text, second_step.methods_of(user))


def take_second_step(
    ticket_text: str, sent: SecondStep, request: Request | HttpRequest, now: datetime, *, may: Callable[[User], bool]
) -> SignedIn:
    """Finish a sign-in whose password was right, and open the session of whoever `may` have one here.

    Raises `ticket_invalid` for a ticket that has ended or whose ground has changed, `second_step_failed` naming the
    field, `account_inactive`, and `too_many` after too many tries.
    """
    ticket = tickets.read(tickets.SECOND_STEP, ticket_text, now)
    person_id, ground = ticket.content
    address = network_of(current_address.get())
    per_address.take(address)
    second_per_person.take(person_id)
    second_per_account.take(person_id, address)
    with transaction.atomic():
        user = User.objects.present().locked().filter(pk=UUID(person_id)).first()
        if user is None or second_step.ground_of(user) != ground or was_sent_away(user, ticket.made_at):
            raise RuleBroken("ticket_invalid")
        if user.is_active and may(user) and is_right(user, sent, ticket_text, now):
            tickets.spend(ticket)
            done = let_in(user, request, now, sent.name)
            second_per_account.clear(person_id, address)
            second_per_person.clear(person_id)
            per_address.give_back(address)
            return done
        refuse(user, f"second step: {sent.name}" if user.is_active else "inactive")
    if not user.is_active:
        raise RuleBroken("account_inactive")
    message = WRONG.get(sent.name, authenticator_app.WRONG)
    raise RuleBroken("second_step_failed", message, errors={sent.name: [message]})


def is_right(user: User, sent: SecondStep, ticket: str, now: datetime) -> bool:
    """Use up what was sent as the second step; answers whether it was good."""
    if sent.passkey is not None:
        return passkeys.accept(user, sent.passkey, ticket, now)
    if sent.recovery_code:
        return recovery_codes.use(user, sent.recovery_code, now)
    app = authenticator_app.app_of(user)
    return app is not None and authenticator_app.accept(app, sent.code, now)


def was_sent_away(user: User, since: datetime) -> bool:
    """Tell whether one of a person's sessions was ended from elsewhere since then: what was begun ends with it."""
    return Session.objects.filter(user=user, ended_at__gt=since).exclude(ended_because=SIGNED_OUT).exists()


def sign_in_by_passkey(
    ticket_text: str, credential: passkeys.Credential, role: str, request: Request | HttpRequest, now: datetime
) -> SignedIn:
    """Open a session for whoever holds a passkey that has checked its holder: password and second step in one.

    Raises `ticket_invalid`, `login_failed` in the words of a wrong password, `account_inactive`, `too_many`.
    """
    ticket = tickets.read(tickets.PASSKEY_SIGN_IN, ticket_text, now)
    address = network_of(current_address.get())
    per_address.take(address)
    passkey = passkeys.called(credential)
    with transaction.atomic():
        users = User.objects.present().locked()
        user = users.filter(pk=passkey.user_id).first() if passkey else None
        reason = "unknown"
        if user is not None:
            good = passkeys.accept(user, credential, ticket_text, now, alone=True)
            reason = "passkey" if not good else "role" if user.role != role else ""
        if user is None or reason:
            refuse(user, reason)
        elif not user.is_active:
            refuse(user, "inactive")
        else:
            tickets.spend(ticket)
            done = let_in(user, request, now, second_step.PASSKEY)
            per_address.give_back(address)
            return done
    raise RuleBroken("login_failed" if user is None or reason else "account_inactive")


def let_in(user: User, request: Request | HttpRequest, now: datetime, second: str = "") -> SignedIn:
    """Open the session of a person whose row is locked and who has shown all that is asked."""
    user.last_login = now
    user.save(update_fields=["last_login"])
    session = start_session(user, request, now)
    record("account.signed_in", Action.EXECUTE, "user", user.pk, by=user, detail={"with": second} if second else None)
    if is_from_a_new_device(session):
        tell("account.new_sign_in", user, detail={"session": str(session.pk)})
    return SignedIn(user, str(SessionToken.naming(session)))


def why_refused(user: User | None, password: str, role: str) -> str:
    """Say for the trail what was wrong, hashing once in every case; empty when all is right."""
    if user is None:
        # As slow as a comparison, so that the time does not tell which addresses are known.
        make_password(password)
        return "unknown"
    if not check_password(password, user.password):
        return "password"
    return "" if user.role == role else "role"


def refuse(user: User | None, reason: str) -> None:
    """Write the failed try to the trail."""
    record(
        "account.sign_in_failed",
        Action.EXECUTE,
        "user",
        user.pk if user else None,
        by=None,
        outcome=Outcome.MINOR_FAILURE,
        detail={"reason": reason},
    )
