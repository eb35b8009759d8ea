"""What the calls about visits take."""

from functools import cache, cached_property
from typing import Any

from rest_framework import serializers

from accounts.text_rules import ChoiceField, FreeTextField, LineField
from appointments.models import Status
from appointments.record_wire import RecordChangesSerializer
from config.errors import RuleBroken
from config.wire import IdField, LocalDateField, LocalTimeField


class SteadySerializer(serializers.Serializer[Any]):
    """What reads all bodies by the same fields: those are made once, not copied for each request."""

    @cached_property
    def fields(self) -> Any:
        return fields_of(type(self))


@cache
def fields_of(serializer: type[serializers.Serializer[Any]]) -> Any:
    """Answer the fields of a serializer of that class, which keep nothing of what they read."""
    return super(SteadySerializer, serializer()).fields  # type: ignore[misc]  # only ours come here


class TimeSerializer(SteadySerializer):
    """A wish for a time, on the clinic's own clock."""

    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()

    def to_internal_value(self, data: Any) -> Any:
        missing = [name for name in ("appointmentDate", "appointmentTime") if data.get(name) in (None, "")]
        if missing:
            refusal = RuleBroken("date_time_required")
            refusal.errors = {name: [refusal.message] for name in missing}
            raise refusal
        return super().to_internal_value(data)


class HoldSerializer(TimeSerializer):
    """A wish that a time be kept while the form is filled."""

    doctorId = IdField()
    holdId = LineField(max_length=64, required=False, default="", allow_blank=True, help_text="Of one's earlier hold.")


class BookingSerializer(HoldSerializer):
    """A wish for a visit."""

    symptoms = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    notes = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why an act is done."""

    reason = FreeTextField(max_length=500, required=False, default="", allow_blank=True)


class ProposalSerializer(TimeSerializer, ReasonSerializer):
    """Another time for a visit, and why."""


class AcceptSerializer(serializers.Serializer[Any]):
    """The answer to a proposal."""

    accept = serializers.BooleanField()


class StatusSerializer(ReasonSerializer):
    """The status that a visit shall have, and, when it is completed, whether the patient came."""

    status = ChoiceField(choices=Status.choices)
    attended = serializers.BooleanField(required=False)
    visit = RecordChangesSerializer(required=False, help_text="What the doctor writes on completing the visit.")

    def validate(self, wanted: dict[str, Any]) -> dict[str, Any]:
        if wanted["status"] != Status.COMPLETED:
            only = {
                "attended": "Only a completed visit was attended or missed.",
                "visit": "Only completing a visit takes its record along.",
            }
            if misplaced := {name: [message] for name, message in only.items() if name in wanted}:
                raise serializers.ValidationError(misplaced)
        return wanted
