"""The specification's `workingDays` and `workingHours`, written to the weekly hours."""

from collections.abc import Collection, Iterable

from doctors.free_times import Interval, weekly_from_working_hours
from doctors.models import WEEKDAYS, DoctorProfile, WeeklyHours, minute_of

DEFAULT_DAYS = WEEKDAYS[:5]
DEFAULT_HOURS = {"start": "09:00", "end": "18:00"}

# The specification's bookable times: what 09:00 to 18:00 with lunch from 13:00 to 14:00 comes to.
BOOKABLE_TIMES = ["09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00"]


def weekly_of(rows: Iterable[WeeklyHours]) -> dict[int, tuple[Interval, ...]]:
    """Answer a doctor's rows as intervals by weekday."""
    weekly: dict[int, list[Interval]] = {}
    for row in rows:
        weekly.setdefault(row.weekday, []).append((row.start_minute, row.end_minute))
    return {day: tuple(sorted(spans)) for day, spans in weekly.items()}


def set_working_hours(doctor: DoctorProfile, days: Collection[str] | None, hours: dict[str, str] | None) -> bool:
    """Write working days and hours, each when given; answer whether anything changed.

    What is sent as it was read changes nothing, so that a form that shows only these two can't flatten finer hours.
    """
    before = doctor.week
    before_hours = before.hours._asdict() if before.hours else None
    wanted_days = list(before.days) if days is None else sorted(set(days), key=WEEKDAYS.index)
    wanted_hours = (before_hours or DEFAULT_HOURS) if hours is None else hours
    if wanted_days == list(before.days) and wanted_hours == (before_hours or wanted_hours):
        return False
    if wanted_hours == before_hours:
        # Only days come or go: the hours of the days that stay are left as they are.
        kept = [WEEKDAYS.index(day) for day in wanted_days if day in before.days]
        added = [day for day in wanted_days if day not in before.days]
    else:
        kept, added = [], wanted_days
    weekly = weekly_from_working_hours(
        [WEEKDAYS.index(day) for day in added], minute_of(wanted_hours["start"]), minute_of(wanted_hours["end"])
    )
    WeeklyHours.objects.filter(doctor=doctor).exclude(weekday__in=kept).delete()
    WeeklyHours.objects.bulk_create(
        WeeklyHours(doctor=doctor, weekday=day, start_minute=start, end_minute=end)
        for day, spans in weekly.items()
        for start, end in spans
    )
    return True
