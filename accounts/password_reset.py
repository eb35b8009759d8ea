"""A new password by a mailed link, for those who have forgotten theirs.

Asking writes one row, whoever the address belongs to; who that is, the delivery looks up. So neither the answer nor its
time tells which addresses are known.
"""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from accounts import links, sign_in
from accounts.calendar_feed import feed_gone, revoke_feed
from accounts.languages import say
from accounts.limits import Limit, network_of
from accounts.message_models import ResetRequest
from accounts.messages import Message, not_you, register
from accounts.models import Notice, User
from accounts.sessions import PASSWORD_RESET, end_sessions
from accounts.time_words import moment_words
from accounts.trail import Action, current_address, record, tell
from config.errors import DATABASE_AWAY
from config.rows import at_rest

logger = logging.getLogger(__name__)

REQUESTED = "password.reset_requested"
DONE = "account.password_reset"

per_account = Limit("reset-account", settings.RESETS_PER_ACCOUNT)
per_address = Limit("reset-address", settings.RESETS_PER_ADDRESS)
overall = Limit("reset-overall", settings.RESETS_OVERALL)
# Tries with a link, from one network: each good one costs a hash.
uses = Limit("reset-use", settings.RESETS_PER_ADDRESS)

# However many networks ask: no mailbox is flooded, and the links that it has still work.
MAILS_PER_HOUR = 5


def request_reset(email: str, now: datetime) -> None:
    """Note that somebody wants a new password for a canonical address; raises `too_many`."""
    address = network_of(current_address.get())
    per_address.take(address)
    per_account.take(email, address)
    overall.take()
    with transaction.atomic():
        ResetRequest.objects.create(email=email, created_at=now)
        record("account.reset_requested", Action.EXECUTE, "user", None, by=None)


def look_up_requests(now: datetime, limit: int = 200) -> int:
    """Find out whose the requested addresses are and put the links into the outbox; answers how many there were."""
    done = 0
    while done < limit and ResetRequest.objects.exists():
        with transaction.atomic():
            request = at_rest(ResetRequest.objects.order_by("id")).first()
            if request is None:
                break
            try:
                with transaction.atomic():
                    send_link(request, now)
            except DATABASE_AWAY:
                raise
            except Exception:
                # It goes too, or those who asked later would never get their link.
                logger.exception("A wish for a new password could not be looked up")
            request.delete()
        done += 1
    return done


def send_link(request: ResetRequest, now: datetime) -> None:
    """Put the link into the outbox of whoever has that address, unless it is too late for it."""
    user = User.objects.active().locked().filter(email=request.email).first()
    if user is None or now >= request.created_at + links.PASSWORD_RESET.lasts:
        return
    lately = Notice.objects.filter(recipient=user, event=REQUESTED, created_at__gt=now - timedelta(hours=1))
    if lately.count() < MAILS_PER_HOUR:
        detail = {
            "asked": int(request.created_at.timestamp()),
            "digest": links.digest_of(links.PASSWORD_RESET, user),
        }
        tell(REQUESTED, user, detail=detail)
        # Somebody sits and waits for it: it goes before what was written since.
        Notice.objects.filter(recipient=user, event=REQUESTED, state=Notice.State.WAITING, attempts=0).update(
            due_at=request.created_at
        )


def reset_password(token: str, new: str, now: datetime) -> None:
    """Set a new password by a link and end every session; a waiting change of address is taken back.

    The calendar's address too: whoever was in the account may have made it, and it asks for no password.

    Raises `link_invalid` where the link has been used meanwhile.
    """
    # Before the transaction: hashing takes its time, and SQLite has one writer.
    hashed = make_password(new)
    with transaction.atomic():
        user = links.locked_person(links.PASSWORD_RESET, token, now)
        user.password = hashed
        # Whoever knew the old password may have asked for that address.
        user.pending_email = ""
        # The link came to this address.
        user.email_confirmed_at = user.email_confirmed_at or now
        user.save(update_fields=["password", "pending_email", "email_confirmed_at"])
        end_sessions(user.sessions.all(), PASSWORD_RESET, now)
        had_feed = revoke_feed(user, by=user)
        record(DONE, Action.UPDATE, "user", user.pk, by=user)
        tell(DONE, user, detail={"feed": had_feed})
    sign_in.per_account.clear(user.email, network_of(current_address.get()))


def reset_requested(notice: Notice) -> Message | None:
    """Send the link, while it works."""
    purpose, user = links.PASSWORD_RESET, notice.recipient
    asked = datetime.fromtimestamp(notice.detail["asked"], tz=timezone.get_default_timezone())
    ends = asked + purpose.lasts
    if not user.is_active or timezone.now() >= ends or not links.stands(purpose, user, notice.detail["digest"]):
        return None
    return Message(
        subject=say("Choose a new password"),
        title=say("Choose a new password"),
        lines=(
            say(
                "Somebody, most likely you, asked for a new password for your account. The link below lets you set it."
            ),
        ),
        facts=((say("Works until"), moment_words(ends)), (say("How often"), say("Once"))),
        secret_action=(say("Choose a new password"), links.link(purpose, user, asked, notice.detail["digest"])),
        closing=(say("If this was not you, there is nothing to do: your password stays as it is."),),
    )


def was_reset(notice: Notice) -> Message:
    """Tell that a link was used."""
    return Message(
        subject=say("Your password was reset"),
        title=say("Your password was reset"),
        lines=(
            say("Somebody set a new password with the link that we mailed to you. You are signed out everywhere."),
            *([feed_gone()] if notice.detail.get("feed") else []),
        ),
        facts=((say("When"), moment_words(notice.created_at)),),
        action=(say("Sign in"), "/login"),
        closing=(
            not_you(),
            say("Change the password of your mailbox too."),
        ),
    )


def register_composers() -> None:
    """Name the composers of these events. A link that opens an account is for its mailbox alone."""
    register(REQUESTED, reset_requested, is_mail_only=True)
    register(DONE, was_reset)
