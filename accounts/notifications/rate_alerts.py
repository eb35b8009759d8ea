"""Alert thresholds for the attempts of all networks together.

Above a threshold, admins are notified, and each network has a few more attempts whose emails are delayed. Nobody is
locked out by the attempts of others.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext as _

from accounts.audit.log import Action, Outcome, record_event
from accounts.models import Notice, Role, User
from accounts.notifications.outbox import notify_users
from accounts.notifications.registry import Message, register_composer
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit

logger = logging.getLogger(__name__)

THRESHOLD_EXCEEDED = "limit.mark_passed"
# For each network while the threshold is exceeded.
MAX_ATTEMPTS_PER_NETWORK = 3
EMAIL_DELAY = timedelta(minutes=2)


@dataclass(frozen=True)
class AlertThreshold:
    """The usual maximum of attempts from all networks together in one window."""

    name: str
    max_attempts: int

    def consume(self, address: str) -> timedelta:
        """Count one attempt and return how long to delay its emails.

        The first attempt over the threshold in a window notifies the admins. Raise `too_many` if the network has had
        `MAX_ATTEMPTS_PER_NETWORK` since.
        """
        limit = RateLimit(self.name, self.max_attempts)
        attempts, window_end = limit.count()
        if attempts <= self.max_attempts:
            return timedelta(0)
        if limit.is_first_excess(window_end):
            self.notify_admins(window_end)
        NetworkRateLimit(f"{self.name}-few", MAX_ATTEMPTS_PER_NETWORK).consume(address)
        return EMAIL_DELAY

    def notify_admins(self, window_end: float) -> None:
        logger.warning("Unusually many tries from all networks: %s, more than %d", self.name, self.max_attempts)
        detail = {"limit": self.name, "max_attempts": self.max_attempts}
        record_event(
            THRESHOLD_EXCEEDED, Action.EXECUTE, "site", None, actor=None, outcome=Outcome.MINOR_FAILURE, detail=detail
        )
        admins = User.objects.active().filter(role=Role.ADMIN)
        # One version per window, in minutes so that it fits into the column.
        notify_users(THRESHOLD_EXCEEDED, "site", self.name, admins, version=int(window_end // 60), detail=detail)


def compose_threshold_exceeded(notice: Notice) -> Message:
    max_attempts = notice.detail["max_attempts"]
    is_reset = notice.detail["limit"] == "reset-overall"
    text = (
        _("Within 15 minutes, more than {limit} new passwords were requested.").format(limit=max_attempts)
        if is_reset
        else _("Within 15 minutes, more than {limit} accounts were registered or tried.").format(limit=max_attempts)
    )
    return Message(
        subject=_("Unusually many password requests") if is_reset else _("Unusually many registrations"),
        title=_("Unusually many password requests") if is_reset else _("Unusually many registrations"),
        lines=(
            text,
            _("Nobody is locked out. Until it's over, each network can only try a few times and emails go out later."),
        ),
        action=(_("View the audit log"), "/admin/audit?event=limit."),
    )


def register_composers() -> None:
    register_composer(THRESHOLD_EXCEEDED, compose_threshold_exceeded)
