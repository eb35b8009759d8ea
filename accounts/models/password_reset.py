"""Password reset requests that no worker has looked up yet."""

from django.db import models
from django.utils import timezone


class ResetRequest(models.Model):
    """An address for which a password reset was requested, or whose password is being guessed.

    A worker looks for the account and deletes the row, so that response times don't reveal which addresses exist.
    """

    class Kind(models.TextChoices):
        RESET = "reset"
        GUESSED = "guessed"

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RESET, db_default="reset")
    email = models.EmailField(max_length=254)
    created_at = models.DateTimeField(default=timezone.now)
    # Delayed while there are unusually many requests; null for no delay.
    due_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"asked at {self.created_at:%Y-%m-%d %H:%M}"
