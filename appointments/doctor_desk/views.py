"""Views of the doctor's dashboard, patients, calendar and exports."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.access_log import record_export
from accounts.authentication import get_user
from accounts.permissions import IsDoctor
from accounts.throttling.expensive_requests import LIST_EXPORT, acquire_place, exports
from appointments.access_log import log_access
from appointments.availability.absences import add_absence, change_absence, remove_absence
from appointments.availability.blocked_times import block_time, unblock_time
from appointments.availability.serializers import (
    AbsenceData,
    AbsenceSerializer,
    PreviewQuery,
    ShownAbsenceSerializer,
)
from appointments.doctor_desk.calendar import read_calendar
from appointments.doctor_desk.dashboard import load_dashboard
from appointments.doctor_desk.exports import record_list_export, write_appointments_csv, write_patients_csv
from appointments.doctor_desk.serializers import (
    BlockedData,
    BlockSerializer,
    BookingForSerializer,
    CalendarData,
    CalendarQuery,
    DashboardData,
    OnePatientSerializer,
    PatientData,
    PatientHistoryData,
    PatientsData,
    PatientSerializer,
    PatientsQuery,
)
from appointments.filters import filter_appointments, order_appointments
from appointments.models import Appointment, PatientOfDoctor
from appointments.patients import count_by_gender, get_patient, list_patients, load_figures
from appointments.scheduling.booking_by_doctor import book_for_patient
from appointments.serializers import AppointmentData, AppointmentListQuery, serialize_appointments
from config.api.access_log import add_people, add_subjects
from config.api.pagination import Page, PageQuery
from config.api.renderers import ApiResponse, EnvelopeRenderer
from config.api.viewsets import ApiViewSet, get_view_name
from config.http.downloads import CsvRenderer, download_csv
from config.metrics import instruments
from doctors.availability.calendar import local_date
from doctors.models import Absence, DoctorProfile


class DeskViewSet(ApiViewSet):
    """Base of views for doctors."""

    queryset = Appointment.objects.none()
    permission_classes = (IsDoctor,)

    def get_profile(self) -> DoctorProfile:
        return DoctorProfile.objects.get(pk=get_user(self.request).pk)

    def serialize(self, appointments: Any, now: datetime) -> list[dict[str, Any]]:
        return serialize_appointments(appointments, get_user(self.request), now)


@extend_schema(tags=["desk"])
class DashboardViewSet(DeskViewSet):
    """The doctor's dashboard."""

    @extend_schema(operation_id="doctors_dashboard", responses=DashboardData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return the totals, pending requests, today's and upcoming appointments."""
        now = timezone.now()
        desk = load_dashboard(self.get_profile(), now)
        shown = desk.appointments()
        log_access(shown, get_user(request), "dashboard")
        written = dict(zip((appointment.pk for appointment in shown), self.serialize(shown, now), strict=True))
        lists = {
            name: [written[appointment.pk] for appointment in appointments] for name, appointments in desk.lists.items()
        }
        return ApiResponse({"totals": desk.totals, **lists})


@extend_schema(tags=["desk"])
class PatientsViewSet(DeskViewSet):
    """A doctor's own patients."""

    def serialize_patient(self, pk: UUID, now: datetime) -> Any:
        """Return one patient; raise Http404 for a user who never booked with this doctor."""
        doctor = self.get_profile()
        pair = get_patient(get_user(self.request), pk)
        add_people("user", [pair.patient_id])
        return OnePatientSerializer(pair, context=self.build_context(doctor, [pair], now)).data

    def build_context(self, doctor: DoctorProfile, pairs: Iterable[PatientOfDoctor], now: datetime) -> dict[str, Any]:
        """Return the serializer context of these patients."""
        return {
            "today": local_date(now, doctor.time_zone),
            "figures": load_figures(doctor.pk, [pair.patient_id for pair in pairs], now),
        }

    @extend_schema(
        operation_id="doctors_patients_list", parameters=[PatientsQuery], responses=PatientsData, filters=False
    )
    def list(self, request: Request) -> ApiResponse:
        """List the patients who have booked with this doctor, latest booking first."""
        query, doctor, now = self.validate_query(PatientsQuery), get_user(request), timezone.now()
        page = Page(list_patients(doctor, query), query)
        rows: Any = page.rows
        add_people("user", [pair.patient_id for pair in rows])
        context = self.build_context(self.get_profile(), rows, now)
        return ApiResponse(
            {
                "patients": PatientSerializer(rows, many=True, context=context).data,
                "totals": count_by_gender(doctor),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="doctors_patients_retrieve", responses=PatientData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return one patient."""
        return ApiResponse({"patient": self.serialize_patient(pk, timezone.now())})

    @extend_schema(
        operation_id="doctors_patients_history", parameters=[PageQuery], responses=PatientHistoryData, filters=False
    )
    @action(detail=True)
    def history(self, request: Request, pk: UUID) -> ApiResponse:
        """List a patient's appointments with this doctor, newest first."""
        query, now = self.validate_query(PageQuery), timezone.now()
        patient = self.serialize_patient(pk, now)
        appointments = Appointment.objects.with_people().filter(doctor=get_user(request).pk, patient=pk)
        page = Page(appointments.order_by("-starts_at", "pk"), query)
        log_access(page.rows, get_user(request), "history")
        return ApiResponse(
            {"patient": patient, "appointments": self.serialize(page.rows, now), "pagination": page.pagination}
        )

    @extend_schema(
        operation_id="doctors_patients_book",
        request=BookingForSerializer,
        responses={
            201: AppointmentData,
            200: OpenApiResponse(AppointmentData, description="The patient had this very appointment already."),
        },
    )
    @action(methods=["post"], detail=True, url_path="appointments")
    def book(self, request: Request, pk: UUID) -> ApiResponse:
        """Book an appointment for one of the doctor's patients, confirmed at once."""
        data, now = self.validate_body(BookingForSerializer), timezone.now()
        appointment, created = book_for_patient(
            get_user(request),
            pk,
            data["appointmentDate"],
            data["appointmentTime"],
            symptoms=data["symptoms"],
            outside_hours=data["outsideHours"],
            now=now,
        )
        if created:
            instruments.bookings.labels("doctor").inc()
        log_access([appointment], get_user(request), "visit")
        message = "Appointment booked successfully!" if created else "This patient has this appointment already."
        return ApiResponse(
            {"appointment": self.serialize([appointment], now)[0]}, message, status=201 if created else 200
        )


@extend_schema(tags=["desk"])
class CalendarViewSet(DeskViewSet):
    """A doctor's calendar."""

    @extend_schema(operation_id="doctors_calendar", parameters=[CalendarQuery], responses=CalendarData, filters=False)
    def retrieve(self, request: Request) -> ApiResponse:
        """Return up to a week of hours, blocked, held and proposed times and appointments, in local time."""
        query = self.validate_query(CalendarQuery)
        return ApiResponse(
            CalendarData(read_calendar(self.get_profile(), query.get("from"), query["days"], timezone.now())).data
        )


@extend_schema(tags=["desk"])
class BlockedViewSet(DeskViewSet):
    """Blocked intervals of a calendar."""

    lookup_value_converter = "int"

    @extend_schema(
        operation_id="doctors_blocked_create",
        request=BlockSerializer,
        responses={
            201: BlockedData,
            200: OpenApiResponse(BlockedData, description="This very stretch was blocked already."),
        },
    )
    def create(self, request: Request) -> ApiResponse:
        """Block an interval of a day, with a decision for each appointment inside."""
        data = self.validate_body(BlockSerializer)
        stretch, created = block_time(get_user(request), data, data["visits"], data["visitsReason"], now=timezone.now())
        # Only those whom the change affects.
        add_subjects("appointment", ())
        return ApiResponse(BlockedData({"blocked": stretch}).data, "Time blocked", status=201 if created else 200)

    @extend_schema(operation_id="doctors_blocked_destroy", request=None, responses={200: None})
    def destroy(self, request: Request, pk: int) -> ApiResponse:
        """Unblock an interval."""
        unblock_time(get_user(request), pk, now=timezone.now())
        return ApiResponse(message="Time opened")


@extend_schema(tags=["desk"])
class AbsenceViewSet(DeskViewSet):
    """Absences from one date and time to another."""

    @extend_schema(
        operation_id="doctors_absences_create",
        request=AbsenceSerializer,
        parameters=[PreviewQuery],
        responses={
            201: AbsenceData,
            200: OpenApiResponse(AbsenceData, description="A preview, or this very time was off already."),
        },
    )
    def create(self, request: Request) -> ApiResponse:
        """Add an absence, with a decision for each appointment and proposal inside."""
        data, preview = self.validate_body(AbsenceSerializer), self.validate_query(PreviewQuery)["preview"]
        absence, affected, is_new = add_absence(get_user(request), data, preview=preview, now=timezone.now())
        return self.build_response(absence, affected, 201 if absence and is_new else 200)

    @extend_schema(
        operation_id="doctors_absences_update",
        request=AbsenceSerializer,
        parameters=[PreviewQuery],
        responses=AbsenceData,
    )
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Change an absence."""
        data, preview = self.validate_body(AbsenceSerializer), self.validate_query(PreviewQuery)["preview"]
        absence, affected = change_absence(get_user(request), pk, data, preview=preview, now=timezone.now())
        return self.build_response(absence, affected, 200)

    @extend_schema(operation_id="doctors_absences_destroy", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Remove an absence."""
        remove_absence(get_user(request), pk, now=timezone.now())
        return ApiResponse(message="Time off removed")

    def build_response(self, absence: Absence | None, affected: list[dict[str, Any]], status: int) -> ApiResponse:
        add_subjects("appointment", ())
        data = {"absence": absence and ShownAbsenceSerializer(absence).data, "affected": affected}
        return ApiResponse(data, "Time off saved" if absence else "", status=status)


@extend_schema(tags=["desk"])
class ExportViewSet(DeskViewSet):
    """Exports of lists."""

    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    def record_export(self, people: Any) -> None:
        """Record that the file contains these patients."""
        add_people("user", ())
        record_export(get_user(self.request), get_view_name(self.request), people)

    @extend_schema(
        operation_id="doctors_patients_export",
        parameters=[PatientsQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def patients(self, request: Request) -> StreamingHttpResponse:
        """Export the doctor's patients as CSV, with the filters of the list."""
        query, doctor, now = self.validate_query(PatientsQuery), get_user(request), timezone.now()
        practice = self.get_profile()
        patients = list_patients(doctor, query)
        LIST_EXPORT.consume()
        self.record_export(patients.values_list("patient_id", flat=True))
        place = acquire_place(exports)
        record_list_export("patients", doctor)
        rows = write_patients_csv(practice, patients, now)
        return place.release_after(download_csv("patients", rows, local_date(now, practice.time_zone)))

    @extend_schema(
        operation_id="doctors_appointments_export",
        parameters=[AppointmentListQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def appointments(self, request: Request) -> StreamingHttpResponse:
        """Export the doctor's appointments as CSV without clinical text, with the filters of the list."""
        query, doctor, now = self.validate_query(AppointmentListQuery), get_user(request), timezone.now()
        practice = self.get_profile()
        appointments = filter_appointments(Appointment.objects.visible_to(doctor), query, doctor, now)
        LIST_EXPORT.consume()
        self.record_export(appointments.values_list("patient_id", flat=True))
        place = acquire_place(exports)
        record_list_export("appointments", doctor)
        rows = write_appointments_csv(order_appointments(appointments, query, doctor, now), now)
        return place.release_after(download_csv("appointments", rows, local_date(now, practice.time_zone)))
