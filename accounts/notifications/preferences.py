"""Notification preferences. Notices that law or safety requires ignore them."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.signing import Signer
from django.db import transaction
from django.utils import timezone

from accounts.audit.log import Action, record_event
from accounts.credentials.signed_links import read_token
from accounts.models import Notice, NoticeSettings, User
from accounts.notifications import registry
from accounts.notifications.channels import CHANNELS, list_channels
from accounts.notifications.languages import user_language
from accounts.notifications.registry import ALWAYS, EMAIL_CHANNEL, build_site_url
from config.api.errors import DomainError

# The kinds of notices that can be turned off, by their names in the API.
KINDS = {"changes": "appointment", "reminders": "reminder"}

UNSUBSCRIBE_SALT = "accounts.unsubscribe"

# When the subject of a notice is over, by type of subject; quiet hours don't delay a notice beyond that.
Deadline = Callable[[Notice], datetime | None]
deadlines: dict[str, Deadline] = {}
# A notice must arrive this long before its deadline.
DEADLINE_MARGIN = timedelta(hours=1)


def get_notice_settings(user_id: UUID) -> NoticeSettings:
    """Return a user's saved settings, or the defaults."""
    return NoticeSettings.objects.filter(pk=user_id).first() or NoticeSettings(user_id=user_id)


def serialize_settings(user: User) -> dict[str, Any]:
    """Return a user's settings for the API; channels that do not reach the user are not offered."""
    notice_settings = get_notice_settings(user.pk)
    has_quiet_hours = notice_settings.quiet_from is not None and notice_settings.quiet_until is not None
    channels = list_channels(user)
    return {
        "language": user_language(user),
        "offeredLanguages": [{"code": code, "name": name} for code, name in settings.LANGUAGES],
        "offeredChannels": [{"name": name, "label": CHANNELS[name].label} for name in channels],
        "channels": {
            name: [channel for channel in channels if is_enabled(notice_settings, kind, channel)]
            for name, kind in KINDS.items()
        },
        "reminders": list_chosen_reminders(notice_settings),
        "offeredReminders": list(settings.REMINDERS),
        "quietHours": {"start": notice_settings.quiet_from, "end": notice_settings.quiet_until}
        if has_quiet_hours
        else None,
        "timeZone": notice_settings.time_zone or settings.DEFAULT_TIME_ZONE,
        "calendarInvitations": notice_settings.invitations_off_since is None,
    }


def list_chosen_reminders(notice_settings: NoticeSettings) -> list[str]:
    """Return the offered reminders that are enabled, the earliest first."""
    return [
        offset
        for offset in settings.REMINDERS
        if notice_settings.reminders is None or offset in notice_settings.reminders
    ]


def list_reminders_by_user(user_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Return the enabled reminders of each user; channels are checked at delivery."""
    saved = NoticeSettings.objects.in_bulk(user_ids)
    return {user_id: set(list_chosen_reminders(saved.get(user_id) or NoticeSettings())) for user_id in user_ids}


def is_enabled(notice_settings: NoticeSettings, kind: str, channel: str) -> bool:
    """Return whether a kind of notices is enabled for a channel."""
    return kind not in notice_settings.channels or channel in notice_settings.channels[kind]


def update_settings(user: User, changes: Mapping[str, Any]) -> User:
    """Change the settings in `changes` and return the updated user; absent settings stay."""
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        notice_settings = get_notice_settings(user.pk)
        if "language" in changes:
            user.language = changes["language"]
            user.save(update_fields=["language"])
        if "reminders" in changes:
            notice_settings.reminders = list(changes["reminders"])
        for name, channels in changes.get("channels", {}).items():
            set_channels(notice_settings, user, KINDS[name], channels)
        if "quiet_hours" in changes:
            quiet = changes["quiet_hours"] or {}
            notice_settings.quiet_from, notice_settings.quiet_until = quiet.get("start"), quiet.get("end")
        if "time_zone" in changes:
            notice_settings.time_zone = changes["time_zone"]
        if "calendar_invitations" in changes:
            off_since = notice_settings.invitations_off_since or timezone.now()
            notice_settings.invitations_off_since = None if changes["calendar_invitations"] else off_since
        notice_settings.save()
        fields = sorted(changes)
        record_event("account.notices_changed", Action.UPDATE, "user", user.pk, actor=user, detail={"fields": fields})
    return user


def wants_invitation(user_id: UUID, created_at: datetime) -> bool:
    """Return whether emails to a user include the calendar file of an appointment created at this time.

    Turning invitations off does not affect earlier appointments: they are in the user's calendar already, and would
    stay there after a cancellation.
    """
    off_since = get_notice_settings(user_id).invitations_off_since
    return off_since is None or created_at < off_since


def set_channels(notice_settings: NoticeSettings, user: User, kind: str, channels: Iterable[str]) -> None:
    """Set the channels of a kind of notices; the choice stays for channels that don't reach the user now."""
    unreachable = set(notice_settings.channels.get(kind, ())) - {*list_channels(user)}
    notice_settings.channels = {**notice_settings.channels, kind: sorted({*channels} | unreachable)}


# --- Unsubscribe links (RFC 2369, RFC 8058) --------------------------------------------------------


def build_unsubscribe_headers(notice: Notice) -> Mapping[str, str]:
    """Return the headers for one-click unsubscribing from this kind of notices on this channel."""
    kind = registry.get_kind(notice.event)
    if kind == ALWAYS or kind not in KINDS.values():
        return {}
    token = Signer(salt=UNSUBSCRIBE_SALT).sign_object([notice.recipient_id.hex, kind, notice.channel])
    return {
        "List-Unsubscribe": f"<{build_site_url('/api/notices/unsubscribe?token=')}{token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def build_unsubscribe_url(token: str) -> str:
    """Return the URL of the page that asks for confirmation; opening it changes nothing."""
    return build_site_url(f"/unsubscribe?token={quote(token, safe=':')}")


def unsubscribe(token: str) -> str:
    """Turn off the kind and channel in a link; return the kind's name in the API. Raise `link_invalid`.

    These links never expire: emails are kept for years, and a link can only reduce email.
    """
    user_id, kind, channel = read_unsubscribe_token(token)
    with transaction.atomic():
        user = User.objects.present().locked().filter(pk=UUID(user_id)).first()
        name = next((name for name, value in KINDS.items() if value == kind), "")
        if user is None or not name:
            raise DomainError("link_invalid")
        notice_settings = get_notice_settings(user.pk)
        if is_enabled(notice_settings, kind, channel):
            channels = [
                other for other in list_channels(user) if other != channel and is_enabled(notice_settings, kind, other)
            ]
            set_channels(notice_settings, user, kind, channels)
            notice_settings.save()
            detail = {"off": kind, "channel": channel}
            record_event("account.notices_changed", Action.UPDATE, "user", user.pk, actor=None, detail=detail)
    return name


def read_unsubscribe_token(token: str) -> list[str]:
    """Return the user id, kind and channel in a link. The earliest links name no channel: they came by email."""
    try:
        return read_token(UNSUBSCRIBE_SALT, token, 3)
    except DomainError:
        return [*read_token(UNSUBSCRIBE_SALT, token, 2), EMAIL_CHANNEL]


# --- Delivery ---------------------------------------------------------------------------------------


def check_preferences(notice: Notice, now: datetime) -> bool | datetime:
    """Return whether to send a notice, or the end of the recipient's quiet hours; see `delivery.Gate`."""
    kind = registry.get_kind(notice.event)
    if kind == ALWAYS or notice.address:
        return True
    notice_settings = get_notice_settings(notice.recipient_id)
    if kind in KINDS.values() and not is_enabled(notice_settings, kind, notice.channel):
        return False
    end = get_quiet_hours_end(notice_settings, now)
    if end is None:
        return True
    get_deadline = deadlines.get(notice.subject_type)
    deadline = get_deadline(notice) if get_deadline else None
    can_wait = deadline is None or deadline <= now or end <= deadline - DEADLINE_MARGIN
    return end if can_wait else True


def get_quiet_hours_end(notice_settings: NoticeSettings, now: datetime) -> datetime | None:
    """Return when the current quiet hours end, or None outside of quiet hours."""
    start, end = notice_settings.quiet_from, notice_settings.quiet_until
    if start is None or end is None:
        return None
    zone = ZoneInfo(notice_settings.time_zone or settings.DEFAULT_TIME_ZONE)
    local = now.astimezone(zone)
    clock = local.time().replace(tzinfo=None)
    if not is_between(clock, start, end):
        return None
    # Quiet hours past midnight end on the next day if they started today.
    day = local.date() + timedelta(days=1 if start > end and clock >= start else 0)
    ends = datetime.combine(day, end, tzinfo=zone).astimezone(UTC)
    if ends <= now:
        # The hour repeats because the clocks go back; the second occurrence counts.
        ends = datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)
    return ends if ends > now else None


def is_between(clock: time, start: time, end: time) -> bool:
    """Return whether a time of day is in a half-open range that may include midnight."""
    return start <= clock < end if start < end else clock >= start or clock < end
