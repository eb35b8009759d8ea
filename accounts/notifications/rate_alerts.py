"""Marks on what all networks together do: beyond one, each network is held to a few, and admins are told.

Nobody is refused because of what others do: a network that has not asked yet is served, only later.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.audit.log import Action, Outcome, record_event
from accounts.models import Notice, Role, User
from accounts.notifications.outbox import notify
from accounts.notifications.registry import Message, register
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit

logger = logging.getLogger(__name__)

PASSED = "limit.mark_passed"
# So many tries each network has in a window beyond the mark, and so long their mails wait.
FEW = 3
DELAY = timedelta(minutes=2)


@dataclass(frozen=True)
class Mark:
    """How many tries of one kind are usual in a quarter of an hour from all networks together."""

    name: str
    max_attempts: int

    def consume(self, address: str) -> timedelta:
        """Count one try; return how long what it sends out waits. Raises `too_many` beyond the mark's few.

        The first one beyond the mark in a window tells admins, by the bell, by mail, in the audit log and in the log.
        """
        everywhere = RateLimit(self.name, self.max_attempts)
        tries, end = everywhere.count()
        if tries <= self.max_attempts:
            return timedelta(0)
        if everywhere.is_first_excess(end):
            self.alert(end)
        NetworkRateLimit(f"{self.name}-few", FEW).consume(address)
        return DELAY

    def alert(self, end: float) -> None:
        """Notify admins that the mark was passed in the window that ends at `end`."""
        logger.warning("Unusually many tries from all networks: %s, more than %d", self.name, self.max_attempts)
        detail = {"limit": self.name, "most": self.max_attempts}
        record_event(PASSED, Action.EXECUTE, "site", None, actor=None, outcome=Outcome.MINOR_FAILURE, detail=detail)
        admins = User.objects.active().filter(role=Role.ADMIN)
        # A version of its own for each window, in minutes, which the column can hold.
        notify(PASSED, "site", self.name, admins, version=int(end // 60), detail=detail)


def mark_passed(notice: Notice) -> Message:
    """Return the message to an admin: what is unusual and what the site does about it."""
    most = notice.detail["most"]
    is_reset = notice.detail["limit"] == "reset-overall"
    what = (
        _("Within 15 minutes, more than {most} new passwords were requested.").format(most=most)
        if is_reset
        else _("Within 15 minutes, more than {most} accounts were registered or tried.").format(most=most)
    )
    return Message(
        subject=_("Unusually many password requests") if is_reset else _("Unusually many registrations"),
        title=_("Unusually many password requests") if is_reset else _("Unusually many registrations"),
        lines=(
            what,
            _("Nobody is locked out. Until it's over, each network can only try a few times and emails go out later."),
        ),
        action=(_("View the audit log"), "/admin/audit?event=limit."),
    )


def register_composers() -> None:
    """Name the composer of this event."""
    register(PASSED, mark_passed)
