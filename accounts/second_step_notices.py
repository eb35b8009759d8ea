"""What a person is told about their second step. It always goes: whoever changes it may not be its owner."""

from collections.abc import Callable

from django.conf import settings

from accounts import recovery_codes
from accounts.calendar_feed import feed_gone
from accounts.languages import say, say_number
from accounts.messages import Message, register
from accounts.models import Notice
from accounts.time_words import moment_words

# Makes the title and the lines under it, in the language that is spoken.
Words = Callable[[Notice], tuple[str, ...]]


def change(words: Words) -> Callable[[Notice], Message]:
    """Make the composer of one change."""

    def compose(notice: Notice) -> Message:
        title, *lines = words(notice)
        return Message(
            subject=title,
            title=title,
            lines=tuple(lines),
            facts=((say("When"), moment_words(notice.created_at)),),
            action=(say("Look at your profile"), "/profile"),
            closing=(
                say(
                    "If this was not you, change your password and write to {email} or call {phone}.",
                    **settings.CONTACT,
                ),
            ),
        )

    return compose


def codes_left(notice: Notice) -> str:
    """Say how many recovery codes still work, when this is read."""
    left = recovery_codes.left(notice.recipient)
    if not left:
        return say("No code is left. Please make new ones on your profile.")
    return say_number(
        "{number} code is left. You can make new ones on your profile.",
        "{number} codes are left. You can make new ones on your profile.",
        left,
    )


COMPOSERS: dict[str, Words] = {
    "account.authenticator_added": lambda _: (
        say("An authenticator app was added to your account"),
        say("From now on signing in asks for a code of the app, or for a recovery code, beside your password."),
    ),
    "account.authenticator_removed": lambda _: (
        say("The authenticator app was removed from your account"),
        say("Signing in no longer asks for its codes."),
    ),
    "account.recovery_codes_made": lambda _: (
        say("New recovery codes were made for your account"),
        say("Earlier recovery codes no longer work."),
    ),
    "account.recovery_code_used": lambda notice: (
        say("A recovery code was used for your account"),
        say("It does not work again."),
        codes_left(notice),
    ),
    "account.passkey_added": lambda _: (
        say("A passkey was added to your account"),
        say("You can sign in with it from now on. Your password alone no longer lets anybody in."),
    ),
    "account.passkey_removed": lambda _: (
        say("A passkey was removed from your account"),
        say("It no longer lets anybody in."),
    ),
    "account.second_step_reset": lambda notice: (
        say("Two-step sign-in was taken away from your account"),
        say(
            "Our staff did this because somebody asked for it: "
            "authenticator app, passkeys and recovery codes are deleted."
        ),
        say("You are signed out everywhere, and your password alone lets you in until you set it up again."),
        *([feed_gone()] if notice.detail.get("feed") else []),
    ),
}


def register_composers() -> None:
    """Name the composers of these events."""
    for event, words in COMPOSERS.items():
        register(event, change(words))
