"""Serializers of records, drafts and attachments."""

import re
from datetime import date
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.files.fields import UploadField
from accounts.models import BloodGroup, Gender, PatientDetails, Role, User
from accounts.text.fields import FreeTextField, LineField
from accounts.text.phone_numbers import format_phone
from appointments.access_log import LIST_VIEWS, SINGLE_VIEWS, STAFF_VIEW
from appointments.models import AppointmentRecord, Attachment, RecordDraft
from appointments.serializers import AppointmentData, AppointmentSerializer, PrescriptionSerializer
from config.api.fields import MAX_INTEGER, InstantField, LocalDateField, WholeNumberField
from config.api.pagination import PaginationSerializer

MAX_ITEMS = 30
MAX_TEXT_LENGTH = 4_000
MAX_MEDICINE_LENGTH = 200
MAX_DETAIL_LENGTH = 100
MAX_MEDICATION_DAYS = 365
MAX_FOLLOW_UP_DAYS = 730
# DRF's stubs don't know that a list takes it.
ITEM_OPTIONS: dict[str, Any] = {"many": True, "required": False, "max_length": MAX_ITEMS}


class ItemSerializer(serializers.Serializer[Any]):
    """One medicine."""

    medicine = LineField(max_length=MAX_MEDICINE_LENGTH)
    dose = LineField(max_length=MAX_DETAIL_LENGTH, required=False, default="", allow_blank=True)
    frequency = LineField(max_length=MAX_DETAIL_LENGTH, required=False, default="", allow_blank=True)
    days = WholeNumberField(min_value=1, max_value=MAX_MEDICATION_DAYS, required=False, default=None, allow_null=True)


class PrescriptionChangesSerializer(serializers.Serializer[Any]):
    """Changes of a prescription; items are replaced as a whole."""

    notes = FreeTextField(source="prescription_notes", max_length=MAX_TEXT_LENGTH, required=False, allow_blank=True)
    items = ItemSerializer(source="prescription_items", **ITEM_OPTIONS)


class RecordChangesSerializer(serializers.Serializer[Any]):
    """Changes of a record; absent fields stay."""

    diagnosis = FreeTextField(max_length=MAX_TEXT_LENGTH, required=False, allow_blank=True)
    notes = FreeTextField(max_length=MAX_TEXT_LENGTH, required=False, allow_blank=True)
    prescription = PrescriptionChangesSerializer(source="*", required=False)
    followUpDays = WholeNumberField(
        source="follow_up_days", min_value=1, max_value=MAX_FOLLOW_UP_DAYS, required=False, allow_null=True
    )
    version = WholeNumberField(
        min_value=0, max_value=MAX_INTEGER, required=False, help_text="The record's version that the writer saw."
    )

    def to_internal_value(self, data: Any) -> Any:
        data = super().to_internal_value(data)
        if items := data.get("prescription_items"):
            data["prescription_items"] = [dict(item) for item in items]
        return data


@extend_schema_field({"type": ["string", "integer"], "maxLength": 20})
class DraftNumberField(serializers.Field):  # type: ignore[type-arg]  # reads and writes what JSON has
    """A number in a draft: a whole number, unfinished text or null."""

    default_error_messages = {"invalid": "Enter a number."}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_internal_value(self, data: Any) -> str | int:
        is_number = type(data) is int and abs(data) <= MAX_INTEGER
        if not is_number and not (isinstance(data, str) and re.fullmatch(r"[ -~]{0,20}", data)):
            self.fail("invalid")
        return data  # type: ignore[no-any-return]  # one of the two

    def to_representation(self, value: Any) -> Any:
        return value


def build_draft_field(field_class: type[LineField | FreeTextField], max_length: int) -> LineField | FreeTextField:
    """Return an optional text field that keeps leading and trailing whitespace."""
    return field_class(max_length=max_length, required=False, allow_blank=True, trim_whitespace=False)


class DraftItemSerializer(serializers.Serializer[Any]):
    """One medicine in a draft."""

    absent_for_some = ("medicine", "dose", "frequency", "days")

    medicine = build_draft_field(LineField, MAX_MEDICINE_LENGTH)
    dose = build_draft_field(LineField, MAX_DETAIL_LENGTH)
    frequency = build_draft_field(LineField, MAX_DETAIL_LENGTH)
    days = DraftNumberField(required=False)


class DraftPrescriptionSerializer(serializers.Serializer[Any]):
    """A prescription in a draft."""

    absent_for_some = ("notes", "items")

    notes = build_draft_field(FreeTextField, MAX_TEXT_LENGTH)
    items = DraftItemSerializer(**ITEM_OPTIONS)


class DraftContentSerializer(serializers.Serializer[Any]):
    """The content of a draft."""

    absent_for_some = ("diagnosis", "notes", "prescription", "followUpDays")

    diagnosis = build_draft_field(FreeTextField, MAX_TEXT_LENGTH)
    notes = build_draft_field(FreeTextField, MAX_TEXT_LENGTH)
    prescription = DraftPrescriptionSerializer(required=False)
    followUpDays = DraftNumberField(required=False)


@extend_schema_field(DraftContentSerializer)
class DraftContentField(serializers.ReadOnlyField):
    """The content of a draft as it was sent; absent parts stay absent."""


class DraftSerializer(serializers.Serializer[Any]):
    """The body of `PUT …/visit/draft`."""

    content = DraftContentSerializer()
    revision = WholeNumberField(
        min_value=0, max_value=MAX_INTEGER, help_text="The draft's revision that this window saw; 0 for none."
    )


class UploadSerializer(serializers.Serializer[Any]):
    """A file to attach to an appointment."""

    file = UploadField()


class RecordOnWire(serializers.Serializer[AppointmentRecord]):
    """One version of a record."""

    version = serializers.IntegerField(help_text="0 where nothing is written yet.")
    writtenAt = InstantField(source="written_at", allow_null=True)
    diagnosis = serializers.CharField()
    notes = serializers.CharField()
    prescription = PrescriptionSerializer(source="*")
    followUpDays = serializers.IntegerField(source="follow_up_days", allow_null=True)


class DraftOnWire(serializers.Serializer[RecordDraft]):
    """The draft of a record."""

    content = DraftContentField()
    revision = serializers.IntegerField()
    savedAt = InstantField(source="saved_at")


class AttachmentOnWire(serializers.Serializer[Attachment]):
    """A file of an appointment."""

    _id = serializers.UUIDField(source="id")
    name = serializers.CharField()
    contentType = serializers.CharField(source="content_type")
    size = serializers.IntegerField(help_text="Bytes.")
    addedAt = InstantField(source="added_at")


class PatientOfAppointmentSerializer(serializers.Serializer[User]):
    """The patient as seen by the doctor, without contact data if the account is closed."""

    _id = serializers.UUIDField(source="id")
    name = serializers.CharField()
    email = serializers.SerializerMethodField()
    phone = serializers.SerializerMethodField()
    gender = serializers.ChoiceField(choices=Gender.choices)
    dateOfBirth = LocalDateField(source="date_of_birth", allow_null=True)
    age = serializers.SerializerMethodField()
    bloodGroup = serializers.SerializerMethodField()
    profilePicture = serializers.SerializerMethodField()

    def get_email(self, patient: User) -> str:
        return "" if patient.ended_at else patient.email

    def get_phone(self, patient: User) -> str:
        return "" if patient.ended_at else format_phone(patient.phone)

    def get_age(self, patient: User) -> int | None:
        today: date = self.context["today"]
        return patient.age_on(today)

    def get_bloodGroup(self, patient: User) -> serializers.ChoiceField(choices=[*BloodGroup.choices, ("", "")]):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        details: PatientDetails | None = getattr(patient, "patient_details", None)
        return details.blood_group if details else ""

    def get_profilePicture(self, patient: User) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return None if patient.ended_at else patient.profile_picture


class AppointmentWithRecordData(serializers.Serializer[Any]):
    """`data` of an appointment with its record."""

    appointment = AppointmentSerializer()
    record = RecordOnWire()
    attachments = AttachmentOnWire(many=True)
    draft = DraftOnWire(allow_null=True, help_text="The doctor's alone.")
    past = AppointmentSerializer(many=True, help_text="Up to five earlier appointments of the two; the doctor's alone.")
    patient = PatientOfAppointmentSerializer(allow_null=True, help_text="The doctor's alone.")


class RecordData(AppointmentData):
    """`data` of a written record."""

    record = RecordOnWire()


class VersionsData(serializers.Serializer[Any]):
    """`data` of a record's versions."""

    versions = RecordOnWire(many=True)
    pagination = PaginationSerializer()


class DraftData(serializers.Serializer[Any]):
    """`data` of a draft."""

    draft = DraftOnWire()


class AttachmentData(serializers.Serializer[Any]):
    """`data` of a file."""

    attachment = AttachmentOnWire()


class ReaderSerializer(serializers.Serializer[Any]):
    """How often a user opened a part of an appointment on one local day."""

    name = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    what = serializers.ChoiceField(choices=[*LIST_VIEWS, *SINGLE_VIEWS, STAFF_VIEW])
    times = serializers.IntegerField()
    at = InstantField(help_text="The latest of these times.")


class ReadersData(serializers.Serializer[Any]):
    """`data` of the access log of an appointment."""

    readers = ReaderSerializer(many=True)
    pagination = PaginationSerializer()


def serialize_record(version: AppointmentRecord) -> dict[str, Any]:
    return dict(RecordOnWire(version).data)


def serialize_draft(draft: RecordDraft | None) -> dict[str, Any] | None:
    return dict(DraftOnWire(draft).data) if draft else None
