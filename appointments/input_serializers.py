"""What the calls about appointments take."""

from functools import cache, cached_property
from typing import Any

from rest_framework import serializers

from accounts.text.fields import ChoiceField, FreeTextField, TokenField
from appointments.models import Status
from appointments.records.serializers import RecordChangesSerializer
from config.api.errors import DomainError
from config.api.fields import IdField, LocalDateField, LocalTimeField


class SteadySerializer(serializers.Serializer[Any]):
    """What reads all bodies by the same fields: those are made once, not copied for each request."""

    @cached_property
    def fields(self) -> Any:
        return fields_of(type(self))


@cache
def fields_of(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Return the fields of a serializer of that class, which keep nothing of what they read."""
    return super(SteadySerializer, serializer()).fields  # type: ignore[misc]  # only ours come here


class TimeSerializer(SteadySerializer):
    """A wish for a time, on the clinic's own clock."""

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
    """A wish that a time be kept while the form is filled."""

    doctorId = IdField()
    holdId = TokenField(max_length=64, required=False, default="", allow_blank=True, help_text="Of one's earlier hold.")


class BookingSerializer(HoldSerializer):
    """A wish for an appointment."""

    symptoms = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    notes = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why an act is done."""

    reason = FreeTextField(max_length=500, required=False, default="", allow_blank=True)


class ProposalSerializer(TimeSerializer, ReasonSerializer):
    """Another time for an appointment, and why."""


class MoveSerializer(ProposalSerializer):
    """Another time for an appointment, agreed with the patient."""

    outsideHours = serializers.BooleanField(
        default=False, help_text="Whether it can be a time that patients are not offered."
    )


class AcceptSerializer(serializers.Serializer[Any]):
    """The answer to a proposal."""

    accept = serializers.BooleanField()


class StatusSerializer(ReasonSerializer):
    """The status that an appointment shall have, and, when it is completed, whether the patient came."""

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
