"""Sessions, the authority behind access tokens."""

from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from accounts.models.identifiers import new_id
from accounts.models.user import User

# The clocks of machines differ; tokens have the same leeway.
MAX_CLOCK_SKEW = timedelta(seconds=settings.SIMPLE_JWT["LEEWAY"])


class SessionQuerySet(models.QuerySet["Session"]):
    def open(self, now: datetime) -> "SessionQuerySet":
        """Return the sessions that are neither ended nor expired."""
        return self.filter(ended_at=None, expires_at__gt=now)


class Session(models.Model):
    """A session; its token is valid while the session is open and its user active."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sessions")
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_because = models.CharField(max_length=24, blank=True)
    # A digest of the password and role, so that changing either ends the session.
    bound_to = models.CharField(max_length=32, editable=False)
    ip_address = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=200, blank=True)
    # See `compute_device_digest`; empty for the oldest sessions.
    device = models.CharField(max_length=32, blank=True, default="", db_default="", editable=False)

    objects = SessionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-last_seen_at"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "ended_at", "expires_at"], name="session_of_user"),
            models.Index(fields=["device"], name="session_of_device"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} since {self.created_at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.bound_to = self.bound_to or self.user.compute_session_digest()
        super().save(*args, **kwargs)

    def is_active_at(self, now: datetime) -> bool:
        """Return whether the session is open, not idle for too long, and its user active and unchanged.

        A session that was used in the future is inactive, or setting back a clock would extend it.
        """
        idle = timedelta(minutes=settings.SESSION_IDLE_MINUTES[self.user.role])
        return (
            self.ended_at is None
            and now < self.expires_at
            and self.last_seen_at - MAX_CLOCK_SKEW <= now < self.last_seen_at + idle
            and self.user.is_active
            and constant_time_compare(self.bound_to, self.user.compute_session_digest())
        )
