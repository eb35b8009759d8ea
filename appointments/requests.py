"""What the calls about visits take."""

from typing import Any

from rest_framework import serializers

from accounts.text_rules import FreeTextField
from appointments.models import Status
from config.errors import RuleBroken
from config.wire import IdField, LocalDateField, LocalTimeField


class BookingSerializer(serializers.Serializer[Any]):
    """A wish for a visit. Date and time are the clinic's own."""

    doctorId = IdField()
    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()
    symptoms = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    notes = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)

    def to_internal_value(self, data: Any) -> Any:
        missing = [name for name in ("appointmentDate", "appointmentTime") if data.get(name) in (None, "")]
        if missing:
            refusal = RuleBroken("date_time_required")
            refusal.errors = {name: [refusal.message] for name in missing}
            raise refusal
        return super().to_internal_value(data)


class ReasonSerializer(serializers.Serializer[Any]):
    """Why an act is done."""

    reason = FreeTextField(max_length=500, required=False, default="", allow_blank=True)


class StatusSerializer(ReasonSerializer):
    """The status that a visit shall have."""

    status = serializers.ChoiceField(choices=Status.choices)
