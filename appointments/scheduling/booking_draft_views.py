"""Views of booking form drafts."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.permissions import IsPatient
from accounts.text.fields import FreeTextField
from appointments.models import BookingDraft
from appointments.scheduling.booking_drafts import delete_draft, get_draft, save_draft
from config.api.fields import InstantField
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet


class BookingDraftChangesSerializer(serializers.Serializer[Any]):
    """The body of `PUT /appointments/drafts/{doctorId}`; unfinished text is not trimmed."""

    symptoms = FreeTextField(max_length=2000, allow_blank=True, trim_whitespace=False)
    notes = FreeTextField(max_length=2000, allow_blank=True, trim_whitespace=False)


class BookingDraftSerializer(serializers.Serializer[BookingDraft]):
    """The text of a booking form that has not been sent."""

    symptoms = serializers.CharField()
    notes = serializers.CharField()
    savedAt = InstantField(source="saved_at")


class BookingDraftData(serializers.Serializer[Any]):
    """`data` with a draft of the booking form."""

    draft = BookingDraftSerializer(allow_null=True)


@extend_schema(tags=["appointments"])
class BookingDraftViewSet(ApiViewSet):
    """The patient's own unfinished booking with one doctor."""

    no_personal_data_reason = "The reader's own text."
    queryset = BookingDraft.objects.none()
    permission_classes = (IsPatient,)

    @extend_schema(operation_id="appointments_drafts_retrieve", responses=BookingDraftData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return the draft for this doctor; null where there is none."""
        return build_draft_response(get_draft(get_user(request), pk))

    @extend_schema(
        operation_id="appointments_drafts_update", request=BookingDraftChangesSerializer, responses=BookingDraftData
    )
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Save the draft for this doctor; blank text deletes it."""
        changes = self.validate_body(BookingDraftChangesSerializer)
        return build_draft_response(save_draft(get_user(request), pk, **changes, now=timezone.now()))

    @extend_schema(operation_id="appointments_drafts_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Delete the draft for this doctor, if there is one."""
        delete_draft(get_user(request), pk)
        return ApiResponse(message="Draft deleted")


def build_draft_response(draft: BookingDraft | None) -> ApiResponse:
    return ApiResponse({"draft": BookingDraftSerializer(draft).data if draft else None})
