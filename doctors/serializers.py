"""Doctors on the wire: the public card, the page, and the doctor's part of `data.user`."""

from typing import Any
from uuid import UUID

from django.conf import settings
from rest_framework import serializers

from accounts.text_rules import LineField, PhoneField
from config.wire import (
    InstantField,
    LocalDateField,
    LocalTimeField,
    PageQuery,
    PaginationSerializer,
    WireModelSerializer,
)
from doctors.calendar import slot_on_wire
from doctors.directory import ORDERINGS
from doctors.free_times import Slot
from doctors.hours import on_wire
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
    startsAt = InstantField()


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


class OwnWeekdaysField(WeekdaysField):
    """The days on which a doctor works, read from the weekly hours."""

    def get_attribute(self, doctor: DoctorProfile) -> list[str]:
        return list(on_wire(doctor.weekly_hours.all())["workingDays"])


class OwnWorkingHoursSerializer(WorkingHoursSerializer):
    """The working hours of a doctor, read from the weekly hours; null where there are none."""

    def get_attribute(self, doctor: DoctorProfile) -> dict[str, str] | None:
        hours: dict[str, str] | None = on_wire(doctor.weekly_hours.all())["workingHours"]
        return hours


class SiteCurrencyField(serializers.CharField):
    """The currency of the whole site, ISO 4217."""

    def get_attribute(self, instance: Any) -> str:
        return str(settings.CURRENCY)


class DoctorFieldsSerializer(WireModelSerializer):
    """What the public page and the doctor's own profile have in common."""

    rating = RatingSerializer(source="*", read_only=True)
    hospital = HospitalSerializer(source="*", read_only=True)
    currency = SiteCurrencyField(read_only=True)
    workingDays = OwnWeekdaysField(read_only=True)
    workingHours = OwnWorkingHoursSerializer(read_only=True, allow_null=True)

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
    """A doctor as anyone sees one; licence, e-mail, phone and birth date are never here.

    The context holds `next_times`: the first free slots by doctor id.
    """

    _id = serializers.UUIDField(source="user_id", read_only=True)
    name = serializers.CharField(source="user.name", read_only=True)
    profilePicture = serializers.CharField(source="user.profile_picture", read_only=True, allow_null=True)
    verifiedOn = serializers.SerializerMethodField()
    nextFree = serializers.SerializerMethodField()
    nextTimes = serializers.SerializerMethodField()

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

    def slots(self, doctor: DoctorProfile) -> list[Slot]:
        """Answer the first free times that the view has read for this doctor."""
        known: dict[UUID, list[Slot]] = self.context["next_times"]
        return known[doctor.pk]

    def get_verifiedOn(self, doctor: DoctorProfile) -> LocalDateField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return doctor.approved_at.date().isoformat() if doctor.approved_at else None

    def get_nextFree(self, doctor: DoctorProfile) -> FreeTimeSerializer(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        slots = self.slots(doctor)
        return slot_on_wire(slots[0]) if slots else None

    def get_nextTimes(self, doctor: DoctorProfile) -> FreeTimeSerializer(many=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return [slot_on_wire(slot) for slot in self.slots(doctor)]


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

    timeZone = serializers.CharField()
    visitMinutes = serializers.IntegerField()
    slots = DaySlotsSerializer(many=True)
    nextFree = FreeTimeSerializer(allow_null=True)
