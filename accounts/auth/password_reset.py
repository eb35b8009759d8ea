"""Password reset by emailed links.

A request stores one row for known and unknown addresses alike, and the delivery looks for the user. So neither the
response nor its time reveals which addresses have accounts.
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
from accounts.calendar_feed import get_feed_revoked_text, revoke_feed
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

RESET_REQUESTED = "password.reset_requested"
RESET_DONE = "account.password_reset"
PASSWORD_GUESSED = "account.guessed"  # noqa: S105 - an event

account_limit = NetworkRateLimit("reset-account", settings.MAX_PASSWORD_RESETS_PER_ACCOUNT)
address_limit = NetworkRateLimit("reset-address", settings.MAX_PASSWORD_RESETS_PER_IP)
alert_threshold = AlertThreshold("reset-overall", settings.PASSWORD_RESET_ALERT_LIMIT)
# Uses of links per network; each valid one hashes a password.
confirmation_limit = NetworkRateLimit("reset-use", settings.MAX_PASSWORD_RESETS_PER_IP)
# Checks of links per network; the page makes one when it is opened.
check_limit = NetworkRateLimit("reset-check", settings.MAX_PASSWORD_RESETS_PER_IP)

# Per mailbox, from all networks together.
MAX_EMAILS_PER_HOUR = 5


def request_reset(email: str, now: datetime) -> None:
    """Store a request for a canonical address; raise `too_many`."""
    address = current_address.get()
    address_limit.consume(address)
    account_limit.consume(address, email)
    delay = alert_threshold.consume(address)
    with transaction.atomic():
        ResetRequest.objects.create(email=email, created_at=now, due_at=now + delay if delay else None)
        record_event("account.reset_requested", Action.EXECUTE, "user", None, actor=None)


def process_requests(now: datetime, limit: int = 200) -> int:
    """Notify the users of the requested addresses; return the number of requests."""
    count = 0
    due = ResetRequest.objects.filter(Q(due_at=None) | Q(due_at__lte=now)).order_by("id")
    while count < limit and due.exists():
        with transaction.atomic():
            request = skip_locked(due).first()
            if request is None:
                break
            try:
                with transaction.atomic():
                    if request.kind == ResetRequest.Kind.GUESSED:
                        notify_owner(request)
                    else:
                        send_reset_link(request, now)
            except DATABASE_UNAVAILABLE:
                raise
            except Exception:
                # Deleted as well, or it would block all later requests.
                logger.exception("A wish for a new password could not be looked up")
            request.delete()
        count += 1
    return count


def notify_owner(request: ResetRequest) -> None:
    """Notify the owner of a guessed address, if it has an account."""
    user = User.objects.active().locked().filter(email=request.email).first()
    if user is None:
        return
    detail = {"max_attempts": login.guess_limit.max_attempts}
    record_event(
        PASSWORD_GUESSED, Action.EXECUTE, "user", user.pk, actor=None, outcome=Outcome.MINOR_FAILURE, detail=detail
    )
    notify_user(PASSWORD_GUESSED, user, detail=detail)


def send_reset_link(request: ResetRequest, now: datetime) -> None:
    """Send the link to the user with that address, unless the request has expired."""
    user = User.objects.active().locked().filter(email=request.email).first()
    if user is None or now >= request.created_at + signed_links.PASSWORD_RESET.lifetime:
        return
    recent = Notice.objects.filter(recipient=user, event=RESET_REQUESTED, created_at__gt=now - timedelta(hours=1))
    if recent.count() < MAX_EMAILS_PER_HOUR:
        detail = {
            "asked": int(request.created_at.timestamp()),
            "digest": signed_links.compute_state_digest(signed_links.PASSWORD_RESET, user),
        }
        notify_user(RESET_REQUESTED, user, detail=detail)
        # The user is waiting for it, so it precedes later notices.
        Notice.objects.filter(recipient=user, event=RESET_REQUESTED, state=Notice.State.WAITING, attempts=0).update(
            due_at=request.created_at
        )


def reset_password(token: str, new: str, now: datetime) -> None:
    """Set a new password by a link, end all sessions, and revoke what an intruder may have left.

    That is a pending email address and the calendar feed. Raise `link_invalid` if the link was used meanwhile.
    """
    # Outside the transaction, because hashing is slow and SQLite has one writer.
    set_anonymous_caller(token)
    hashed = make_password(new)
    with transaction.atomic():
        user = signed_links.lock_link_user(signed_links.PASSWORD_RESET, token, now)
        user.password = hashed
        user.pending_email = ""
        # The link proves this mailbox.
        user.email_confirmed_at = user.email_confirmed_at or now
        user.save(update_fields=["password", "pending_email", "email_confirmed_at"])
        end_sessions(user.sessions.all(), PASSWORD_RESET, now)
        had_feed = revoke_feed(user, actor=user)
        record_event(RESET_DONE, Action.UPDATE, "user", user.pk, actor=user)
        notify_user(RESET_DONE, user, detail={"feed": had_feed})
    login.reset_attempts(user, current_address.get())


def compose_reset_link(notice: Notice) -> Message | None:
    """Return the message with the link, or None if it is invalid."""
    purpose, user, digest = signed_links.PASSWORD_RESET, notice.recipient, notice.detail["digest"]
    requested_at = datetime.fromtimestamp(notice.detail["asked"], tz=timezone.get_default_timezone())
    expires_at = requested_at + purpose.lifetime
    if not user.is_active or timezone.now() >= expires_at or not signed_links.is_state_unchanged(purpose, user, digest):
        return None
    return Message(
        subject=_("Choose a new password"),
        title=_("Choose a new password"),
        lines=(
            _("Someone, most likely you, asked for a new password for your account. Use the link below to set it."),
        ),
        facts=((_("Expires"), format_datetime(expires_at)), (_("Can be used"), _("Once"))),
        secret_action=(_("Choose a new password"), signed_links.build_link(purpose, user, requested_at, digest)),
        closing=(_("If this wasn't you, you can ignore this email. Your password stays the same."),),
    )


def compose_reset_done(notice: Notice) -> Message:
    return Message(
        subject=_("Your password was reset"),
        title=_("Your password was reset"),
        lines=(
            _("Someone set a new password with the link we emailed you. You've been signed out everywhere."),
            *([get_feed_revoked_text()] if notice.detail.get("feed") else []),
        ),
        facts=((_("When"), format_datetime(notice.created_at)),),
        action=(_("Sign in"), "/login"),
        closing=(
            get_not_you_text(),
            _("Please change the password of your email account, too."),
        ),
    )


def compose_password_guessed(notice: Notice) -> Message:
    """Return the message to a user whose password is being guessed."""
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
    register_composer(RESET_REQUESTED, compose_reset_link, is_email_only=True)
    register_composer(RESET_DONE, compose_reset_done)
    register_composer(PASSWORD_GUESSED, compose_password_guessed)
