"""Second factors: authenticator apps, passkeys and recovery codes."""

from typing import ClassVar

from django.db import models
from uuid_utils.compat import uuid7

from config.api.errors import register_constraint


class AuthenticatorApp(models.Model):
    """A TOTP app (RFC 6238).

    Its secret is stored encrypted (`accounts/credentials/encryption.py`).
    """

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, primary_key=True, related_name="+")
    secret = models.TextField()
    started_at = models.DateTimeField()
    # Null until the first correct code; until then the app is not a factor.
    turned_on_at = models.DateTimeField(null=True, blank=True)
    # The time step of the last used code; codes of it and of earlier steps are invalid.
    last_step = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id} since {self.started_at:%Y-%m-%d}"


class RecoveryCode(models.Model):
    """A single-use code for a user who lost an app or passkey. Only a hash is stored."""

    id = models.BigAutoField(primary_key=True)
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} of {self.made_at:%Y-%m-%d}"


class Passkey(models.Model):
    """A WebAuthn credential. Only the public key is stored."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    # Base64url of up to 1,023 bytes.
    credential_id = models.CharField(max_length=1400, unique=True)
    public_key = models.BinaryField()
    # The authenticator's signature counter; 0 if it has none.
    sign_count = models.BigIntegerField(default=0)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user_id}"


class SpentTicket(models.Model):
    """A spent challenge token (`accounts/credentials/challenge_tokens.py`); kept until it would have expired."""

    digest = models.CharField(max_length=64, primary_key=True)
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"until {self.ends_at:%Y-%m-%d %H:%M}"


# For concurrent requests.
register_constraint("ticket_invalid", "accounts_spentticket_pkey", "accounts_spentticket.digest")
register_constraint("passkey_taken", "accounts_passkey_credential_id", "accounts_passkey.credential_id")
