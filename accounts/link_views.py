"""Password reset and e-mail confirmation over HTTP: parse, call, answer."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import email_address, password_reset
from accounts.authentication import person_of
from accounts.limits import network_of
from accounts.link_wire import ResetConfirmSerializer, ResetRequestSerializer, TokenSerializer
from accounts.models import User
from accounts.trail import current_address
from config.viewsets import WireViewSet
from config.wire import Answer


class BlindViewSet(WireViewSet):
    """For whoever has a link: no session is looked up."""

    queryset = User.objects.none()
    authentication_classes = ()
    permission_classes = (AllowAny,)


@extend_schema(tags=["auth"])
class PasswordResetViewSet(BlindViewSet):
    """A forgotten password."""

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": timezone.now()}

    @extend_schema(operation_id="password_reset", request=ResetRequestSerializer, responses={200: None})
    def request_link(self, request: Request) -> Answer:
        """Have a link mailed, if an account has this address; the answer is the same where none has."""
        password_reset.request_reset(self.read(ResetRequestSerializer)["email"], timezone.now())
        return Answer(message="If an account has this address, a link is on its way to it. It works for 30 minutes.")

    @extend_schema(operation_id="password_reset_confirm", request=ResetConfirmSerializer, responses={200: None})
    def confirm(self, request: Request) -> Answer:
        """Set a new password by a mailed link; every session ends."""
        password_reset.uses.take(network_of(current_address.get()))
        form = self.read(ResetConfirmSerializer)
        password_reset.reset_password(form["token"], form["new_password"], timezone.now())
        return Answer(message="Your new password is set. Please sign in with it.")


@extend_schema(tags=["auth"])
class EmailConfirmViewSet(BlindViewSet):
    """A mailed link that proves a mailbox."""

    @extend_schema(operation_id="email_confirm", request=TokenSerializer, responses={200: None})
    def confirm(self, request: Request) -> Answer:
        """Confirm an e-mail address; a new one becomes the one in use."""
        email_address.confirm(self.read(TokenSerializer)["token"], timezone.now())
        return Answer(message="Your e-mail address is confirmed.")


@extend_schema(tags=["auth"])
class EmailResendViewSet(WireViewSet):
    """The link by which whoever asks confirms the e-mail address in use."""

    queryset = User.objects.none()

    @extend_schema(operation_id="email_resend", request=None, responses={200: None})
    def resend(self, request: Request) -> Answer:
        """Have the link mailed once more, while the address is not confirmed."""
        email_address.resend_own(person_of(request), timezone.now())
        return Answer(message="The link is on its way to your mailbox.")


@extend_schema(tags=["auth"])
class PendingEmailViewSet(WireViewSet):
    """The new e-mail address of whoever asks, while it waits to be confirmed."""

    queryset = User.objects.none()

    @extend_schema(operation_id="email_pending_resend", request=None, responses={200: None})
    def resend(self, request: Request) -> Answer:
        """Have the link mailed to the new address once more."""
        email_address.resend_new(person_of(request), timezone.now())
        return Answer(message="The link is on its way to the new address.")

    @extend_schema(operation_id="email_pending_withdraw", responses={200: None})
    def destroy(self, request: Request) -> Answer:
        """Take the change back; its link is dead."""
        email_address.withdraw(person_of(request))
        return Answer(message="Your e-mail address stays as it is.")
