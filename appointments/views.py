"""Visits over HTTP: parse, call, answer."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request

from accounts.permissions import IsAdmin, IsDoctor, IsPatient
from appointments.booking import book
from appointments.models import LIVE, Appointment, Status
from appointments.requests import BookingSerializer, ReasonSerializer, StatusSerializer
from appointments.serializers import AppointmentData, AppointmentListQuery, AppointmentsData, AppointmentSerializer
from appointments.states import move
from config.viewsets import WireViewSet
from config.wire import Answer, Page


@extend_schema(tags=["appointments"])
class AppointmentViewSet(WireViewSet):
    """The visits of whoever is signed in."""

    queryset = Appointment.objects.none()
    serializer_class = AppointmentSerializer

    def get_permissions(self) -> list[BasePermission]:
        rules: dict[str, Any] = {
            "create": IsPatient,
            "cancel": IsPatient | IsAdmin,
            "set_status": IsDoctor | IsAdmin,
        }
        return [rules.get(self.action, IsAuthenticated)()]

    def visible(self) -> QuerySet[Appointment]:
        """Answer the rows that the reader may see, with what the wire needs of their people."""
        return Appointment.objects.visible_to(self.request.user).select_related("doctor__user", "patient")

    def on_wire(self, appointment: Appointment | list[Appointment]) -> Any:
        """Write visits for the reader."""
        many = isinstance(appointment, list)
        return AppointmentSerializer(appointment, many=many, context={"reader": self.request.user}).data

    @extend_schema(
        operation_id="appointments_list", parameters=[AppointmentListQuery], responses=AppointmentsData, filters=False
    )
    def list(self, request: Request) -> Answer:
        """List the reader's visits, all of them for an admin: upcoming ones soonest first, others newest first."""
        query = self.read_query(AppointmentListQuery)
        visits = narrowed(self.visible(), query)
        order = query.get("ordering") or ("startsAt" if query["scope"] == "upcoming" else "-startsAt")
        page = Page(visits.order_by(order.replace("startsAt", "starts_at"), "pk"), query)
        return Answer({"appointments": self.on_wire(page.rows), "pagination": page.pagination})

    @extend_schema(operation_id="appointments_retrieve", responses=AppointmentData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show one visit."""
        return Answer({"appointment": self.on_wire(get_object_or_404(self.visible(), pk=pk))})

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
        appointment, created = book(
            request.user,
            wanted["doctorId"],
            wanted["appointmentDate"],
            wanted["appointmentTime"].strftime("%H:%M"),
            symptoms=wanted["symptoms"],
            notes=wanted["notes"],
            now=timezone.now(),
        )
        message = "Appointment booked successfully!" if created else "You have already booked this appointment."
        return Answer({"appointment": self.on_wire(appointment)}, message, status=201 if created else 200)

    @extend_schema(operation_id="appointments_cancel", request=ReasonSerializer, responses=AppointmentData)
    def cancel(self, request: Request, pk: UUID) -> Answer:
        """Cancel a visit: a patient a pending one, an admin any live one with a reason."""
        reason = self.read(ReasonSerializer)["reason"]
        appointment = get_object_or_404(self.visible(), pk=pk)
        move(appointment, Status.CANCELLED, by=request.user, now=timezone.now(), reason=reason)
        return Answer({"appointment": self.on_wire(appointment)}, "Appointment cancelled successfully")

    @extend_schema(operation_id="appointments_set_status", request=StatusSerializer, responses=AppointmentData)
    def set_status(self, request: Request, pk: UUID) -> Answer:
        """Take a visit to another status, as the state table allows."""
        wanted = self.read(StatusSerializer)
        appointment = get_object_or_404(self.visible(), pk=pk)
        move(appointment, wanted["status"], by=request.user, now=timezone.now(), reason=wanted["reason"])
        return Answer(
            {"appointment": self.on_wire(appointment)}, f"Appointment marked as {wanted['status']} successfully!"
        )


def narrowed(visits: QuerySet[Appointment], query: dict[str, Any]) -> QuerySet[Appointment]:
    """Apply the filters of a list."""
    if "status" in query:
        visits = visits.filter(status=query["status"])
    if "from" in query:
        visits = visits.filter(date__gte=query["from"])
    if "to" in query:
        visits = visits.filter(date__lte=query["to"])
    upcoming = Q(status__in=LIVE, ends_at__gt=timezone.now())
    if query["scope"] == "upcoming":
        return visits.filter(upcoming)
    return visits.exclude(upcoming) if query["scope"] == "past" else visits
