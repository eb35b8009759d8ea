"""Serializers of analytics."""

from datetime import date, timedelta
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from accounts.text.fields import ChoiceField, LineField
from adminpanel.queries.analytics import Period
from config.api.fields import LocalDateField
from doctors.models import Specialization

DEFAULT_DAYS = 30
# Nothing is older, and date arithmetic fails near the calendar's beginning.
MIN_DATE = date(2000, 12, 31)
# A year of days, three of weeks.
MAX_DAYS = {"day": 366, "week": 1098}


class FiguresSerializer(serializers.Serializer[Any]):
    """The figures of a period. Durations in minutes; null if unknown."""

    bookings = serializers.IntegerField(help_text="By the date of booking.")
    cancelledByPatient = serializers.IntegerField(help_text="By the date of cancelling, as the next ones.")
    cancelledByDoctor = serializers.IntegerField()
    cancelledByAdmin = serializers.IntegerField()
    expired = serializers.IntegerField(help_text="Requests that nobody answered in time.")
    cancelledLate = serializers.IntegerField(
        help_text="Of those that somebody cancelled: within 24 h of the appointment."
    )
    completed = serializers.IntegerField(help_text="By the date of the appointment; the patient came.")
    noShows = serializers.IntegerField(help_text="By the date of the appointment; the patient did not come.")
    medianMinutesToConfirm = serializers.IntegerField(allow_null=True, help_text="By the date of the answer.")
    offeredMinutes = serializers.IntegerField(allow_null=True, help_text="What listed doctors offered.")
    usedMinutes = serializers.IntegerField(allow_null=True, help_text="What appointments took of it.")
    searchesWithoutTime = serializers.IntegerField(help_text="Somebody looked for a free time and found none.")


class StepSerializer(FiguresSerializer):
    """One day, or the week that begins on this Monday."""

    start = LocalDateField()


class GroupSerializer(serializers.Serializer[Any]):
    """The outcomes of appointments booked in the period, for one specialization or city."""

    name = serializers.CharField()
    bookings = serializers.IntegerField()
    completed = serializers.IntegerField()
    cancelled = serializers.IntegerField()
    noShows = serializers.IntegerField()


class AnalyticsData(serializers.Serializer[Any]):
    """`data` of analytics."""

    by = serializers.ChoiceField(choices=["day", "week"])
    totals = FiguresSerializer()
    series = StepSerializer(many=True)
    bySpecialization = GroupSerializer(many=True, help_text="The most booked first, at most 20.")
    byCity = GroupSerializer(many=True, help_text="The most booked first, at most 20.")

    def get_fields(self) -> dict[str, Any]:
        # `from` is a Python keyword.
        return {"from": LocalDateField(), "to": LocalDateField(), **super().get_fields()}


class AnalyticsQuery(serializers.Serializer[Any]):
    """The period; by default, the last 30 days."""

    by = ChoiceField(choices=["day", "week"], required=False, default="day")
    specialization = ChoiceField(choices=Specialization.choices, required=False, allow_blank=True, default="")
    city = LineField(max_length=100, required=False, allow_blank=True, default="")

    def get_fields(self) -> dict[str, Any]:
        return {"from": LocalDateField(required=False), "to": LocalDateField(required=False), **super().get_fields()}

    def validate(self, query: dict[str, Any]) -> dict[str, Any]:
        today = timezone.now().date()
        last = query.get("to") or today
        if last < MIN_DATE:
            raise serializers.ValidationError({"to": [f"Choose a date after {MIN_DATE.year}."]})
        first = query.get("from") or last - timedelta(days=DEFAULT_DAYS - 1)
        if first > last:
            raise serializers.ValidationError({"from": ["The first date must not be after the last."]})
        if last > today + timedelta(days=MAX_DAYS["day"]):
            raise serializers.ValidationError({"to": ["Choose a date at most a year ahead."]})
        max_days = MAX_DAYS[query["by"]]
        if (last - first).days >= max_days:
            raise serializers.ValidationError({"from": [f"Choose at most {max_days} days, or go by weeks."]})
        return {**query, "from": first, "to": last}


def get_period(query: dict[str, Any]) -> Period:
    """Return the period of a validated query."""
    return Period(query["from"], query["to"], query["by"], query["specialization"], query["city"])
