"""Fixtures of several test modules."""

from accounts.tests.notifications.delivery_worker import mail_server, outbox

__all__ = ["mail_server", "outbox"]
