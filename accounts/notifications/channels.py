"""The ways a message reaches a person: a small port, behind which email is the one way there is so far.

A new way (text message, web push) is a class named in `CHANNELS`; nothing above it changes: the outbox holds a row for
each channel that reaches a person, the settings and their page offer it, and each channel fails for itself alone.
"""

import smtplib
from collections.abc import Iterable
from email.utils import format_datetime
from typing import Any, ClassVar, Protocol, Self
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import User
from accounts.notifications.registry import MAILBOX, Message, is_for_mailbox, site_link


class DeliveryError(Exception):
    """This message did not get through; another try may. `code` says why, in a word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class RecipientRejectedError(DeliveryError):
    """The recipient is refused for good: no further try will help."""


class ConnectionLostError(DeliveryError):
    """The talk broke off amid this message: its own fault or not, and delivered or not, nobody can tell."""


class ChannelDownError(DeliveryError):
    """Nothing gets through at the moment, whatever the message; it is no failed try of this one."""


class Channel(Protocol):
    """One way to people, used for one round of sending."""

    # What the settings page calls it.
    label: ClassVar[str]
    # Whether every account has an address of it, so that nobody need be looked up before a notice is written.
    reaches_all: ClassVar[bool]

    @classmethod
    def address_of(cls, person: User) -> str:
        """Return where it reaches a person; "" where it does not."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *about: object) -> None: ...

    def send(self, message: Message, to: str, message_id: str) -> None:
        """Hand one message over; raises `DeliveryError` or one of its kinds."""
        ...


class Mail:
    """E-mail by Django's backend that `EMAIL_URL` names. One connection serves a round."""

    label: ClassVar[str] = "Email"
    reaches_all: ClassVar[bool] = True

    @classmethod
    def address_of(cls, person: User) -> str:
        return person.email

    def __init__(self) -> None:
        # Errors of the connection are told, not swallowed: nothing may count as sent that was not.
        self._connection: Any = get_connection(fail_silently=False)
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._close()

    def send(self, message: Message, to: str, message_id: str) -> None:
        mail = as_mail(message, to, message_id)
        mail.connection = self._connection
        self._open()
        try:
            mail.send()
        except smtplib.SMTPRecipientsRefused as refusal:
            code = next((reply[0] for reply in refusal.recipients.values()), 0)
            raise (RecipientRejectedError if 500 <= code < 600 else DeliveryError)(f"smtp_{code}") from refusal
        except smtplib.SMTPResponseException as answer:
            self._close()
            raise DeliveryError(f"smtp_{answer.smtp_code}") from answer
        except (smtplib.SMTPException, OSError) as broken:
            self._close()
            raise ConnectionLostError("connection_lost") from broken

    def _open(self) -> None:
        if self._is_open:
            return
        try:
            self._connection.open()
        except smtplib.SMTPResponseException as answer:
            raise ChannelDownError(f"smtp_{answer.smtp_code}") from answer
        except (smtplib.SMTPException, OSError) as away:
            raise ChannelDownError("no_connection") from away
        self._is_open = True

    def _close(self) -> None:
        """Let the connection go, in whatever state it is."""
        self._is_open = False
        self._connection.close()


CHANNELS: dict[str, type[Channel]] = {MAILBOX: Mail}


def channels_to(person: User) -> list[str]:
    """Return by which channels a person can be reached, as they stand in `CHANNELS`."""
    return [name for name, channel in CHANNELS.items() if channel.address_of(person)]


def ways_to(recipients: Iterable[User | UUID], event: str, address: str = "") -> list[tuple[UUID, str]]:
    """Return by which channels an event is told to each of these people.

    What proves a mailbox, or goes to another address than the person's own, goes by mail alone. Who is given by id is
    looked up only where a channel does not reach everybody.
    """
    names = [MAILBOX] if address or is_for_mailbox(event) else list(CHANNELS)
    recipients = list(recipients)
    people = {one.pk: one for one in recipients if isinstance(one, User)}
    if not all(CHANNELS[name].reaches_all for name in names):
        people |= User.objects.in_bulk([one for one in recipients if not isinstance(one, User)])
    ids = [one.pk if isinstance(one, User) else one for one in recipients]
    return [
        (each, name)
        for each in ids
        for name in names
        if CHANNELS[name].reaches_all or (each in people and CHANNELS[name].address_of(people[each]))
    ]


def as_mail(message: Message, to: str, message_id: str) -> EmailMultiAlternatives:
    """Give a message the form of a mail: plain text, the same in HTML, and its calendar file if it has one."""
    with override(message.language):
        return in_its_language(message, to, message_id)


def in_its_language(message: Message, to: str, message_id: str) -> EmailMultiAlternatives:
    """Make the mail; what stands around the message is said in the language that is spoken."""
    action = message.secret_action or message.action
    context = {
        "message": message,
        "lines": [line for line in message.lines if line],
        "closing": [line for line in message.closing if line],
        "action": (action[0], site_link(action[1])) if action else None,
        "site": settings.BASE_URL,
        "stop": message.headers.get("List-Unsubscribe", "").strip("<>"),
        "words": {
            "or_open": _("Or open this link:"),
            "machine": _("This is an automated message. Please don't reply."),
            "stop": _("Unsubscribe from these emails"),
        },
    }
    mail = EmailMultiAlternatives(
        subject=" ".join(message.subject.split()),
        body=render_to_string("mail/message.txt", context),
        to=[to],
        headers={
            "Message-ID": message_id,
            "Date": format_datetime(timezone.now()),
            "Auto-Submitted": "auto-generated",
            "Content-Language": message.language,
            **message.headers,
        },
    )
    mail.attach_alternative(render_to_string("mail/message.html", context), "text/html")
    file = message.calendar() if message.calendar else None
    if file is not None:
        # As an alternative, a mail program's calendar acts on it; as a file, everybody can open it.
        if message.method:
            mail.attach_alternative(file.decode(), f"text/calendar; method={message.method}")
        mail.attach("appointment.ics", file, "application/ics")
    return mail
