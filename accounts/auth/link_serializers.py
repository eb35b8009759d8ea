"""Request serializers of mailed links."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.credentials.password_hashing import get_too_short_message
from accounts.credentials.signed_links import PASSWORD_RESET, get_link_user
from accounts.serializers import weaknesses
from accounts.text.fields import EmailAddressField, PasswordField, TokenField
from config.api.errors import DomainError


class ResetRequestSerializer(serializers.Serializer[Any]):
    """The address of an account whose password was forgotten."""

    email = EmailAddressField()


class TokenSerializer(serializers.Serializer[Any]):
    """The token of a mailed link."""

    token = TokenField(max_length=400)


class ResetConfirmSerializer(TokenSerializer):
    """The token of a mailed link, and the new password."""

    newPassword = PasswordField(source="new_password")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        user = get_link_user(PASSWORD_RESET, attrs["token"], self.context["now"])
        weak = weaknesses(attrs["new_password"], {"name": user.name, "email": user.email, "phone": user.phone})
        if weak:
            too_short = get_too_short_message(settings.PASSWORD_MIN_LENGTH)
            raise DomainError("invalid", too_short if too_short in weak else "", errors={"newPassword": weak})
        return attrs
