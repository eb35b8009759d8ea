"""What a person wants to be told by mail, and when. What the law or safety asks always goes, and at once."""

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.signing import Signer
from django.db import transaction

from accounts import messages
from accounts.links import content_of
from accounts.message_models import NoticeSettings
from accounts.messages import ALWAYS, site_link
from accounts.models import Notice, User
from accounts.trail import Action, record
from config.errors import RuleBroken

# What can be turned off, by its name on the wire.
KINDS = {"changes": "appointment", "reminders": "reminder"}

UNSUBSCRIBE = "accounts.unsubscribe"

# What a notice tells of is over at some moment; quiet hours don't keep it back beyond that. By the kind of subject.
Deadline = Callable[[Notice], datetime | None]
deadlines: dict[str, Deadline] = {}
# So long before, it must be read.
IN_TIME = timedelta(hours=1)


def settings_of(person_id: UUID) -> NoticeSettings:
    """Answer a person's settings, or those of somebody who never chose."""
    return NoticeSettings.objects.filter(pk=person_id).first() or NoticeSettings(user_id=person_id)


def represent(chosen: NoticeSettings) -> dict[str, Any]:
    """Write a person's settings."""
    quiet = chosen.quiet_from is not None and chosen.quiet_until is not None
    return {
        "reminders": wanted_reminders(chosen),
        "offeredReminders": list(settings.REMINDERS),
        "optional": {name: kind not in chosen.off for name, kind in KINDS.items()},
        "quietHours": {"start": chosen.quiet_from, "end": chosen.quiet_until} if quiet else None,
        "timeZone": chosen.time_zone or settings.DEFAULT_TIME_ZONE,
    }


def wanted_reminders(chosen: NoticeSettings) -> list[str]:
    """Answer which of the offered reminders a person wants, the earliest first."""
    offered = settings.REMINDERS
    return [offset for offset in offered if chosen.reminders is None or offset in chosen.reminders]


def reminders_of(person_ids: Collection[UUID]) -> dict[UUID, set[str]]:
    """Answer which reminders each of these people wants; none, where that kind of mails is off."""
    chosen = NoticeSettings.objects.in_bulk(person_ids)
    wanted = {person_id: wanted_reminders(chosen.get(person_id) or NoticeSettings()) for person_id in person_ids}
    off = {person_id for person_id, one in chosen.items() if KINDS["reminders"] in one.off}
    return {person_id: set() if person_id in off else set(offsets) for person_id, offsets in wanted.items()}


def change(user: User, changes: Mapping[str, Any]) -> NoticeSettings:
    """Change what is sent; what is absent stays."""
    with transaction.atomic():
        chosen = locked(user)
        if "reminders" in changes:
            chosen.reminders = list(changes["reminders"])
        for name, wanted in changes.get("optional", {}).items():
            turn(chosen, KINDS[name], wanted=wanted)
        if "quiet_hours" in changes:
            quiet = changes["quiet_hours"] or {}
            chosen.quiet_from, chosen.quiet_until = quiet.get("start"), quiet.get("end")
        if "time_zone" in changes:
            chosen.time_zone = changes["time_zone"]
        chosen.save()
        fields = sorted(changes)
        record("account.notices_changed", Action.UPDATE, "user", user.pk, by=user, detail={"fields": fields})
    return chosen


def locked(user: User) -> NoticeSettings:
    """Answer a person's settings with the person's row locked, so that two changes at once don't undo each other."""
    User.objects.select_for_update().get(pk=user.pk)
    return settings_of(user.pk)


def turn(chosen: NoticeSettings, kind: str, *, wanted: bool) -> None:
    """Turn a kind of notices on or off."""
    chosen.off = sorted({*chosen.off} - {kind} if wanted else {*chosen.off, kind})


# --- Stop by a link in the mail (RFC 2369, RFC 8058) ----------------------------------------------


def how_to_stop(notice: Notice) -> Mapping[str, str]:
    """Make the headers by which a mail program stops this kind of mails with one press."""
    kind = messages.kind_of(notice.event)
    if kind == ALWAYS or kind not in KINDS.values():
        return {}
    token = Signer(salt=UNSUBSCRIBE).sign_object([notice.recipient_id.hex, kind])
    return {
        "List-Unsubscribe": f"<{site_link('/api/notices/unsubscribe?token=')}{token}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def unsubscribe_page(token: str) -> str:
    """Answer the page that asks whether one really wants to; looking at it stops nothing."""
    return site_link(f"/unsubscribe?token={quote(token, safe=':')}")


def unsubscribe(token: str) -> str:
    """Turn off what the link names; answers its name on the wire. Raises `link_invalid`.

    Such a link does not end: mails lie about for years, and the most it does is less mail.
    """
    person_id, kind = content_of(UNSUBSCRIBE, token, 2)
    with transaction.atomic():
        user = User.objects.present().select_for_update().filter(pk=UUID(person_id)).first()
        name = next((name for name, known in KINDS.items() if known == kind), "")
        if user is None or not name:
            raise RuleBroken("link_invalid")
        chosen = settings_of(user.pk)
        if kind not in chosen.off:
            turn(chosen, kind, wanted=False)
            chosen.save()
            record("account.notices_changed", Action.UPDATE, "user", user.pk, by=None, detail={"off": kind})
    return name


# --- Asked by the delivery ------------------------------------------------------------------------


def gate(notice: Notice, now: datetime) -> bool | datetime:
    """Let a notice go, drop it, or have it wait until the person's quiet hours are over."""
    kind = messages.kind_of(notice.event)
    if kind == ALWAYS or notice.address:
        return True
    chosen = settings_of(notice.recipient_id)
    if kind in chosen.off:
        return False
    ends = quiet_until(chosen, now)
    if ends is None:
        return True
    deadline = deadlines.get(notice.subject_type, never)(notice)
    # What is over may wait too.
    can_wait = deadline is None or deadline <= now or ends <= deadline - IN_TIME
    return ends if can_wait else True


def never(notice: Notice) -> datetime | None:
    """Answer that a notice may wait for as long as it takes."""
    return None


def quiet_until(chosen: NoticeSettings, now: datetime) -> datetime | None:
    """Answer when the quiet hours that are now end, or None outside them."""
    start, end = chosen.quiet_from, chosen.quiet_until
    if start is None or end is None:
        return None
    zone = ZoneInfo(chosen.time_zone or settings.DEFAULT_TIME_ZONE)
    local = now.astimezone(zone)
    clock = local.time().replace(tzinfo=None)
    if not is_between(clock, start, end):
        return None
    # Over midnight: the end is on the next day for whoever is still before it.
    day = local.date() + timedelta(days=1 if start > end and clock >= start else 0)
    ends = datetime.combine(day, end, tzinfo=zone).astimezone(UTC)
    if ends <= now:
        # The clocks go back, and that end came before the hour that comes twice: it counts when it comes again.
        ends = datetime.combine(day, end, tzinfo=zone).replace(fold=1).astimezone(UTC)
    return ends if ends > now else None


def is_between(clock: time, start: time, end: time) -> bool:
    """Tell whether a time of day lies in hours that may go over midnight; the end is outside."""
    return start <= clock < end if start < end else clock >= start or clock < end
