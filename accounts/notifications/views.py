"""Views of notifications and their settings."""

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.models import Notice, NoticeSettings, User
from accounts.notifications import inbox, preferences
from accounts.notifications.serializers import (
    NoticesData,
    NoticeSerializer,
    NoticeSettingsData,
    NoticeSettingsSerializer,
    NoticesQuery,
    ReadSerializer,
    UnreadData,
    UnsubscribedData,
    UnsubscribeQuery,
)
from accounts.viewsets import UnauthenticatedViewSet
from config.api.pagination import Page
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet


@extend_schema(tags=["notices"])
class NoticesViewSet(ApiViewSet):
    """The current user's notices."""

    no_personal_data_reason = "Messages that the reader was sent, and of others no more than those say."
    queryset = Notice.objects.none()

    @extend_schema(operation_id="notices_list", parameters=[NoticesQuery], responses=NoticesData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List the current user's notifications, newest first."""
        query = self.validate_query(NoticesQuery)
        notices = inbox.list_notices(get_user(request))
        page = Page(notices.filter(read_at=None) if query["unread"] else notices, query)
        rows = inbox.render_notices(page.rows, get_user(request))
        return ApiResponse({"notices": NoticeSerializer(rows, many=True).data, "pagination": page.pagination})

    @extend_schema(operation_id="notices_read", request=ReadSerializer, responses=UnreadData)
    @action(methods=["put"], detail=False, url_path="read")
    def mark_read(self, request: Request) -> ApiResponse:
        """Mark some notifications, or all, as read; return the remaining unread ones."""
        form = self.validate_body(ReadSerializer)
        inbox.mark_read(get_user(request), form.get("ids"), timezone.now())
        ids = inbox.list_unread_ids(get_user(request))
        return ApiResponse(UnreadData(inbox.summarize_unread(get_user(request), ids)).data)

    @extend_schema(
        operation_id="notices_unread",
        parameters=[OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)],
        responses={200: UnreadData, 304: OpenApiResponse(description="Nothing has changed.")},
    )
    # The app polls every few seconds, which must not extend the session.
    @action(detail=False, is_background_poll=True)
    def unread(self, request: Request) -> HttpResponse:
        """Return the number of unread notifications and the newest; 304 if `If-None-Match` is the current `ETag`."""
        user = get_user(request)
        ids = inbox.list_unread_ids(user)
        etag = inbox.compute_unread_etag(user, ids)
        response: HttpResponse = get_conditional_response(request._request, etag) or ApiResponse(
            UnreadData(inbox.summarize_unread(user, ids)).data
        )
        response["ETag"] = etag
        return response


@extend_schema(tags=["auth"])
class NoticeSettingsViewSet(ApiViewSet):
    """The current user's notification settings."""

    no_personal_data_reason = "The reader's own choice."
    queryset = NoticeSettings.objects.none()

    @extend_schema(operation_id="notice_settings_retrieve", responses=NoticeSettingsData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the current user's settings."""
        return self.build_response(get_user(request))

    @extend_schema(
        operation_id="notice_settings_update", request=NoticeSettingsSerializer, responses=NoticeSettingsData
    )
    def update(self, request: Request) -> ApiResponse:
        """Change the settings that are sent. Messages that law or safety requires can't be turned off."""
        user = get_user(request)
        form = self.validate_body(NoticeSettingsSerializer)
        return self.build_response(preferences.update_settings(user, form), "Your settings are saved.")

    def build_response(self, user: User, message: str = "") -> ApiResponse:
        return ApiResponse(NoticeSettingsData(preferences.serialize_settings(user)).data, message)


@extend_schema(tags=["notices"])
class UnsubscribeViewSet(UnauthenticatedViewSet):
    """The unsubscribe link of an email."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        # Mail programs send arbitrary Accept headers.
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(exclude=True)
    def page(self, request: Request) -> HttpResponse:
        """Redirect to the page that asks for confirmation, so that mail scanners don't unsubscribe anyone."""
        return HttpResponseRedirect(preferences.build_unsubscribe_url(request.query_params.get("token", "")[:400]))

    @extend_schema(
        operation_id="notices_unsubscribe", parameters=[UnsubscribeQuery], request=None, responses=UnsubscribedData
    )
    def stop(self, request: Request) -> ApiResponse:
        """Unsubscribe from a kind of emails; the body is ignored (RFC 8058)."""
        kind = preferences.unsubscribe(self.validate_query(UnsubscribeQuery)["token"])
        return ApiResponse(
            {"kind": kind},
            "You won't get emails of this kind anymore. You'll still get account and cancellation emails.",
        )
