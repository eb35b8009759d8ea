"""What a person chose to hear, and the wishes for a new password that nobody has looked up yet."""

from typing import ClassVar

from django.db import models
from django.utils import timezone


class ResetRequest(models.Model):
    """Somebody typed this address to get a new password. Who that is, the worker looks up, and the row goes."""

    id = models.BigAutoField(primary_key=True)
    email = models.EmailField(max_length=254)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"asked at {self.created_at:%Y-%m-%d %H:%M}"


class NoticeSettings(models.Model):
    """What a person wants to be told and when; without a row, everything and at any time."""

    user = models.OneToOneField(
        "accounts.User", on_delete=models.CASCADE, primary_key=True, related_name="notice_settings"
    )
    # The offsets of the wanted reminders, like "48h"; null: those that the site offers.
    reminders = models.JSONField(null=True, blank=True)
    # For each kind of notices (`accounts/messages.py`) the channels by which it is wanted: {"reminder": ["email"]}. One
    # that is absent is wanted by all; whoever has chosen gets nothing by a channel that came later.
    channels = models.JSONField(default=dict, blank=True)
    # Wall-clock times of the person's own zone; both or none.
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, blank=True)

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
