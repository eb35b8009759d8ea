"""Who read whose personal data; see `accounts/access_log.py`."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

# The audit event of a user who was shown unusually many people in a day.
MANY_READ = "people.read_many"


class Reading(models.Model):
    """How often a view showed an object about a person to an actor on one day (UTC).

    Contains only ids, as the audit log does. A trigger permits only increasing the count, and deleting old rows
    (`accounts/audit/append_only.py`).
    """

    id = models.BigAutoField(primary_key=True)
    day = models.DateField()
    actor_id = models.UUIDField()
    actor_role = models.CharField(max_length=8)
    # The name of the route or, on the staff site, of the page.
    view = models.CharField(max_length=64)
    # The object, with the types of the audit log, and the person whose data it contains.
    subject_type = models.CharField(max_length=24)
    subject_id = models.UUIDField()
    person_id = models.UUIDField()
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["actor_id", "day", "view", "subject_id"], name="one_reading_per_day"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Covers counting the people whose data an actor read on a day.
            models.Index(fields=["day", "actor_id", "person_id"], name="reading_of_day"),
            models.Index(fields=["person_id", "-day"], name="reading_of_person"),
        ]

    def __str__(self) -> str:
        return f"{self.view} on {self.day}"
