"""Messages about the second step. They can't be turned off: the person changing it may not be the owner."""

from collections.abc import Callable

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.auth import recovery_codes
from accounts.calendar_feed import get_feed_revoked_text
from accounts.models import Notice
from accounts.notifications.date_format import format_datetime
from accounts.notifications.registry import Message, register_composer

# Returns the title and the lines below it in the active language.
TextBuilder = Callable[[Notice], tuple[str, ...]]


def create_composer(build_text: TextBuilder) -> Callable[[Notice], Message]:

    def compose(notice: Notice) -> Message:
        title, *lines = build_text(notice)
        return Message(
            subject=title,
            title=title,
            lines=tuple(lines),
            facts=((_("When"), format_datetime(notice.created_at)),),
            action=(_("View your profile"), "/profile"),
            closing=(build_not_you_text(),),
        )

    return compose


def build_not_you_text() -> str:
    """Return what to do for a user who did not make the change, with the contacts that the operator has set."""
    contact = settings.CONTACT
    if contact["email"] and contact["phone"]:
        return _("If this wasn't you, change your password and write to {email} or call {phone}.").format(**contact)
    if contact["email"]:
        return _("If this wasn't you, change your password and write to {email}.").format(**contact)
    if contact["phone"]:
        return _("If this wasn't you, change your password and call {phone}.").format(**contact)
    return _("If this wasn't you, change your password.")


def build_codes_left_text(notice: Notice) -> str:
    """Return how many unused recovery codes are left when the message is read."""
    left = recovery_codes.count_unused_codes(notice.recipient)
    if not left:
        return _("You have no recovery codes left. Please make new ones on your profile.")
    return ngettext(
        "{number} code is left. You can make new ones on your profile.",
        "{number} codes are left. You can make new ones on your profile.",
        left,
    ).format(number=left)


TEXTS: dict[str, TextBuilder] = {
    "account.authenticator_added": lambda notice: (
        _("An authenticator app was added to your account"),
        _("You now need your password and a code from the app (or a recovery code) to sign in."),
    ),
    "account.authenticator_removed": lambda notice: (
        _("The authenticator app was removed from your account"),
        _("You no longer need its codes to sign in."),
    ),
    "account.recovery_codes_made": lambda notice: (
        _("New recovery codes were made for your account"),
        _("Earlier recovery codes no longer work."),
    ),
    "account.recovery_code_used": lambda notice: (
        _("A recovery code was used for your account"),
        _("It can't be used again."),
        build_codes_left_text(notice),
    ),
    "account.passkey_added": lambda notice: (
        _("A passkey was added to your account"),
        _("You can now sign in with it. A password alone no longer works."),
    ),
    "account.passkey_removed": lambda notice: (
        _("A passkey was removed from your account"),
        _("It can no longer be used to sign in."),
    ),
    "account.second_step_reset": lambda notice: (
        _("Two-step sign-in was turned off for your account"),
        _("Our staff did this on request. Your authenticator app, passkeys and recovery codes were removed."),
        _("You've been signed out everywhere. Until you set it up again, your password alone is enough to sign in."),
        *([get_feed_revoked_text()] if notice.detail.get("feed") else []),
    ),
}


def register_composers() -> None:
    for event, build_text in TEXTS.items():
        register_composer(event, create_composer(build_text))
