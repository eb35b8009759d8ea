"""Visits over HTTP: parse, call, answer."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.limits import Limit
from accounts.models import Role
from accounts.permissions import IsAdmin, IsDoctor, IsPatient
from appointments.booking import book
from appointments.holds import hold, release
from appointments.lists import counts_of, in_order, narrowed
from appointments.models import EXPIRED, SYSTEM, Appointment, AppointmentQuerySet, Status
from appointments.moving import answer_proposal, ask_to_cancel, propose, reschedule
from appointments.reading import LISTS, opened
from appointments.requests import (
    AcceptSerializer,
    BookingSerializer,
    HoldSerializer,
    ProposalSerializer,
    ReasonSerializer,
    StatusSerializer,
    TimeSerializer,
)
from appointments.schedule import save_schedule, schedule_of
from appointments.schedule_wire import (
    ExplainData,
    ExplainQuery,
    PreviewQuery,
    ScheduleData,
    ScheduleSavedData,
    ScheduleSerializer,
)
from appointments.serializers import (
    AppointmentData,
    AppointmentDetailData,
    AppointmentListQuery,
    AppointmentsData,
    AppointmentSerializer,
    HoldData,
    TimeChangeSerializer,
    visits_on_wire,
)
from appointments.states import move
from config.errors import RuleBroken
from config.viewsets import WireViewSet
from config.wire import Answer, InTurn, Page
from doctors.calendar import Calendar, slot_on_wire
from doctors.free_times import Refusal, Slot
from doctors.models import DoctorProfile


class OwnVisits(WireViewSet):
    """The visits of whoever is signed in, and how they are written for them."""

    queryset = Appointment.objects.none()
    serializer_class = AppointmentSerializer

    def visible(self) -> AppointmentQuerySet:
        """Answer the rows that the reader may see, with what the wire needs of their people."""
        return Appointment.objects.visible_to(person_of(self.request)).with_people()

    def read_anew(self, pk: UUID) -> Any:
        """Write a visit as it stands after an act."""
        return self.on_wire(self.visible().get(pk=pk))

    def on_wire(self, appointment: Any, what: str = "visit") -> Any:
        """Write a visit, or the rows of one of the lists, for the reader, and that they were opened."""
        many = what in LISTS
        visits, reader = appointment if many else [appointment], person_of(self.request)
        opened(visits, reader, what)
        written = visits_on_wire(visits, reader, timezone.now())
        return written if many else written[0]


@extend_schema(tags=["appointments"])
class AppointmentViewSet(OwnVisits):
    """The visits of whoever is signed in."""

    def asks_by_id(self) -> bool:
        # A booking names its doctor.
        return self.action == "create" or super().asks_by_id()

    def get_permissions(self) -> list[BasePermission]:
        rules: dict[str, Any] = {
            "create": IsPatient,
            "cancel": IsPatient | IsAdmin,
            "set_status": IsDoctor | IsAdmin,
            "reschedule": IsPatient,
            "propose": IsPatient | IsDoctor,
            "answer": IsPatient | IsDoctor,
            "cancel_request": IsPatient,
        }
        return [rules.get(self.action, IsAuthenticated)()]

    @extend_schema(
        operation_id="appointments_list", parameters=[AppointmentListQuery], responses=AppointmentsData, filters=False
    )
    def list(self, request: Request) -> Answer:
        """List the reader's visits, all of them for an admin: upcoming ones soonest first, others newest first."""
        query, reader, now = self.read_query(AppointmentListQuery), person_of(request), timezone.now()
        visits = narrowed(self.visible(), query, reader, now)
        parts = in_order(visits, query, reader, now)
        page = Page(InTurn(visits, *parts) if len(parts) > 1 else parts[0], query)
        what = "records" if query["scope"] in {"records", "written"} else "list"
        counts = {"counts": counts_of(self.visible(), query, reader, now)} if query["counts"] else {}
        return Answer({"appointments": self.on_wire(page.rows, what), "pagination": page.pagination, **counts})

    @extend_schema(operation_id="appointments_retrieve", responses=AppointmentDetailData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show one visit, the times it had before, and, when it expired unanswered, the nearest free times."""
        visit = get_object_or_404(self.visible(), pk=pk)
        return Answer(
            {
                "appointment": self.on_wire(visit),
                "history": [TimeChangeSerializer(change).data for change in visit.time_changes.all()],
                "alternatives": [slot_on_wire(slot) for slot in times_instead(visit, timezone.now())],
            }
        )

    @extend_schema(
        operation_id="appointments_create",
        request=BookingSerializer,
        responses={
            201: AppointmentData,
            200: OpenApiResponse(AppointmentData, description="The patient had this very visit already."),
        },
    )
    def create(self, request: Request) -> Answer:
        """Book a visit at a free time of the doctor's, on the clinic's own clock."""
        wanted = self.read(BookingSerializer)
        count_change(request)
        appointment, created = book(
            person_of(request),
            wanted["doctorId"],
            wanted["appointmentDate"],
            wanted["appointmentTime"].strftime("%H:%M"),
            symptoms=wanted["symptoms"],
            notes=wanted["notes"],
            now=timezone.now(),
            hold_secret=wanted["holdId"],
        )
        message = "Appointment booked successfully!" if created else "You have already booked this appointment."
        return Answer({"appointment": self.on_wire(appointment)}, message, status=201 if created else 200)

    @extend_schema(operation_id="appointments_cancel", request=ReasonSerializer, responses=AppointmentData)
    def cancel(self, request: Request, pk: UUID) -> Answer:
        """Cancel a visit: a patient a pending one, an admin any live one with a reason."""
        reason = self.read(ReasonSerializer)["reason"]
        appointment = get_object_or_404(self.visible(), pk=pk)
        move(appointment, Status.CANCELLED, by=person_of(request), now=timezone.now(), reason=reason)
        return Answer({"appointment": self.read_anew(pk)}, "Appointment cancelled successfully")

    @extend_schema(operation_id="appointments_set_status", request=StatusSerializer, responses=AppointmentData)
    def set_status(self, request: Request, pk: UUID) -> Answer:
        """Take a visit to another status, as the state table allows."""
        wanted = self.read(StatusSerializer)
        appointment = get_object_or_404(self.visible(), pk=pk)
        move(
            appointment,
            wanted["status"],
            by=person_of(request),
            now=timezone.now(),
            reason=wanted["reason"],
            attended=wanted.get("attended"),
            visit=wanted.get("visit"),
        )
        return Answer({"appointment": self.read_anew(pk)}, f"Appointment marked as {wanted['status']} successfully!")

    @extend_schema(operation_id="appointments_reschedule", request=TimeSerializer, responses=AppointmentData)
    def reschedule(self, request: Request, pk: UUID) -> Answer:
        """Move a visit that still waits to another free time of the doctor's."""
        wanted = self.read(TimeSerializer)
        day, time = wanted["appointmentDate"], wanted["appointmentTime"].strftime("%H:%M")
        count_change(request)
        reschedule(get_object_or_404(self.visible(), pk=pk), day, time, by=person_of(request), now=timezone.now())
        return Answer({"appointment": self.read_anew(pk)}, "Appointment moved")

    @extend_schema(operation_id="appointments_propose", request=ProposalSerializer, responses={201: AppointmentData})
    def propose(self, request: Request, pk: UUID) -> Answer:
        """Propose another time to the other side; it is kept free until they answer."""
        wanted = self.read(ProposalSerializer)
        day, time = wanted["appointmentDate"], wanted["appointmentTime"].strftime("%H:%M")
        visit = get_object_or_404(self.visible(), pk=pk)
        count_change(request)
        propose(visit, day, time, wanted["reason"], by=person_of(request), now=timezone.now())
        return Answer({"appointment": self.read_anew(pk)}, "New time proposed", status=201)

    @extend_schema(operation_id="appointments_answer_proposal", request=AcceptSerializer, responses=AppointmentData)
    def answer(self, request: Request, pk: UUID) -> Answer:
        """Accept or decline the proposed time; who proposed it withdraws it by declining."""
        accept = self.read(AcceptSerializer)["accept"]
        answer_proposal(get_object_or_404(self.visible(), pk=pk), accept, by=person_of(request), now=timezone.now())
        return Answer({"appointment": self.read_anew(pk)}, "New time accepted" if accept else "New time declined")

    @extend_schema(operation_id="appointments_cancel_request", request=ReasonSerializer, responses=AppointmentData)
    def cancel_request(self, request: Request, pk: UUID) -> Answer:
        """Say "I cannot come" to a confirmed visit; the doctor is asked to cancel it."""
        reason = self.read(ReasonSerializer)["reason"]
        ask_to_cancel(get_object_or_404(self.visible(), pk=pk), reason, by=person_of(request), now=timezone.now())
        return Answer({"appointment": self.read_anew(pk)}, "The doctor has been told that you cannot come")


changes_of_patient = Limit("visit-changes", settings.VISIT_CHANGES_PER_PATIENT)


def count_change(request: Request) -> None:
    """Count what a patient does that a doctor gets a mail about; raises `too_many`."""
    if person_of(request).role == Role.PATIENT:
        changes_of_patient.take(str(person_of(request).pk))


class IsVisitorOrPatient(BasePermission):
    """Let patients in, and whoever is not signed in."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return not request.user.is_authenticated or request.user.role == Role.PATIENT


@extend_schema(tags=["appointments"])
class HoldViewSet(WireViewSet):
    """Times kept while a form is filled."""

    queryset = Appointment.objects.none()
    permission_classes = (IsVisitorOrPatient,)

    def asks_by_id(self) -> bool:
        # A hold's own secret is no id: nobody finds one by trying, and one that ran out is given back in vain.
        return self.action == "create"

    @extend_schema(operation_id="appointments_hold", request=HoldSerializer, responses={201: HoldData})
    def create(self, request: Request) -> Answer:
        """Keep a free time for some minutes, or keep the time that one holds a little longer."""
        wanted = self.read(HoldSerializer)
        patient = request.user if request.user.is_authenticated else None
        time = wanted["appointmentTime"].strftime("%H:%M")
        secret, claim = hold(
            patient, wanted["holdId"], wanted["doctorId"], wanted["appointmentDate"], time, timezone.now()
        )
        kept = {
            "holdId": secret,
            "expiresAt": claim.expires_at,
            "doctorId": claim.doctor_id,
            "startsAt": claim.starts_at,
        }
        return Answer(HoldData(kept).data, status=201)

    @extend_schema(operation_id="appointments_release_hold", request=None, responses={200: None})
    def destroy(self, request: Request, secret: str) -> Answer:
        """Give a kept time back."""
        release(secret, timezone.now())
        return Answer(message="Released")


@extend_schema(tags=["doctors"])
class ScheduleViewSet(WireViewSet):
    """A doctor's own schedule."""

    queryset = Appointment.objects.none()
    permission_classes = (IsDoctor,)

    @extend_schema(operation_id="doctors_schedule_retrieve", responses=ScheduleData)
    def retrieve(self, request: Request) -> Answer:
        """Show one's own hours, days off and blocked hours, from today on."""
        doctor = DoctorProfile.objects.get(pk=request.user.pk)
        return Answer({"schedule": schedule_of(doctor, timezone.now())})

    @extend_schema(
        operation_id="doctors_schedule_update",
        request=ScheduleSerializer,
        parameters=[PreviewQuery],
        responses=ScheduleSavedData,
    )
    def update(self, request: Request) -> Answer:
        """Change what is sent. Visits that would be left outside the hours are decided one by one."""
        changes = self.read(ScheduleSerializer)
        preview = self.read_query(PreviewQuery)["preview"]
        now = timezone.now()
        _, affected = save_schedule(person_of(request), changes, preview=preview, now=now)
        doctor = DoctorProfile.objects.get(pk=request.user.pk)
        message = "" if preview else "Schedule saved"
        return Answer({"schedule": schedule_of(doctor, now), "affected": affected}, message)


@extend_schema(tags=["doctors"])
class ExplainViewSet(WireViewSet):
    """Why a time of a doctor's can or can't be had."""

    queryset = Appointment.objects.none()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="doctors_slots_explain", parameters=[ExplainQuery], responses=ExplainData, filters=False
    )
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Tell anyone whether a time is open; the doctor and staff also learn the reason if not."""
        query = self.read_query(ExplainQuery)
        insider = request.user.is_authenticated and (request.user.pk == pk or request.user.role == Role.ADMIN)
        doctors = DoctorProfile.objects.filter(user__ended_at=None) if insider else DoctorProfile.objects.approved()
        doctor = doctors.select_related("user").filter(pk=pk).first()
        if doctor is None:
            raise RuleBroken("doctor_unavailable")
        found = Calendar.of(doctor, timezone.now()).find(query["date"], query["time"].strftime("%H:%M"))
        open_now = isinstance(found, Slot) and doctor.is_bookable
        reason = found.reason.value if isinstance(found, Refusal) else None if open_now else "not_accepting"
        return Answer({"open": open_now, **({"reason": reason} if insider else {})})


def times_instead(visit: Appointment, now: datetime) -> list[Slot]:
    """Answer the nearest free times of a doctor who let a request expire."""
    expired = visit.is_overdue(now) or (visit.cancelled_by == SYSTEM and visit.cancel_reason == EXPIRED)
    if not expired or not visit.doctor.is_bookable:
        return []
    return Calendar.of(visit.doctor, now).alternatives(visit.date, f"{visit.time:%H:%M}", visit.patient)
