"""A new password by a mailed link, for those who have forgotten theirs.

Asking writes one row, known address or not; the delivery looks the user up. So neither the answer nor its
time tells which addresses are known.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.audit.log import Action, Outcome, current_address, record_event
from accounts.auth import login
from accounts.auth.sessions import PASSWORD_RESET, end_sessions
from accounts.calendar_feed import feed_gone, revoke_feed
from accounts.credentials import signed_links
from accounts.models import Notice, ResetRequest, User
from accounts.notifications.date_format import format_datetime
from accounts.notifications.outbox import notify_user
from accounts.notifications.rate_alerts import AlertThreshold
from accounts.notifications.registry import Message, get_contact_text, get_not_you_text, register_composer
from accounts.throttling.expensive_requests import set_anonymous_caller
from accounts.throttling.rate_limit import NetworkRateLimit
from config.api.errors import DATABASE_UNAVAILABLE
from config.db.raw_sql import skip_locked

logger = logging.getLogger(__name__)

REQUESTED = "password.reset_requested"
DONE = "account.password_reset"
GUESSED = "account.guessed"

per_account = NetworkRateLimit("reset-account", settings.MAX_PASSWORD_RESETS_PER_ACCOUNT)
per_address = NetworkRateLimit("reset-address", settings.MAX_PASSWORD_RESETS_PER_IP)
overall = AlertThreshold("reset-overall", settings.PASSWORD_RESET_ALERT_LIMIT)
# Tries with a link, from one network: each good one costs a hash.
uses = NetworkRateLimit("reset-use", settings.MAX_PASSWORD_RESETS_PER_IP)
# Looks at a link, from one network: its page asks when it is opened.
checks = NetworkRateLimit("reset-check", settings.MAX_PASSWORD_RESETS_PER_IP)

# However many networks ask: no mailbox is flooded, and the links that it has still work.
MAILS_PER_HOUR = 5


def request_reset(email: str, now: datetime) -> None:
    """Note that somebody wants a new password for a canonical address; raises `too_many`."""
    address = current_address.get()
    per_address.consume(address)
    per_account.consume(address, email)
    delay = overall.consume(address)
    with transaction.atomic():
        ResetRequest.objects.create(email=email, created_at=now, due_at=now + delay if delay else None)
        record_event("account.reset_requested", Action.EXECUTE, "user", None, actor=None)


def look_up_requests(now: datetime, limit: int = 200) -> int:
    """Find out whose the typed addresses are and put what to tell them into the outbox; return how many there were."""
    done = 0
    due = ResetRequest.objects.filter(Q(due_at=None) | Q(due_at__lte=now)).order_by("id")
    while done < limit and due.exists():
        with transaction.atomic():
            request = skip_locked(due).first()
            if request is None:
                break
            try:
                with transaction.atomic():
                    if request.kind == ResetRequest.Kind.GUESSED:
                        warn_owner(request)
                    else:
                        send_link(request, now)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception:
                # It goes too, or those who asked later would never get their link.
                logger.exception("A wish for a new password could not be looked up")
            request.delete()
        done += 1
    return done


def warn_owner(request: ResetRequest) -> None:
    """Notify the account of a guessed address, if there is one."""
    user = User.objects.active().locked().filter(email=request.email).first()
    if user is None:
        return
    detail = {"most": login.guesses.max_attempts}
    record_event(GUESSED, Action.EXECUTE, "user", user.pk, actor=None, outcome=Outcome.MINOR_FAILURE, detail=detail)
    notify_user(GUESSED, user, detail=detail)


def send_link(request: ResetRequest, now: datetime) -> None:
    """Put the link into the outbox of the user with that address, unless the request has expired."""
    user = User.objects.active().locked().filter(email=request.email).first()
    if user is None or now >= request.created_at + signed_links.PASSWORD_RESET.lasts:
        return
    lately = Notice.objects.filter(recipient=user, event=REQUESTED, created_at__gt=now - timedelta(hours=1))
    if lately.count() < MAILS_PER_HOUR:
        detail = {
            "asked": int(request.created_at.timestamp()),
            "digest": signed_links.digest_of(signed_links.PASSWORD_RESET, user),
        }
        notify_user(REQUESTED, user, detail=detail)
        # Somebody sits and waits for it: it goes before what was written since.
        Notice.objects.filter(recipient=user, event=REQUESTED, state=Notice.State.WAITING, attempts=0).update(
            due_at=request.created_at
        )


def reset_password(token: str, new: str, now: datetime) -> None:
    """Set a new password by a link and end every session; a waiting change of address is taken back.

    The calendar's address too: an intruder may have made it, and it asks for no password.

    Raises `link_invalid` where the link has been used meanwhile.
    """
    # Before the transaction: hashing takes its time, and SQLite has one writer.
    set_anonymous_caller(token)
    hashed = make_password(new)
    with transaction.atomic():
        user = signed_links.locked_person(signed_links.PASSWORD_RESET, token, now)
        user.password = hashed
        # An intruder who knew the old password may have asked for that address.
        user.pending_email = ""
        # The link came to this address.
        user.email_confirmed_at = user.email_confirmed_at or now
        user.save(update_fields=["password", "pending_email", "email_confirmed_at"])
        end_sessions(user.sessions.all(), PASSWORD_RESET, now)
        had_feed = revoke_feed(user, actor=user)
        record_event(DONE, Action.UPDATE, "user", user.pk, actor=user)
        notify_user(DONE, user, detail={"feed": had_feed})
    login.start_over(user, current_address.get())


def reset_requested(notice: Notice) -> Message | None:
    """Send the link, while it works."""
    purpose, user = signed_links.PASSWORD_RESET, notice.recipient
    asked = datetime.fromtimestamp(notice.detail["asked"], tz=timezone.get_default_timezone())
    ends = asked + purpose.lasts
    if not user.is_active or timezone.now() >= ends or not signed_links.stands(purpose, user, notice.detail["digest"]):
        return None
    return Message(
        subject=_("Choose a new password"),
        title=_("Choose a new password"),
        lines=(
            _("Someone, most likely you, asked for a new password for your account. Use the link below to set it."),
        ),
        facts=((_("Expires"), format_datetime(ends)), (_("Can be used"), _("Once"))),
        secret_action=(_("Choose a new password"), signed_links.link(purpose, user, asked, notice.detail["digest"])),
        closing=(_("If this wasn't you, you can ignore this email. Your password stays the same."),),
    )


def was_reset(notice: Notice) -> Message:
    """Notify the user that a link was used."""
    return Message(
        subject=_("Your password was reset"),
        title=_("Your password was reset"),
        lines=(
            _("Someone set a new password with the link we emailed you. You've been signed out everywhere."),
            *([feed_gone()] if notice.detail.get("feed") else []),
        ),
        facts=((_("When"), format_datetime(notice.created_at)),),
        action=(_("Sign in"), "/login"),
        closing=(
            get_not_you_text(),
            _("Please change the password of your email account, too."),
        ),
    )


def was_guessed(notice: Notice) -> Message:
    """Return the message to an owner whose password is being guessed, and what to do."""
    return Message(
        subject=_("Someone is trying to guess your password"),
        title=_("Someone is trying to guess your password"),
        lines=(
            _("There have been many failed attempts to sign in to your account."),
            _("New devices now wait up to a minute before each try. Devices you've used before don't."),
            _("You can make your account safer with a long password used only here, a passkey or two-step sign-in."),
        ),
        facts=((_("When"), format_datetime(notice.created_at)),),
        action=(_("View your profile"), "/profile"),
        closing=(_("If you mistyped your password yourself, you don't need to do anything."), get_contact_text()),
    )


def register_composers() -> None:
    """Name the composers of these events. A link that opens an account is for its mailbox alone."""
    register_composer(REQUESTED, reset_requested, is_email_only=True)
    register_composer(DONE, was_reset)
    register_composer(GUESSED, was_guessed)
