"""Views of password reset and email confirmation."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.audit.log import current_address
from accounts.auth import email_verification, password_reset
from accounts.auth.link_serializers import ResetConfirmSerializer, ResetRequestSerializer, TokenSerializer
from accounts.authentication import get_user
from accounts.credentials.signed_links import PASSWORD_RESET, get_link_user
from accounts.models import User
from accounts.viewsets import UnauthenticatedViewSet
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet


@extend_schema(tags=["auth"])
class PasswordResetViewSet(UnauthenticatedViewSet):
    """Password reset."""

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": timezone.now()}

    @extend_schema(operation_id="password_reset", request=ResetRequestSerializer, responses={200: None})
    def create(self, request: Request) -> ApiResponse:
        """Send a link if an account has this address; the response is the same if none has."""
        password_reset.request_reset(self.validate_body(ResetRequestSerializer)["email"], timezone.now())
        return ApiResponse(
            message="If an account has this address, a link is on its way to it. It works for 30 minutes."
        )

    @extend_schema(operation_id="password_reset_check", request=TokenSerializer, responses={200: None})
    @action(methods=["post"], detail=False)
    def check(self, request: Request) -> ApiResponse:
        """Check whether an emailed link is valid, without using it."""
        password_reset.check_limit.consume(current_address.get())
        get_link_user(PASSWORD_RESET, self.validate_body(TokenSerializer)["token"], timezone.now())
        return ApiResponse()

    @extend_schema(operation_id="password_reset_confirm", request=ResetConfirmSerializer, responses={200: None})
    @action(methods=["post"], detail=False)
    def confirm(self, request: Request) -> ApiResponse:
        """Set a new password by an emailed link and end all sessions."""
        password_reset.confirmation_limit.consume(current_address.get())
        form = self.validate_body(ResetConfirmSerializer)
        password_reset.reset_password(form["token"], form["new_password"], timezone.now())
        return ApiResponse(message="Your new password is set. Please sign in with it.")


@extend_schema(tags=["auth"])
class EmailConfirmViewSet(UnauthenticatedViewSet):
    """Confirmation of an email address."""

    @extend_schema(operation_id="email_confirm", request=TokenSerializer, responses={200: None})
    def confirm(self, request: Request) -> ApiResponse:
        """Confirm an email address by an emailed link; a pending address becomes the current one."""
        email_verification.confirm_email(self.validate_body(TokenSerializer)["token"], timezone.now())
        return ApiResponse(message="Your email address is confirmed.")


@extend_schema(tags=["auth"])
class EmailResendViewSet(ApiViewSet):
    """The link that confirms the current user's email address."""

    no_personal_data_reason = "The reader's own account."
    queryset = User.objects.none()

    @extend_schema(operation_id="email_resend", request=None, responses={200: None})
    def resend(self, request: Request) -> ApiResponse:
        """Resend the link, unless the address is confirmed."""
        email_verification.resend_own_email_link(get_user(request), timezone.now())
        return ApiResponse(message="The link is on its way to your mailbox.")


@extend_schema(tags=["auth"])
class PendingEmailViewSet(ApiViewSet):
    """The current user's pending email address."""

    no_personal_data_reason = "The reader's own account."
    queryset = User.objects.none()

    @extend_schema(operation_id="email_pending_resend", request=None, responses={200: None})
    def create(self, request: Request) -> ApiResponse:
        """Resend the email to the pending address."""
        email_verification.resend_new_email_link(get_user(request), timezone.now())
        return ApiResponse(message="The email is on its way to the new address.")

    @extend_schema(operation_id="email_pending_withdraw", responses={200: None})
    def destroy(self, request: Request) -> ApiResponse:
        """Cancel the change and invalidate its link."""
        email_verification.cancel_email_change(get_user(request))
        return ApiResponse(message="Your email address has not changed.")
