"""Doctors on the wire: the public card, the page, and the doctor's part of `data.user`."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from accounts.text_rules import LineField, PhoneField
from config.wire import (
    LocalDateField,
    LocalTimeField,
    PageQuery,
    PaginationSerializer,
    SecondField,
    WireModelSerializer,
)
from config.writers import Writer
from doctors.directory import ORDERINGS
from doctors.models import WEEKDAYS, Approval, DoctorProfile, Specialization


class HospitalAddressSerializer(serializers.Serializer[Any]):
    """Where the clinic is; flat columns `hospital_…` behind it."""

    street = LineField(source="hospital_street", max_length=200, required=False, allow_blank=True)
    city = LineField(source="hospital_city", max_length=100, required=False, allow_blank=True)
    state = LineField(source="hospital_state", max_length=100, required=False, allow_blank=True)
    zipCode = LineField(source="hospital_zip_code", max_length=20, required=False, allow_blank=True)


class HospitalSerializer(serializers.Serializer[Any]):
    """The clinic a doctor works at."""

    name = LineField(source="hospital_name", max_length=200)
    address = HospitalAddressSerializer(source="*", required=False)
    phone = PhoneField(source="hospital_phone", required=False, allow_blank=True)


class RatingSerializer(serializers.Serializer[Any]):
    """What patients gave on average, one decimal on screen; a count of 0 reads "New"."""

    average = serializers.DecimalField(source="rating_average", max_digits=3, decimal_places=2)
    count = serializers.IntegerField(source="rating_count")


class WorkingHoursSerializer(serializers.Serializer[Any]):
    """From the first start to the last end of a working day, on the clinic's clock."""

    start = LocalTimeField()
    end = LocalTimeField()


class FreeTimeSerializer(serializers.Serializer[Any]):
    """A free time: the clinic's local date and time, and the instant they stand for."""

    date = LocalDateField()
    time = LocalTimeField()
    startsAt = SecondField(source="starts_at")


class WeekdaysField(serializers.ListField):
    """Lowercase weekday names, each once."""

    child = serializers.ChoiceField(choices=WEEKDAYS)

    default_error_messages = {"too_many": "There are only seven days in a week."}

    def to_internal_value(self, data: Any) -> list[str]:
        # Before the days are read one by one: each of a hundred thousand wrong ones would get a sentence.
        if not isinstance(data, list):
            self.fail("not_a_list", input_type=type(data).__name__)
        if len(data) > len(WEEKDAYS):
            self.fail("too_many")
        return sorted(set(super().to_internal_value(data)), key=WEEKDAYS.index)


class SiteCurrencyField(serializers.CharField):
    """The currency of the whole site, ISO 4217."""

    def get_attribute(self, instance: Any) -> str:
        return str(settings.CURRENCY)


class DoctorFieldsSerializer(WireModelSerializer):
    """What the public page and the doctor's own profile have in common."""

    rating = RatingSerializer(source="*", read_only=True)
    hospital = HospitalSerializer(source="*", read_only=True)
    currency = SiteCurrencyField(read_only=True)
    workingDays = WeekdaysField(source="week.days", read_only=True)
    workingHours = WorkingHoursSerializer(source="week.hours", read_only=True, allow_null=True)

    class Meta:
        model = DoctorProfile
        fields: tuple[str, ...] = (
            "specialization",
            "experience",
            "consultationFee",
            "currency",
            "rating",
            "hospital",
            "bio",
            "workingDays",
            "workingHours",
            "timeZone",
            "instantConfirmation",
        )
        read_only_fields = fields


class DoctorSerializer(DoctorFieldsSerializer):
    """A doctor as anyone sees one, written from a `Card`; licence, e-mail, phone and birth date are never here."""

    _id = serializers.UUIDField(source="user_id", read_only=True)
    name = serializers.CharField(read_only=True)
    profilePicture = serializers.CharField(source="profile_picture", read_only=True, allow_null=True)
    verifiedOn = LocalDateField(source="verified_on", read_only=True, allow_null=True)
    nextFree = FreeTimeSerializer(source="next_free", read_only=True, allow_null=True)
    nextTimes = FreeTimeSerializer(source="next_times", many=True, read_only=True)

    class Meta(DoctorFieldsSerializer.Meta):
        fields = (
            "_id",
            "name",
            *DoctorFieldsSerializer.Meta.fields,
            "profilePicture",
            "verifiedOn",
            "nextFree",
            "nextTimes",
        )
        read_only_fields = fields


class ApprovalSerializer(serializers.Serializer[Any]):
    """Where the verification stands, and the reason staff gave."""

    state = serializers.ChoiceField(source="approval", choices=Approval.choices)
    reason = serializers.CharField(source="approval_reason")


class OwnDoctorFieldsSerializer(DoctorFieldsSerializer):
    """The doctor's part of `data.user`, for the doctor alone."""

    isApproved = serializers.BooleanField(source="is_approved", read_only=True)
    approval = ApprovalSerializer(source="*", read_only=True)

    class Meta(DoctorFieldsSerializer.Meta):
        fields = (*DoctorFieldsSerializer.Meta.fields, "licenseNumber", "isApproved", "approval")
        read_only_fields = fields


class DirectoryQuery(PageQuery):
    """What the directory can be searched, narrowed and ordered by."""

    is_timeless = True

    search = LineField(
        max_length=100, required=False, allow_blank=True, help_text="Words of the name or specialization."
    )
    specialization = serializers.ChoiceField(choices=Specialization.choices, required=False, allow_blank=True)
    city = LineField(max_length=100, required=False, allow_blank=True)
    availableBy = LocalDateField(
        required=False, help_text="Only doctors with a free time up to this date of the clinic's."
    )
    ordering = serializers.ChoiceField(choices=ORDERINGS, required=False)


class SlotsQuery(serializers.Serializer[Any]):
    """Which days to list; from the clinic's today on where `from` is not given."""

    is_timeless = True

    days = serializers.IntegerField(default=14, min_value=1, max_value=62)
    holdId = LineField(
        max_length=64, required=False, allow_blank=True, default="", help_text="One's own hold, shown as free."
    )

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python's own.
        return {"from": LocalDateField(required=False), **super().get_fields()}


class DoctorsData(serializers.Serializer[Any]):
    """`data` of the directory."""

    doctors = DoctorSerializer(many=True)
    pagination = PaginationSerializer()


class DoctorData(serializers.Serializer[Any]):
    """`data` of one doctor."""

    doctor = DoctorSerializer()


class DaySlotsSerializer(serializers.Serializer[Any]):
    """The free times of one day on the clinic's clock."""

    date = LocalDateField()
    times = serializers.ListField(child=LocalTimeField())


class SlotsData(serializers.Serializer[Any]):
    """`data` of a doctor's free times, one entry a day."""

    timeZone = serializers.CharField(source="time_zone")
    visitMinutes = serializers.IntegerField(source="visit_minutes")
    slots = DaySlotsSerializer(source="days", many=True)
    nextFree = FreeTimeSerializer(source="next_free", allow_null=True)


slots_writer = Writer(SlotsData)
doctor_writer = Writer(DoctorSerializer)
