"""Doctors for tests, with full defaults."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django.utils import timezone
from factory.declarations import LazyFunction, Sequence, SubFactory
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from accounts.models import Role
from accounts.tests.factories import UserFactory
from doctors.availability.calendar import refresh_next_free
from doctors.availability.working_hours import DEFAULT_DAYS
from doctors.models import Approval, DoctorProfile, WeeklyHours
from doctors.slot_engine import expand_working_hours
from doctors.weekly_hours import WEEKDAYS, parse_minute

HOURS = {"start": "09:00", "end": "18:00"}


class DoctorFactory(DjangoModelFactory[DoctorProfile]):
    """An approved doctor who works Monday to Friday, 09:00 to 18:00 in New York."""

    class Meta:
        model = DoctorProfile
        skip_postgeneration_save = True

    user = SubFactory(UserFactory, role=Role.DOCTOR)
    specialization = "Cardiology"
    experience = 10
    license_number = Sequence(lambda n: f"TEST-{n:05d}")
    consultation_fee = Decimal("120.00")
    bio = "Listens first."
    hospital_name = "Example General"
    hospital_street = "2 Sample Road"
    hospital_city = "Springfield"
    hospital_state = "NY"
    hospital_zip_code = "00000"
    hospital_phone = "+12025550199"
    approval = Approval.APPROVED
    approved_at = LazyFunction(timezone.now)
    time_zone = "America/New_York"

    @post_generation
    def working(self: Any, create: bool, extracted: dict[str, Any] | None, **kwargs: Any) -> None:
        if create:
            hours = {"days": DEFAULT_DAYS, "hours": HOURS, **(extracted or {})}
            open_hours([self], **hours)


def open_hours(
    doctors: list[DoctorProfile], days: Collection[str] = DEFAULT_DAYS, hours: dict[str, str] = HOURS
) -> None:
    """Give new doctors these hours."""
    weekdays = [WEEKDAYS.index(day) for day in days]
    weekly = expand_working_hours(weekdays, parse_minute(hours["start"]), parse_minute(hours["end"]))
    WeeklyHours.objects.bulk_create(
        WeeklyHours(doctor=doctor, weekday=weekday, start_minute=start, end_minute=end)
        for doctor in doctors
        for weekday, intervals in weekly.items()
        for start, end in intervals
    )
    refresh_next_free([doctor.pk for doctor in doctors], timezone.now())
