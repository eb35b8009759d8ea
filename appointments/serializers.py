"""Appointments on the wire."""

from typing import Any

from rest_framework import serializers

from accounts.models import Role, User
from appointments.models import Appointment, Status
from config.wire import InstantField, LocalDateField, LocalTimeField, PageQuery, PaginationSerializer
from doctors.serializers import HospitalSerializer


class AppointmentDoctorSerializer(serializers.Serializer[Appointment]):
    """The doctor of a visit, named as at booking."""

    _id = serializers.UUIDField(source="doctor_id")
    name = serializers.CharField(source="doctor_name")
    specialization = serializers.CharField()
    profilePicture = serializers.CharField(source="doctor.user.profile_picture", allow_null=True)


class AppointmentPatientSerializer(serializers.Serializer[Appointment]):
    """The patient of a visit: named as at booking, reached as today."""

    _id = serializers.UUIDField(source="patient_id")
    name = serializers.CharField(source="patient_name")
    email = serializers.SerializerMethodField()
    phone = serializers.SerializerMethodField()

    def get_email(self, appointment: Appointment) -> str:
        return "" if appointment.patient.ended_at else appointment.patient.email

    def get_phone(self, appointment: Appointment) -> str:
        return "" if appointment.patient.ended_at else appointment.patient.phone


class NotesSerializer(serializers.Serializer[Appointment]):
    """What each side wrote."""

    patient = serializers.CharField(source="patient_notes")
    doctor = serializers.CharField(source="doctor_notes")


class PrescriptionSerializer(serializers.Serializer[Appointment]):
    """What the doctor prescribed."""

    notes = serializers.CharField(source="prescription_notes")


CLINICAL = ("symptoms", "notes", "diagnosis", "prescription")


class AppointmentSerializer(serializers.Serializer[Appointment]):
    """A visit. The clinical part is left out for an admin."""

    absent_for_some = CLINICAL

    _id = serializers.UUIDField(source="id")
    doctor = AppointmentDoctorSerializer(source="*")
    patient = AppointmentPatientSerializer(source="*")
    hospital = HospitalSerializer(source="*")
    appointmentDate = LocalDateField(source="date")
    appointmentTime = LocalTimeField(source="time")
    timeZone = serializers.CharField(source="time_zone")
    startsAt = InstantField(source="starts_at")
    endsAt = InstantField(source="ends_at")
    status = serializers.ChoiceField(choices=Status.choices)
    symptoms = serializers.CharField()
    notes = NotesSerializer(source="*")
    diagnosis = serializers.CharField()
    prescription = PrescriptionSerializer(source="*")
    consultationFee = serializers.DecimalField(source="consultation_fee", max_digits=8, decimal_places=2)
    currency = serializers.CharField()
    createdAt = InstantField(source="created_at")
    respondBy = InstantField(source="respond_by", allow_null=True)
    cancelledBy = serializers.SerializerMethodField()
    cancelReason = serializers.CharField(source="cancel_reason")
    version = serializers.IntegerField()

    def get_cancelledBy(self, appointment: Appointment) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return appointment.cancelled_by or None

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        reader = self.context.get("reader")
        if isinstance(reader, User) and reader.role == Role.ADMIN:
            for name in CLINICAL:
                del fields[name]
        return fields


class AppointmentListQuery(PageQuery):
    """What a list of visits can be narrowed and ordered by. Dates are the clinic's, both ends included."""

    status = serializers.ChoiceField(choices=Status.choices, required=False)
    scope = serializers.ChoiceField(choices=["all", "upcoming", "past"], default="all")
    ordering = serializers.ChoiceField(choices=["startsAt", "-startsAt"], required=False)

    def get_fields(self) -> dict[str, Any]:
        # `from` is a word of Python's own.
        fields: dict[str, Any] = super().get_fields()
        fields["from"] = LocalDateField(required=False)
        fields["to"] = LocalDateField(required=False)
        return fields


class AppointmentsData(serializers.Serializer[Any]):
    """`data` of a list of visits."""

    appointments = AppointmentSerializer(many=True)
    pagination = PaginationSerializer()


class AppointmentData(serializers.Serializer[Any]):
    """`data` of one visit."""

    appointment = AppointmentSerializer()
