"""Views of a doctor's schedule, and of why a time is not offered."""

from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.models import Role
from accounts.permissions import IsDoctor
from appointments.availability.serializers import (
    ExplainData,
    ExplainQuery,
    PreviewQuery,
    ScheduleData,
    ScheduleSavedData,
    ScheduleSerializer,
)
from appointments.availability.services import read_schedule, save_schedule
from appointments.models import Appointment
from config.api.errors import DomainError
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from doctors.availability.calendar import Calendar
from doctors.availability.queries import HoldOwner
from doctors.models import DoctorProfile
from doctors.slot_engine import Refusal, Slot


@extend_schema(tags=["doctors"])
class ScheduleViewSet(ApiViewSet):
    """A doctor's own schedule."""

    no_personal_data_reason = {"retrieve": "The reader's own hours."}
    queryset = Appointment.objects.none()
    permission_classes = (IsDoctor,)

    @extend_schema(operation_id="doctors_schedule_retrieve", responses=ScheduleData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the current doctor's schedule, with single dates from today on."""
        doctor = DoctorProfile.objects.get(pk=request.user.pk)
        return ApiResponse(ScheduleData({"schedule": read_schedule(doctor, timezone.now())}).data)

    @extend_schema(
        operation_id="doctors_schedule_update",
        request=ScheduleSerializer,
        parameters=[PreviewQuery],
        responses=ScheduleSavedData,
    )
    def update(self, request: Request) -> ApiResponse:
        """Change the fields that are sent, with a decision for each appointment left outside the hours."""
        changes = self.validate_body(ScheduleSerializer)
        preview = self.validate_query(PreviewQuery)["preview"]
        now = timezone.now()
        _, affected = save_schedule(get_user(request), changes, preview=preview, now=now)
        doctor = DoctorProfile.objects.get(pk=request.user.pk)
        message = "" if preview else "Schedule saved"
        schedule = ScheduleData({"schedule": read_schedule(doctor, now)}).data
        return ApiResponse({**schedule, "affected": affected}, message)


@extend_schema(tags=["doctors"])
class ExplainViewSet(ApiViewSet):
    """Whether a doctor's time is free, and why not."""

    no_personal_data_reason = "Whether a time is free, and why not; never for whom it is taken."
    queryset = Appointment.objects.none()
    permission_classes = (AllowAny,)
    public_object_actions = ("retrieve",)

    @extend_schema(
        operation_id="doctors_slots_explain", parameters=[ExplainQuery], responses=ExplainData, filters=False
    )
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Say whether a time is open to the caller, whose own hold counts as free; the doctor and staff also learn the
        reason if not.
        """
        query = self.validate_query(ExplainQuery)
        insider = request.user.is_authenticated and (request.user.pk == pk or request.user.role == Role.ADMIN)
        doctors = DoctorProfile.objects.filter(user__ended_at=None) if insider else DoctorProfile.objects.approved()
        doctor = doctors.select_related("user").filter(pk=pk).first()
        if doctor is None:
            raise DomainError("doctor_unavailable")
        user = request.user
        patient = user if user.is_authenticated and user.role == Role.PATIENT else None
        calendar = Calendar.read(doctor, timezone.now(), hold_owner=HoldOwner(patient, query["holdId"]))
        found = calendar.find_slot(query["date"], query["time"])
        open_now = isinstance(found, Slot) and doctor.is_bookable
        reason = found.reason.value if isinstance(found, Refusal) else None if open_now else "not_accepting"
        return ApiResponse({"open": open_now, **({"reason": reason} if insider else {})})
