"""Password reset requests that no worker has looked up yet."""

from django.db import models
from django.utils import timezone


class ResetRequest(models.Model):
    """Somebody typed this address to get a new password, or guesses its password.

    Whether it has an account, the worker looks up, and the row goes: so no request's time tells.
    """

    class Kind(models.TextChoices):
        RESET = "reset"
        GUESSED = "guessed"

    id = models.BigAutoField(primary_key=True)
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.RESET, db_default="reset")
    email = models.EmailField(max_length=254)
    created_at = models.DateTimeField(default=timezone.now)
    # Not looked up before then: mails go out later while unusually many ask. Null: at once.
    due_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"asked at {self.created_at:%Y-%m-%d %H:%M}"
