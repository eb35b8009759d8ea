"""Serializers of notifications and their settings."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.authentication import get_user
from accounts.notifications.channels import list_channels
from accounts.notifications.preferences import KINDS
from accounts.text.fields import LineField, TimeZoneField, TokenField
from config.api.fields import InstantField, LocalTimeField, WholeNumberField
from config.api.pagination import PageQuery, PaginationSerializer

# The largest id that the database can store.
MAX_ID = 2**63 - 1
MAX_IDS = 100


# --- Responses ----------------------------------------------------------------------------------


class FactSerializer(serializers.Serializer[Any]):
    """A name and its value."""

    name = serializers.CharField()
    value = serializers.CharField()


class NoticeSerializer(serializers.Serializer[Any]):
    """A notification as the app shows it."""

    _id = serializers.IntegerField()
    event = serializers.CharField(help_text="What happened, like `appointment.confirmed`.")
    title = serializers.CharField()
    lines = serializers.ListField(child=serializers.CharField(), help_text="Paragraphs of plain text.")
    facts = FactSerializer(many=True)
    path = serializers.CharField(allow_null=True, help_text="The page to open, or null.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field of the wire, not the serializer's own label
        allow_null=True, help_text="The label of the link to `path`."
    )
    at = InstantField()
    read = serializers.BooleanField()
    language = serializers.CharField(help_text="The language of the texts, like `de`.")


class NoticesData(serializers.Serializer[Any]):
    """`data` of a page of notifications. Outdated ones are left out, so a page may be shorter than its size."""

    notices = NoticeSerializer(many=True)
    pagination = PaginationSerializer()


class UnreadData(serializers.Serializer[Any]):
    """`data` of the unread notifications."""

    unread = serializers.IntegerField(help_text="Counting stops at 100.")
    latest = NoticeSerializer(allow_null=True, help_text="The newest unread notice.")


class LanguageSerializer(serializers.Serializer[Any]):
    """A language of messages."""

    code = serializers.CharField()
    name = serializers.CharField(help_text="Its name in the language itself.")


class ChannelSerializer(serializers.Serializer[Any]):
    """A channel that reaches the user, in addition to the app."""

    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field of the wire, not the serializer's own label


def build_channels_field(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=LineField(max_length=12), max_length=20, required=False, help_text=help_text)


class ChosenChannelsSerializer(serializers.Serializer[Any]):
    """The enabled channels of each kind of notifications; absent kinds stay as they are."""

    changes = build_channels_field("Appointments booked, confirmed, moved and ended.")
    reminders = build_channels_field("Reminders before an appointment.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        offered = set(list_channels(get_user(self.context["request"])))
        errors = {name: ["Choose among the offered channels."] for name in attrs if not set(attrs[name]) <= offered}
        if errors:
            raise serializers.ValidationError(errors)
        return attrs


class QuietHoursSerializer(serializers.Serializer[Any]):
    """When emails that can wait are delayed; may include midnight."""

    start = LocalTimeField()
    end = LocalTimeField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["start"] == attrs["end"]:
            raise serializers.ValidationError({"end": ["Choose another time than the start."]})
        return attrs


class NoticeSettingsData(serializers.Serializer[Any]):
    """`data` of the notification settings."""

    reminders = serializers.ListField(child=serializers.CharField(), help_text="The enabled reminders, like `48h`.")
    offeredReminders = serializers.ListField(child=serializers.CharField())
    offeredChannels = ChannelSerializer(many=True)
    channels = ChosenChannelsSerializer()
    language = serializers.CharField(help_text="The language of messages.")
    offeredLanguages = LanguageSerializer(many=True)
    quietHours = QuietHoursSerializer(allow_null=True)
    timeZone = serializers.CharField()
    calendarInvitations = serializers.BooleanField(
        help_text="Whether emails about appointments include a calendar file."
    )


class UnsubscribedData(serializers.Serializer[Any]):
    """`data` of an unsubscribed kind of notifications."""

    kind = serializers.ChoiceField(choices=list(KINDS))


# --- Requests -----------------------------------------------------------------------------------


class NoticesQuery(PageQuery):
    """The query parameters of the list of notifications."""

    unread = serializers.BooleanField(default=False)


@extend_schema_field({"type": "boolean", "const": True})
class AllField(serializers.BooleanField):
    """A boolean that accepts only `true`."""

    default_error_messages = {"not_true": "Leave it out, or send true."}

    def to_internal_value(self, data: Any) -> bool:
        if data is not True:
            self.fail("not_true")
        return True


class ReadSerializer(serializers.Serializer[Any]):
    """The notifications to mark as read: some, or all."""

    ids = serializers.ListField(
        child=WholeNumberField(min_value=1, max_value=MAX_ID), max_length=MAX_IDS, required=False
    )
    all = AllField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("ids" in attrs) == ("all" in attrs):
            raise serializers.ValidationError({"ids": ["Name the notices, or send `all`."]})
        return attrs


class NoticeSettingsSerializer(serializers.Serializer[Any]):
    """The body of `PUT /api/auth/notice-settings`; absent settings stay as they are."""

    reminders = serializers.ListField(child=LineField(max_length=8), max_length=20, required=False)
    channels = ChosenChannelsSerializer(required=False)
    language = serializers.ChoiceField(choices=list(dict(settings.LANGUAGES)), required=False)
    quietHours = QuietHoursSerializer(source="quiet_hours", required=False, allow_null=True)
    timeZone = TimeZoneField(source="time_zone", required=False)
    calendarInvitations = serializers.BooleanField(
        source="calendar_invitations",
        required=False,
        help_text="Off for users whose calendar reads the private feed; existing entries are still updated.",
    )

    def validate_reminders(self, offsets: list[str]) -> list[str]:
        if not set(offsets) <= set(settings.REMINDERS):
            raise serializers.ValidationError("Choose among the offered reminders.")
        return offsets


class UnsubscribeQuery(serializers.Serializer[Any]):
    """The query parameter of an unsubscribe link."""

    token = TokenField(max_length=400)
