"""The bell and the notice settings on the wire."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.authentication import person_of
from accounts.notifications.channels import channels_to
from accounts.notifications.preferences import KINDS
from accounts.text.fields import LineField, TimeZoneField, TokenField
from config.api.fields import InstantField, LocalTimeField, WholeNumberField
from config.api.pagination import PageQuery, PaginationSerializer

# What a database's id holds.
MAX_ID = 2**63 - 1
MAX_IDS = 100


# --- What is answered -------------------------------------------------------------------------


class FactSerializer(serializers.Serializer[Any]):
    """One thing and what exactly."""

    name = serializers.CharField()
    value = serializers.CharField()


class NoticeSerializer(serializers.Serializer[Any]):
    """A notice as the page shows it."""

    _id = serializers.IntegerField()
    event = serializers.CharField(help_text="What happened, like `appointment.confirmed`.")
    title = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField(), help_text="Paragraphs of plain text.")
    facts = FactSerializer(many=True)
    path = serializers.CharField(allow_null=True, help_text="The page where one goes on, or null.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field of the wire, not the serializer's own label
        allow_null=True, help_text="What that link is called."
    )
    at = InstantField()
    read = serializers.BooleanField()
    language = serializers.CharField(help_text="What its words are written in, like `de`.")


class NoticesData(serializers.Serializer[Any]):
    """`data` of a page of notices. What no longer helps is left out, so a page may be shorter than its size."""

    notices = NoticeSerializer(many=True)
    pagination = PaginationSerializer()


class UnreadData(serializers.Serializer[Any]):
    """`data` of the bell."""

    unread = serializers.IntegerField(help_text="Counting stops at 100.")
    latest = NoticeSerializer(allow_null=True, help_text="The newest unread notice.")


class LanguageSerializer(serializers.Serializer[Any]):
    """A language of messages."""

    code = serializers.CharField()
    name = serializers.CharField(help_text="By its own name.")


class ChannelSerializer(serializers.Serializer[Any]):
    """A way by which the person can be reached, beside the page, which always tells."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the wire, not the serializer's own label


def channel_names(help_text: str) -> serializers.ListField:
    """Make a field of channels."""
    return serializers.ListField(child=LineField(max_length=12), max_length=20, required=False, help_text=help_text)


class ChosenChannelsSerializer(serializers.Serializer[Any]):
    """By which channels each kind of notices is wanted; what is absent stays."""

    changes = channel_names("Appointments booked, confirmed, moved and ended.")
    reminders = channel_names("Reminders before an appointment.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        offered = set(channels_to(person_of(self.context["request"])))
        wrong = {name: ["Choose among the offered channels."] for name in attrs if not set(attrs[name]) <= offered}
        if wrong:
            raise serializers.ValidationError(wrong)
        return attrs


class QuietHoursSerializer(serializers.Serializer[Any]):
    """From when until when mails that may wait do so; may go over midnight."""

    start = LocalTimeField()
    end = LocalTimeField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["start"] == attrs["end"]:
            raise serializers.ValidationError({"end": ["Choose another time than the start."]})
        return attrs


class NoticeSettingsData(serializers.Serializer[Any]):
    """`data` of the notice settings."""

    reminders = serializers.ListField(child=serializers.CharField(), help_text="The wanted ones, like `48h`.")
    offeredReminders = serializers.ListField(child=serializers.CharField())
    offeredChannels = ChannelSerializer(many=True)
    channels = ChosenChannelsSerializer()
    language = serializers.CharField(help_text="What messages are written in.")
    offeredLanguages = LanguageSerializer(many=True)
    quietHours = QuietHoursSerializer(allow_null=True)
    timeZone = serializers.CharField()
    calendarInvitations = serializers.BooleanField(help_text="Whether mails about appointments bring a calendar file.")


class UnsubscribedData(serializers.Serializer[Any]):
    """`data` of a stopped kind of mails."""

    kind = serializers.ChoiceField(choices=list(KINDS))


# --- What is taken ----------------------------------------------------------------------------


class NoticesQuery(PageQuery):
    """The query parameters of the bell's list."""

    unread = serializers.BooleanField(default=False)


@extend_schema_field({"type": "boolean", "const": True})
class AllField(serializers.BooleanField):
    """All of them: only a plain `true` will do."""

    default_error_messages = {"not_true": "Leave it out, or send true."}

    def to_internal_value(self, data: Any) -> bool:
        if data is not True:
            self.fail("not_true")
        return True


class ReadSerializer(serializers.Serializer[Any]):
    """Which notices were seen: some, or all."""

    ids = serializers.ListField(
        child=WholeNumberField(min_value=1, max_value=MAX_ID), max_length=MAX_IDS, required=False
    )
    all = AllField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("ids" in attrs) == ("all" in attrs):
            raise serializers.ValidationError({"ids": ["Name the notices, or send `all`."]})
        return attrs


class NoticeSettingsSerializer(serializers.Serializer[Any]):
    """What `PUT /api/auth/notice-settings` takes; what is absent stays."""

    reminders = serializers.ListField(child=LineField(max_length=8), max_length=20, required=False)
    channels = ChosenChannelsSerializer(required=False)
    language = serializers.ChoiceField(choices=list(dict(settings.LANGUAGES)), required=False)
    quietHours = QuietHoursSerializer(source="quiet_hours", required=False, allow_null=True)
    timeZone = TimeZoneField(source="time_zone", required=False)
    calendarInvitations = serializers.BooleanField(
        source="calendar_invitations",
        required=False,
        help_text="Off for people whose calendar reads the private feed; entries that are there are still updated.",
    )

    def validate_reminders(self, offsets: list[str]) -> list[str]:
        if not set(offsets) <= set(settings.REMINDERS):
            raise serializers.ValidationError("Choose among the offered reminders.")
        return offsets


class UnsubscribeQuery(serializers.Serializer[Any]):
    """What a mail's link to stop holds."""

    token = TokenField(max_length=400)
