"""The bell, and what one wants to be told, over HTTP: parse, call, answer."""

from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.cache import get_conditional_response
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.authentication import person_of
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
from accounts.viewsets import BlindViewSet
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
        """List one's notices, the newest first."""
        query = self.validate_query(NoticesQuery)
        notices = inbox.notices_of(person_of(request))
        page = Page(notices.filter(read_at=None) if query["unread"] else notices, query)
        rows = inbox.worded(page.rows, person_of(request))
        return ApiResponse({"notices": NoticeSerializer(rows, many=True).data, "pagination": page.pagination})

    @extend_schema(operation_id="notices_read", request=ReadSerializer, responses=UnreadData)
    @action(methods=["put"], detail=False, url_path="read")
    def mark_read(self, request: Request) -> ApiResponse:
        """Note that some notices, or all, were seen; return what is left."""
        form = self.validate_body(ReadSerializer)
        inbox.mark_read(person_of(request), form.get("ids"), timezone.now())
        ids = inbox.unread_ids(person_of(request))
        return ApiResponse(UnreadData(inbox.unread(person_of(request), ids)).data)

    @extend_schema(
        operation_id="notices_unread",
        parameters=[OpenApiParameter("If-None-Match", str, OpenApiParameter.HEADER)],
        responses={200: UnreadData, 304: OpenApiResponse(description="Nothing has changed.")},
    )
    # The bell asks every few seconds, which keeps no session alive.
    @action(detail=False, is_background_poll=True)
    def unread(self, request: Request) -> HttpResponse:
        """Return how many notices are unread, and the newest; 304 where `If-None-Match` has the last `ETag`."""
        person = person_of(request)
        ids = inbox.unread_ids(person)
        etag = inbox.etag_of_unread(person, ids)
        response: HttpResponse = get_conditional_response(request._request, etag) or ApiResponse(
            UnreadData(inbox.unread(person, ids)).data
        )
        response["ETag"] = etag
        return response


@extend_schema(tags=["auth"])
class NoticeSettingsViewSet(ApiViewSet):
    """What the current user wants to be told by mail, and when."""

    no_personal_data_reason = "The reader's own choice."
    queryset = NoticeSettings.objects.none()

    @extend_schema(operation_id="notice_settings_retrieve", responses=NoticeSettingsData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Show one's own settings."""
        return self.answer(person_of(request))

    @extend_schema(
        operation_id="notice_settings_update", request=NoticeSettingsSerializer, responses=NoticeSettingsData
    )
    def update(self, request: Request) -> ApiResponse:
        """Change what is sent; what is absent stays. What the law or safety asks always goes."""
        person = person_of(request)
        form = self.validate_body(NoticeSettingsSerializer)
        return self.answer(preferences.change(person, form), "Your settings are saved.")

    def answer(self, person: User, message: str = "") -> ApiResponse:
        """Write the settings."""
        return ApiResponse(NoticeSettingsData(preferences.represent(person)).data, message)


@extend_schema(tags=["notices"])
class UnsubscribeViewSet(BlindViewSet):
    """A mail's link to stop such mails."""

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        # Mail programs ask for whatever they like.
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(exclude=True)
    def page(self, request: Request) -> HttpResponse:
        """Lead to the page that asks; a mail scanner that looks here stops nothing."""
        return HttpResponseRedirect(preferences.unsubscribe_page(request.query_params.get("token", "")[:400]))

    @extend_schema(
        operation_id="notices_unsubscribe", parameters=[UnsubscribeQuery], request=None, responses=UnsubscribedData
    )
    def stop(self, request: Request) -> ApiResponse:
        """Stop a kind of mails by the link in one of them; the body is not read (RFC 8058)."""
        kind = preferences.unsubscribe(self.validate_query(UnsubscribeQuery)["token"])
        return ApiResponse(
            {"kind": kind},
            "You won't get emails of this kind anymore. You'll still get account and cancellation emails.",
        )
