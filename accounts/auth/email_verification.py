"""Confirmation of email addresses by emailed links: the registered address, and a new one before it is used."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.audit.log import Action, current_address, record_event
from accounts.credentials import signed_links
from accounts.models import Notice, User
from accounts.notifications.date_format import format_datetime
from accounts.notifications.outbox import notify_user
from accounts.notifications.registry import Message, get_not_you_text, register_composer
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from config.api.errors import REGISTRY, DomainError

CONFIRMATION_SENT = "email.confirmation_sent"
OWN_CONFIRMATION_SENT = "email.own_confirmation_sent"
EMAIL_CHANGED = "email.changed"

confirmation_limit = NetworkRateLimit("email-confirm", settings.MAX_PASSWORD_RESETS_PER_IP)
# Per user, for all addresses together, counted in the outbox.
MAX_LINKS_PER_HOUR = 5
# Per mailbox, for all accounts together, because it may belong to somebody else.
mailbox_limit = RateLimit("email-link", 3)


def send_new_email_link(user: User, now: datetime) -> None:
    """Send the link to the pending address; raise `too_many`. The user's row must be locked.

    If the address belongs to another account, its owner is notified instead. Only the delivery finds out, so that
    neither the response nor its time reveals which addresses have accounts.
    """
    check_link_limit(user, now)
    mailbox_limit.consume(user.pending_email)
    notify_user(
        CONFIRMATION_SENT,
        user,
        address=user.pending_email,
        detail={"digest": signed_links.compute_state_digest(signed_links.NEW_EMAIL, user)},
    )


def check_link_limit(user: User, now: datetime) -> None:
    """Raise `too_many`, with the seconds to wait, if the user was sent `MAX_LINKS_PER_HOUR` within an hour."""
    hour = timedelta(hours=1)
    # One query per event, so that the index applies.
    sent_at = [
        created_at
        for event in (CONFIRMATION_SENT, OWN_CONFIRMATION_SENT)
        for created_at in Notice.objects.filter(
            event=event, subject_type="user", subject_id=str(user.pk), created_at__gt=now - hour
        ).values_list("created_at", flat=True)
    ]
    if len(sent_at) >= MAX_LINKS_PER_HOUR:
        available_at = sorted(sent_at)[-MAX_LINKS_PER_HOUR] + hour
        raise DomainError("too_many", retry_after=max(1, int((available_at - now).total_seconds()) + 1))


def resend_own_email_link(user: User, now: datetime) -> None:
    """Resend the link to the current address; raise `email_confirmed` or `too_many`."""
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        if user.email_confirmed_at is not None:
            raise DomainError("email_confirmed")
        check_link_limit(user, now)
        notify_user(
            OWN_CONFIRMATION_SENT,
            user,
            detail={"digest": signed_links.compute_state_digest(signed_links.OWN_EMAIL, user)},
        )
        record_event("account.email_link_sent", Action.EXECUTE, "user", user.pk, actor=user)


def resend_new_email_link(user: User, now: datetime) -> None:
    """Resend the link to the pending address; raise `no_pending_email` or `too_many`."""
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        if not user.pending_email:
            raise DomainError("no_pending_email")
        send_new_email_link(user, now)
        record_event("account.email_link_sent", Action.EXECUTE, "user", user.pk, actor=user)


def confirm_email(token: str, now: datetime) -> User:
    """Confirm an address by a link; return the user. The old address is notified of a change.

    Raise `link_invalid`, or `email_taken` if another account has taken the address since.
    """
    confirmation_limit.consume(current_address.get())
    with transaction.atomic():
        try:
            user = signed_links.lock_link_user(signed_links.NEW_EMAIL, token, now)
        except DomainError:
            return confirm_own_email(token, now)
        if User.objects.filter(email=user.pending_email).exists():
            raise DomainError("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
        notify_user(EMAIL_CHANGED, user, address=user.email)
        user.email, user.pending_email, user.email_confirmed_at = user.pending_email, "", now
        user.save(update_fields=["email", "pending_email", "email_confirmed_at"])
        record_event("account.email_changed", Action.UPDATE, "user", user.pk, actor=user)
    return user


def confirm_own_email(token: str, now: datetime) -> User:
    """Confirm the current address, if it is not confirmed yet."""
    user = signed_links.lock_link_user(signed_links.OWN_EMAIL, token, now)
    if user.email_confirmed_at is None:
        user.email_confirmed_at = now
        user.save(update_fields=["email_confirmed_at"])
        record_event("account.email_confirmed", Action.UPDATE, "user", user.pk, actor=user)
    return user


def cancel_email_change(user: User) -> None:
    """Cancel a pending change of address, if there is one, and invalidate its link."""
    with transaction.atomic():
        user = User.objects.locked().get(pk=user.pk)
        if user.pending_email:
            user.pending_email = ""
            user.save(update_fields=["pending_email"])
            record_event("account.email_change_withdrawn", Action.UPDATE, "user", user.pk, actor=user)


def compose_new_email_link(notice: Notice) -> Message | None:
    """Return the message to the new address, or to the account that has it already; None if the link is outdated."""
    user = notice.recipient
    if (
        not user.pending_email
        or notice.address != user.pending_email
        or not signed_links.is_state_unchanged(signed_links.NEW_EMAIL, user, notice.detail["digest"])
        or is_link_outdated(notice, signed_links.NEW_EMAIL)
    ):
        return None
    if find_user(notice.address) is not None:
        return compose_email_in_use()
    expires_at = notice.created_at + signed_links.NEW_EMAIL.lifetime
    link = signed_links.build_link(signed_links.NEW_EMAIL, user, notice.created_at)
    return Message(
        subject=_("Confirm your new email address"),
        title=_("Is this your email address?"),
        lines=(
            _("Someone, most likely you, wants to use this address for an account at {site}.").format(
                site=settings.SITE_NAME
            ),
            _("It replaces your old address as soon as you confirm it."),
        ),
        facts=((_("Confirm by"), format_datetime(expires_at)),),
        secret_action=(_("Confirm this address"), link),
        closing=(_("If this wasn't you, you can ignore this email. We won't use this address."),),
    )


def find_user(address: str) -> User | None:
    return User.objects.filter(email=address).first()


def compose_email_in_use() -> Message:
    """Return the message to the owner of an address that was requested for another account."""
    return Message(
        subject=_("Someone tried to use your email address"),
        title=_("Someone tried to use your email address"),
        lines=(
            _("Someone asked to change their account at {site} to this email address, which your account uses.").format(
                site=settings.SITE_NAME
            ),
            _("Nothing has changed. They can't see your account and weren't told that you have one."),
        ),
        action=(_("Sign in"), "/login"),
        closing=(
            _("If this was you, sign in with this address, or choose another one for your other account."),
            _("If this wasn't you, you don't need to do anything."),
        ),
    )


def compose_own_email_link(notice: Notice) -> Message | None:
    """Return the message with a new link to confirm the current address; None if it is outdated."""
    user = notice.recipient
    if (
        user.email_confirmed_at is not None
        or not signed_links.is_state_unchanged(signed_links.OWN_EMAIL, user, notice.detail["digest"])
        or is_link_outdated(notice, signed_links.OWN_EMAIL)
    ):
        return None
    return Message(
        subject=_("Confirm your email address"),
        title=_("Is this your email address?"),
        lines=(_("You asked for a new link to confirm that our emails reach you here."),),
        facts=((_("Confirm by"), format_datetime(notice.created_at + signed_links.OWN_EMAIL.lifetime)),),
        secret_action=(
            _("Confirm your email address"),
            signed_links.build_link(signed_links.OWN_EMAIL, user, notice.created_at, notice.detail["digest"]),
        ),
        closing=(_("If this wasn't you, you can ignore this email."),),
    )


def is_link_outdated(notice: Notice, purpose: signed_links.Purpose) -> bool:
    """Return whether the link of a notice has expired or a newer one was requested."""
    newer = Notice.objects.filter(
        event=notice.event, subject_type="user", subject_id=notice.subject_id, version__gt=notice.version
    )
    return timezone.now() >= notice.created_at + purpose.lifetime or newer.exists()


def compose_email_changed(notice: Notice) -> Message:
    """Return the message to the former address."""
    return Message(
        subject=_("Your email address was changed"),
        title=_("Your email address was changed"),
        lines=(_("Your account now uses a different address. We no longer email this one."),),
        facts=((_("When"), format_datetime(notice.created_at)),),
        closing=(get_not_you_text(),),
    )


def register_composers() -> None:
    register_composer(
        CONFIRMATION_SENT,
        compose_new_email_link,
        is_email_only=True,
        reader=lambda notice: find_user(notice.address) or notice.recipient,
    )
    register_composer(OWN_CONFIRMATION_SENT, compose_own_email_link, is_email_only=True)
    register_composer(EMAIL_CHANGED, compose_email_changed)
