"""What notices say: a register of composers, one for each event, that every channel and page shares.

A composer makes a notice's words from what stands in the database at that moment, in its reader's language. Words hold
no clinical text and no free text of patients or doctors: mail travels and lies about in the open.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Notice, User
from accounts.notifications.languages import user_language


@dataclass(frozen=True)
class Message:
    """The words of one notice, before any channel gives them a form."""

    subject: str
    title: str
    # Paragraphs of plain text.
    lines: tuple[str, ...] = ()
    # What and what exactly: ("When", "Tuesday 8 December 2026, 14:00 …").
    facts: tuple[tuple[str, str], ...] = ()
    # What the button says and where it leads, a path of the page. The act itself is a button there.
    action: tuple[str, str] | None = None
    # The mail's button where its path lets any holder act: it takes the action's place there and is shown nowhere.
    secret_action: tuple[str, str] | None = None
    # Paragraphs after the button.
    closing: tuple[str, ...] = ()
    # Makes an iCalendar file, which only a mail needs, or returns None where the reader wants none.
    calendar: Callable[[], bytes | None] | None = None
    # What the file asks of the reader's calendar: REQUEST or CANCEL; "" for a file that is there to be opened.
    method: str = ""
    # What it is written in; composers need not set it.
    language: str = settings.LANGUAGE_CODE
    headers: Mapping[str, str] = field(default_factory=dict)


# Makes the message, or answers None where telling it helps nobody any more.
Composer = Callable[[Notice], Message | None]

# The channel whose rows the page shows too: every account has an address of it. What proves a mailbox goes by it alone.
MAILBOX = "email"

# The kind of what always goes, whatever a person has turned off.
ALWAYS = "always"


@dataclass(frozen=True)
class Registered:
    composer: Composer
    # What a person may turn off as one: `appointment`, `reminder`, …
    kind: str
    # For a mailbox alone: the bell does not show it.
    is_mail_only: bool = False
    # Whose language it is written in; a message to another address may have another reader than its recipient.
    reader: Callable[[Notice], User] = lambda notice: notice.recipient


_register: dict[str, Registered] = {}

# Add headers to a notice's mail, whatever it says: how to stop what may be stopped, say.
header_makers: list[Callable[[Notice], Mapping[str, str]]] = []


def register(
    event: str,
    composer: Composer,
    *,
    kind: str = ALWAYS,
    is_mail_only: bool = False,
    reader: Callable[[Notice], User] = lambda notice: notice.recipient,
) -> None:
    """Name the composer of an event, from an `AppConfig.ready`; the last one counts."""
    _register[event] = Registered(composer, kind, is_mail_only, reader)


def events() -> frozenset[str]:
    """Return the events that have a composer."""
    return frozenset(_register)


def shown_events() -> frozenset[str]:
    """Return the events that the bell shows."""
    return frozenset(event for event, entry in _register.items() if not entry.is_mail_only)


def is_for_mailbox(event: str) -> bool:
    """Return whether an event is told by mail alone."""
    return event in _register and _register[event].is_mail_only


def kind_of(event: str) -> str:
    """Return what kind of notice an event makes; what nobody knows always goes."""
    return _register[event].kind if event in _register else ALWAYS


def compose(notice: Notice) -> Message | None:
    """Make a notice's message in its reader's language, which is spoken nowhere beyond this call.

    None where it no longer helps. Raises `KeyError` for an event without a composer.
    """
    language = user_language(_register[notice.event].reader(notice))
    with override(language):
        message = _register[notice.event].composer(notice)
        if message is None:
            return None
        headers = dict(message.headers)
        for make in header_makers:
            headers |= make(notice)
    # A link that proves a mailbox proves nothing elsewhere.
    secret = message.secret_action if notice.channel == MAILBOX else None
    return replace(message, headers=headers, language=language, secret_action=secret)


def questions() -> str:
    """Say where to turn with questions."""
    return _("If you have questions, write to {email} or call {phone}.").format(**settings.CONTACT)


def not_you() -> str:
    """Say where to turn when somebody else did it."""
    return _("If this wasn't you, write to {email} or call {phone}.").format(**settings.CONTACT)


def site_link(path: str) -> str:
    """Make an address out of a path of the page, from the configured base and never from a request."""
    return f"{settings.BASE_URL}{path}"


def site_host() -> str:
    """Return the host of the configured base address, for ids that must be unique in the world."""
    return urlsplit(settings.BASE_URL).hostname or "localhost"
