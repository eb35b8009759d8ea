"""Recovery codes: ten single-use codes for a user who lost app or passkey, shown when they are made."""

import hashlib
import secrets
import string
from datetime import datetime

from accounts.audit.log import Action, record_event
from accounts.credentials.mfa_status import Guarded
from accounts.models import RecoveryCode, User
from accounts.notifications.outbox import notify_user
from config.api.errors import DomainError

HOW_MANY = 10
GROUPS, GROUP = 6, 4
WRONG = "This recovery code is not right, or was used already."
# Nothing that looks like something else on paper.
ALPHABET = "".join(sorted({*string.ascii_lowercase, *string.digits} - {*"ilo01"}))


def new_code() -> str:
    """Make a code of 118 random bits, in groups: too many to guess even with the fingerprints at hand.

    From 112 on a bare fingerprint will do (OWASP ASVS 5, 6.5.2); a slow one would be computed ten times at each try.
    """
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP)) for _ in range(GROUPS))


def plain(code: str) -> str:
    """Return a code as it was made, however it was typed."""
    return "".join(character for character in code.lower() if character.isalnum())


def hash_of(user: User, code: str) -> str:
    """Return the fingerprint that is kept of a person's code; it does not hang on `SECRET_KEY`, as apps do."""
    return hashlib.sha256(f"{user.pk}:{plain(code)}".encode()).hexdigest()


def replace(user: User, now: datetime) -> list[str]:
    """Make new codes in place of all earlier ones; return them, for they can't be shown again."""
    codes = [new_code() for _ in range(HOW_MANY)]
    RecoveryCode.objects.filter(user=user).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=hash_of(user, code), made_at=now) for code in codes
    )
    return codes


def left(user: User) -> int:
    """Return how many of a person's codes still work."""
    return RecoveryCode.objects.filter(user=user, used_at=None).count()


def use(user: User, code: str, now: datetime) -> bool:
    """Use a code up and tell its owner; return whether it was good. The person's row is locked."""
    if not RecoveryCode.objects.filter(user=user, code_hash=hash_of(user, code), used_at=None).update(used_at=now):
        return False
    notify_user("account.recovery_code_used", user)
    return True


def make_new(person: Guarded, now: datetime) -> list[str]:
    """Make new codes for a person whom the guard has let through; raises `not_found` without a second step."""
    if person.second_step_at is None:
        raise DomainError("not_found")
    codes = replace(person, now)
    record_event("account.recovery_codes_made", Action.UPDATE, "user", person.pk, actor=person)
    notify_user("account.recovery_codes_made", person)
    return codes
