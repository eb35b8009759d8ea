"""The specification's `workingDays` and `workingHours`, written to the weekly hours."""

from collections.abc import Collection, Iterable

from config.api.errors import DomainError
from doctors.models import DoctorProfile, WeeklyHours
from doctors.slot_engine import Interval, weekly_from_working_hours
from doctors.weekly_hours import WEEKDAYS, minute_of

DEFAULT_DAYS = WEEKDAYS[:5]
DEFAULT_HOURS = {"start": "09:00", "end": "18:00"}

# The specification's bookable times: what 09:00 to 18:00 with lunch from 13:00 to 14:00 comes to.
BOOKABLE_TIMES = ["09:00", "10:00", "11:00", "12:00", "14:00", "15:00", "16:00", "17:00"]


def weekly_of(rows: Iterable[WeeklyHours]) -> dict[int, tuple[Interval, ...]]:
    """Return a doctor's rows as intervals by weekday."""
    weekly: dict[int, list[Interval]] = {}
    for row in rows:
        weekly.setdefault(row.weekday, []).append((row.start_minute, row.end_minute))
    return {day: tuple(sorted(spans)) for day, spans in weekly.items()}


def set_working_hours(doctor: DoctorProfile, days: Collection[str] | None, hours: dict[str, str] | None) -> bool:
    """Write working days and hours, each when given; return whether anything changed.

    Values that are sent as they were read change nothing. Raises `schedule_not_uniform` for other values while the
    weekly hours are finer than working days and hours can say: writing these would overwrite them.
    """
    before = doctor.week
    before_hours = before.hours._asdict() if before.hours else None
    new_days = list(before.days) if days is None else sorted(set(days), key=WEEKDAYS.index)
    new_hours = (before_hours or DEFAULT_HOURS) if hours is None else hours
    if new_days == list(before.days) and new_hours == (before_hours or new_hours):
        return False
    if not doctor.has_uniform_hours:
        refusal = DomainError("schedule_not_uniform")
        changed = {"workingDays": new_days != list(before.days), "workingHours": new_hours != before_hours}
        refusal.errors = {field: [refusal.message] for field, is_changed in changed.items() if is_changed}
        raise refusal
    weekly = weekly_from_working_hours(
        [WEEKDAYS.index(day) for day in new_days], minute_of(new_hours["start"]), minute_of(new_hours["end"])
    )
    WeeklyHours.objects.filter(doctor=doctor).delete()
    WeeklyHours.objects.bulk_create(
        WeeklyHours(doctor=doctor, weekday=day, start_minute=start, end_minute=end)
        for day, spans in weekly.items()
        for start, end in spans
    )
    return True
