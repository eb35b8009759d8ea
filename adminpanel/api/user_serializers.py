"""Serializers of users and doctors for staff."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import AccountStatus, Role, User
from accounts.text.fields import ChoiceField, FreeTextField, LineField, PhoneField
from adminpanel.queries.users import DOCTOR_ORDERINGS, USER_ORDERINGS
from appointments.serializers import AppointmentSerializer
from config.api.fields import (
    MAX_INTEGER,
    IdField,
    InstantField,
    LocalDateField,
    WholeNumberField,
    WireModelSerializer,
)
from config.api.pagination import PageQuery, PaginationSerializer
from doctors.models import Approval, DoctorProfile, Specialization
from doctors.models.verification import CHECKLIST
from doctors.serializers import ApprovalSerializer, HospitalSerializer, RatingSerializer, SiteCurrencyField
from doctors.verification.decisions import CaseKind, EvidencePart, find_gaps, get_case_kind
from doctors.verification.serializers import OwnCaseSerializer

# --- Responses --------------------------------------------------------------------------------


class ListedUserSerializer(WireModelSerializer):
    """A user in the list of users."""

    createdAt = InstantField(source="created_at", read_only=True)
    lastSignInAt = InstantField(source="last_login", read_only=True, allow_null=True)
    profilePicture = serializers.CharField(source="profile_picture", read_only=True, allow_null=True)

    class Meta:
        model = User
        fields = (
            "_id",
            "name",
            "email",
            "phone",
            "gender",
            "dateOfBirth",
            "role",
            "status",
            "createdAt",
            "lastSignInAt",
            "profilePicture",
        )
        read_only_fields = fields


class UserTotals(serializers.Serializer[Any]):
    """Exact totals of open accounts, regardless of filters."""

    all = serializers.IntegerField()
    patients = serializers.IntegerField()
    doctors = serializers.IntegerField()
    admins = serializers.IntegerField()
    active = serializers.IntegerField()
    inactive = serializers.IntegerField()


class UsersData(serializers.Serializer[Any]):
    """`data` of the list of users."""

    users = ListedUserSerializer(many=True)
    totals = UserTotals()
    pagination = PaginationSerializer()


class EffectsSerializer(serializers.Serializer[Any]):
    """The effects of a change of an account: upcoming appointments and the number of messages."""

    upcoming = serializers.IntegerField()
    messages = serializers.IntegerField()
    appointments = AppointmentSerializer(many=True, help_text="At most 20, soonest first, without clinical text.")


class EffectsData(serializers.Serializer[Any]):
    """`data` of closing an account."""

    effects = EffectsSerializer()


class UserStatusData(EffectsData):
    """`data` of a change of a user's status."""

    user = ListedUserSerializer()


class OneUserData(serializers.Serializer[Any]):
    """`data` of one user."""

    user = ListedUserSerializer()
    upcoming = serializers.IntegerField(help_text="Live appointments ahead.")


class RefusedSerializer(serializers.Serializer[Any]):
    """A user whose status was not changed, and why."""

    _id = serializers.UUIDField()
    code = serializers.CharField()
    message = serializers.CharField()


class UsersStatusData(serializers.Serializer[Any]):
    """`data` of a change of several users' status: the changed and rejected ones."""

    changed = serializers.ListField(child=serializers.UUIDField(), help_text="Undone by asking for the other status.")
    refused = RefusedSerializer(many=True)


class DoctorForStaffSerializer(WireModelSerializer):
    """A doctor for staff."""

    _id = serializers.UUIDField(source="user_id", read_only=True)
    name = serializers.CharField(source="user.name", read_only=True)
    email = serializers.CharField(source="user.email", read_only=True)
    phone = PhoneField(source="user.phone", read_only=True)
    status = serializers.ChoiceField(source="user.status", choices=AccountStatus.choices, read_only=True)
    createdAt = InstantField(source="user.created_at", read_only=True)
    profilePicture = serializers.CharField(source="user.profile_picture", read_only=True, allow_null=True)
    currency = SiteCurrencyField(read_only=True)
    rating = RatingSerializer(source="*", read_only=True)
    hospital = HospitalSerializer(source="*", read_only=True)
    isApproved = serializers.BooleanField(source="is_approved", read_only=True)
    approval = ApprovalSerializer(source="*", read_only=True)
    approvedAt = InstantField(source="approved_at", read_only=True, allow_null=True)
    openCase = serializers.UUIDField(source="open_case", read_only=True, allow_null=True)
    waitingSince = InstantField(source="waiting_since", read_only=True, allow_null=True)
    openCaseKind = serializers.SerializerMethodField()
    missing = serializers.SerializerMethodField(
        help_text="What is missing to approve the open application, or, without one, the doctor."
    )

    class Meta:
        model = DoctorProfile
        fields = (
            "_id",
            "name",
            "email",
            "phone",
            "status",
            "createdAt",
            "profilePicture",
            "specialization",
            "experience",
            "licenseNumber",
            "licenseAuthority",
            "licenseRegion",
            "licenseExpiresOn",
            "consultationFee",
            "currency",
            "rating",
            "hospital",
            "bio",
            "isApproved",
            "approval",
            "approvedAt",
            "openCase",
            "waitingSince",
            "openCaseKind",
            "missing",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.ChoiceField(choices=CaseKind.choices, allow_null=True))
    def get_openCaseKind(self, doctor: Any) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return get_case_kind(doctor.approval) if doctor.open_case else None

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(choices=EvidencePart.choices)))
    def get_missing(self, doctor: Any) -> list[str]:
        if doctor.open_case:
            license_of = doctor.claimed_authority, doctor.claimed_expiry
        else:
            license_of = doctor.license_authority, doctor.license_expires_on
        return find_gaps(*license_of, has_document=bool(doctor.evidence))


class DoctorTotals(serializers.Serializer[Any]):
    """Exact totals of doctors with an open account."""

    all = serializers.IntegerField()
    approved = serializers.IntegerField()
    pending = serializers.IntegerField()
    rejected = serializers.IntegerField()
    revoked = serializers.IntegerField()
    specializations = serializers.IntegerField()


class DoctorsForStaffData(serializers.Serializer[Any]):
    """`data` of the staff's list of doctors."""

    doctors = DoctorForStaffSerializer(many=True)
    totals = DoctorTotals()
    pagination = PaginationSerializer()


class ChecklistSerializer(serializers.Serializer[Any]):
    """What staff checked: identity, license, the authority's register, specialization."""

    def get_fields(self) -> dict[str, Any]:
        return {name: serializers.BooleanField(default=False) for name in CHECKLIST}

    def to_representation(self, checklist: Any) -> dict[str, bool]:
        return {name: bool(checklist.get(name)) for name in CHECKLIST}


class CaseSerializer(OwnCaseSerializer):
    """One application of a doctor, for staff."""

    decidedBy = serializers.CharField(source="decided_by.name", read_only=True, default=None, allow_null=True)
    checklist = ChecklistSerializer(read_only=True)

    class Meta(OwnCaseSerializer.Meta):
        fields = (*OwnCaseSerializer.Meta.fields, "revision", "decidedBy", "note", "checklist")
        read_only_fields = fields


class DoctorCaseData(serializers.Serializer[Any]):
    """`data` of a doctor for staff; the newest case first."""

    doctor = DoctorForStaffSerializer()
    cases = CaseSerializer(many=True)
    upcoming = serializers.IntegerField(help_text="Live appointments ahead.")


class DoctorDecidedData(serializers.Serializer[Any]):
    """`data` of a decision, or of its preview."""

    doctor = DoctorForStaffSerializer()
    effects = EffectsSerializer()
    changed = serializers.BooleanField(help_text="False if it was decided so already; a reason is then not saved.")


# --- Requests ---------------------------------------------------------------------------------


class UsersQuery(PageQuery):
    """Search, filters and ordering of the list of users."""

    search = LineField(max_length=100, required=False, allow_blank=True, help_text="Words of the name or email.")
    role = ChoiceField(choices=Role.choices, required=False, allow_blank=True)
    status = ChoiceField(choices=AccountStatus.choices, required=False, allow_blank=True)
    ordering = ChoiceField(choices=list(USER_ORDERINGS), required=False)


class DoctorsForStaffQuery(PageQuery):
    """Search, filters and ordering of the list of doctors."""

    search = LineField(
        max_length=100, required=False, allow_blank=True, help_text="Words of the name, specialization or email."
    )
    status = ChoiceField(choices=Approval.choices, required=False, allow_blank=True)
    specialization = ChoiceField(choices=Specialization.choices, required=False, allow_blank=True)
    ordering = ChoiceField(choices=list(DOCTOR_ORDERINGS), required=False)


class PreviewQuery(serializers.Serializer[Any]):
    """Whether to preview an action."""

    preview = serializers.BooleanField(default=False, help_text="Changes nothing.")


class UserStatusSerializer(serializers.Serializer[Any]):
    """The new status of an account."""

    status = ChoiceField(choices=AccountStatus.choices)


class UsersStatusSerializer(UserStatusSerializer):
    """The new status of several accounts."""

    ids = serializers.ListField(child=IdField(), min_length=1, max_length=100)


class DecisionSerializer(serializers.Serializer[Any]):
    """A decision about a doctor. License fields correct the approved license; absent ones stay."""

    isApproved = serializers.BooleanField()
    keepApproval = serializers.BooleanField(
        source="keep_approval",
        required=False,
        default=False,
        help_text="With `isApproved` false: turn down the open case of an approved doctor, who stays approved.",
    )
    caseRevision = WholeNumberField(
        source="revision",
        min_value=1,
        max_value=MAX_INTEGER,
        required=False,
        default=None,
        allow_null=True,
        help_text="The open case's as it was in view; another one is refused (`case_changed`).",
    )
    reason = FreeTextField(max_length=500, required=False, default="", allow_blank=True)
    approvalReason = FreeTextField(
        source="exception",
        max_length=500,
        required=False,
        default="",
        allow_blank=True,
        help_text="Why to approve although evidence is missing, which needs one. Kept on the case, for staff only.",
    )
    note = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    checklist = ChecklistSerializer(required=False)
    licenseNumber = LineField(source="license_number", max_length=64, required=False)
    licenseAuthority = LineField(source="license_authority", max_length=120, required=False, allow_blank=True)
    licenseRegion = LineField(source="license_region", max_length=100, required=False, allow_blank=True)
    licenseExpiresOn = LocalDateField(source="license_expires_on", required=False, allow_null=True)
