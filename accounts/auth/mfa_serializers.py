"""Serializers of the second step and passkeys."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.credentials.reauthentication_fields import CodeField, CredentialField, RecoveryCodeField, TicketField
from accounts.models import Passkey, Role
from accounts.serializers import UserField
from accounts.text.fields import ChoiceField, LineField
from config.api.fields import InstantField, WireModelSerializer

# --- Responses ----------------------------------------------------------------------------------


@extend_schema_field({"type": "object", "additionalProperties": True})
class OptionsField(serializers.ReadOnlyField):
    """What a browser's `navigator.credentials` takes, as JSON (WebAuthn level 3, 5.1)."""


class SecondStepDueSerializer(serializers.Serializer[Any]):
    """The second step that a sign-in requires."""

    ticket = serializers.CharField(read_only=True)
    methods = serializers.ListField(
        child=serializers.ChoiceField(choices=["code", "passkey", "recoveryCode"]), read_only=True
    )
    passkey = OptionsField(help_text="For `navigator.credentials.get`; null without passkeys.")


class LoginData(serializers.Serializer[Any]):
    """`data` of a sign-in: token and user, or the required second step."""

    token = serializers.CharField(read_only=True, required=False)
    user = UserField(required=False)
    secondStep = SecondStepDueSerializer(read_only=True, required=False)


class CeremonyData(serializers.Serializer[Any]):
    """`data` of a WebAuthn ceremony: the ticket, and the options for the browser."""

    ticket = serializers.CharField(read_only=True)
    options = OptionsField()


class AppSerializer(serializers.Serializer[Any]):
    """The user's authenticator app."""

    turnedOnAt = InstantField(source="turned_on_at", read_only=True)


class SecondStepSerializer(serializers.Serializer[Any]):
    """The state of the user's second step."""

    since = InstantField(read_only=True, allow_null=True)
    methods = serializers.ListField(
        child=serializers.ChoiceField(choices=["code", "passkey", "recoveryCode"]),
        read_only=True,
        help_text="How a change of factors can be confirmed; empty if the password is enough.",
    )
    due = serializers.BooleanField(
        read_only=True, help_text="Whether a second step must be set up before anything else."
    )
    app = AppSerializer(read_only=True, allow_null=True)
    recoveryCodesLeft = serializers.IntegerField(read_only=True)


class SecondStepData(serializers.Serializer[Any]):
    """`data` of the user's second step."""

    secondStep = SecondStepSerializer(read_only=True)


class SecretSerializer(serializers.Serializer[Any]):
    """The secret of a new app, which is shown only once."""

    text = serializers.CharField(read_only=True)
    uri = serializers.CharField(read_only=True, help_text="otpauth://totp/…")
    qr = serializers.CharField(read_only=True, help_text="`uri` as a QR code: a data: URL of an SVG.")


class SecretData(serializers.Serializer[Any]):
    """`data` of a new app's secret."""

    secret = SecretSerializer(read_only=True)


class RecoveryCodesData(serializers.Serializer[Any]):
    """`data` of recovery codes, which are shown only once."""

    recoveryCodes = serializers.ListField(child=serializers.CharField(), read_only=True)


class AddedData(serializers.Serializer[Any]):
    """`data` of a new second step; recovery codes come with the first."""

    recoveryCodes = serializers.ListField(child=serializers.CharField(), read_only=True, allow_null=True)


class PasskeySerializer(WireModelSerializer):
    """A passkey of the user."""

    createdAt = InstantField(source="created_at", read_only=True)
    lastUsedAt = InstantField(source="last_used_at", read_only=True, allow_null=True)

    class Meta:
        model = Passkey
        fields = ("_id", "name", "createdAt", "lastUsedAt")
        read_only_fields = fields


class PasskeyData(serializers.Serializer[Any]):
    """`data` of one passkey."""

    passkey = PasskeySerializer(read_only=True)


class AddedPasskeyData(PasskeyData, AddedData):
    """`data` of a new passkey."""


class PasskeysData(serializers.Serializer[Any]):
    """`data` of the user's passkeys."""

    passkeys = PasskeySerializer(many=True, read_only=True)


# --- Requests -----------------------------------------------------------------------------------


class SecondSignInSerializer(serializers.Serializer[Any]):
    """The second step of a sign-in: the ticket and exactly one factor."""

    ticket = TicketField()
    code = CodeField(required=False)
    recoveryCode = RecoveryCodeField(source="recovery_code", required=False)
    passkey = CredentialField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if len(attrs) != 2:
            raise serializers.ValidationError({"code": ["Send a code, a recovery code or a passkey, and only one."]})
        return attrs


class PasskeySignInSerializer(serializers.Serializer[Any]):
    """A passkey instead of email and password."""

    ticket = TicketField()
    role = ChoiceField(choices=Role.choices)
    passkey = CredentialField()


class AppCodeSerializer(serializers.Serializer[Any]):
    """The first code of a new app."""

    code = CodeField()


class PasskeyNameSerializer(serializers.Serializer[Any]):
    """The name of a passkey."""

    name = LineField(max_length=60)


class NewPasskeySerializer(PasskeyNameSerializer):
    """A new passkey."""

    ticket = TicketField()
    passkey = CredentialField()
