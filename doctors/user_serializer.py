"""The doctor's part of `data.user`."""

from typing import Any

from accounts import role_serializers
from accounts.models import Role, User
from accounts.serializers import PersonSerializer, build_role_field
from doctors.models import DoctorProfile
from doctors.serializers import OwnDoctorFieldsSerializer


class DoctorUserSerializer(PersonSerializer):
    """`data.user` of a doctor: the common fields and the practice."""

    role = build_role_field(Role.DOCTOR)()

    def get_fields(self) -> dict[str, Any]:
        # For the schema; `to_representation` reads these fields from another row.
        return {**super().get_fields(), **OwnDoctorFieldsSerializer().get_fields()}

    def to_representation(self, user: User) -> dict[str, Any]:
        doctor = DoctorProfile.objects.prefetch_related("weekly_hours").get(pk=user.pk)
        return {**PersonSerializer(user).data, **OwnDoctorFieldsSerializer(doctor).data}


def register_doctor_role() -> None:
    """Register the serializer of doctors, which `accounts` can't import."""
    role_serializers.register_role(Role.DOCTOR, DoctorUserSerializer, lambda user: DoctorUserSerializer(user).data)
