"""The doctor's desk over HTTP: parse, call, answer."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.permissions import IsDoctor
from appointments.blocked import block, unblock
from appointments.booking_for import book_for
from appointments.desk import desk_of
from appointments.desk_wire import (
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
from appointments.diary import blocked_on_wire, diary_of
from appointments.exports import appointments_csv, export, patients_csv
from appointments.lists import in_order, narrowed
from appointments.models import Appointment, PatientOfDoctor
from appointments.patients import figures_of, patient_of, patients_of, totals_of
from appointments.reading import opened
from appointments.serializers import AppointmentData, AppointmentListQuery, visits_on_wire
from config.downloads import CsvRenderer, download_csv
from config.viewsets import WireViewSet
from config.wire import Answer, EnvelopeRenderer, Page, PageQuery
from doctors.calendar import local_date
from doctors.models import DoctorProfile


class DeskViewSet(WireViewSet):
    """What only a doctor calls."""

    queryset = Appointment.objects.none()
    permission_classes = (IsDoctor,)

    def practice(self) -> DoctorProfile:
        """Read the profile of the doctor who asks."""
        return DoctorProfile.objects.get(pk=person_of(self.request).pk)

    def on_wire(self, visits: Any, now: datetime) -> list[dict[str, Any]]:
        """Write visits for the doctor."""
        return visits_on_wire(visits, person_of(self.request), now)


@extend_schema(tags=["desk"])
class DashboardViewSet(DeskViewSet):
    """A doctor's day at a glance."""

    @extend_schema(operation_id="doctors_dashboard", responses=DashboardData)
    def retrieve(self, request: Request) -> Answer:
        """Show one's figures, what waits for an answer, today, and what comes next."""
        now = timezone.now()
        desk = desk_of(self.practice(), now)
        shown = desk.visits()
        opened(shown, person_of(request), "dashboard")
        written = dict(zip((visit.pk for visit in shown), self.on_wire(shown, now), strict=True))
        lists = {name: [written[visit.pk] for visit in visits] for name, visits in desk.lists.items()}
        return Answer({"totals": desk.totals, **lists})


@extend_schema(tags=["desk"])
class PatientsViewSet(DeskViewSet):
    """A doctor's own patients."""

    def one(self, pk: UUID, now: datetime) -> Any:
        """Write one patient's page; raises for whoever never booked with this doctor."""
        doctor = self.practice()
        pair = patient_of(person_of(self.request), pk)
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
    def list(self, request: Request) -> Answer:
        """List whoever has booked with this doctor, who booked last first."""
        query, doctor, now = self.read_query(PatientsQuery), person_of(request), timezone.now()
        page = Page(patients_of(doctor, query), query)
        rows: Any = page.rows
        context = self.context_of(self.practice(), rows, now)
        return Answer(
            {
                "patients": PatientSerializer(rows, many=True, context=context).data,
                "totals": totals_of(doctor),
                "pagination": page.pagination,
            }
        )

    @extend_schema(operation_id="doctors_patients_retrieve", responses=PatientData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show one patient."""
        return Answer({"patient": self.one(pk, timezone.now())})

    @extend_schema(
        operation_id="doctors_patients_history", parameters=[PageQuery], responses=PatientHistoryData, filters=False
    )
    def history(self, request: Request, pk: UUID) -> Answer:
        """List a patient's visits with this doctor, newest first."""
        query, now = self.read_query(PageQuery), timezone.now()
        patient = self.one(pk, now)
        visits = Appointment.objects.with_people().filter(doctor=person_of(request).pk, patient=pk)
        page = Page(visits.order_by("-starts_at", "pk"), query)
        opened(page.rows, person_of(request), "history")
        return Answer({"patient": patient, "appointments": self.on_wire(page.rows, now), "pagination": page.pagination})

    @extend_schema(
        operation_id="doctors_patients_book",
        request=BookingForSerializer,
        responses={
            201: AppointmentData,
            200: OpenApiResponse(AppointmentData, description="The patient had this very visit already."),
        },
    )
    def book(self, request: Request, pk: UUID) -> Answer:
        """Book a visit for one's own patient, confirmed at once."""
        wanted, now = self.read(BookingForSerializer), timezone.now()
        visit, created = book_for(
            person_of(request),
            pk,
            wanted["appointmentDate"],
            wanted["appointmentTime"].strftime("%H:%M"),
            symptoms=wanted["symptoms"],
            outside_hours=wanted["outsideHours"],
            now=now,
        )
        opened([visit], person_of(request), "visit")
        message = "Appointment booked successfully!" if created else "This patient has this appointment already."
        return Answer({"appointment": self.on_wire([visit], now)[0]}, message, status=201 if created else 200)


@extend_schema(tags=["desk"])
class CalendarViewSet(DeskViewSet):
    """A doctor's calendar."""

    @extend_schema(operation_id="doctors_calendar", parameters=[CalendarQuery], responses=CalendarData, filters=False)
    def retrieve(self, request: Request) -> Answer:
        """Show up to a week of hours, blocked stretches, visits and kept times, on the clinic's own clock."""
        query = self.read_query(CalendarQuery)
        return Answer(diary_of(self.practice(), query.get("from"), query["days"], timezone.now()))


@extend_schema(tags=["desk"])
class BlockedViewSet(DeskViewSet):
    """Blocked stretches of a calendar, one at a time."""

    @extend_schema(
        operation_id="doctors_blocked_create",
        request=BlockSerializer,
        responses={
            201: BlockedData,
            200: OpenApiResponse(BlockedData, description="This very stretch was blocked already."),
        },
    )
    def create(self, request: Request) -> Answer:
        """Block a stretch of a day. Visits inside are decided one by one, as with the schedule."""
        wanted = self.read(BlockSerializer)
        stretch, created = block(
            person_of(request), wanted, wanted["visits"], wanted["visitsReason"], now=timezone.now()
        )
        return Answer({"blocked": blocked_on_wire(stretch)}, "Time blocked", status=201 if created else 200)

    @extend_schema(operation_id="doctors_blocked_destroy", request=None, responses={200: None})
    def destroy(self, request: Request, pk: int) -> Answer:
        """Open a blocked stretch again."""
        unblock(person_of(request), pk, now=timezone.now())
        return Answer(message="Time opened")


@extend_schema(tags=["desk"])
class ExportViewSet(DeskViewSet):
    """Lists to take away."""

    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    @extend_schema(
        operation_id="doctors_patients_export",
        parameters=[PatientsQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def patients(self, request: Request) -> StreamingHttpResponse:
        """Write one's patients as CSV, all that the list's filters leave."""
        query, doctor, now = self.read_query(PatientsQuery), person_of(request), timezone.now()
        practice = self.practice()
        export("patients", doctor)
        pieces = patients_csv(practice, patients_of(doctor, query), now)
        return download_csv("patients", pieces, local_date(now, practice.time_zone))

    @extend_schema(
        operation_id="doctors_appointments_export",
        parameters=[AppointmentListQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def appointments(self, request: Request) -> StreamingHttpResponse:
        """Write one's visits as CSV, all that the list's filters leave, without clinical text."""
        query, doctor, now = self.read_query(AppointmentListQuery), person_of(request), timezone.now()
        practice = self.practice()
        visits = narrowed(Appointment.objects.visible_to(doctor), query, doctor, now)
        export("appointments", doctor)
        pieces = appointments_csv(in_order(visits, query, doctor, now), now)
        return download_csv("appointments", pieces, local_date(now, practice.time_zone))
