"""Which users have, or need, multi-factor authentication.

It is on from the first authenticator app or passkey (`User.second_step_at`); recovery codes belong to both.
"""

from typing import NewType

from django.conf import settings
from django.utils.crypto import salted_hmac

from accounts.models import AuthenticatorApp, Passkey, RecoveryCode, Role, User

CODE = "code"
RECOVERY_CODE = "recoveryCode"
PASSKEY = "passkey"

# A user whose row is locked and who has reauthenticated; only `Reauthentication.authorize_change` creates one.
ReauthenticatedUser = NewType("ReauthenticatedUser", User)


def list_methods(user: User) -> list[str]:
    """Return the user's second factors; empty if the password is enough."""
    if user.second_step_at is None:
        return []
    has = {
        CODE: AuthenticatorApp.objects.filter(user=user, turned_on_at__isnull=False),
        PASSKEY: Passkey.objects.filter(user=user),
        RECOVERY_CODE: RecoveryCode.objects.filter(user=user, used_at=None),
    }
    return [name for name, rows in has.items() if rows.exists()]


def is_setup_required(user: User) -> bool:
    """Return whether the user must set up a second factor before anything else (`STAFF_SECOND_STEP`)."""
    is_staff = user.role == Role.ADMIN or user.is_staff
    return is_staff and user.second_step_at is None and settings.STAFF_SECOND_STEP == "required"


def compute_credentials_digest(user: User) -> str:
    """Return a digest that changes with the password, the email address and the second factor."""
    parts = (str(user.pk), user.password, user.email, str(user.second_step_at))
    return salted_hmac("accounts.credentials.mfa_status", "\0".join(parts)).hexdigest()[:32]


def delete_factors(user: User) -> None:
    """Delete all second factors of a user. The caller saves the user, whose row is locked."""
    for model in (AuthenticatorApp, Passkey, RecoveryCode):
        model.objects.filter(user=user).delete()
    user.second_step_at = None
