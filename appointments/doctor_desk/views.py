"""The doctor's desk over HTTP: parse, call, answer."""

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
from appointments.access_log import opened
from appointments.availability.absences import add_absence, change_absence, remove_absence
from appointments.availability.blocked_times import block_time, unblock_time
from appointments.availability.serializers import (
    AbsenceData,
    AbsenceSerializer,
    PreviewQuery,
    ShownAbsenceSerializer,
)
from appointments.doctor_desk.calendar import read_calendar
from appointments.doctor_desk.dashboard import read_desk
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
from appointments.filters import in_order, narrowed
from appointments.models import Appointment, PatientOfDoctor
from appointments.patients import figures_of, patient_of, patients_of, totals_of
from appointments.scheduling.booking_by_doctor import book_for_patient
from appointments.serializers import AppointmentData, AppointmentListQuery, appointments_on_wire
from config.api.access_log import add_people, add_subjects
from config.api.pagination import Page, PageQuery
from config.api.renderers import ApiResponse, EnvelopeRenderer
from config.api.viewsets import ApiViewSet, get_view_name
from config.http.downloads import CsvRenderer, download_csv
from config.metrics import instruments
from doctors.availability.calendar import local_date
from doctors.models import Absence, DoctorProfile


class DeskViewSet(ApiViewSet):
    """What only a doctor calls."""

    queryset = Appointment.objects.none()
    permission_classes = (IsDoctor,)

    def practice(self) -> DoctorProfile:
        """Read the profile of the doctor who asks."""
        return DoctorProfile.objects.get(pk=get_user(self.request).pk)

    def on_wire(self, appointments: Any, now: datetime) -> list[dict[str, Any]]:
        """Write appointments for the doctor."""
        return appointments_on_wire(appointments, get_user(self.request), now)


@extend_schema(tags=["desk"])
class DashboardViewSet(DeskViewSet):
    """A doctor's day at a glance."""

    @extend_schema(operation_id="doctors_dashboard", responses=DashboardData)
    def retrieve(self, request: Request) -> ApiResponse:
        """Show one's figures, what waits for an answer, today, and what comes next."""
        now = timezone.now()
        desk = read_desk(self.practice(), now)
        shown = desk.appointments()
        opened(shown, get_user(request), "dashboard")
        written = dict(zip((appointment.pk for appointment in shown), self.on_wire(shown, now), strict=True))
        lists = {
            name: [written[appointment.pk] for appointment in appointments] for name, appointments in desk.lists.items()
        }
        return ApiResponse({"totals": desk.totals, **lists})


@extend_schema(tags=["desk"])
class PatientsViewSet(DeskViewSet):
    """A doctor's own patients."""

    def one(self, pk: UUID, now: datetime) -> Any:
        """Return one patient's page; raises for a user who never booked with this doctor."""
        doctor = self.practice()
        pair = patient_of(get_user(self.request), pk)
        add_people("user", [pair.patient_id])
        return OnePatientSerializer(pair, context=self.context_of(doctor, [pair], now)).data

    def context_of(self, doctor: DoctorProfile, pairs: Iterable[PatientOfDoctor], now: datetime) -> dict[str, Any]:
        """Read what writing these patients needs."""
        return {
            "today": local_date(now, doctor.time_zone),
            "figures": figures_of(doctor.pk, [pair.patient_id for pair in pairs], now),
        }

    @extend_schema(
        operation_id="doctors_patients_list", parameters=[PatientsQuery], responses=PatientsData, filters=False
    )
    def list(self, request: Request) -> ApiResponse:
        """List the patients who have booked with this doctor, latest booking first."""
        query, doctor, now = self.validate_query(PatientsQuery), get_user(request), timezone.now()
        page = Page(patients_of(doctor, query), query)
        rows: Any = page.rows
        add_people("user", [pair.patient_id for pair in rows])
        context = self.context_of(self.practice(), rows, now)
        return ApiResponse(
            {
                "patients": PatientSerializer(rows, many=True, context=context).data,
                "totals": totals_of(doctor),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="doctors_patients_retrieve", responses=PatientData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Show one patient."""
        return ApiResponse({"patient": self.one(pk, timezone.now())})

    @extend_schema(
        operation_id="doctors_patients_history", parameters=[PageQuery], responses=PatientHistoryData, filters=False
    )
    @action(detail=True)
    def history(self, request: Request, pk: UUID) -> ApiResponse:
        """List a patient's appointments with this doctor, newest first."""
        query, now = self.validate_query(PageQuery), timezone.now()
        patient = self.one(pk, now)
        appointments = Appointment.objects.with_people().filter(doctor=get_user(request).pk, patient=pk)
        page = Page(appointments.order_by("-starts_at", "pk"), query)
        opened(page.rows, get_user(request), "history")
        return ApiResponse(
            {"patient": patient, "appointments": self.on_wire(page.rows, now), "pagination": page.pagination}
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
        """Book an appointment for one's own patient, confirmed at once."""
        wanted, now = self.validate_body(BookingForSerializer), timezone.now()
        appointment, created = book_for_patient(
            get_user(request),
            pk,
            wanted["appointmentDate"],
            wanted["appointmentTime"],
            symptoms=wanted["symptoms"],
            outside_hours=wanted["outsideHours"],
            now=now,
        )
        if created:
            instruments.bookings.labels("doctor").inc()
        opened([appointment], get_user(request), "visit")
        message = "Appointment booked successfully!" if created else "This patient has this appointment already."
        return ApiResponse(
            {"appointment": self.on_wire([appointment], now)[0]}, message, status=201 if created else 200
        )


@extend_schema(tags=["desk"])
class CalendarViewSet(DeskViewSet):
    """A doctor's calendar."""

    @extend_schema(operation_id="doctors_calendar", parameters=[CalendarQuery], responses=CalendarData, filters=False)
    def retrieve(self, request: Request) -> ApiResponse:
        """Show up to a week of hours, blocked stretches, appointments and kept times, on the clinic's own clock."""
        query = self.validate_query(CalendarQuery)
        return ApiResponse(
            CalendarData(read_calendar(self.practice(), query.get("from"), query["days"], timezone.now())).data
        )


@extend_schema(tags=["desk"])
class BlockedViewSet(DeskViewSet):
    """Blocked stretches of a calendar, one at a time."""

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
        """Block a stretch of a day. Appointments inside are decided one by one, as with the schedule."""
        wanted = self.validate_body(BlockSerializer)
        stretch, created = block_time(
            get_user(request), wanted, wanted["visits"], wanted["visitsReason"], now=timezone.now()
        )
        # Nobody else but whom the change affects.
        add_subjects("appointment", ())
        return ApiResponse(BlockedData({"blocked": stretch}).data, "Time blocked", status=201 if created else 200)

    @extend_schema(operation_id="doctors_blocked_destroy", request=None, responses={200: None})
    def destroy(self, request: Request, pk: int) -> ApiResponse:
        """Open a blocked stretch again."""
        unblock_time(get_user(request), pk, now=timezone.now())
        return ApiResponse(message="Time opened")


@extend_schema(tags=["desk"])
class AbsenceViewSet(DeskViewSet):
    """Time off from one date and time to another."""

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
        """Take time off. Appointments and proposals inside are decided one by one, as with the schedule."""
        data, preview = self.validate_body(AbsenceSerializer), self.validate_query(PreviewQuery)["preview"]
        absence, affected, is_new = add_absence(get_user(request), data, preview=preview, now=timezone.now())
        return self.answer(absence, affected, 201 if absence and is_new else 200)

    @extend_schema(
        operation_id="doctors_absences_update",
        request=AbsenceSerializer,
        parameters=[PreviewQuery],
        responses=AbsenceData,
    )
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Change time off as one."""
        data, preview = self.validate_body(AbsenceSerializer), self.validate_query(PreviewQuery)["preview"]
        absence, affected = change_absence(get_user(request), pk, data, preview=preview, now=timezone.now())
        return self.answer(absence, affected, 200)

    @extend_schema(operation_id="doctors_absences_destroy", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Undo time off."""
        remove_absence(get_user(request), pk, now=timezone.now())
        return ApiResponse(message="Time off removed")

    def answer(self, absence: Absence | None, affected: list[dict[str, Any]], status: int) -> ApiResponse:
        """Write an absence, and what it affects."""
        add_subjects("appointment", ())
        data = {"absence": absence and ShownAbsenceSerializer(absence).data, "affected": affected}
        return ApiResponse(data, "Time off saved" if absence else "", status=status)


@extend_schema(tags=["desk"])
class ExportViewSet(DeskViewSet):
    """Lists to take away."""

    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    def record_export(self, people: Any) -> None:
        """Record that every one of these patients is in the file."""
        add_people("user", ())
        record_export(get_user(self.request), get_view_name(self.request), people)

    @extend_schema(
        operation_id="doctors_patients_export",
        parameters=[PatientsQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def patients(self, request: Request) -> StreamingHttpResponse:
        """Write one's patients as CSV, all that the list's filters leave."""
        query, doctor, now = self.validate_query(PatientsQuery), get_user(request), timezone.now()
        practice = self.practice()
        patients = patients_of(doctor, query)
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
        """Write one's appointments as CSV, all that the list's filters leave, without clinical text."""
        query, doctor, now = self.validate_query(AppointmentListQuery), get_user(request), timezone.now()
        practice = self.practice()
        appointments = narrowed(Appointment.objects.visible_to(doctor), query, doctor, now)
        LIST_EXPORT.consume()
        self.record_export(appointments.values_list("patient_id", flat=True))
        place = acquire_place(exports)
        record_list_export("appointments", doctor)
        rows = write_appointments_csv(in_order(appointments, query, doctor, now), now)
        return place.release_after(download_csv("appointments", rows, local_date(now, practice.time_zone)))
