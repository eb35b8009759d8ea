"""Recovery codes: ten single-use codes for a user who lost app or passkey, shown when they are made."""

import hashlib
import secrets
import string
from datetime import datetime

from accounts.audit.log import Action, record_event
from accounts.credentials.mfa_status import ReauthenticatedUser
from accounts.models import RecoveryCode, User
from accounts.notifications.outbox import notify_user
from config.api.errors import DomainError

CODE_COUNT = 10
GROUP_COUNT, GROUP_LENGTH = 6, 4
WRONG_CODE_MESSAGE = "This recovery code is not right, or was used already."
# Without characters that look alike.
ALPHABET = "".join(sorted({*string.ascii_lowercase, *string.digits} - {*"ilo01"}))


def generate_code() -> str:
    """Return a code of 118 random bits, in groups.

    From 112 bits on, a fast hash is sufficient (OWASP ASVS 5, 6.5.2).
    """
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUP_COUNT))


def normalize_code(code: str) -> str:
    """Return a code without separators and in lower case, as it is hashed."""
    return "".join(character for character in code.lower() if character.isalnum())


def hash_code(user: User, code: str) -> str:
    """Return the stored hash of a user's code, which does not depend on `SECRET_KEY`."""
    return hashlib.sha256(f"{user.pk}:{normalize_code(code)}".encode()).hexdigest()


def replace_codes(user: User, now: datetime) -> list[str]:
    """Replace all codes and return the new ones, which can't be shown again."""
    codes = [generate_code() for _ in range(CODE_COUNT)]
    RecoveryCode.objects.filter(user=user).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(user=user, code_hash=hash_code(user, code), made_at=now) for code in codes
    )
    return codes


def count_unused_codes(user: User) -> int:
    return RecoveryCode.objects.filter(user=user, used_at=None).count()


def use_code(user: User, code: str, now: datetime) -> bool:
    """Return whether a code is valid; mark it as used and notify its owner. The user's row must be locked."""
    if not RecoveryCode.objects.filter(user=user, code_hash=hash_code(user, code), used_at=None).update(used_at=now):
        return False
    notify_user("account.recovery_code_used", user)
    return True


def regenerate_codes(user: ReauthenticatedUser, now: datetime) -> list[str]:
    """Replace the codes of a reauthenticated user; raise `not_found` without a second step."""
    if user.second_step_at is None:
        raise DomainError("not_found")
    codes = replace_codes(user, now)
    record_event("account.recovery_codes_made", Action.UPDATE, "user", user.pk, actor=user)
    notify_user("account.recovery_codes_made", user)
    return codes
