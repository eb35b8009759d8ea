"""The ways a message reaches a person: a small port, behind which e-mail is the one way there is so far.

A new way (text message, web push) is a class with `send`, named in `CHANNELS`; nothing above it changes.
"""

import smtplib
from email.utils import format_datetime
from typing import Any, Protocol, Self

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string
from django.utils import timezone

from accounts.messages import Message, site_link


class Undelivered(Exception):  # noqa: N818 - an outcome, told as one
    """This message did not get through; another try may. `code` says why, in a word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Refused(Undelivered):
    """The recipient is refused for good: no further try will help."""


class ConnectionLost(Undelivered):
    """The talk broke off amid this message: its own fault or not, and delivered or not, nobody can tell."""


class ChannelDown(Undelivered):
    """Nothing gets through at the moment, whatever the message; it is no failed try of this one."""


class Channel(Protocol):
    """One way to people, used for one round of sending."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *about: object) -> None: ...

    def send(self, message: Message, to: str, message_id: str) -> None:
        """Hand one message over; raises `Undelivered` or one of its kinds."""
        ...


class Mail:
    """E-mail by Django's backend that `EMAIL_URL` names. One connection serves a round."""

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
            raise (Refused if 500 <= code < 600 else Undelivered)(f"smtp_{code}") from refusal
        except smtplib.SMTPResponseException as answer:
            self._close()
            raise Undelivered(f"smtp_{answer.smtp_code}") from answer
        except (smtplib.SMTPException, OSError) as broken:
            self._close()
            raise ConnectionLost("connection_lost") from broken

    def _open(self) -> None:
        if self._is_open:
            return
        try:
            self._connection.open()
        except smtplib.SMTPResponseException as answer:
            raise ChannelDown(f"smtp_{answer.smtp_code}") from answer
        except (smtplib.SMTPException, OSError) as away:
            raise ChannelDown("no_connection") from away
        self._is_open = True

    def _close(self) -> None:
        """Let the connection go, in whatever state it is."""
        self._is_open = False
        self._connection.close()


CHANNELS: dict[str, type[Channel]] = {"email": Mail}


def as_mail(message: Message, to: str, message_id: str) -> EmailMultiAlternatives:
    """Give a message the form of a mail: plain text, the same in HTML, and its calendar file if it has one."""
    action = message.secret_action or message.action
    context = {
        "message": message,
        "lines": [line for line in message.lines if line],
        "closing": [line for line in message.closing if line],
        "action": (action[0], site_link(action[1])) if action else None,
        "site": settings.BASE_URL,
        "stop": message.headers.get("List-Unsubscribe", "").strip("<>"),
    }
    mail = EmailMultiAlternatives(
        subject=" ".join(message.subject.split()),
        body=render_to_string("mail/message.txt", context),
        to=[to],
        headers={
            "Message-ID": message_id,
            "Date": format_datetime(timezone.now()),
            "Auto-Submitted": "auto-generated",
            **message.headers,
        },
    )
    mail.attach_alternative(render_to_string("mail/message.html", context), "text/html")
    if message.calendar is not None:
        # As an alternative, calendars of mail programs take it for what it is; as a file, everybody can open it.
        file = message.calendar()
        mail.attach_alternative(file.decode(), f"text/calendar; method={message.method}")
        mail.attach("visit.ics", file, "application/ics")
    return mail
