"""Offered time and unmet demand, counted for analytics."""

from typing import ClassVar

from django.db import models


class OfferedTime(models.Model):
    """What the listed doctors of one specialization in one city offered on a date, and what appointments took of it.

    Counted by the housekeeping once the date is over everywhere, since hours that change later would tell otherwise.
    """

    date = models.DateField()
    specialization = models.CharField(max_length=32)
    city = models.CharField(max_length=100, blank=True)
    offered_minutes = models.PositiveBigIntegerField()
    used_minutes = models.PositiveBigIntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["date", "specialization", "city"]
        verbose_name_plural = "offered time"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["date", "specialization", "city"], name="one_count_of_offered_time"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.specialization} {self.city}"


class MissedSearch(models.Model):
    """How often somebody looked for a free time on a date and found none; no word of who or what else."""

    date = models.DateField(help_text="UTC's.")
    specialization = models.CharField(max_length=32, blank=True)
    city = models.CharField(max_length=100, blank=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["date", "specialization", "city"]
        verbose_name_plural = "missed searches"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["date", "specialization", "city"], name="one_count_of_missed_searches"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.specialization} {self.city}"
