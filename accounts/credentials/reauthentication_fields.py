"""Serializer fields for reauthentication (`accounts/auth/reauthentication.py`)."""

from typing import Any

import orjson
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.text.fields import LineField, PasswordField, TokenField


class TicketField(TokenField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=600, **kwargs)


class CodeField(LineField):
    """Six digits of an authenticator app, with or without spaces."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)


class RecoveryCodeField(LineField):
    """A recovery code, with or without its hyphens."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=40, **kwargs)


@extend_schema_field({"type": "object", "additionalProperties": True})
class CredentialField(serializers.Field):  # type: ignore[type-arg]  # a mapping as browsers write it
    """A WebAuthn credential in the form of its `toJSON`; it is verified later."""

    # Far more than any authenticator sends.
    MAX_BYTES = 32 * 1024

    default_error_messages = {"invalid": "Send what the browser answered.", "too_long": "This is no passkey's answer."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("invalid")
        try:
            size = len(orjson.dumps(data))
        except (orjson.JSONEncodeError, RecursionError):
            self.fail("invalid")
        if size > self.MAX_BYTES:
            self.fail("too_long")
        return data


class ProofFields(serializers.Serializer[Any]):
    """A second factor, required in addition to the password if the account has one."""

    code = CodeField(required=False, allow_blank=True)
    recoveryCode = RecoveryCodeField(source="recovery_code", required=False, allow_blank=True)
    passkey = CredentialField(required=False)
    ticket = TicketField(required=False, allow_blank=True, help_text="With `passkey`: what it has signed.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        methods = [name for name in ("code", "recovery_code", "passkey") if attrs.get(name)]
        if len(methods) > 1:
            raise serializers.ValidationError({"code": ["Send a code, a recovery code or a passkey, and only one."]})
        if methods == ["passkey"] and not attrs.get("ticket"):
            raise serializers.ValidationError({"passkey": ["Send the ticket that the passkey has signed."]})
        return attrs


class FactorProofSerializer(ProofFields):
    """The current password and, if the account has one, a second factor."""

    currentPassword = PasswordField(source="current_password")
