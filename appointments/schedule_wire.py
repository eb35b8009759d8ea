"""A doctor's schedule on the wire."""

import re
from datetime import date
from itertools import pairwise
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.text_rules import LineField, TimeZoneField
from config.wire import IdField, InstantField, LocalDateField, LocalTimeField
from doctors.models import WEEKDAYS, minute_of
from doctors.serializers import FreeTimeSerializer

MOST_INTERVALS = 24
MOST_DAYS = 400
MOST_DECISIONS = 1_000


@extend_schema_field({"type": "string", "pattern": "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$"})
class MinuteField(serializers.Field):  # type: ignore[type-arg]  # reads text, gives minutes
    """A wall-clock time as a minute of the day; 24:00 ends a day."""

    default_error_messages = {"invalid": "Enter a time as HH:MM, like 09:00."}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, str) or not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d|24:00", data, re.ASCII):
            self.fail("invalid")
        return minute_of(data)

    def to_representation(self, value: Any) -> Any:
        return value


class SpanSerializer(serializers.Serializer[Any]):
    """A stretch of one day."""

    start = MinuteField()
    end = MinuteField()

    def validate(self, span: dict[str, Any]) -> dict[str, Any]:
        if span["end"] <= span["start"]:
            raise serializers.ValidationError({"end": ["The end must be after the start."]})
        return span


def apart(spans: list[dict[str, int]]) -> list[tuple[int, int]]:
    """Answer the spans in order; raises where two overlap or there are too many."""
    if len(spans) > MOST_INTERVALS:
        raise serializers.ValidationError(f"At most {MOST_INTERVALS} intervals a day.")
    ordered = sorted((span["start"], span["end"]) for span in spans)
    if any(later[0] < earlier[1] for earlier, later in pairwise(ordered)):
        raise serializers.ValidationError("These hours overlap.")
    return ordered


class WeeklyHoursSerializer(serializers.Serializer[Any]):
    """The hours of each weekday; a day that is absent has none."""

    def get_fields(self) -> dict[str, Any]:
        most: dict[str, Any] = {"max_length": MOST_INTERVALS}
        return {day: SpanSerializer(many=True, required=False, default=list, **most) for day in WEEKDAYS}

    def to_internal_value(self, data: Any) -> dict[int, list[tuple[int, int]]]:
        if isinstance(data, dict) and (unknown := set(data) - set(WEEKDAYS)):
            raise serializers.ValidationError({str(name)[:20]: ["This is no weekday."] for name in unknown})
        weekly, errors = {}, {}
        for name, spans in super().to_internal_value(data).items():
            try:
                weekly[WEEKDAYS.index(name)] = apart(spans)
            except serializers.ValidationError as wrong:
                errors[name] = wrong.detail
        if errors:
            raise serializers.ValidationError(errors)
        return weekly


class OverrideSerializer(serializers.Serializer[Any]):
    """The hours of one date instead of its weekday's; without hours a day off."""

    date = LocalDateField()
    hours = SpanSerializer(many=True, max_length=MOST_INTERVALS)  # type: ignore[call-arg]  # of the list
    reason = LineField(max_length=200, required=False, default="", allow_blank=True)

    def validate_hours(self, spans: list[dict[str, int]]) -> list[tuple[int, int]]:
        return apart(spans)


class BlockedSerializer(SpanSerializer):
    """A stretch of one date in which no visit is offered."""

    date = LocalDateField()
    reason = LineField(max_length=200, required=False, default="", allow_blank=True)


class NewTimeSerializer(serializers.Serializer[Any]):
    """A time to propose for a visit."""

    date = LocalDateField()
    time = LocalTimeField()


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["keep", "cancel"]},
            {
                "type": "object",
                "required": ["date", "time"],
                "properties": {"date": {"type": "string", "format": "date"}, "time": {"type": "string"}},
            },
        ]
    }
)
class DecisionField(serializers.Field):  # type: ignore[type-arg]  # a word or a time
    """What happens to a visit that a change would leave outside: `keep`, `cancel`, or a time to propose."""

    default_error_messages = {"invalid": "Choose keep, cancel, or a date and time."}

    def to_internal_value(self, data: Any) -> Any:
        if data in ("keep", "cancel"):
            return data
        if not isinstance(data, dict):
            self.fail("invalid")
        wanted = NewTimeSerializer(data=data)
        wanted.is_valid(raise_exception=True)
        return wanted.validated_data


class DecisionsField(serializers.DictField):
    """Decisions by the id of the visit."""

    child = DecisionField()

    default_error_messages = {"too_many": "At most 1,000 visits at once."}

    def to_internal_value(self, data: Any) -> dict[Any, Any]:
        if isinstance(data, dict) and len(data) > MOST_DECISIONS:
            self.fail("too_many")
        decisions = super().to_internal_value(data)
        return {IdField().run_validation(pk): decision for pk, decision in decisions.items()}


def once(days: list[date]) -> None:
    """Raise where a date stands twice."""
    if len(days) != len(set(days)):
        raise serializers.ValidationError("A date stands here twice.")


class ScheduleSerializer(serializers.Serializer[Any]):
    """A change of a schedule; what is absent stays. Times are on the clinic's own clock."""

    timeZone = TimeZoneField(source="time_zone", required=False)
    visitMinutes = serializers.IntegerField(source="visit_minutes", min_value=5, max_value=240, required=False)
    bufferMinutes = serializers.IntegerField(source="buffer_minutes", min_value=0, max_value=240, required=False)
    minNoticeMinutes = serializers.IntegerField(
        source="min_notice_minutes", min_value=0, max_value=60 * 24 * 60, required=False
    )
    maxDaysAhead = serializers.IntegerField(source="max_days_ahead", min_value=1, max_value=730, required=False)
    instantConfirmation = serializers.BooleanField(source="instant_confirmation", required=False)
    weeklyHours = WeeklyHoursSerializer(source="weekly_hours", required=False)
    overrides = OverrideSerializer(many=True, required=False, max_length=MOST_DAYS)  # type: ignore[call-arg]  # of the list
    blocked = BlockedSerializer(many=True, required=False, max_length=MOST_DAYS)  # type: ignore[call-arg]  # of the list
    visits = DecisionsField(required=False)
    reason = LineField(max_length=500, required=False, default="", allow_blank=True)

    def validate_overrides(self, overrides: list[dict[str, Any]]) -> list[dict[str, Any]]:
        once([one["date"] for one in overrides])
        return overrides

    def validate_blocked(self, blocked: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for day in {one["date"] for one in blocked}:
            apart([one for one in blocked if one["date"] == day])
        return blocked


class PreviewQuery(serializers.Serializer[Any]):
    """Whether only to look what a change would do."""

    preview = serializers.BooleanField(default=False)


class ShownSpanSerializer(serializers.Serializer[Any]):
    """A stretch of one day."""

    start = serializers.CharField()
    end = serializers.CharField()


class ShownWeeklyHoursSerializer(serializers.Serializer[Any]):
    """The hours of each weekday."""

    def get_fields(self) -> dict[str, Any]:
        return {day: ShownSpanSerializer(many=True) for day in WEEKDAYS}


class ShownOverrideSerializer(serializers.Serializer[Any]):
    """The hours of one date instead of its weekday's."""

    date = LocalDateField()
    hours = ShownSpanSerializer(many=True)
    reason = serializers.CharField()


class ShownBlockedSerializer(ShownSpanSerializer):
    """A stretch of one date in which no visit is offered."""

    date = LocalDateField()
    reason = serializers.CharField()


class ShownScheduleSerializer(serializers.Serializer[Any]):
    """A doctor's schedule; overrides and blocked hours from today on."""

    timeZone = serializers.CharField()
    visitMinutes = serializers.IntegerField()
    bufferMinutes = serializers.IntegerField()
    minNoticeMinutes = serializers.IntegerField()
    maxDaysAhead = serializers.IntegerField()
    instantConfirmation = serializers.BooleanField()
    weeklyHours = ShownWeeklyHoursSerializer()
    overrides = ShownOverrideSerializer(many=True)
    blocked = ShownBlockedSerializer(many=True)


class AffectedVisitSerializer(serializers.Serializer[Any]):
    """A live visit that a change leaves outside the hours, with the nearest free times under the new ones."""

    _id = serializers.UUIDField()
    patientName = serializers.CharField()
    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()
    startsAt = InstantField()
    status = serializers.CharField()
    mayCancel = serializers.BooleanField()
    alternatives = FreeTimeSerializer(many=True)


class ScheduleData(serializers.Serializer[Any]):
    """`data` of a schedule."""

    schedule = ShownScheduleSerializer()


class ScheduleSavedData(ScheduleData):
    """`data` of a saved or previewed schedule."""

    affected = AffectedVisitSerializer(many=True)


class ExplainQuery(serializers.Serializer[Any]):
    """Which time is asked about, on the clinic's own clock."""

    date = LocalDateField()
    time = LocalTimeField()


class ExplainData(serializers.Serializer[Any]):
    """`data` of an explanation; the reason is for the doctor and staff."""

    absent_for_some = ("reason",)

    open = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
