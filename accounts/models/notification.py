"""The outbox, and what each person wants to receive."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import models
from django.utils import timezone

from accounts.models.user import User


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due(self, now: datetime) -> "NoticeQuerySet":
        """Keep those whose turn has come and that no worker is busy with."""
        free = models.Q(lease_until=None) | models.Q(lease_until__lte=now)
        # No lease is as long: a clock that has been put right since wrote it.
        free |= models.Q(lease_until__gt=now + timedelta(minutes=20))
        return self.filter(free, state=Notice.State.WAITING, due_at__lte=now)


class Notice(models.Model):
    """A message to a person, written in the transaction of the change it tells of: the table is the outbox.

    Holds ids and codes, no words: those are made when it is sent or shown (`accounts/notifications/registry.py`).
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        # Refused for good, or tried for days: staff see it.
        FAILED = "failed"
        # It no longer helped anybody.
        DROPPED = "dropped"
        # Another notice's message holds what this one had to tell.
        MERGED = "merged"

    id = models.BigAutoField(primary_key=True)
    created_at = models.DateTimeField(default=timezone.now)
    event = models.CharField(max_length=48)
    subject_type = models.CharField(max_length=24)
    subject_id = models.CharField(max_length=36)
    # The subject's version that the notice tells of, so that one change is told once.
    version = models.PositiveIntegerField(default=1)
    recipient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=12, default="email")
    # Where it goes when not to the person's own address; emptied once it is sent.
    address = models.EmailField(max_length=254, blank=True)
    # Ids and codes that the message needs besides its subject.
    detail = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Until when a worker has it in hand; once that is over, another one may take it.
    lease_until = models.DateTimeField(null=True, blank=True)
    # The same at every try, so that a mailbox knows a repetition for what it is.
    message_id = models.CharField(max_length=200, blank=True)
    # Why the last try came to nothing: a code, never a server's own words.
    error = models.CharField(max_length=32, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # When the person saw it in the page.
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
            # Whole, not for the waiting alone: SQLite takes no partial index for a value that comes as a parameter.
            models.Index(fields=["state", "channel", "due_at", "id"], name="notice_due"),
            models.Index(fields=["recipient", "-id"], name="notice_of_person"),
            models.Index(fields=["recipient", "read_at", "-id"], name="notice_unread"),
            # Whether something later is told of the same thing; the thing first, as it has few notices.
            models.Index(fields=["subject_id", "recipient", "version"], name="notice_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.recipient_id}"


class NoticeSettings(models.Model):
    """What a person wants to be told and when; without a row, everything and at any time."""

    user = models.OneToOneField(
        "accounts.User", on_delete=models.CASCADE, primary_key=True, related_name="notice_settings"
    )
    # The offsets of the wanted reminders, like "48h"; null: those that the site offers.
    reminders = models.JSONField(null=True, blank=True)
    # For each kind of notices (`accounts/notifications/registry.py`) the channels by which it is wanted:
    # {"reminder": ["email"]}. One that is absent is wanted by all; after a choice, a channel added later sends nothing.
    channels = models.JSONField(default=dict, blank=True)
    # Wall-clock times of the person's own zone; both or none.
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)
    # Since when mails bring no calendar files, for people whose calendar reads the private feed; null: they do.
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
