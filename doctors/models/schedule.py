"""Weekly hours, and the dates and times that differ from them."""

from collections.abc import Iterator
from datetime import date
from typing import ClassVar, NamedTuple

from django.db import models

from accounts.models.identifiers import new_id
from doctors.slot_engine import Interval
from doctors.weekly_hours import WEEKDAYS, Span, format_minute


class WeeklyHours(models.Model):
    """One interval in which appointments start and end, in minutes of the local day on which it begins.

    Hours that run past midnight, like 20:00 to 03:00, end after minute 1440.
    """

    doctor = models.ForeignKey("doctors.DoctorProfile", on_delete=models.CASCADE, related_name="weekly_hours")
    weekday = models.PositiveSmallIntegerField(help_text="0 is Monday.")
    start_minute = models.PositiveSmallIntegerField()
    end_minute = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "weekday", "start_minute"]
        verbose_name_plural = "weekly hours"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "weekday", "start_minute"], name="one_interval_per_start"),
            models.CheckConstraint(
                condition=models.Q(
                    weekday__lte=6,
                    start_minute__lt=1440,
                    end_minute__lte=models.F("start_minute") + 1440,
                    end_minute__gt=models.F("start_minute"),
                ),
                name="weekly_hours_begin_in_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{WEEKDAYS[self.weekday]} {self.start_minute}-{self.end_minute}"


class DayOverride(models.Model):
    """A date whose hours replace the weekday's; without hours it is a day off."""

    doctor = models.ForeignKey("doctors.DoctorProfile", on_delete=models.CASCADE, related_name="overrides")
    date = models.DateField()
    # [[start minute, end minute], …]; replaced as a whole, never queried inside.
    hours = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "date"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "date"], name="one_override_per_day"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.hours}"

    @property
    def spans(self) -> list[Span]:
        """Return the hours; none on a day off."""
        return [Span(start, end) for start, end in self.hours]


class BlockedTime(models.Model):
    """An interval of one date in which no appointment is offered."""

    doctor = models.ForeignKey("doctors.DoctorProfile", on_delete=models.CASCADE, related_name="blocked_times")
    date = models.DateField()
    start_minute = models.PositiveSmallIntegerField()
    end_minute = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "date", "start_minute"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(end_minute__lte=1440, end_minute__gt=models.F("start_minute")),
                name="blocked_time_in_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.start_minute}-{self.end_minute}"


class LocalMoment(NamedTuple):
    """A local date and minute; minute 1440 is the end of the date."""

    date: date
    minute: int


class Absence(models.Model):
    """A doctor's absence from one local date and time to another."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    doctor = models.ForeignKey("doctors.DoctorProfile", on_delete=models.CASCADE, related_name="absences")
    from_date = models.DateField()
    from_minute = models.PositiveSmallIntegerField()
    to_date = models.DateField()
    to_minute = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "from_date", "from_minute"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(from_minute__lt=1440, to_minute__lte=1440)
                & (
                    models.Q(to_date__gt=models.F("from_date"))
                    | models.Q(to_date=models.F("from_date"), to_minute__gt=models.F("from_minute"))
                ),
                name="absence_forwards",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "to_date"], name="absences_of_doctor"),
        ]

    def __str__(self) -> str:
        return f"{self.from_date} {format_minute(self.from_minute)} to {self.to_date} {format_minute(self.to_minute)}"

    @property
    def start(self) -> LocalMoment:
        return LocalMoment(self.from_date, self.from_minute)

    @property
    def end(self) -> LocalMoment:
        return LocalMoment(self.to_date, self.to_minute)


def split_absence(first: date, start: int, last: date, end: int) -> Iterator[tuple[date, Interval]]:
    """Yield the interval of each date in an absence from `start` on `first` to `end` on `last`."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        day = date.fromordinal(ordinal)
        span = (start if day == first else 0, end if day == last else 1440)
        if span[0] < span[1]:
            yield day, span
