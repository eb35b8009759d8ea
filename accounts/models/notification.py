"""The outbox and notification preferences."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due(self, now: datetime) -> "NoticeQuerySet":
        """Return the waiting notices that are due and not leased."""
        is_free = models.Q(lease_until=None) | models.Q(lease_until__lte=now)
        # No lease is that long, so the clock that wrote it was fast.
        is_free |= models.Q(lease_until__gt=now + timedelta(minutes=20))
        return self.filter(is_free, state=Notice.State.WAITING, due_at__lte=now)


class Notice(models.Model):
    """A notification, stored in the transaction of the change it reports; this table is the outbox.

    Contains only ids and codes; texts are composed for display or delivery (`accounts/notifications/registry.py`).
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        # Permanently rejected, or retried for days; shown to staff.
        FAILED = "failed"
        # Outdated or not wanted.
        DROPPED = "dropped"
        # Included in another notice.
        MERGED = "merged"

    id = models.BigAutoField(primary_key=True)
    created_at = models.DateTimeField(default=timezone.now)
    event = models.CharField(max_length=48)
    subject_type = models.CharField(max_length=24)
    subject_id = models.CharField(max_length=36)
    # The version of the subject, so that each change is reported once.
    version = models.PositiveIntegerField(default=1)
    recipient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=12, default="email")
    # Replaces the recipient's own address; deleted once the notice is sent.
    address = models.EmailField(max_length=254, blank=True)
    # Additional ids and codes for the message.
    detail = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The same for each attempt, so that mail servers can recognize duplicates.
    message_id = models.CharField(max_length=200, blank=True)
    # The code of the last error, never a message of a server.
    error = models.CharField(max_length=32, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # When the recipient saw it in the app.
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # For staff who are no superusers.
        permissions = [("send_again_notice", "Can have a failed message tried again")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "subject_type", "subject_id", "version", "recipient", "channel"],
                name="one_notice_per_change",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Not partial, because SQLite uses no partial index if the value is a parameter.
            models.Index(fields=["state", "channel", "due_at", "id"], name="notice_due"),
            models.Index(fields=["recipient", "-id"], name="notice_of_person"),
            models.Index(fields=["recipient", "read_at", "-id"], name="notice_unread"),
            # For later notices of the same subject; the subject first, because it has few notices.
            models.Index(fields=["subject_id", "recipient", "version"], name="notice_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.recipient_id}"


class NoticeSettings(models.Model):
    """A user's notification preferences; without a row, everything is sent at any time."""

    user = models.OneToOneField(
        "accounts.User", on_delete=models.CASCADE, primary_key=True, related_name="notice_settings"
    )
    # The enabled reminders, like "48h"; null for all that the site offers.
    reminders = models.JSONField(null=True, blank=True)
    # The enabled channels of each kind of notices (`accounts/notifications/registry.py`): {"reminder": ["email"]}.
    # Absent kinds use all channels; others don't use channels that are added later.
    channels = models.JSONField(default=dict, blank=True)
    # Local times in `time_zone`.
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    # Since when emails include no calendar files, for users whose calendar reads the private feed.
    invitations_off_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "notice settings"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(quiet_from=None, quiet_until=None)
                | models.Q(quiet_from__isnull=False, quiet_until__isnull=False),
                name="quiet_hours_have_both_ends",
            ),
        ]

    def __str__(self) -> str:
        return str(self.user_id)
