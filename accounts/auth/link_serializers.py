"""Request serializers of emailed links."""

from typing import Any

from rest_framework import serializers

from accounts.credentials.signed_links import PASSWORD_RESET, get_link_user
from accounts.serializers import check_new_password
from accounts.text.fields import EmailAddressField, PasswordField, TokenField


class ResetRequestSerializer(serializers.Serializer[Any]):
    """The address of an account whose password was forgotten."""

    email = EmailAddressField()


class TokenSerializer(serializers.Serializer[Any]):
    """The token of an emailed link."""

    token = TokenField(max_length=400)


class ResetConfirmSerializer(TokenSerializer):
    """The token of an emailed link, and the new password."""

    newPassword = PasswordField(source="new_password")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        user = get_link_user(PASSWORD_RESET, attrs["token"], self.context["now"])
        check_new_password(attrs["new_password"], user)
        return attrs
