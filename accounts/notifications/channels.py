"""Channels that deliver messages to users; email is the only one so far.

To add one (text message, web push), add its class to `CHANNELS`. The outbox then holds a row for each channel that
reaches a user, the notification settings offer it, and the failure of one channel does not affect the others.
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
from accounts.notifications.registry import EMAIL_CHANNEL, Message, build_site_url, is_email_only
from config.failure_reasons import describe_reason

NO_CONNECTION = "no_connection"


class DeliveryError(Exception):
    """This message was not delivered, but may be retried. `code` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class RecipientRejectedError(DeliveryError):
    """The recipient was permanently rejected; retrying is useless."""


class ConnectionLostError(DeliveryError):
    """The connection was lost during this message, which may or may not have been delivered."""


class ChannelDownError(DeliveryError):
    """The channel is unavailable for all messages; this does not count as an attempt.

    `reason` names the server and its own words for the log, without user and password.
    """

    def __init__(self, code: str, reason: str = "") -> None:
        super().__init__(code)
        self.reason = reason


class Channel(Protocol):
    """A delivery channel, opened once per round of deliveries."""

    # The name on the settings page.
    label: ClassVar[str]
    # Whether every account has an address, so that no user has to be loaded before a notice is written.
    reaches_everyone: ClassVar[bool]

    @classmethod
    def get_address(cls, user: User) -> str:
        """Return the user's address on this channel, or "" if it does not reach the user."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc_info: object) -> None: ...

    def send(self, message: Message, to: str, message_id: str) -> None:
        """Send one message; raise `DeliveryError` or a subclass if that fails."""
        ...


class EmailChannel:
    """Email through the Django backend in `EMAIL_URL`, with one connection per round."""

    label: ClassVar[str] = "Email"
    reaches_everyone: ClassVar[bool] = True

    @classmethod
    def get_address(cls, user: User) -> str:
        return user.email

    def __init__(self) -> None:
        # A message that was not sent must not count as sent.
        self._connection: Any = get_connection(fail_silently=False)
        self._is_open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._close()

    def send(self, message: Message, to: str, message_id: str) -> None:
        email = build_email(message, to, message_id)
        email.connection = self._connection
        self._open()
        try:
            email.send()
        except smtplib.SMTPRecipientsRefused as error:
            code = next((reply[0] for reply in error.recipients.values()), 0)
            raise (RecipientRejectedError if 500 <= code < 600 else DeliveryError)(f"smtp_{code}") from error
        except smtplib.SMTPResponseException as error:
            self._close()
            raise DeliveryError(f"smtp_{error.smtp_code}") from error
        except (smtplib.SMTPException, OSError) as error:
            self._close()
            raise ConnectionLostError("connection_lost") from error

    def _open(self) -> None:
        if self._is_open:
            return
        try:
            self._connection.open()
        except smtplib.SMTPResponseException as error:
            raise ChannelDownError(f"smtp_{error.smtp_code}", describe_failure(error)) from error
        except (smtplib.SMTPException, OSError) as error:
            raise ChannelDownError(NO_CONNECTION, describe_failure(error)) from error
        self._is_open = True

    def _close(self) -> None:
        self._is_open = False
        self._connection.close()


def describe_failure(error: Exception) -> str:
    """Return the address of the mail server and why no session with it begins."""
    user, password = settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD
    text = str(error) or type(error).__name__
    if isinstance(error, smtplib.SMTPResponseException):
        reply = error.smtp_error
        text = f"{error.smtp_code} {reply.decode(errors='replace') if isinstance(reply, bytes) else reply}"
    reason = describe_reason(text, user, password, user.partition("@")[0])
    return f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}: {reason}"


CHANNELS: dict[str, type[Channel]] = {EMAIL_CHANNEL: EmailChannel}


def list_channels(user: User) -> list[str]:
    """Return the names of the channels that reach a user, in the order of `CHANNELS`."""
    return [name for name, channel in CHANNELS.items() if channel.get_address(user)]


def list_user_channels(recipients: Iterable[User | UUID], event: str, address: str = "") -> list[tuple[UUID, str]]:
    """Return the user id and channel of each notice of an event.

    Events that prove a mailbox, and notices to an explicit address, use email only. Recipients given by id are loaded
    only if a channel does not reach everyone.
    """
    names = [EMAIL_CHANNEL] if address or is_email_only(event) else list(CHANNELS)
    recipients = list(recipients)
    users = {recipient.pk: recipient for recipient in recipients if isinstance(recipient, User)}
    if not all(CHANNELS[name].reaches_everyone for name in names):
        users |= User.objects.in_bulk([recipient for recipient in recipients if not isinstance(recipient, User)])
    ids = [recipient.pk if isinstance(recipient, User) else recipient for recipient in recipients]
    return [
        (user_id, name)
        for user_id in ids
        for name in names
        if CHANNELS[name].reaches_everyone or (user_id in users and CHANNELS[name].get_address(users[user_id]))
    ]


def build_email(message: Message, to: str, message_id: str) -> EmailMultiAlternatives:
    """Return a message as an email in its language: plain text, HTML, and the calendar file if there is one."""
    action = message.secret_action or message.action
    context: dict[str, Any] = {
        "message": message,
        "lines": [line for line in message.lines if line],
        "closing": [line for line in message.closing if line],
        "action": (action[0], build_site_url(action[1])) if action else None,
        "site": settings.BASE_URL,
        "site_name": settings.SITE_NAME,
        "stop": message.headers.get("List-Unsubscribe", "").strip("<>"),
    }
    with override(message.language):
        context["words"] = {
            "or_open": _("Or open this link:"),
            "machine": _("This is an automated message. Please don't reply."),
            "stop": _("Unsubscribe from these emails"),
        }
        text = render_to_string("mail/message.txt", context)
        html = render_to_string("mail/message.html", context)
        file = message.calendar() if message.calendar else None
    email = EmailMultiAlternatives(
        subject=" ".join(message.subject.split()),
        body=text,
        to=[to],
        headers={
            "Message-ID": message_id,
            "Date": format_datetime(timezone.now()),
            "Auto-Submitted": "auto-generated",
            "Content-Language": message.language,
            **message.headers,
        },
    )
    email.attach_alternative(html, "text/html")
    if file is not None:
        # Calendar programs process the alternative; every program can open the attachment.
        if message.method:
            email.attach_alternative(file.decode(), f"text/calendar; method={message.method}")
        email.attach("appointment.ics", file, "application/ics")
    return email
