"""Confirm e-mail addresses from their mailboxes: that of a registration, and a new one before it is used."""

from datetime import datetime

from django.conf import settings
from django.db import transaction

from accounts import links
from accounts.languages import say
from accounts.limits import Limit, network_of
from accounts.messages import Message, not_you, register
from accounts.models import Notice, User
from accounts.time_words import moment_words
from accounts.trail import Action, current_address, record, tell
from config.errors import REGISTRY, RuleBroken

LINK = "email.confirmation_sent"
CHANGED = "email.changed"

uses = Limit("email-confirm", settings.RESETS_PER_ADDRESS)
# Anybody with an account can have mail sent to any mailbox: not much of it, and not much to one, whoever asks.
links_of_person = Limit("email-change", 5)
links_to_mailbox = Limit("email-change-to", 3)


def take_link_to(user: User, email: str) -> None:
    """Count one mail to an address that somebody says is theirs; raises `too_many`."""
    links_of_person.take(str(user.pk))
    links_to_mailbox.take(email)


def send_link_to_new(user: User) -> None:
    """Mail the link to the address that waits; within the transaction that wrote it."""
    tell(LINK, user, address=user.pending_email, detail={"digest": links.digest_of(links.NEW_EMAIL, user)})


def confirm(token: str, now: datetime) -> User:
    """Use a link; answers the person. A waiting address becomes the one in use, and the old one is told.

    Raises `link_invalid`, and `email_taken` where somebody else has the address by now.
    """
    uses.take(network_of(current_address.get()))
    with transaction.atomic():
        try:
            user = links.locked_person(links.NEW_EMAIL, token, now)
        except RuleBroken:
            return confirm_own(token, now)
        if User.objects.filter(email=user.pending_email).exists():
            raise RuleBroken("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
        tell(CHANGED, user, address=user.email)
        user.email, user.pending_email, user.email_confirmed_at = user.pending_email, "", now
        user.save(update_fields=["email", "pending_email", "email_confirmed_at"])
        record("account.email_changed", Action.UPDATE, "user", user.pk, by=user)
    return user


def confirm_own(token: str, now: datetime) -> User:
    """Note that the address in use is the person's; a second press changes nothing."""
    user = links.locked_person(links.OWN_EMAIL, token, now)
    if user.email_confirmed_at is None:
        user.email_confirmed_at = now
        user.save(update_fields=["email_confirmed_at"])
        record("account.email_confirmed", Action.UPDATE, "user", user.pk, by=user)
    return user


def withdraw(user: User) -> None:
    """Take back a waiting change of address; its link is dead. Without one nothing happens."""
    with transaction.atomic():
        person = User.objects.select_for_update().get(pk=user.pk)
        if person.pending_email:
            person.pending_email = ""
            person.save(update_fields=["pending_email"])
            record("account.email_change_withdrawn", Action.UPDATE, "user", person.pk, by=person)


def confirmation(notice: Notice) -> Message | None:
    """Ask the new address whether it is the right one; None once that is settled."""
    user = notice.recipient
    if (
        not user.pending_email
        or notice.address != user.pending_email
        or not links.stands(links.NEW_EMAIL, user, notice.detail["digest"])
    ):
        return None
    ends = notice.created_at + links.NEW_EMAIL.lasts
    return Message(
        subject=say("Confirm your new e-mail address"),
        title=say("Is this your e-mail address?"),
        lines=(
            say("Somebody, most likely you, wants to use this address for an account with us."),
            say("It takes the place of the old one once you confirm it."),
        ),
        facts=((say("Confirm until"), moment_words(ends)),),
        secret_action=(say("Confirm this address"), links.link(links.NEW_EMAIL, user, notice.created_at)),
        closing=(say("If this was not you, there is nothing to do: this address is not used."),),
    )


def changed(notice: Notice) -> Message:
    """Tell the former address that it is no longer in use."""
    return Message(
        subject=say("Your e-mail address was changed"),
        title=say("Your e-mail address was changed"),
        lines=(say("Another address is used for your account from now on. Messages no longer go to this one."),),
        facts=((say("When"), moment_words(notice.created_at)),),
        closing=(not_you(),),
    )


def register_composers() -> None:
    """Name the composers of these events. A link to confirm is for its mailbox alone."""
    register(LINK, confirmation, is_mail_only=True)
    register(CHANGED, changed)
