"""Confirm email addresses from their mailboxes: that of a registration, and a new one before it is used."""

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

LINK = "email.confirmation_sent"
OWN_LINK = "email.own_confirmation_sent"
CHANGED = "email.changed"

uses = NetworkRateLimit("email-confirm", settings.MAX_PASSWORD_RESETS_PER_IP)
# So many links a person may have mailed within an hour, whatever the addresses; what the outbox holds is counted.
LINKS_PER_HOUR = 5
# So many one mailbox gets in a quarter of an hour, however many accounts name it: it may be a stranger's.
to_mailbox = RateLimit("email-link", 3)


def send_link_to_new(user: User, now: datetime) -> None:
    """Mail the link to the address that waits, with the person's row locked; raises `too_many`.

    The mail to an address that has an account tells its owner instead. Which it is, the delivery finds out: until then
    both are the same row, so that neither the response nor its time tells.
    """
    check_links(user, now)
    to_mailbox.consume(user.pending_email)
    notify_user(
        LINK, user, address=user.pending_email, detail={"digest": signed_links.digest_of(signed_links.NEW_EMAIL, user)}
    )


def check_links(user: User, now: datetime) -> None:
    """Raise `too_many`, with the seconds to wait, where a person had enough links mailed within the hour."""
    hour = timedelta(hours=1)
    # Each event by itself, so that an index leads to the few rows of this person and event.
    sent = [
        moment
        for event in (LINK, OWN_LINK)
        for moment in Notice.objects.filter(
            event=event, subject_type="user", subject_id=str(user.pk), created_at__gt=now - hour
        ).values_list("created_at", flat=True)
    ]
    if len(sent) >= LINKS_PER_HOUR:
        free_again = sorted(sent)[-LINKS_PER_HOUR] + hour
        raise DomainError("too_many", retry_after=max(1, int((free_again - now).total_seconds()) + 1))


def resend_own(user: User, now: datetime) -> None:
    """Mail the link to the address in use once more; raises `email_confirmed` and `too_many`."""
    with transaction.atomic():
        person = User.objects.locked().get(pk=user.pk)
        if person.email_confirmed_at is not None:
            raise DomainError("email_confirmed")
        check_links(person, now)
        notify_user(OWN_LINK, person, detail={"digest": signed_links.digest_of(signed_links.OWN_EMAIL, person)})
        record_event("account.email_link_sent", Action.EXECUTE, "user", person.pk, actor=person)


def resend_new(user: User, now: datetime) -> None:
    """Mail the link to the address that waits once more; raises `no_pending_email` and `too_many`."""
    with transaction.atomic():
        person = User.objects.locked().get(pk=user.pk)
        if not person.pending_email:
            raise DomainError("no_pending_email")
        send_link_to_new(person, now)
        record_event("account.email_link_sent", Action.EXECUTE, "user", person.pk, actor=person)


def confirm(token: str, now: datetime) -> User:
    """Use a link; return the person. A waiting address becomes the one in use, and the old one is told.

    Raises `link_invalid`, and `email_taken` where somebody else has the address by now.
    """
    uses.consume(current_address.get())
    with transaction.atomic():
        try:
            user = signed_links.locked_person(signed_links.NEW_EMAIL, token, now)
        except DomainError:
            return confirm_own(token, now)
        if User.objects.filter(email=user.pending_email).exists():
            raise DomainError("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
        notify_user(CHANGED, user, address=user.email)
        user.email, user.pending_email, user.email_confirmed_at = user.pending_email, "", now
        user.save(update_fields=["email", "pending_email", "email_confirmed_at"])
        record_event("account.email_changed", Action.UPDATE, "user", user.pk, actor=user)
    return user


def confirm_own(token: str, now: datetime) -> User:
    """Note that the address in use is the person's; a second press changes nothing."""
    user = signed_links.locked_person(signed_links.OWN_EMAIL, token, now)
    if user.email_confirmed_at is None:
        user.email_confirmed_at = now
        user.save(update_fields=["email_confirmed_at"])
        record_event("account.email_confirmed", Action.UPDATE, "user", user.pk, actor=user)
    return user


def withdraw(user: User) -> None:
    """Take back a waiting change of address; its link is dead. Without one nothing happens."""
    with transaction.atomic():
        person = User.objects.locked().get(pk=user.pk)
        if person.pending_email:
            person.pending_email = ""
            person.save(update_fields=["pending_email"])
            record_event("account.email_change_withdrawn", Action.UPDATE, "user", person.pk, actor=person)


def confirmation(notice: Notice) -> Message | None:
    """Ask the new address whether it is the right one, or tell whose it is already; None once that is settled."""
    user = notice.recipient
    if (
        not user.pending_email
        or notice.address != user.pending_email
        or not signed_links.stands(signed_links.NEW_EMAIL, user, notice.detail["digest"])
        or is_over(notice, signed_links.NEW_EMAIL)
    ):
        return None
    if account_at(notice.address) is not None:
        return already_yours()
    ends = notice.created_at + signed_links.NEW_EMAIL.lasts
    return Message(
        subject=_("Confirm your new email address"),
        title=_("Is this your email address?"),
        lines=(
            _("Someone, most likely you, wants to use this address for a Wellhour account."),
            _("It replaces your old address as soon as you confirm it."),
        ),
        facts=((_("Confirm by"), format_datetime(ends)),),
        secret_action=(_("Confirm this address"), signed_links.link(signed_links.NEW_EMAIL, user, notice.created_at)),
        closing=(_("If this wasn't you, you can ignore this email. We won't use this address."),),
    )


def account_at(address: str) -> User | None:
    """Return the account that has an address."""
    return User.objects.filter(email=address).first()


def already_yours() -> Message:
    """Return the message to the owner of an address: somebody wanted it for another account."""
    return Message(
        subject=_("Someone tried to use your email address"),
        title=_("Someone tried to use your email address"),
        lines=(
            _("Someone asked to change their Wellhour account to this email address, which your account uses."),
            _("Nothing has changed. They can't see your account and weren't told that you have one."),
        ),
        action=(_("Sign in"), "/login"),
        closing=(
            _("If this was you, sign in with this address, or choose another one for your other account."),
            _("If this wasn't you, you don't need to do anything."),
        ),
    )


def own_confirmation(notice: Notice) -> Message | None:
    """Send the welcome's link once more; None once the address is confirmed or another one is in use."""
    user = notice.recipient
    if (
        user.email_confirmed_at is not None
        or not signed_links.stands(signed_links.OWN_EMAIL, user, notice.detail["digest"])
        or is_over(notice, signed_links.OWN_EMAIL)
    ):
        return None
    return Message(
        subject=_("Confirm your email address"),
        title=_("Is this your email address?"),
        lines=(_("You asked for a new link to confirm that our emails reach you here."),),
        facts=((_("Confirm by"), format_datetime(notice.created_at + signed_links.OWN_EMAIL.lasts)),),
        secret_action=(
            _("Confirm your email address"),
            signed_links.link(signed_links.OWN_EMAIL, user, notice.created_at, notice.detail["digest"]),
        ),
        closing=(_("If this wasn't you, you can ignore this email."),),
    )


def is_over(notice: Notice, purpose: signed_links.Purpose) -> bool:
    """Return whether a notice's link has ended, or the same link was asked for again since: one of them will do."""
    later = Notice.objects.filter(
        event=notice.event, subject_type="user", subject_id=notice.subject_id, version__gt=notice.version
    )
    return timezone.now() >= notice.created_at + purpose.lasts or later.exists()


def changed(notice: Notice) -> Message:
    """Notify the former address that it is no longer in use."""
    return Message(
        subject=_("Your email address was changed"),
        title=_("Your email address was changed"),
        lines=(_("Your account now uses a different address. We no longer email this one."),),
        facts=((_("When"), format_datetime(notice.created_at)),),
        closing=(get_not_you_text(),),
    )


def register_composers() -> None:
    """Name the composers of these events. A link to confirm is for its mailbox alone."""
    register_composer(
        LINK, confirmation, is_email_only=True, reader=lambda notice: account_at(notice.address) or notice.recipient
    )
    register_composer(OWN_LINK, own_confirmation, is_email_only=True)
    register_composer(CHANGED, changed)
