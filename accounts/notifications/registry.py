"""The composers of messages, one for each event, shared by all channels and the app.

A composer builds the message of a notice from the current state of the database, in its reader's language. Messages
contain no clinical text and no free text of patients or doctors, because email is not confidential.
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
    """The content of a notice, independent of the channel."""

    subject: str
    title: str
    # Paragraphs of plain text.
    lines: tuple[str, ...] = ()
    # Names and values: ("When", "Tuesday 8 December 2026, 14:00 …").
    facts: tuple[tuple[str, str], ...] = ()
    # The label and path of a button. The path is a page, which performs no action by itself.
    action: tuple[str, str] | None = None
    # Replaces `action` in emails and is never shown in the app: its link authorizes anyone who has it.
    secret_action: tuple[str, str] | None = None
    # Paragraphs after the button.
    closing: tuple[str, ...] = ()
    # Returns the iCalendar file for emails, or None if the reader has turned it off.
    calendar: Callable[[], bytes | None] | None = None
    # The iTIP method of the file (RFC 5546), REQUEST or CANCEL, or "" for a plain attachment.
    method: str = ""
    # Set by `compose_message`.
    language: str = settings.LANGUAGE_CODE
    headers: Mapping[str, str] = field(default_factory=dict)


# Returns the message, or None if it is outdated.
Composer = Callable[[Notice], Message | None]

# The app shows the notices of this channel, because every account has an email address.
EMAIL_CHANNEL = "email"

# The kind of notices that can't be turned off.
ALWAYS = "always"


@dataclass(frozen=True)
class RegisteredComposer:
    composer: Composer
    # What a user can turn off: `appointment`, `reminder`, …
    kind: str
    # Proves a mailbox, so it is not shown in the app.
    is_email_only: bool = False
    # Whose language is used; a notice to an explicit address may have another reader than its recipient.
    reader: Callable[[Notice], User] = lambda notice: notice.recipient


_composers: dict[str, RegisteredComposer] = {}

# Return additional email headers for a notice.
header_builders: list[Callable[[Notice], Mapping[str, str]]] = []


def register_composer(
    event: str,
    composer: Composer,
    *,
    kind: str = ALWAYS,
    is_email_only: bool = False,
    reader: Callable[[Notice], User] = lambda notice: notice.recipient,
) -> None:
    """Set the composer of an event; called in `AppConfig.ready`."""
    _composers[event] = RegisteredComposer(composer, kind, is_email_only, reader)


def list_events() -> frozenset[str]:
    """Return all events that have a composer."""
    return frozenset(_composers)


def list_inbox_events() -> frozenset[str]:
    """Return the events that the app shows."""
    return frozenset(event for event, entry in _composers.items() if not entry.is_email_only)


def is_email_only(event: str) -> bool:
    return event in _composers and _composers[event].is_email_only


def get_kind(event: str) -> str:
    """Return the kind of an event's notices; unknown events can't be turned off."""
    return _composers[event].kind if event in _composers else ALWAYS


def compose_message(notice: Notice) -> Message | None:
    """Return the message of a notice in its reader's language, or None if it is outdated.

    Raise `KeyError` for an event without a composer.
    """
    registered = _composers[notice.event]
    language = user_language(registered.reader(notice))
    with override(language):
        message = registered.composer(notice)
        if message is None:
            return None
        headers = dict(message.headers)
        for build_headers in header_builders:
            headers |= build_headers(notice)
    # On other channels, the link would not prove the mailbox.
    secret = message.secret_action if notice.channel == EMAIL_CHANNEL else None
    closing = tuple(filter(None, message.closing))
    return replace(message, headers=headers, language=language, secret_action=secret, closing=closing)


def get_contact_text() -> str:
    """Return where to ask questions, or "" if the operator has set neither an email address nor a phone number."""
    contact = settings.CONTACT
    if contact["email"] and contact["phone"]:
        return _("If you have questions, write to {email} or call {phone}.").format(**contact)
    if contact["email"]:
        return _("If you have questions, write to {email}.").format(**contact)
    if contact["phone"]:
        return _("If you have questions, call {phone}.").format(**contact)
    return ""


def get_not_you_text() -> str:
    """Return the contact for a user who did not do what the message reports, or "" if there is none."""
    contact = settings.CONTACT
    if contact["email"] and contact["phone"]:
        return _("If this wasn't you, write to {email} or call {phone}.").format(**contact)
    if contact["email"]:
        return _("If this wasn't you, write to {email}.").format(**contact)
    if contact["phone"]:
        return _("If this wasn't you, call {phone}.").format(**contact)
    return ""


def build_site_url(path: str) -> str:
    """Return the absolute URL of a path, based on the setting and never on a request's Host header."""
    return f"{settings.BASE_URL}{path}"


def get_site_host() -> str:
    """Return the host of `BASE_URL`, for globally unique ids."""
    return urlsplit(settings.BASE_URL).hostname or "localhost"
