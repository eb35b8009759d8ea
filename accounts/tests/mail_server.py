"""An SMTP server for tests that stores mail, and rejects or delays it on request."""

import asyncio
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from config.testing import find_free_port


@dataclass
class MailServer:
    """What was delivered, in order, and how the server behaves."""

    port: int
    messages: list[tuple[str, EmailMessage]] = field(default_factory=list)
    # Address → the reply to RCPT.
    refused: dict[str, str] = field(default_factory=dict)
    # The reply to DATA, where it is not "taken".
    refuses_data: str = ""
    seconds: float = 0

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """Return what came for one address."""
        return [mail for recipient, mail in self.messages if recipient == address]

    def ids(self) -> list[str]:
        """Return every Message-ID in the order of arrival, repetitions included."""
        return [str(mail["Message-ID"]) for _, mail in self.messages]

    # What aiosmtpd calls.
    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802 - aiosmtpd calls it by this name
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd calls it by this name
        await asyncio.sleep(self.seconds)
        if self.refuses_data:
            return self.refuses_data
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.messages += [(address, mail) for address in envelope.rcpt_tos]
        return "250 Taken"


@contextlib.contextmanager
def serving(server: MailServer | None = None) -> Iterator[MailServer]:
    """Run a mail server; given one, the same again at its port."""
    server = server or MailServer(find_free_port())
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


def use(settings: Any, server: MailServer) -> None:
    """Have this process send to the server."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 1
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
