"""What a person wants to be told, how and when. What the law or safety asks always goes, and at once."""

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
from accounts.credentials.signed_links import content_of
from accounts.models import Notice, NoticeSettings, User
from accounts.notifications import registry
from accounts.notifications.channels import CHANNELS, channels_to
from accounts.notifications.languages import user_language
from accounts.notifications.registry import ALWAYS, MAILBOX, site_link
from config.api.errors import DomainError

# What can be turned off, by its name on the wire.
KINDS = {"changes": "appointment", "reminders": "reminder"}

UNSUBSCRIBE = "accounts.unsubscribe"

# What a notice tells of is over at some moment; quiet hours don't keep it back beyond that. By the kind of subject.
Deadline = Callable[[Notice], datetime | None]
deadlines: dict[str, Deadline] = {}
# So long before, it must be read.
IN_TIME = timedelta(hours=1)


def settings_of(person_id: UUID) -> NoticeSettings:
    """Return a person's settings, or those of somebody who never chose."""
    return NoticeSettings.objects.filter(pk=person_id).first() or NoticeSettings(user_id=person_id)


def represent(user: User) -> dict[str, Any]:
    """Write a person's settings; channels that do not reach them are not offered."""
    chosen = settings_of(user.pk)
    quiet = chosen.quiet_from is not None and chosen.quiet_until is not None
    reach = channels_to(user)
    return {
        "language": user_language(user),
        "offeredLanguages": [{"code": code, "name": name} for code, name in settings.LANGUAGES],
        "offeredChannels": [{"name": name, "label": CHANNELS[name].label} for name in reach],
        "channels": {
            name: [channel for channel in reach if is_wanted(chosen, kind, channel)] for name, kind in KINDS.items()
        },
        "reminders": wanted_reminders(chosen),
        "offeredReminders": list(settings.REMINDERS),
        "quietHours": {"start": chosen.quiet_from, "end": chosen.quiet_until} if quiet else None,
        "timeZone": chosen.time_zone or settings.DEFAULT_TIME_ZONE,
        "calendarInvitations": chosen.invitations_off_since is None,
    }


def wanted_reminders(chosen: NoticeSettings) -> list[str]:
    """Return which of the offered reminders a person wants, the earliest first."""
    offered = settings.REMINDERS
    return [offset for offset in offered if chosen.reminders is None or offset in chosen.reminders]


def reminders_of(person_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Return which reminders each of these people wants; by which channels, the gate asks."""
    chosen = NoticeSettings.objects.in_bulk(person_ids)
    return {person_id: set(wanted_reminders(chosen.get(person_id) or NoticeSettings())) for person_id in person_ids}


def is_wanted(chosen: NoticeSettings, kind: str, channel: str) -> bool:
    """Return whether a person wants a kind of notices by a channel."""
    return kind not in chosen.channels or channel in chosen.channels[kind]


def change(user: User, changes: Mapping[str, Any]) -> User:
    """Change what is sent; what is absent stays. Answers the person as they are then."""
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        chosen = settings_of(user.pk)
        if "language" in changes:
            user.language = changes["language"]
            user.save(update_fields=["language"])
        if "reminders" in changes:
            chosen.reminders = list(changes["reminders"])
        for name, wanted in changes.get("channels", {}).items():
            choose(chosen, user, KINDS[name], wanted)
        if "quiet_hours" in changes:
            quiet = changes["quiet_hours"] or {}
            chosen.quiet_from, chosen.quiet_until = quiet.get("start"), quiet.get("end")
        if "time_zone" in changes:
            chosen.time_zone = changes["time_zone"]
        if "calendar_invitations" in changes:
            off_since = chosen.invitations_off_since or timezone.now()
            chosen.invitations_off_since = None if changes["calendar_invitations"] else off_since
        chosen.save()
        fields = sorted(changes)
        record_event("account.notices_changed", Action.UPDATE, "user", user.pk, actor=user, detail={"fields": fields})
    return user


def wants_invitation(person_id: UUID, created_at: datetime) -> bool:
    """Return whether mails to a person bring the calendar file of something that was created at this moment.

    Turning invitations off leaves alone what was created before: its entry is in the person's calendar already, and
    without later files it would stay there even after a cancellation.
    """
    off_since = settings_of(person_id).invitations_off_since
    return off_since is None or created_at < off_since


def choose(chosen: NoticeSettings, user: User, kind: str, wanted: Iterable[str]) -> None:
    """Keep by which channels a kind is wanted. What was chosen for those that don't reach the person now stays."""
    unseen = set(chosen.channels.get(kind, ())) - {*channels_to(user)}
    chosen.channels = {**chosen.channels, kind: sorted({*wanted} | unseen)}


# --- Stop by a link in the mail (RFC 2369, RFC 8058) ----------------------------------------------


def how_to_stop(notice: Notice) -> Mapping[str, str]:
    """Make the headers by which a mail program stops this kind of mails with one press, and other channels' links."""
    kind = registry.kind_of(notice.event)
    if kind == ALWAYS or kind not in KINDS.values():
        return {}
    token = Signer(salt=UNSUBSCRIBE).sign_object([notice.recipient_id.hex, kind, notice.channel])
    return {
        "List-Unsubscribe": f"<{site_link('/api/notices/unsubscribe?token=')}{token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def unsubscribe_page(token: str) -> str:
    """Return the page that asks whether one really wants to; looking at it stops nothing."""
    return site_link(f"/unsubscribe?token={quote(token, safe=':')}")


def unsubscribe(token: str) -> str:
    """Turn off what the link names, by the channel that it came by; return its name on the wire.

    Raises `link_invalid`.

    Such a link does not end: mails lie about for years, and the most it does is less mail.
    """
    person_id, kind, channel = content_of_stop(token)
    with transaction.atomic():
        user = User.objects.present().locked().filter(pk=UUID(person_id)).first()
        name = next((name for name, known in KINDS.items() if known == kind), "")
        if user is None or not name:
            raise DomainError("link_invalid")
        chosen = settings_of(user.pk)
        if is_wanted(chosen, kind, channel):
            left = [one for one in channels_to(user) if one != channel and is_wanted(chosen, kind, one)]
            choose(chosen, user, kind, left)
            chosen.save()
            detail = {"off": kind, "channel": channel}
            record_event("account.notices_changed", Action.UPDATE, "user", user.pk, actor=None, detail=detail)
    return name


def content_of_stop(token: str) -> list[str]:
    """Return whom, what and which channel a link to stop names. The first ones named none: they came by mail."""
    try:
        return content_of(UNSUBSCRIBE, token, 3)
    except DomainError:
        return [*content_of(UNSUBSCRIBE, token, 2), MAILBOX]


# --- Asked by the delivery ------------------------------------------------------------------------


def gate(notice: Notice, now: datetime) -> bool | datetime:
    """Let a notice go, drop it, or have it wait until the person's quiet hours are over."""
    kind = registry.kind_of(notice.event)
    if kind == ALWAYS or notice.address:
        return True
    chosen = settings_of(notice.recipient_id)
    if kind in KINDS.values() and not is_wanted(chosen, kind, notice.channel):
        return False
    ends = quiet_until(chosen, now)
    if ends is None:
        return True
    deadline = deadlines.get(notice.subject_type, never)(notice)
    # What is over may wait too.
    can_wait = deadline is None or deadline <= now or ends <= deadline - IN_TIME
    return ends if can_wait else True


def never(notice: Notice) -> datetime | None:
    """Return that a notice may wait for as long as it takes."""
    return None


def quiet_until(chosen: NoticeSettings, now: datetime) -> datetime | None:
    """Return when the quiet hours that are now end, or None outside them."""
    start, end = chosen.quiet_from, chosen.quiet_until
    if start is None or end is None:
        return None
    zone = ZoneInfo(chosen.time_zone or settings.DEFAULT_TIME_ZONE)
    local = now.astimezone(zone)
    clock = local.time().replace(tzinfo=None)
    if not is_between(clock, start, end):
        return None
    # Over midnight: the end is on the next day if the start has passed.
    day = local.date() + timedelta(days=1 if start > end and clock >= start else 0)
    ends = datetime.combine(day, end, tzinfo=zone).astimezone(UTC)
    if ends <= now:
        # The clocks go back, and that end came before the hour that comes twice: it counts when it comes again.
        ends = datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)
    return ends if ends > now else None


def is_between(clock: time, start: time, end: time) -> bool:
    """Return whether a time of day lies in hours that may go over midnight; the end is outside."""
    return start <= clock < end if start < end else clock >= start or clock < end
