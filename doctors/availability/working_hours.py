"""Set weekly hours from the specification's `workingDays` and `workingHours`."""

from collections.abc import Collection

from config.api.errors import DomainError
from doctors.models import DoctorProfile, WeeklyHours
from doctors.slot_engine import expand_working_hours
from doctors.weekly_hours import WEEKDAYS, Span

DEFAULT_DAYS = WEEKDAYS[:5]
DEFAULT_HOURS = Span(9 * 60, 18 * 60)


def set_working_hours(doctor: DoctorProfile, days: Collection[str] | None, hours: Span | None) -> bool:
    """Set working days and hours, unless None; return whether anything changed.

    Unchanged values are always accepted. Raise `schedule_not_uniform` for other values while the weekly hours are
    finer than working days and hours can express, because they would be overwritten.
    """
    before = doctor.week
    new_days = list(before.days) if days is None else sorted(set(days), key=WEEKDAYS.index)
    new_hours = hours or before.hours or DEFAULT_HOURS
    if new_days == list(before.days) and new_hours == (before.hours or new_hours):
        return False
    if not doctor.has_uniform_hours:
        error = DomainError("schedule_not_uniform")
        changed = {"workingDays": new_days != list(before.days), "workingHours": new_hours != before.hours}
        error.errors = {field: [error.message] for field, is_changed in changed.items() if is_changed}
        raise error
    weekly = expand_working_hours([WEEKDAYS.index(day) for day in new_days], *new_hours)
    WeeklyHours.objects.filter(doctor=doctor).delete()
    WeeklyHours.objects.bulk_create(
        WeeklyHours(doctor=doctor, weekday=day, start_minute=start, end_minute=end)
        for day, spans in weekly.items()
        for start, end in spans
    )
    return True
