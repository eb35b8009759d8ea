"""What the calls behind mailed links take."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.credentials.password_hashing import too_short_message
from accounts.credentials.signed_links import PASSWORD_RESET, person_of_link
from accounts.serializers import weaknesses
from accounts.text.fields import EmailAddressField, PasswordField, TokenField
from config.api.errors import DomainError


class ResetRequestSerializer(serializers.Serializer[Any]):
    """Whose password is forgotten."""

    email = EmailAddressField()


class TokenSerializer(serializers.Serializer[Any]):
    """What a mailed link holds."""

    token = TokenField(max_length=400)


class ResetConfirmSerializer(TokenSerializer):
    """A mailed link, and the password that shall be."""

    newPassword = PasswordField(source="new_password")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        user = person_of_link(PASSWORD_RESET, attrs["token"], self.context["now"])
        weak = weaknesses(attrs["new_password"], {"name": user.name, "email": user.email, "phone": user.phone})
        if weak:
            too_short = too_short_message(settings.PASSWORD_MIN_LENGTH)
            raise DomainError("invalid", too_short if too_short in weak else "", errors={"newPassword": weak})
        return attrs
