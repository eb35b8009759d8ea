"""Doctors for tests, with full defaults."""

from decimal import Decimal
from typing import Any

from django.utils import timezone
from factory.declarations import LazyFunction, Sequence, SubFactory
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from accounts.models import Role
from accounts.tests.factories import UserFactory
from doctors.availability.calendar import refresh_next_free
from doctors.availability.working_hours import DEFAULT_DAYS, DEFAULT_HOURS, set_working_hours
from doctors.models import Approval, DoctorProfile


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
        hours = {"days": DEFAULT_DAYS, "hours": DEFAULT_HOURS, **(extracted or {})}
        set_working_hours(self, hours["days"], hours["hours"])
        refresh_next_free([self.pk], timezone.now())
