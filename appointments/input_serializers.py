"""Request serializers of appointments."""

from functools import cache, cached_property
from typing import Any

from rest_framework import serializers

from accounts.text.fields import ChoiceField, FreeTextField, TokenField
from appointments.models import Status
from appointments.records.serializers import RecordChangesSerializer
from config.api.errors import DomainError
from config.api.fields import IdField, LocalDateField, LocalTimeField


class CachedFieldsSerializer(serializers.Serializer[Any]):
    """Base of serializers whose fields are created once, not copied for each request."""

    @cached_property
    def fields(self) -> Any:
        return get_cached_fields(type(self))


@cache
def get_cached_fields(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Return the fields of a serializer class, which must be stateless."""
    return super(CachedFieldsSerializer, serializer()).fields  # type: ignore[misc]  # only ours come here


class TimeSerializer(CachedFieldsSerializer):
    """A requested local date and time."""

    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()

    def to_internal_value(self, data: Any) -> Any:
        missing = [name for name in ("appointmentDate", "appointmentTime") if data.get(name) in (None, "")]
        if missing:
            refusal = DomainError("date_time_required")
            refusal.errors = {name: [refusal.message] for name in missing}
            raise refusal
        return super().to_internal_value(data)


class HoldSerializer(TimeSerializer):
    """A request to hold a time while the form is filled in."""

    doctorId = IdField()
    holdId = TokenField(max_length=64, required=False, default="", allow_blank=True, help_text="Of one's earlier hold.")


class BookingSerializer(HoldSerializer):
    """A request for an appointment."""

    symptoms = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    notes = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """The reason for an action."""

    reason = FreeTextField(max_length=500, required=False, default="", allow_blank=True)


class ProposalSerializer(TimeSerializer, ReasonSerializer):
    """Another time for an appointment, and why."""


class MoveSerializer(ProposalSerializer):
    """Another time for an appointment, agreed with the patient."""

    outsideHours = serializers.BooleanField(
        default=False, help_text="Whether it can be a time that patients are not offered."
    )


class AcceptSerializer(serializers.Serializer[Any]):
    """The reply to a proposal."""

    accept = serializers.BooleanField()


class StatusSerializer(ReasonSerializer):
    """The new status of an appointment and, if completed, whether the patient came."""

    status = ChoiceField(choices=Status.choices)
    attended = serializers.BooleanField(required=False)
    undoable = serializers.BooleanField(
        default=False, help_text="For a confirmation: the patient is notified once it can't be undone any more."
    )
    expectedStatus = ChoiceField(
        choices=Status.choices,
        required=False,
        help_text="The status that the person saw. If the appointment has another one by now, nothing is changed.",
    )
    visit = RecordChangesSerializer(required=False, help_text="What the doctor writes on completing the appointment.")

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if data["status"] != Status.COMPLETED:
            only = {
                "attended": "Only a completed appointment was attended or missed.",
                "visit": "Only completing an appointment takes its record along.",
            }
            if misplaced := {name: [message] for name, message in only.items() if name in data}:
                raise serializers.ValidationError(misplaced)
        if data["undoable"] and data["status"] != Status.CONFIRMED:
            raise serializers.ValidationError({"undoable": ["Only a confirmation can be undone."]})
        return data
