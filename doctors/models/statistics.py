"""Offered time and unmet demand, counted for analytics."""

from typing import ClassVar

from django.db import models


class OfferedTime(models.Model):
    """Offered and booked time of the listed doctors of one specialization in one city on a date.

    Housekeeping counts a date once it is over everywhere, before its hours can change.
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
    """The number of searches on a date that found no free time, without any data about who searched."""

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
