"""Log once per outage which database can't be reached, and why.

A pool hides the driver's reason: requests only learn that they got no connection in time.
"""

import logging
from collections.abc import Mapping
from typing import Any

from config.failure_reasons import LogThrottle

logger = logging.getLogger(__name__)


class Outage:
    """What this process has logged of one server; shared by all its connections."""

    def __init__(self) -> None:
        self.server = ""
        self.is_logged = False
        # A server that refuses only some connections does not fill the log.
        self.throttle = LogThrottle()

    def set_server(self, parameters: Mapping[str, Any]) -> None:
        """Remember which server it is, by the parameters of a connection."""
        name, host, port = (parameters.get(key) for key in ("dbname", "host", "port"))
        self.server = f"{name} at {host or 'localhost'}:{port or 5432}"

    def begin(self, reason: str) -> None:
        """Log the reason, unless it is the same outage."""
        if not self.is_logged and self.throttle.allows():
            self.is_logged = True
            logger.error("The database %s can't be reached: %s", self.server, reason)

    def end(self) -> None:
        """Log that connections succeed again."""
        if self.is_logged:
            self.is_logged = False
            logger.warning("The database %s can be reached again", self.server)
