"""Serializers of a doctor's schedule."""

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.text.fields import LineField, TimeZoneField, TokenField
from config.api.fields import IdField, InstantField, LocalDateField, LocalTimeField
from doctors.models.profile import MAX_CANCEL_CUTOFF_HOURS
from doctors.serializers import FreeTimeSerializer, MinuteField
from doctors.weekly_hours import WEEKDAYS

MAX_INTERVALS = 24
MAX_DATES = 400
MAX_DECISIONS = 1_000
MAX_ABSENCES = 100

DAY_MINUTES = 24 * 60


class SpanSerializer(serializers.Serializer[Any]):
    """An interval of one day."""

    start = MinuteField()
    end = MinuteField()

    def validate(self, span: dict[str, Any]) -> dict[str, Any]:
        if span["end"] <= span["start"]:
            raise serializers.ValidationError({"end": ["The end must be after the start."]})
        return span


class HoursSerializer(serializers.Serializer[Any]):
    """Hours that begin on one day. An end that is not after the start is on the next day."""

    start = MinuteField()
    end = MinuteField()

    def validate(self, span: dict[str, Any]) -> dict[str, Any]:
        if span["start"] >= DAY_MINUTES:
            raise serializers.ValidationError({"start": ["Hours start at 23:59 at the latest."]})
        if span["end"] <= span["start"]:
            span["end"] += DAY_MINUTES
        return span


def sort_spans(spans: list[dict[str, int]]) -> list[tuple[int, int]]:
    """Return the spans in order; raise a validation error if two overlap."""
    if len(spans) > MAX_INTERVALS:
        raise serializers.ValidationError(f"At most {MAX_INTERVALS} intervals a day.")
    ordered = sorted((span["start"], span["end"]) for span in spans)
    if any(later[0] < earlier[1] for earlier, later in pairwise(ordered)):
        raise serializers.ValidationError("These hours overlap.")
    return ordered


def overlaps_next_day(hours: list[tuple[int, int]], following: list[tuple[int, int]]) -> bool:
    """Return whether hours that run past midnight meet those that begin on the next day."""
    return any(end - DAY_MINUTES > start for _, end in hours for start, _ in following)


class WeeklyHoursSerializer(serializers.Serializer[Any]):
    """The hours of each weekday; a day that is absent has none."""

    def get_fields(self) -> dict[str, Any]:
        most: dict[str, Any] = {"max_length": MAX_INTERVALS}
        return {day: HoursSerializer(many=True, required=False, default=list, **most) for day in WEEKDAYS}

    def to_internal_value(self, data: Any) -> dict[int, list[tuple[int, int]]]:
        if isinstance(data, dict) and (unknown := set(data) - set(WEEKDAYS)):
            raise serializers.ValidationError({str(name)[:20]: ["This is no weekday."] for name in unknown})
        weekly: dict[int, list[tuple[int, int]]] = {}
        errors: dict[str, Any] = {}
        for name, spans in super().to_internal_value(data).items():
            try:
                weekly[WEEKDAYS.index(name)] = sort_spans(spans)
            except serializers.ValidationError as wrong:
                errors[name] = wrong.detail
        for day, name in enumerate(WEEKDAYS):
            if overlaps_next_day(weekly.get(day, []), weekly.get((day + 1) % 7, [])):
                following = WEEKDAYS[(day + 1) % 7].capitalize()
                errors.setdefault(name, [f"These hours run into those of {following}."])
        if errors:
            raise serializers.ValidationError(errors)
        return weekly


class OverrideSerializer(serializers.Serializer[Any]):
    """The hours of one date instead of its weekday's; without hours a day off."""

    date = LocalDateField()
    hours = HoursSerializer(many=True, max_length=MAX_INTERVALS)  # type: ignore[call-arg]  # of the list
    reason = LineField(max_length=200, required=False, default="", allow_blank=True)

    def validate_hours(self, spans: list[dict[str, int]]) -> list[tuple[int, int]]:
        return sort_spans(spans)


class BlockedSerializer(SpanSerializer):
    """An interval of one date in which no appointment is offered."""

    date = LocalDateField()
    reason = LineField(max_length=200, required=False, default="", allow_blank=True)


class NewTimeSerializer(serializers.Serializer[Any]):
    """A time to propose for an appointment, or with `move` to move it to at once."""

    date = LocalDateField()
    time = LocalTimeField()
    move = serializers.BooleanField(default=False)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "enum": ["keep", "cancel", "withdraw"]},
            {
                "type": "object",
                "required": ["date", "time"],
                "properties": {
                    "date": {"type": "string", "format": "date"},
                    "time": {"type": "string"},
                    "move": {"type": "boolean", "default": False},
                },
            },
        ]
    }
)
class DecisionField(serializers.Field):  # type: ignore[type-arg]  # a word or a time
    """What happens to an appointment or a proposal that a change would leave outside the hours."""

    default_error_messages = {"invalid": "Choose keep, cancel, withdraw, or a date and time."}

    def to_internal_value(self, data: Any) -> Any:
        if data in ("keep", "cancel", "withdraw"):
            return data
        if not isinstance(data, dict):
            self.fail("invalid")
        new_time = NewTimeSerializer(data=data)
        new_time.is_valid(raise_exception=True)
        return new_time.validated_data


class DecisionsField(serializers.DictField):
    """Decisions by the id of the appointment or the proposal."""

    child = DecisionField()

    default_error_messages = {"too_many": "At most 1,000 appointments at once."}

    def to_internal_value(self, data: Any) -> dict[Any, Any]:
        if isinstance(data, dict) and len(data) > MAX_DECISIONS:
            self.fail("too_many")
        decisions = super().to_internal_value(data)
        return {IdField().run_validation(pk): decision for pk, decision in decisions.items()}


def reject_duplicates(days: list[date]) -> None:
    """Raise a field error for a repeated date."""
    if len(days) != len(set(days)):
        raise serializers.ValidationError("Each date can be in this list only once.")


class ScheduleSerializer(serializers.Serializer[Any]):
    """A change of a schedule, in local times; absent fields stay."""

    timeZone = TimeZoneField(source="time_zone", required=False)
    visitMinutes = serializers.IntegerField(source="appointment_minutes", min_value=5, max_value=240, required=False)
    bufferMinutes = serializers.IntegerField(source="buffer_minutes", min_value=0, max_value=240, required=False)
    minNoticeMinutes = serializers.IntegerField(
        source="min_notice_minutes", min_value=0, max_value=60 * 24 * 60, required=False
    )
    maxDaysAhead = serializers.IntegerField(source="max_days_ahead", min_value=1, max_value=730, required=False)
    instantConfirmation = serializers.BooleanField(source="instant_confirmation", required=False)
    cancelCutoffHours = serializers.IntegerField(
        source="cancel_cutoff_hours",
        min_value=0,
        max_value=MAX_CANCEL_CUTOFF_HOURS,
        required=False,
        allow_null=True,
        help_text="Until how many hours before the start patients can cancel; 0: until the start, null: never.",
    )
    weeklyHours = WeeklyHoursSerializer(source="weekly_hours", required=False)
    overrides = OverrideSerializer(many=True, required=False, max_length=MAX_DATES)  # type: ignore[call-arg]  # of the list
    blocked = BlockedSerializer(many=True, required=False, max_length=MAX_DATES)  # type: ignore[call-arg]  # of the list
    visits = DecisionsField(required=False)
    reason = LineField(max_length=500, required=False, default="", allow_blank=True)

    def validate_overrides(self, overrides: list[dict[str, Any]]) -> list[dict[str, Any]]:
        reject_duplicates([one["date"] for one in overrides])
        by_date = {one["date"]: one["hours"] for one in overrides}
        for day, hours in by_date.items():
            following = by_date.get(day + timedelta(days=1)) if day < date.max else None
            if following and overlaps_next_day(hours, following):
                raise serializers.ValidationError("Hours that run past midnight overlap those of the next date.")
        return overrides

    def validate_blocked(self, blocked: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for day in {one["date"] for one in blocked}:
            sort_spans([one for one in blocked if one["date"] == day])
        return blocked


class WallMomentSerializer(serializers.Serializer[Any]):
    """A local date and time; 24:00 is the end of the date."""

    date = LocalDateField()
    time = MinuteField()


class AbsenceSerializer(serializers.Serializer[Any]):
    """Time off from one date and time to another, and what happens to the appointments inside."""

    to = WallMomentSerializer()
    reason = LineField(
        max_length=200,
        required=False,
        default="",
        allow_blank=True,
        help_text="The doctor and the site's staff read it.",
    )
    visits = DecisionsField(required=False, default=dict)
    visitsReason = LineField(
        max_length=500, required=False, default="", allow_blank=True, help_text="What the patients read."
    )

    def get_fields(self) -> dict[str, Any]:
        # `from` is a reserved word in Python.
        return {"from": WallMomentSerializer(), **super().get_fields()}

    def validate(self, absence: dict[str, Any]) -> dict[str, Any]:
        first, last = absence["from"], absence["to"]
        if first["time"] >= DAY_MINUTES:
            raise serializers.ValidationError({"from": {"time": ["Time off starts at 23:59 at the latest."]}})
        if last["date"] < first["date"]:
            raise serializers.ValidationError({"to": {"date": ["The last day is before the first."]}})
        if (last["date"], last["time"]) <= (first["date"], first["time"]):
            raise serializers.ValidationError({"to": {"time": ["The end must be after the start."]}})
        if (last["date"] - first["date"]).days >= MAX_DATES:
            raise serializers.ValidationError({"to": {"date": [f"Time off lasts at most {MAX_DATES} days."]}})
        return absence


class ShownWallMomentSerializer(serializers.Serializer[Any]):
    """A local date and time; 24:00 is the end of the date."""

    date = LocalDateField()
    time = MinuteField(source="minute")


class ShownAbsenceSerializer(serializers.Serializer[Any]):
    """Time off from one date and time to another."""

    _id = serializers.UUIDField(source="pk")
    to = ShownWallMomentSerializer(source="end")
    reason = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        # `from` is a reserved word in Python.
        return {"from": ShownWallMomentSerializer(source="start"), **super().get_fields()}


class PreviewQuery(serializers.Serializer[Any]):
    """Whether to preview a change without saving it."""

    preview = serializers.BooleanField(default=False)


class ShownSpanSerializer(serializers.Serializer[Any]):
    """An interval of one day."""

    start = MinuteField()
    end = MinuteField()


class ShownWeeklyHoursSerializer(serializers.Serializer[Any]):
    """The hours of each weekday."""

    def get_fields(self) -> dict[str, Any]:
        return {day: ShownSpanSerializer(many=True) for day in WEEKDAYS}


class ShownOverrideSerializer(serializers.Serializer[Any]):
    """The hours of one date instead of its weekday's."""

    date = LocalDateField()
    hours = ShownSpanSerializer(source="spans", many=True)
    reason = serializers.CharField()


class ShownBlockedSerializer(serializers.Serializer[Any]):
    """An interval of one date in which no appointment is offered."""

    start = MinuteField(source="start_minute")
    end = MinuteField(source="end_minute")
    date = LocalDateField()
    reason = serializers.CharField()


class ShownScheduleSerializer(serializers.Serializer[Any]):
    """A doctor's schedule; overrides and blocked hours from today on."""

    timeZone = serializers.CharField(source="doctor.time_zone")
    visitMinutes = serializers.IntegerField(source="doctor.appointment_minutes")
    bufferMinutes = serializers.IntegerField(source="doctor.buffer_minutes")
    minNoticeMinutes = serializers.IntegerField(source="doctor.min_notice_minutes")
    maxDaysAhead = serializers.IntegerField(source="doctor.max_days_ahead")
    instantConfirmation = serializers.BooleanField(source="doctor.instant_confirmation")
    cancelCutoffHours = serializers.IntegerField(source="doctor.cancel_cutoff_hours", allow_null=True)
    weeklyHours = ShownWeeklyHoursSerializer(source="doctor.hours_of_days")
    overrides = ShownOverrideSerializer(many=True)
    blocked = ShownBlockedSerializer(many=True)
    absences = ShownAbsenceSerializer(many=True)


class AffectedAppointmentSerializer(serializers.Serializer[Any]):
    """A live appointment, or an open proposal, that a change leaves outside the hours."""

    _id = serializers.UUIDField(help_text="The key of the decision: the appointment's id, or the proposal's.")
    kind = serializers.ChoiceField(choices=["appointment", "proposal"])
    appointmentId = serializers.UUIDField()
    patientName = serializers.CharField()
    phone = serializers.CharField(help_text="The patient's.")
    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()
    startsAt = InstantField()
    status = serializers.CharField()
    mayCancel = serializers.BooleanField()
    hasProposal = serializers.BooleanField(help_text="Whether another time is already proposed for it.")
    suggested = FreeTimeSerializer(
        allow_null=True, help_text="The next free time under the new hours; each appointment gets another one."
    )
    alternatives = FreeTimeSerializer(many=True, help_text="The nearest free times under the new hours.")


class ScheduleData(serializers.Serializer[Any]):
    """`data` of a schedule."""

    schedule = ShownScheduleSerializer()


class ScheduleSavedData(ScheduleData):
    """`data` of a saved or previewed schedule."""

    affected = AffectedAppointmentSerializer(many=True)


class AbsenceData(serializers.Serializer[Any]):
    """`data` of an absence; a preview only says what it affects."""

    absence = ShownAbsenceSerializer(allow_null=True)
    affected = AffectedAppointmentSerializer(many=True)


class ExplainQuery(serializers.Serializer[Any]):
    """The local date and time to explain."""

    date = LocalDateField()
    time = LocalTimeField()
    holdId = TokenField(
        max_length=64, required=False, default="", allow_blank=True, help_text="The caller's own hold counts as free."
    )


class ExplainData(serializers.Serializer[Any]):
    """`data` of an explanation; only the doctor and staff get the reason."""

    absent_for_some = ("reason",)

    open = serializers.BooleanField()
    reason = serializers.CharField(allow_null=True)
