"""Private calendar addresses."""

from django.db import models

from accounts.models.user import User


class CalendarFeed(models.Model):
    """The private URL of a user's calendar; only a hash is stored."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="+")
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} since {self.created_at:%Y-%m-%d}"
