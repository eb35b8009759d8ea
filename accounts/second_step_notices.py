"""What a person is told about their second step. It always goes: whoever changes it may not be its owner."""

from collections.abc import Callable

from accounts import recovery_codes
from accounts.messages import REACH_US, Message, register
from accounts.models import Notice
from accounts.time_words import moment_words

HELP = f"If this was not you, change your password and {REACH_US}."


def change(title: str, *lines: str, more: Callable[[Notice], tuple[str, ...]] = lambda _: ()) -> Callable[..., Message]:
    """Make the composer of one change."""

    def compose(notice: Notice) -> Message:
        return Message(
            subject=title,
            title=title,
            lines=(*lines, *more(notice)),
            facts=(("When", moment_words(notice.created_at)),),
            action=("Look at your profile", "/profile"),
            closing=(HELP,),
        )

    return compose


def codes_left(notice: Notice) -> tuple[str, ...]:
    """Say how many recovery codes still work, when this is read."""
    left = recovery_codes.left(notice.recipient)
    if left:
        return (f"{left} {'code is' if left == 1 else 'codes are'} left. You can make new ones on your profile.",)
    return ("No code is left. Please make new ones on your profile.",)


COMPOSERS = {
    "account.authenticator_added": change(
        "An authenticator app was added to your account",
        "From now on signing in asks for a code of the app, or for a recovery code, beside your password.",
    ),
    "account.authenticator_removed": change(
        "The authenticator app was removed from your account", "Signing in no longer asks for its codes."
    ),
    "account.recovery_codes_made": change(
        "New recovery codes were made for your account", "Earlier recovery codes no longer work."
    ),
    "account.recovery_code_used": change(
        "A recovery code was used for your account", "It does not work again.", more=codes_left
    ),
    "account.passkey_added": change(
        "A passkey was added to your account",
        "You can sign in with it from now on. Your password alone no longer lets anybody in.",
    ),
    "account.passkey_removed": change("A passkey was removed from your account", "It no longer lets anybody in."),
    "account.second_step_reset": change(
        "Two-step sign-in was taken away from your account",
        "Our staff did this because somebody asked for it: authenticator app, passkeys and recovery codes are deleted.",
        "You are signed out everywhere, and your password alone lets you in until you set it up again.",
    ),
}


def register_composers() -> None:
    """Name the composers of these events."""
    for event, composer in COMPOSERS.items():
        register(event, composer)
