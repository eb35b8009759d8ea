"""Serializers of appointments."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import Role, User
from accounts.text.fields import ChoiceField, LineField
from accounts.text.phone_numbers import format_phone
from appointments.filters import LATEST_ACTIVITY, NEAREST
from appointments.models import EXPIRED, SYSTEM, Appointment, Proposal, Status, TimeChange
from config.api.access_log import add_subjects
from config.api.fields import IdField, InstantField, LocalDateField, LocalTimeField, format_utc
from config.api.pagination import PageQuery, PaginationSerializer
from doctors.serializers import FreeTimeSerializer, HospitalSerializer


class AppointmentDoctorSerializer(serializers.Serializer[Appointment]):
    """The doctor of an appointment, named as at booking."""

    _id = serializers.UUIDField(source="doctor_id")
    name = serializers.CharField(source="doctor_name")
    specialization = serializers.CharField()
    profilePicture = serializers.CharField(source="doctor.user.profile_picture", allow_null=True)


class AppointmentPatientSerializer(serializers.Serializer[Appointment]):
    """The patient of an appointment: named as at booking, reached as today."""

    _id = serializers.UUIDField(source="patient_id")
    name = serializers.CharField(source="patient_name")
    email = serializers.SerializerMethodField()
    phone = serializers.SerializerMethodField()

    def get_email(self, appointment: Appointment) -> str:
        return "" if appointment.patient.ended_at else appointment.patient.email

    def get_phone(self, appointment: Appointment) -> str:
        return "" if appointment.patient.ended_at else format_phone(appointment.patient.phone)


class NotesSerializer(serializers.Serializer[Appointment]):
    """The notes of both sides."""

    patient = serializers.CharField(source="patient_notes")
    doctor = serializers.CharField(source="doctor_notes")


class PrescribedItemSerializer(serializers.Serializer[Any]):
    """One medicine of a prescription."""

    medicine = serializers.CharField()
    dose = serializers.CharField()
    frequency = serializers.CharField()
    days = serializers.IntegerField(allow_null=True, help_text="For how many days.")


class PrescriptionSerializer(serializers.Serializer[Any]):
    """The prescription of an appointment or of one version of its record."""

    notes = serializers.CharField(source="prescription_notes")
    items = PrescribedItemSerializer(source="prescription_items", many=True)


class WrittenSerializer(serializers.Serializer[Appointment]):
    """The version of the record; 0 if there is none."""

    version = serializers.IntegerField(source="record_version")
    writtenAt = InstantField(source="recorded_at", allow_null=True)


class ProposalOnWire(serializers.Serializer[Proposal]):
    """An open proposal of another time, to which the other side replies."""

    _id = serializers.UUIDField(source="id")
    proposedBy = serializers.CharField(source="proposed_by")
    reason = serializers.CharField()
    appointmentDate = LocalDateField(source="date")
    appointmentTime = LocalTimeField(source="time")
    timeZone = serializers.CharField(source="time_zone")
    startsAt = InstantField(source="starts_at")
    endsAt = InstantField(source="ends_at")
    minutes = serializers.SerializerMethodField()
    expiresAt = InstantField(source="expires_at")

    def get_minutes(self, proposal: Proposal) -> int:
        return int((proposal.ends_at - proposal.starts_at).total_seconds() // 60)


class CancelRequestOnWire(serializers.Serializer[Appointment]):
    """The patient's "I can't make it"."""

    requestedAt = InstantField(source="cancel_requested_at")
    reason = serializers.CharField(source="cancel_request_reason")


class LocalMomentSerializer(serializers.Serializer[Any]):
    """A local date and time with its zone."""

    date = LocalDateField()
    time = LocalTimeField()
    timeZone = serializers.CharField()


class TimeChangeSerializer(serializers.Serializer[TimeChange]):
    """A change of an appointment's time."""

    changedAt = InstantField(source="changed_at")
    changedBy = serializers.CharField(source="changed_by")
    reason = serializers.CharField()
    to = serializers.SerializerMethodField()

    def get_fields(self) -> dict[str, Any]:
        # `from` is a Python keyword.
        return {**super().get_fields(), "from": FromField(source="*")}

    def get_to(self, change: TimeChange) -> LocalMomentSerializer:
        return LocalMomentSerializer(
            {"date": change.to_date, "time": change.to_time, "timeZone": change.to_time_zone}
        ).data  # type: ignore[return-value]  # the annotation is for the schema


@extend_schema_field(LocalMomentSerializer)
class FromField(serializers.ReadOnlyField):
    """The former time of an appointment."""

    def to_representation(self, change: TimeChange) -> Any:
        return LocalMomentSerializer(
            {"date": change.from_date, "time": change.from_time, "timeZone": change.from_time_zone}
        ).data


def format_instant(moment: datetime | None) -> str | None:
    """Return an instant in ISO 8601, or None."""
    return format_utc(moment) if moment else None


BOOKER_ROLES = [Role.PATIENT.value, Role.DOCTOR.value]
CLINICAL_FIELDS = ("symptoms", "notes", "diagnosis", "prescription", "followUpDays", "record")


class AppointmentSerializer(serializers.Serializer[Appointment]):
    """An appointment, without clinical fields for admins."""

    absent_for_some = CLINICAL_FIELDS
    excluded_fields: tuple[str, ...] = ()

    _id = serializers.UUIDField(source="id")
    doctor = AppointmentDoctorSerializer(source="*")
    patient = AppointmentPatientSerializer(source="*")
    hospital = HospitalSerializer(source="*")
    appointmentDate = LocalDateField(source="date")
    appointmentTime = LocalTimeField(source="time")
    timeZone = serializers.CharField(source="time_zone")
    startsAt = InstantField(source="starts_at")
    endsAt = InstantField(source="ends_at")
    status = serializers.SerializerMethodField()
    symptoms = serializers.CharField()
    notes = NotesSerializer(source="*")
    diagnosis = serializers.CharField()
    prescription = PrescriptionSerializer(source="*")
    followUpDays = serializers.IntegerField(source="follow_up_days", allow_null=True)
    record = WrittenSerializer(source="*")
    consultationFee = serializers.DecimalField(source="consultation_fee", max_digits=8, decimal_places=2)
    currency = serializers.CharField()
    createdAt = InstantField(source="created_at")
    respondBy = serializers.SerializerMethodField()
    cancelledBy = serializers.SerializerMethodField()
    cancelReason = serializers.SerializerMethodField()
    cancelReply = serializers.SerializerMethodField(
        help_text="What the doctor wrote when cancelling at the patient's request; empty for an admin."
    )
    cancelRequest = serializers.SerializerMethodField()
    proposal = serializers.SerializerMethodField()
    outsideHours = serializers.BooleanField(source="outside_hours")
    declined = serializers.BooleanField(help_text="The doctor declined the request.")
    attended = serializers.BooleanField(allow_null=True, help_text="Null until the appointment is completed.")
    bookedBy = ChoiceField(source="booked_by", choices=BOOKER_ROLES)
    cancelUntil = serializers.SerializerMethodField()
    rescheduleUntil = serializers.SerializerMethodField()
    completableFrom = serializers.SerializerMethodField()
    completedAt = InstantField(source="completed_at", allow_null=True)
    reopenUntil = serializers.SerializerMethodField()
    undoUntil = serializers.SerializerMethodField()
    version = serializers.IntegerField()

    def is_overdue(self, appointment: Appointment) -> bool:
        """Return whether a request is past its deadline."""
        return appointment.is_overdue(appointment.as_of)

    def get_status(self, appointment: Appointment) -> serializers.ChoiceField(choices=Status.choices):  # type: ignore[valid-type]  # read by the schema
        return Status.CANCELLED.value if self.is_overdue(appointment) else appointment.status

    def get_respondBy(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        if appointment.respond_by is None or appointment.status != Status.PENDING or self.is_overdue(appointment):
            return None
        return format_utc(appointment.respond_by)

    def get_cancelUntil(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return format_instant(appointment.cancel_until(appointment.as_of))

    def get_rescheduleUntil(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return format_instant(appointment.reschedule_until(appointment.as_of))

    def get_completableFrom(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return None if self.is_overdue(appointment) else format_instant(appointment.completable_from)

    def get_reopenUntil(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        is_doctors = appointment.reader.pk == appointment.doctor_id
        return format_instant(appointment.reopen_until(appointment.as_of)) if is_doctors else None

    def get_undoUntil(self, appointment: Appointment) -> InstantField(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        return format_instant(appointment.undo_until_for(appointment.reader, appointment.as_of))

    def get_cancelledBy(self, appointment: Appointment) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return SYSTEM if self.is_overdue(appointment) else appointment.cancelled_by or None

    def get_cancelReason(self, appointment: Appointment) -> str:  # noqa: N802 - as above
        return EXPIRED if self.is_overdue(appointment) else appointment.cancel_reason

    def get_cancelReply(self, appointment: Appointment) -> str:  # noqa: N802 - as above
        return appointment.cancel_reply

    def get_cancelRequest(self, appointment: Appointment) -> CancelRequestOnWire(allow_null=True):  # type: ignore[valid-type]  # noqa: N802 - read by the schema
        asked = appointment.cancel_requested_at is not None and appointment.status == Status.CONFIRMED
        return CancelRequestOnWire(appointment).data if asked else None

    def get_proposal(self, appointment: Appointment) -> ProposalOnWire(allow_null=True):  # type: ignore[valid-type]  # read by the schema
        for proposal in appointment.proposals.all():
            if proposal.is_open(appointment.as_of):
                return ProposalOnWire(proposal).data
        return None

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        return {name: field for name, field in fields.items() if name not in self.excluded_fields}


class NonClinicalSerializer(AppointmentSerializer):
    """An appointment without clinical fields."""

    excluded_fields = CLINICAL_FIELDS


class ForAdminSerializer(NonClinicalSerializer):
    """An appointment for admins, without messages between patient and doctor either."""

    def get_cancelReason(self, appointment: Appointment) -> str:  # noqa: N802 - as above
        reason = super().get_cancelReason(appointment)
        return reason if self.is_overdue(appointment) or appointment.is_cancel_reason_administrative else ""

    def get_cancelReply(self, appointment: Appointment) -> str:  # noqa: N802 - as above
        return ""

    def get_cancelRequest(self, appointment: Appointment) -> Any:  # noqa: N802 - as above
        return remove_reason(super().get_cancelRequest(appointment))

    def get_proposal(self, appointment: Appointment) -> Any:
        return remove_reason(super().get_proposal(appointment))


def remove_reason(said: Any) -> Any:
    """Return a proposal, request or change without its reason."""
    return said and {**said, "reason": ""}


def serialize_appointments(
    appointments: Iterable[Appointment], reader: User, now: datetime, *, without_clinical: bool = False
) -> list[dict[str, Any]]:
    """Return appointments as of `now` for the API, without clinical and other free text for admins.

    `without_clinical`: also for readers who may see it, where a page has no use for it: what is shown is recorded as
    read.
    """
    appointments = list(appointments)
    for appointment in appointments:
        appointment.as_of, appointment.reader = now, reader
    add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in appointments))
    serializer_class: type[serializers.Serializer[Any]] = AppointmentSerializer
    if reader.role == Role.ADMIN:
        serializer_class = ForAdminSerializer
    elif without_clinical:
        serializer_class = NonClinicalSerializer
    return list(serializer_class(appointments, many=True).data)


class AppointmentListQuery(PageQuery):
    """Filters and ordering of a list of appointments. Dates are local, both ends included."""

    status = ChoiceField(choices=Status.choices, required=False)
    scope = ChoiceField(
        choices=["all", "upcoming", "past", "records", "written"],
        default="all",
        help_text="`written`: appointments with a record, for their doctor.",
    )
    ordering = ChoiceField(
        choices=["startsAt", "-startsAt", NEAREST, LATEST_ACTIVITY],
        required=False,
        help_text="`nearest`: upcoming ones soonest first, then all others newest first. `-activity`, for patients: "
        "what was booked, changed or took place last.",
    )
    search = LineField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="Words of the patient's name or email address; with the scope `written` also of the record. "
        "A patient finds by the doctor's name or specialization.",
    )
    patient = IdField(required=False)
    waiting = serializers.BooleanField(
        default=False, help_text="For a doctor: requests, and patients who ask to cancel or to move."
    )
    waitingForPatient = serializers.BooleanField(
        default=False, help_text="For a doctor: other times that the doctor proposed and the patient has not answered."
    )
    attended = serializers.BooleanField(required=False)
    counts = serializers.BooleanField(default=False, help_text="Whether `counts` is wanted too.")

    def get_fields(self) -> dict[str, Any]:
        # `from` is a Python keyword.
        fields: dict[str, Any] = super().get_fields()
        fields["from"] = LocalDateField(required=False)
        fields["to"] = LocalDateField(required=False)
        return fields


class AppointmentCountsSerializer(serializers.Serializer[Any]):
    """The number of appointments of each status, with the search, dates, patient and scope of the list."""

    all = serializers.IntegerField()
    pending = serializers.IntegerField()
    confirmed = serializers.IntegerField()
    completed = serializers.IntegerField()
    cancelled = serializers.IntegerField()


class AppointmentsData(serializers.Serializer[Any]):
    """`data` of a list of appointments."""

    absent_for_some = ("counts",)

    counts = AppointmentCountsSerializer(help_text="Where they are asked for.")
    appointments = AppointmentSerializer(many=True)
    pagination = PaginationSerializer()


class AppointmentData(serializers.Serializer[Any]):
    """`data` of one appointment."""

    appointment = AppointmentSerializer()


class ChangedAppointmentData(AppointmentData):
    """`data` of an action that may have no effect."""

    changed = serializers.BooleanField(help_text="False where nothing was done, since it is so already.")


class CancelRequestData(AppointmentData):
    """`data` of "I can't make it"."""

    cancelled = serializers.BooleanField(help_text="False where the doctor has to answer first.")


class AppointmentDetailData(AppointmentData):
    """`data` of one appointment's page."""

    history = TimeChangeSerializer(many=True)
    alternatives = FreeTimeSerializer(many=True, help_text="The nearest free times, when a request has expired.")


class HoldData(serializers.Serializer[Any]):
    """`data` of a hold. `holdId` is a secret that permits using and releasing the hold."""

    holdId = serializers.CharField()
    expiresAt = InstantField()
    doctorId = serializers.UUIDField()
    startsAt = InstantField()
    respondBy = InstantField(
        allow_null=True, help_text="By when the doctor must answer a request made now; null: confirmed at once."
    )
