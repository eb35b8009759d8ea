"""Request serializers of a doctor's own profile."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from accounts.models import Role
from accounts.serializers import PersonChangesSerializer, RegistrationSerializer
from accounts.text.fields import FreeTextField, LineField, PhoneCountrySerializer, TimeZoneField
from config.api.field_messages import REQUIRED
from config.api.fields import LocalTimeField
from doctors.availability.working_hours import DEFAULT_DAYS, DEFAULT_HOURS
from doctors.models import DoctorProfile, Specialization
from doctors.serializers import HospitalSerializer, WeekdaysField, span_to_dict
from doctors.slot_engine import to_minute
from doctors.weekly_hours import Span


class WorkingHoursInput(serializers.Serializer[Any]):
    """Working hours within one day, which ends at 23:59."""

    start = LocalTimeField()
    end = LocalTimeField()

    def validate(self, hours: dict[str, Any]) -> Span:
        # A partial update may omit hours, but not one of their parts.
        missing = {name: [REQUIRED] for name in ("start", "end") if name not in hours}
        if missing:
            raise serializers.ValidationError(missing)
        start, end = (to_minute(hours[name]) for name in ("start", "end"))
        if end <= start:
            raise serializers.ValidationError({"end": ["The end must be after the start."]})
        if start >= 13 * 60 and end <= 14 * 60:
            raise serializers.ValidationError({"end": ["These hours hold nothing but the lunch break."]})
        return Span(start, end)


class HospitalChanges(HospitalSerializer):
    """Changes of the clinic."""

    def load_stored_values(self) -> None:
        doctor = DoctorProfile.objects.get(pk=self.context["request"].user.pk)
        self.stored_phone, self.stored_country = doctor.hospital_phone, doctor.hospital_country


class DoctorFields(PhoneCountrySerializer):
    """The fields of the practice, at registration and later."""

    specialization = serializers.ChoiceField(choices=Specialization.choices)
    experience = serializers.IntegerField(min_value=0, max_value=80)
    licenseNumber = LineField(source="license_number", max_length=64)
    consultationFee = serializers.DecimalField(source="consultation_fee", max_digits=8, decimal_places=2, min_value=0)
    hospital = HospitalSerializer(source="*")
    workingDays = WeekdaysField(source="working_days", required=False)
    workingHours = WorkingHoursInput(source="working_hours", required=False)
    bio = FreeTextField(max_length=2000, required=False, allow_blank=True)
    timeZone = TimeZoneField(source="time_zone", required=False)

    def get_address(self, data: Mapping[str, Any]) -> Any:
        hospital = data.get("hospital")
        return hospital.get("address") if isinstance(hospital, Mapping) else None


REQUIRED_OF_DOCTORS = ("specialization", "experience", "licenseNumber", "consultationFee")


class DoctorRegistrationSerializer(DoctorFields, RegistrationSerializer):
    """The registration form of a doctor."""

    path_role = Role.DOCTOR

    workingDays = WeekdaysField(source="working_days", default=lambda: list(DEFAULT_DAYS))
    workingHours = WorkingHoursInput(source="working_hours", default=lambda: DEFAULT_HOURS)

    def find_broken_rules(self, data: Mapping[str, Any]) -> dict[str, list[str]]:
        broken = super().find_broken_rules(data)
        missing = [name for name in REQUIRED_OF_DOCTORS if data.get(name) in (None, "")]
        return {**broken, "Please fill in all required doctor fields": missing} if missing else broken


class DoctorUpdateSerializer(DoctorFields, PersonChangesSerializer):
    """A change of a doctor's profile; absent fields stay unchanged."""

    hospital = HospitalChanges(source="*")
    instantConfirmation = serializers.BooleanField(source="instant_confirmation", required=False)
    # Set after the user has confirmed that a new approval is needed.
    confirmReview = serializers.BooleanField(source="confirm_review", required=False, default=False)

    def load_stored_values(self) -> None:
        self.stored_phone = self.context["request"].user.phone

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and data.get("workingHours") is not None:
            doctor = DoctorProfile.objects.get(pk=self.context["request"].user.pk)
            hours = doctor.week.hours
            # Weekly hours may exceed what this form accepts, such as hours past midnight; unchanged ones are ignored.
            if hours is not None and data["workingHours"] == span_to_dict(hours):
                data = {name: value for name, value in data.items() if name != "workingHours"}
        return super().to_internal_value(data)
