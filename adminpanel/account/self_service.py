"""Routes by which users export their data and close their account."""

from tempfile import SpooledTemporaryFile

from django.conf import settings
from django.http import FileResponse
from django.utils import timezone
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.credentials.password_confirmation import check_own_password
from accounts.models import User
from accounts.serializers import PasswordAgainSerializer
from accounts.throttling.expensive_requests import DATA_EXPORT, acquire_place, exports
from adminpanel.account.export import write_export
from adminpanel.api.user_serializers import EffectsData
from appointments.scheduling.account_closure import end_account, preview_account_change
from appointments.serializers import serialize_appointments
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from config.http.downloads import FileRenderer

# Larger exports are written to a temporary file.
MAX_BYTES_IN_MEMORY = 4 * 1024 * 1024


@extend_schema(tags=["auth"])
class OwnAccountViewSet(ApiViewSet):
    no_personal_data_reason = {"export": "The reader's own data."}
    queryset = User.objects.none()

    def confirm_password(self) -> User:
        """Return the current user if the body has their password; raise `invalid` otherwise."""
        user = get_user(self.request)
        check_own_password(user, self.validate_body(PasswordAgainSerializer)["current_password"])
        return user

    @extend_schema(operation_id="account_closing", responses=EffectsData)
    @action(detail=False, extra_error_statuses=("409",))
    def closing(self, request: Request) -> ApiResponse:
        """Return the effects of closing the account: upcoming appointments and the number of messages."""
        user, now = get_user(request), timezone.now()
        effects = preview_account_change(user, now, actor=user, ending=True, is_own=True)
        appointments = serialize_appointments(effects.appointments, user, now, without_clinical=True)
        return ApiResponse(
            {"effects": {"upcoming": effects.upcoming, "messages": effects.messages, "appointments": appointments}}
        )

    @extend_schema(operation_id="account_close", request=PasswordAgainSerializer, responses={200: None})
    @action(methods=["post"], detail=False)
    def close(self, request: Request) -> ApiResponse:
        """Close the account permanently: upcoming appointments are cancelled, and all sessions end."""
        user = self.confirm_password()
        end_account(user.pk, actor=user, now=timezone.now(), is_own=True)
        return ApiResponse(message="Your account is closed")

    @extend_schema(
        operation_id="account_export",
        request=PasswordAgainSerializer,
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    @action(methods=["post"], detail=False, renderer_classes=(FileRenderer,))
    def export(self, request: Request) -> FileResponse:
        """Return all data stored about the current user, as a ZIP file."""
        user, now = self.confirm_password(), timezone.now()
        DATA_EXPORT.consume()
        place = acquire_place(exports)
        # Closed, and so deleted, when the response has been sent.
        out = SpooledTemporaryFile(max_size=MAX_BYTES_IN_MEMORY)  # noqa: SIM115 - the response closes it
        try:
            write_export(user, out, now, actor=user)
            out.seek(0)
        except BaseException:
            out.close()
            place.release()
            raise
        response = FileResponse(
            out, as_attachment=True, filename=f"{slugify(settings.SITE_NAME) or 'account'}-{now.date().isoformat()}.zip"
        )
        response["Content-Type"] = "application/zip"
        response["Cache-Control"] = "no-store"
        return place.release_after(response)
