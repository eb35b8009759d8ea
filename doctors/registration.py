"""Registration of doctors."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.conf import settings

from accounts.models import Role, User
from accounts.registration import register_user
from doctors.availability.calendar import schedule_next_free_refresh
from doctors.availability.working_hours import set_working_hours
from doctors.models import DoctorProfile
from doctors.verification.decisions import open_case

PRACTICE_FIELDS = (
    "specialization",
    "experience",
    "license_number",
    "consultation_fee",
    "hospital_name",
    "hospital_street",
    "hospital_city",
    "hospital_state",
    "hospital_zip_code",
    "hospital_country",
    "hospital_phone",
    "bio",
)


def register_doctor(form: Mapping[str, Any], *, now: datetime, language: str = "") -> User:
    """Create a doctor's account from a validated form, pending approval; raise as `register_user`.

    The default hours are Monday to Friday, 09:00 to 18:00.
    """

    def add_details(user: User) -> None:
        doctor = DoctorProfile.objects.create(
            user=user,
            time_zone=form.get("time_zone") or settings.DEFAULT_TIME_ZONE,
            **{name: form[name] for name in PRACTICE_FIELDS if name in form},
        )
        set_working_hours(doctor, form["working_days"], form["working_hours"])
        open_case(doctor, now)
        schedule_next_free_refresh([doctor.pk], now)

    return register_user(Role.DOCTOR, form, add_details, now, language)
