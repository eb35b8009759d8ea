"""Serializers of the doctor's dashboard, patients and calendar."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.models import BloodGroup, Gender
from accounts.text.fields import ChoiceField, FreeTextField, LineField
from accounts.text.phone_numbers import format_phone
from appointments.availability.serializers import (
    BlockedSerializer,
    DecisionsField,
    ShownAbsenceSerializer,
    ShownBlockedSerializer,
    ShownSpanSerializer,
)
from appointments.doctor_desk.calendar import MAX_DAYS
from appointments.input_serializers import TimeSerializer
from appointments.models import Appointment, PatientOfDoctor, Status
from appointments.patients import ORDERINGS, Figures
from appointments.serializers import BOOKER_ROLES, AppointmentSerializer
from config.api.fields import InstantField, LocalDateField, LocalTimeField
from config.api.pagination import PageQuery, PaginationSerializer

# --- Dashboard --------------------------------------------------------------------------------


class EarningsSerializer(serializers.Serializer[Any]):
    """The fees of completed appointments, without no-shows, in one currency."""

    currency = serializers.CharField()
    amount = serializers.DecimalField(max_digits=14, decimal_places=2)


class DashboardTotalsSerializer(serializers.Serializer[Any]):
    """The exact totals of a doctor's dashboard."""

    appointments = serializers.IntegerField(help_text="All there ever were.")
    today = serializers.IntegerField(help_text="The clinic's today, cancelled ones aside.")
    todayLeft = serializers.IntegerField(help_text="Pending or confirmed ones of today that have not ended.")
    patients = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="What needs the doctor's answer: the list's `waiting=true`.")
    waitingForPatient = serializers.IntegerField(
        help_text="What needs the patient's answer to another time: the list's `waitingForPatient=true`."
    )
    unfinished = serializers.IntegerField()
    earnings = EarningsSerializer(many=True)


class DashboardData(serializers.Serializer[Any]):
    """`data` of a doctor's dashboard."""

    totals = DashboardTotalsSerializer()
    waiting = AppointmentSerializer(many=True, help_text="Up to 10 requests, those that expire first at the top.")
    waitingForPatient = AppointmentSerializer(
        many=True, help_text="Up to 10 for which the doctor proposed another time, soonest first."
    )
    asking = AppointmentSerializer(many=True, help_text="Up to 10 whose patient can't come, first, or proposes a time.")
    next = AppointmentSerializer(many=True, help_text="Up to 5 confirmed ones that have not ended, soonest first.")
    today = AppointmentSerializer(
        many=True, help_text="Up to 100 of the clinic's today, cancelled ones aside, by time."
    )
    unfinished = AppointmentSerializer(many=True, help_text="Up to 10 confirmed ones that have ended, newest first.")
    recent = AppointmentSerializer(
        many=True, help_text="The 5 with the latest activity (booked, changed or taken place), newest first."
    )


# --- Patients ---------------------------------------------------------------------------------


class PatientsQuery(PageQuery):
    """Search, filters and ordering of a doctor's patients."""

    search = LineField(
        max_length=100, required=False, default="", allow_blank=True, help_text="Words of the name or email address."
    )
    gender = ChoiceField(choices=Gender.choices, required=False)
    ordering = ChoiceField(choices=list(ORDERINGS), required=False)


class AppointmentMomentSerializer(serializers.Serializer[Appointment]):
    """The local date and time of an appointment."""

    appointmentId = serializers.UUIDField(source="pk")
    date = LocalDateField()
    time = LocalTimeField()
    startsAt = InstantField(source="starts_at")


class PatientSerializer(serializers.Serializer[PatientOfDoctor]):
    """A patient of a doctor, without contact data and picture if the account is closed.

    The context contains the clinic's `today`, and `figures` by patient.
    """

    _id = serializers.UUIDField(source="patient_id")
    name = serializers.CharField(source="patient.name")
    email = serializers.SerializerMethodField()
    phone = serializers.SerializerMethodField()
    gender = serializers.ChoiceField(source="patient.gender", choices=Gender.choices)
    age = serializers.SerializerMethodField()
    profilePicture = serializers.SerializerMethodField()
    visits = serializers.SerializerMethodField(help_text="With this doctor, cancelled ones aside.")
    lastVisit = serializers.SerializerMethodField()
    nextVisit = serializers.SerializerMethodField()

    def figures(self, pair: PatientOfDoctor) -> Figures:
        """Return what this patient has had with the doctor."""
        known: Figures = self.context["figures"].get(pair.patient_id, Figures())
        return known

    def get_email(self, pair: PatientOfDoctor) -> str:
        return "" if pair.patient.ended_at else pair.patient.email

    def get_phone(self, pair: PatientOfDoctor) -> str:
        return "" if pair.patient.ended_at else format_phone(pair.patient.phone)

    def get_age(self, pair: PatientOfDoctor) -> int | None:
        return pair.patient.age_on(self.context["today"])

    def get_profilePicture(self, pair: PatientOfDoctor) -> str | None:  # noqa: N802 - DRF derives the name from the wire's
        return None if pair.patient.ended_at else pair.patient.profile_picture

    def get_visits(self, pair: PatientOfDoctor) -> int:
        return self.figures(pair).appointments

    @extend_schema_field(AppointmentMomentSerializer(allow_null=True))
    def get_lastVisit(self, pair: PatientOfDoctor) -> Any:  # noqa: N802 - as above
        last = self.figures(pair).last
        return AppointmentMomentSerializer(last).data if last else None

    @extend_schema_field(AppointmentMomentSerializer(allow_null=True))
    def get_nextVisit(self, pair: PatientOfDoctor) -> Any:  # noqa: N802 - as above
        following = self.figures(pair).next
        return AppointmentMomentSerializer(following).data if following else None


class OnePatientSerializer(PatientSerializer):
    """A patient's own page."""

    dateOfBirth = serializers.DateField(source="patient.date_of_birth", allow_null=True)
    bloodGroup = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ChoiceField(choices=BloodGroup.choices, allow_blank=True))
    def get_bloodGroup(self, pair: PatientOfDoctor) -> str:  # noqa: N802 - as above
        details = getattr(pair.patient, "patient_details", None)
        return details.blood_group if details else ""


class PatientTotalsSerializer(serializers.Serializer[Any]):
    """The exact numbers of all patients of a doctor."""

    all = serializers.IntegerField()
    male = serializers.IntegerField()
    female = serializers.IntegerField()
    other = serializers.IntegerField()


class PatientsData(serializers.Serializer[Any]):
    """`data` of a doctor's patients."""

    patients = PatientSerializer(many=True)
    totals = PatientTotalsSerializer()
    pagination = PaginationSerializer()


class PatientData(serializers.Serializer[Any]):
    """`data` of one patient."""

    patient = OnePatientSerializer()


class PatientHistoryData(PatientData):
    """`data` of a patient's appointments with this doctor."""

    appointments = AppointmentSerializer(many=True)
    pagination = PaginationSerializer()


class BookingForSerializer(TimeSerializer):
    """An appointment for a doctor's own patient."""

    symptoms = FreeTextField(max_length=2000, required=False, default="", allow_blank=True)
    outsideHours = serializers.BooleanField(
        default=False, help_text="Book it although patients are not offered this time."
    )


# --- Calendar ---------------------------------------------------------------------------------


class CalendarQuery(serializers.Serializer[Any]):
    """The days of a calendar to show."""

    days = serializers.IntegerField(default=MAX_DAYS, min_value=1, max_value=MAX_DAYS)

    def get_fields(self) -> dict[str, Any]:
        # `from` is a Python keyword.
        return {
            "from": LocalDateField(required=False, help_text="The clinic's today unless it is given."),
            **super().get_fields(),
        }


class StandingBlockedSerializer(ShownBlockedSerializer):
    """A blocked interval, which can be unblocked by its `_id`."""

    _id = serializers.CharField(source="pk")


class CalendarDaySerializer(serializers.Serializer[Any]):
    """One day of a calendar."""

    date = LocalDateField()
    hours = ShownSpanSerializer(many=True, help_text="Hours that run past midnight are shown on both dates.")
    dayOff = serializers.BooleanField(help_text="A dated day off; a weekday without hours is none.")
    reason = serializers.CharField(help_text="Of the dated hours or the day off.")
    blocked = StandingBlockedSerializer(many=True)
    freeTimes = serializers.ListField(
        child=LocalTimeField(), help_text="The starts that patients are offered, as in the doctor's free times."
    )


class CalendarPatientSerializer(serializers.Serializer[Any]):
    """The patient of an appointment."""

    _id = serializers.UUIDField()
    name = serializers.CharField()


class CalendarAppointmentSerializer(serializers.Serializer[Any]):
    """An appointment in a calendar, without clinical text."""

    _id = serializers.UUIDField()
    patient = CalendarPatientSerializer()
    appointmentDate = LocalDateField()
    appointmentTime = LocalTimeField()
    startsAt = InstantField()
    endsAt = InstantField()
    minutes = serializers.IntegerField()
    bufferMinutes = serializers.IntegerField(help_text="The buffer that it was booked with.")
    status = serializers.ChoiceField(choices=Status.choices)
    attended = serializers.BooleanField(allow_null=True)
    outsideHours = serializers.BooleanField()
    bookedBy = serializers.ChoiceField(choices=BOOKER_ROLES)
    cancelRequest = serializers.BooleanField()
    proposal = serializers.BooleanField()


class KeptTimeSerializer(serializers.Serializer[Any]):
    """A held or proposed time."""

    kind = serializers.ChoiceField(choices=["hold", "proposal"])
    date = LocalDateField()
    time = LocalTimeField()
    minutes = serializers.IntegerField()
    patientName = serializers.CharField(help_text="Of a proposal.")


class CalendarData(serializers.Serializer[Any]):
    """`data` of a doctor's calendar."""

    timeZone = serializers.CharField()
    today = LocalDateField()
    visitMinutes = serializers.IntegerField()
    bufferMinutes = serializers.IntegerField()
    days = CalendarDaySerializer(many=True)
    absences = ShownAbsenceSerializer(many=True, help_text="Time off that touches these days.")
    visits = CalendarAppointmentSerializer(many=True, help_text="Of cancelled ones at most 200.")
    kept = KeptTimeSerializer(many=True)


class BlockSerializer(BlockedSerializer):
    """An interval to block, and decisions about the appointments inside."""

    visits = DecisionsField(required=False, default=dict)
    visitsReason = LineField(
        max_length=500, required=False, default="", allow_blank=True, help_text="What their patients are told."
    )


class BlockedData(serializers.Serializer[Any]):
    """`data` of a blocked interval."""

    blocked = StandingBlockedSerializer()
