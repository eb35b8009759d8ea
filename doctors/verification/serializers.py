"""Serializers of a doctor's own applications."""

from typing import Any

from django.utils import timezone
from rest_framework import serializers

from accounts.files.fields import UploadField
from accounts.text.fields import FreeTextField, LineField
from config.api.fields import InstantField, LocalDateField, WireModelSerializer
from doctors.models import CaseState, Verification
from doctors.serializers import ApprovalSerializer


class DocumentSerializer(serializers.Serializer[Any]):
    """The evidence that came with an application."""

    name = serializers.CharField()
    contentType = serializers.CharField(source="content_type")
    size = serializers.IntegerField(help_text="Bytes.")


class OwnCaseSerializer(WireModelSerializer):
    """One application, without the fields for staff."""

    submittedAt = InstantField(source="submitted_at", read_only=True)
    state = serializers.ChoiceField(choices=CaseState.choices, read_only=True)
    document = DocumentSerializer(read_only=True, allow_null=True)
    decidedAt = InstantField(source="decided_at", read_only=True, allow_null=True)

    class Meta:
        model = Verification
        fields: tuple[str, ...] = (
            "_id",
            "submittedAt",
            "state",
            "message",
            "specialization",
            "licenseNumber",
            "licenseAuthority",
            "licenseRegion",
            "licenseExpiresOn",
            "document",
            "decidedAt",
            "reason",
        )
        read_only_fields = fields


class OwnCaseData(serializers.Serializer[Any]):
    """`data` of an application."""

    case = OwnCaseSerializer()


class OwnCasesData(serializers.Serializer[Any]):
    """`data` of a doctor's applications, newest first, at most 20."""

    approval = ApprovalSerializer()
    isApproved = serializers.BooleanField()
    cases = OwnCaseSerializer(many=True)


class ApplicationSerializer(serializers.Serializer[Any]):
    """The license that a doctor claims, and a document as evidence."""

    licenseNumber = LineField(source="license_number", max_length=64)
    licenseAuthority = LineField(source="license_authority", max_length=120, help_text="Who gave the license.")
    licenseRegion = LineField(
        source="license_region", max_length=100, required=False, allow_blank=True, help_text="Where it holds."
    )
    licenseExpiresOn = LocalDateField(source="license_expires_on")
    message = FreeTextField(max_length=2000, required=False, allow_blank=True, help_text="Staff read it.")
    document = UploadField(required=False)

    def validate_licenseExpiresOn(self, day: Any) -> Any:  # noqa: N802 - DRF derives the name from the wire's
        if day < timezone.now().date():
            raise serializers.ValidationError("This license has run out.")
        return day
