"""What the calls about a doctor's own profile take."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from accounts.models import Role
from accounts.serializers import PersonChangesSerializer, RegistrationSerializer
from accounts.text_rules import FreeTextField, LineField, TimeZoneField
from doctors.hours import DEFAULT_DAYS, DEFAULT_HOURS
from doctors.models import Specialization, clock
from doctors.serializers import HospitalSerializer, WeekdaysField, WorkingHoursSerializer


class WorkingHoursInput(WorkingHoursSerializer):
    """Working hours as they are sent; the value is `{"start": "HH:MM", "end": "HH:MM"}`."""

    def validate(self, hours: dict[str, Any]) -> dict[str, str]:
        # A change of a profile may leave parts out; hours come whole.
        missing = {name: ["This field is required."] for name in ("start", "end") if name not in hours}
        if missing:
            raise serializers.ValidationError(missing)
        start, end = (hours[name].hour * 60 + hours[name].minute for name in ("start", "end"))
        if end <= start:
            raise serializers.ValidationError({"end": ["The end must be after the start."]})
        if start >= 13 * 60 and end <= 14 * 60:
            raise serializers.ValidationError({"end": ["These hours hold nothing but the lunch break."]})
        return {"start": clock(start), "end": clock(end)}


class DoctorFields(serializers.Serializer[Any]):
    """What a doctor says of the practice, at registration and later."""

    specialization = serializers.ChoiceField(choices=Specialization.choices)
    experience = serializers.IntegerField(min_value=0, max_value=80)
    licenseNumber = LineField(source="license_number", max_length=64)
    consultationFee = serializers.DecimalField(source="consultation_fee", max_digits=8, decimal_places=2, min_value=0)
    hospital = HospitalSerializer(source="*")
    workingDays = WeekdaysField(source="working_days", required=False)
    workingHours = WorkingHoursInput(source="working_hours", required=False)
    bio = FreeTextField(max_length=2000, required=False, allow_blank=True)
    timeZone = TimeZoneField(source="time_zone", required=False)


REQUIRED_OF_DOCTORS = ("specialization", "experience", "licenseNumber", "consultationFee")


class DoctorRegistrationSerializer(DoctorFields, RegistrationSerializer):
    """The registration form of a doctor."""

    path_role = Role.DOCTOR

    workingDays = WeekdaysField(source="working_days", default=lambda: list(DEFAULT_DAYS))
    workingHours = WorkingHoursInput(source="working_hours", default=lambda: dict(DEFAULT_HOURS))

    def broken_rules(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        broken = super().broken_rules(data)
        missing = [name for name in REQUIRED_OF_DOCTORS if data.get(name) in (None, "")]
        return {**broken, "Please fill in all required doctor fields": missing} if missing else broken


class DoctorUpdateSerializer(DoctorFields, PersonChangesSerializer):
    """A change of a doctor's profile; what is absent stays."""

    instantConfirmation = serializers.BooleanField(source="instant_confirmation", required=False)
    # Said after the question whether a new approval is wanted.
    confirmReview = serializers.BooleanField(source="confirm_review", required=False, default=False)
