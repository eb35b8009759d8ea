"""The one guard before every change of what a person signs in with.

Adding, replacing or removing a factor (password, email address, authenticator app, passkey, recovery codes) asks for
the password and, where the account has a second step, for a current factor beside it. Acts that change factors take a
`Guarded` person, and only `Checked.change` makes one.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.audit.log import Action, Outcome, record_event
from accounts.auth import passkeys, recovery_codes, totp
from accounts.auth.mfa_enrollment import locked
from accounts.credentials import challenge_tokens, mfa_status, password_confirmation
from accounts.credentials.mfa_status import Guarded
from accounts.models import User
from config.api.errors import DomainError, field_error

MISSING = "Confirm this with a code of your app, a passkey or a recovery code."
WRONG = {
    mfa_status.CODE: totp.WRONG,
    mfa_status.RECOVERY_CODE: recovery_codes.WRONG,
    mfa_status.PASSKEY: passkeys.NOT_TAKEN,
}


@dataclass(frozen=True)
class Proof:
    """What a person sends to show that the account is theirs: the password, and one of the factors."""

    password: str = ""
    code: str = ""
    recovery_code: str = ""
    passkey: passkeys.Credential | None = None
    # What the passkey has signed, from `begin_proof`.
    ticket: str = ""

    @property
    def method(self) -> str:
        """Return what the factor is called on the wire; empty where none was sent."""
        if self.passkey is not None:
            return mfa_status.PASSKEY
        if self.recovery_code:
            return mfa_status.RECOVERY_CODE
        return mfa_status.CODE if self.code else ""

    @staticmethod
    def in_form(form: Mapping[str, Any]) -> "Proof":
        """Return the proof in a form that `ProofFields` has read."""
        return Proof(
            form.get("current_password", ""),
            form.get("code", ""),
            form.get("recovery_code", ""),
            form.get("passkey"),
            form.get("ticket", ""),
        )


def begin_proof(user: User, now: datetime) -> passkeys.Ceremony:
    """Return what the browser is to sign with one of a person's passkeys; raises `not_found` without any."""
    if mfa_status.PASSKEY not in mfa_status.methods_of(user):
        raise DomainError("not_found")
    ticket = challenge_tokens.issue(challenge_tokens.FACTOR_PROOF, now, user.pk.hex, mfa_status.ground_of(user))
    return passkeys.Ceremony(ticket, passkeys.ask_for_one(user, ticket))


def check(user: User, proof: Proof) -> "Checked":
    """Check the password and count the try of a factor, before any transaction: hashing takes its time.

    Raises field errors for a wrong password and a missing factor, and `too_many`.
    """
    password_confirmation.check_own_password(user, proof.password)
    if user.second_step_at is not None:
        if not proof.method:
            raise field_error("code", MISSING)
        totp.own_code_tries.consume(str(user.pk))
    return Checked(user, proof)


@dataclass(frozen=True)
class Checked:
    """A person whose password was right; the factor is used up in the transaction of the change itself."""

    user: User
    proof: Proof

    @contextmanager
    def change(self, now: datetime, lock_first: Callable[[], object] = lambda: None) -> Iterator[Guarded]:
        """Use the factor up and yield the locked person, in one transaction with what the block does.

        `lock_first` locks what has to be locked before the person. Raises a field error for a wrong factor,
        `ticket_invalid` where the account has changed since the password was checked.
        """
        try:
            with transaction.atomic():
                lock_first()
                person = locked(self.user)
                if person.password != self.user.password:
                    raise field_error("currentPassword", password_confirmation.WRONG)
                if mfa_status.ground_of(person) != mfa_status.ground_of(self.user):
                    raise DomainError("ticket_invalid")
                if person.second_step_at is not None and not uses_up(person, self.proof, now):
                    raise FactorRejectedError(self.proof.method)
                yield Guarded(person)
        except FactorRejectedError as refused:
            record_event(
                "account.factor_refused",
                Action.EXECUTE,
                "user",
                self.user.pk,
                actor=self.user,
                outcome=Outcome.MINOR_FAILURE,
                detail={"with": refused.method},
            )
            raise
        if self.user.second_step_at is not None:
            totp.own_code_tries.clear(str(self.user.pk))


class FactorRejectedError(DomainError):
    """The factor that was sent is not right; marks its field."""

    def __init__(self, method: str) -> None:
        super().__init__("invalid", errors={method: [WRONG[method]]})
        self.method = method


def uses_up(person: User, proof: Proof, now: datetime) -> bool:
    """Use up what was sent and return whether it was a current factor of this person, whose row is locked."""
    if proof.passkey is not None:
        ticket = challenge_tokens.read(challenge_tokens.FACTOR_PROOF, proof.ticket, now)
        if ticket.content != [person.pk.hex, mfa_status.ground_of(person)]:
            raise DomainError("ticket_invalid")
        if not passkeys.accept(person, proof.passkey, proof.ticket, now):
            return False
        challenge_tokens.spend(ticket)
        return True
    if proof.recovery_code:
        return recovery_codes.use(person, proof.recovery_code, now)
    app = totp.app_of(person)
    return app is not None and totp.accept(app, proof.code, now)
