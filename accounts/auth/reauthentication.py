"""Reauthentication before each change of how a user signs in.

Adding, replacing or removing a factor (password, email address, authenticator app, passkey, recovery codes) requires
the password and, if the account has a second step, a current second factor. Functions that change factors take a
`ReauthenticatedUser`, which only `Reauthentication.authorize_change` creates.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from accounts.audit.log import Action, Outcome, record_event
from accounts.auth import passkeys, recovery_codes, totp
from accounts.credentials import challenge_tokens, mfa_status, password_confirmation
from accounts.credentials.mfa_status import ReauthenticatedUser
from accounts.models import User
from config.api.errors import DomainError, field_error

MISSING_FACTOR_MESSAGE = "Confirm this with a code of your app, a passkey or a recovery code."
WRONG_FACTOR_MESSAGES = {
    mfa_status.CODE: totp.WRONG_CODE_MESSAGE,
    mfa_status.RECOVERY_CODE: recovery_codes.WRONG_CODE_MESSAGE,
    mfa_status.PASSKEY: passkeys.REJECTED_MESSAGE,
}


@dataclass(frozen=True)
class Proof:
    """The password and, if required, one second factor."""

    password: str = ""
    code: str = ""
    recovery_code: str = ""
    passkey: passkeys.Credential | None = None
    # From `begin_proof`, signed by the passkey.
    ticket: str = ""

    @property
    def method(self) -> str:
        """Return the factor's name in the API, or "" if none was sent."""
        if self.passkey is not None:
            return mfa_status.PASSKEY
        if self.recovery_code:
            return mfa_status.RECOVERY_CODE
        return mfa_status.CODE if self.code else ""

    @staticmethod
    def from_form(form: Mapping[str, Any]) -> "Proof":
        """Return the proof in the validated data of `ProofFields`."""
        return Proof(
            form.get("current_password", ""),
            form.get("code", ""),
            form.get("recovery_code", ""),
            form.get("passkey"),
            form.get("ticket", ""),
        )


def begin_proof(user: User, now: datetime) -> passkeys.Ceremony:
    """Return the options for proving a passkey; raise `not_found` if the user has none."""
    if mfa_status.PASSKEY not in mfa_status.list_methods(user):
        raise DomainError("not_found")
    ticket = challenge_tokens.issue_ticket(
        challenge_tokens.FACTOR_PROOF, now, user.pk.hex, mfa_status.compute_credentials_digest(user)
    )
    return passkeys.Ceremony(ticket, passkeys.build_authentication_options(user, ticket))


def reauthenticate(user: User, proof: Proof) -> "Reauthentication":
    """Check the password and count the attempt, outside any transaction because hashing is slow.

    Raise field errors for a wrong password or a missing factor, or `too_many`.
    """
    password_confirmation.check_own_password(user, proof.password)
    if user.second_step_at is not None:
        if not proof.method:
            raise field_error("code", MISSING_FACTOR_MESSAGE)
        totp.code_limit.consume(str(user.pk))
    return Reauthentication(user, proof)


@dataclass(frozen=True)
class Reauthentication:
    """A user whose password was correct; the second factor is verified in the transaction of the change."""

    user: User
    proof: Proof

    @contextmanager
    def authorize_change(
        self, now: datetime, lock_first: Callable[[], object] = lambda: None
    ) -> Iterator[ReauthenticatedUser]:
        """Verify the factor and yield the locked user, in one transaction with the block.

        `lock_first` locks rows that must be locked before the user. Raise a field error for a wrong factor, or
        `ticket_invalid` if the credentials have changed since the password was checked.
        """
        try:
            with transaction.atomic():
                lock_first()
                user = User.objects.locked().get(pk=self.user.pk)
                if user.password != self.user.password:
                    raise field_error("currentPassword", password_confirmation.WRONG_PASSWORD_MESSAGE)
                if mfa_status.compute_credentials_digest(user) != mfa_status.compute_credentials_digest(self.user):
                    raise DomainError("ticket_invalid")
                if user.second_step_at is not None and not verify_factor(user, self.proof, now):
                    raise FactorRejectedError(self.proof.method)
                yield ReauthenticatedUser(user)
        except FactorRejectedError as error:
            record_event(
                "account.factor_refused",
                Action.EXECUTE,
                "user",
                self.user.pk,
                actor=self.user,
                outcome=Outcome.MINOR_FAILURE,
                detail={"with": error.method},
            )
            raise
        if self.user.second_step_at is not None:
            totp.code_limit.clear(str(self.user.pk))


class FactorRejectedError(DomainError):
    """The second factor was rejected; the error names its field."""

    def __init__(self, method: str) -> None:
        super().__init__("invalid", errors={method: [WRONG_FACTOR_MESSAGES[method]]})
        self.method = method


def verify_factor(user: User, proof: Proof, now: datetime) -> bool:
    """Return whether the factor is valid, and mark it as used. The user's row must be locked."""
    if proof.passkey is not None:
        ticket = challenge_tokens.read_ticket(challenge_tokens.FACTOR_PROOF, proof.ticket, now)
        if ticket.content != [user.pk.hex, mfa_status.compute_credentials_digest(user)]:
            raise DomainError("ticket_invalid")
        if not passkeys.verify_passkey(user, proof.passkey, proof.ticket, now):
            return False
        challenge_tokens.spend_ticket(ticket)
        return True
    if proof.recovery_code:
        return recovery_codes.use_code(user, proof.recovery_code, now)
    app = totp.find_app(user)
    return app is not None and totp.verify_code(app, proof.code, now)
