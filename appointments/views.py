"""Views of appointments and holds."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request

from accounts.audit.log import current_address
from accounts.authentication import get_user
from accounts.models import Role, User
from accounts.permissions import IsAdmin, IsDoctor, IsPatient
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from appointments.filters import count_by_status, filter_appointments, order_appointments
from appointments.input_serializers import (
    AcceptSerializer,
    BookingSerializer,
    HoldSerializer,
    MoveSerializer,
    ProposalSerializer,
    ReasonSerializer,
    StatusSerializer,
    TimeSerializer,
)
from appointments.models import EXPIRED, SYSTEM, Appointment, Status
from appointments.scheduling.booking import book_appointment, compute_request_deadline
from appointments.scheduling.holds import hold_slot, release_hold
from appointments.scheduling.rescheduling import (
    answer_proposal,
    move_appointment,
    propose_time,
    request_cancellation,
    reschedule_appointment,
    withdraw_cancel_request,
)
from appointments.serializers import (
    AppointmentData,
    AppointmentDetailData,
    AppointmentListQuery,
    AppointmentsData,
    CancelRequestData,
    ChangedAppointmentData,
    HoldData,
    TimeChangeSerializer,
    remove_reason,
)
from appointments.transitions import change_status, reopen_appointment, undo_confirmation
from appointments.viewsets import OwnAppointments
from config.api.errors import DomainError
from config.api.pagination import ConcatenatedRows, Page
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet
from config.metrics import instruments
from doctors.availability.calendar import Calendar
from doctors.serializers import slot_to_dict
from doctors.slot_engine import Slot


@extend_schema(tags=["appointments"])
class AppointmentViewSet(OwnAppointments):
    """The current user's appointments."""

    def is_object_request(self) -> bool:
        # A booking names its doctor.
        return self.action == "create" or super().is_object_request()

    def get_permissions(self) -> list[BasePermission]:
        rules: dict[str, Any] = {
            "create": IsPatient,
            "cancel": IsPatient | IsAdmin,
            "set_status": IsDoctor | IsAdmin,
            "reschedule": IsPatient,
            "propose": IsPatient | IsDoctor,
            "answer": IsPatient | IsDoctor,
            "cancel_request": IsPatient,
            "withdraw_cancel_request": IsPatient,
            "move": IsDoctor,
            "undo": IsDoctor,
            "reopen": IsDoctor,
        }
        return [rules.get(self.action, IsAuthenticated)()]

    @extend_schema(
        operation_id="appointments_list", parameters=[AppointmentListQuery], responses=AppointmentsData, filters=False
    )
    def list(self, request: Request) -> ApiResponse:
        """List the reader's appointments, or all for an admin: upcoming ones soonest first, others newest first."""
        query, reader, now = self.validate_query(AppointmentListQuery), get_user(request), timezone.now()
        appointments = filter_appointments(self.get_visible(), query, reader, now)
        parts = order_appointments(appointments, query, reader, now)
        page = Page(ConcatenatedRows(appointments, *parts) if len(parts) > 1 else parts[0], query)
        what = "records" if query["scope"] in {"records", "written"} else "list"
        counts = {"counts": count_by_status(self.get_visible(), query, reader, now)} if query["counts"] else {}
        return ApiResponse({"appointments": self.serialize(page.rows, what), "pagination": page.pagination, **counts})

    @extend_schema(operation_id="appointments_retrieve", responses=AppointmentDetailData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return one appointment, its earlier times and, if it expired, the nearest free times."""
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        return ApiResponse(
            {
                "appointment": self.serialize(appointment),
                "history": serialize_history(appointment, get_user(request)),
                "alternatives": [slot_to_dict(slot) for slot in list_alternatives(appointment, timezone.now())],
            }
        )

    @extend_schema(
        operation_id="appointments_create",
        request=BookingSerializer,
        responses={
            201: AppointmentData,
            200: OpenApiResponse(AppointmentData, description="The patient had this very appointment already."),
        },
    )
    def create(self, request: Request) -> ApiResponse:
        """Book an appointment at a free time of a doctor, in local time."""
        data = self.validate_body(BookingSerializer)
        count_change(request)
        appointment, created = book_appointment(
            get_user(request),
            data["doctorId"],
            data["appointmentDate"],
            data["appointmentTime"],
            symptoms=data["symptoms"],
            notes=data["notes"],
            now=timezone.now(),
            hold_secret=data["holdId"],
        )
        if created:
            instruments.bookings.labels("patient").inc()
        message = "Appointment booked successfully!" if created else "You have already booked this appointment."
        return ApiResponse({"appointment": self.serialize(appointment)}, message, status=201 if created else 200)

    @extend_schema(operation_id="appointments_cancel", request=ReasonSerializer, responses=ChangedAppointmentData)
    @action(methods=["put"], detail=True)
    def cancel(self, request: Request, pk: UUID) -> ApiResponse:
        """Cancel a pending appointment as its patient, or any live one as an admin, with a reason."""
        reason = self.validate_body(ReasonSerializer)["reason"]
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        changed = change_status(
            appointment, Status.CANCELLED, actor=get_user(request), now=timezone.now(), reason=reason
        )
        return self.build_step_response(pk, Status.CANCELLED, changed, "Appointment cancelled successfully")

    @extend_schema(operation_id="appointments_set_status", request=StatusSerializer, responses=ChangedAppointmentData)
    @action(methods=["put"], detail=True, url_path="status")
    def set_status(self, request: Request, pk: UUID) -> ApiResponse:
        """Change the status of an appointment, as the table of transitions allows."""
        data, now = self.validate_body(StatusSerializer), timezone.now()
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        refuse_outdated_page(appointment, data, now)
        changed = change_status(
            appointment,
            data["status"],
            actor=get_user(request),
            now=now,
            reason=data["reason"],
            attended=data.get("attended"),
            record=data.get("visit"),
            is_undoable=data["undoable"],
        )
        return self.build_step_response(
            pk, data["status"], changed, f"Appointment marked as {data['status']} successfully!"
        )

    @extend_schema(operation_id="appointments_undo", request=None, responses=ChangedAppointmentData)
    @action(methods=["post"], detail=True)
    def undo(self, request: Request, pk: UUID) -> ApiResponse:
        """Undo a confirmation by the same user within the last 10 seconds."""
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        changed = undo_confirmation(appointment, actor=get_user(request), now=timezone.now())
        return self.build_step_response(pk, Status.PENDING, changed, "Confirmation undone")

    @extend_schema(operation_id="appointments_reopen", request=None, responses=ChangedAppointmentData)
    @action(methods=["post"], detail=True)
    def reopen(self, request: Request, pk: UUID) -> ApiResponse:
        """Reopen an appointment within 24 hours of its completion."""
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        changed = reopen_appointment(appointment, actor=get_user(request), now=timezone.now())
        return self.build_step_response(pk, Status.CONFIRMED, changed, "Appointment reopened")

    def build_step_response(self, pk: UUID, status: str, changed: bool, message: str) -> ApiResponse:
        """Return the response to a change of status, which may have been a no-op."""
        message = message if changed else f"This appointment is already {status}."
        return ApiResponse({"appointment": self.get_current(pk), "changed": changed}, message)

    @extend_schema(operation_id="appointments_reschedule", request=TimeSerializer, responses=AppointmentData)
    @action(methods=["put"], detail=True)
    def reschedule(self, request: Request, pk: UUID) -> ApiResponse:
        """Move an appointment at once: a pending one, or a confirmed one while the doctor confirms instantly."""
        data = self.validate_body(TimeSerializer)
        day, time = data["appointmentDate"], data["appointmentTime"]
        count_change(request)
        reschedule_appointment(
            get_object_or_404(self.get_visible(), pk=pk), day, time, actor=get_user(request), now=timezone.now()
        )
        return ApiResponse({"appointment": self.get_current(pk)}, "Appointment moved")

    @extend_schema(operation_id="appointments_move", request=MoveSerializer, responses=ChangedAppointmentData)
    @action(methods=["post"], detail=True)
    def move(self, request: Request, pk: UUID) -> ApiResponse:
        """Move an appointment at once, as agreed with the patient, who is notified; this confirms a request."""
        data = self.validate_body(MoveSerializer)
        day, time = data["appointmentDate"], data["appointmentTime"]
        changed = move_appointment(
            get_object_or_404(self.get_visible(), pk=pk),
            day,
            time,
            actor=get_user(request),
            now=timezone.now(),
            outside_hours=data["outsideHours"],
            reason=data["reason"],
        )
        message = "Appointment moved" if changed else "This appointment is already at that time."
        return ApiResponse({"appointment": self.get_current(pk), "changed": changed}, message)

    @extend_schema(operation_id="appointments_propose", request=ProposalSerializer, responses={201: AppointmentData})
    @action(methods=["post"], detail=True, url_path="proposal", url_name="proposal")
    def propose(self, request: Request, pk: UUID) -> ApiResponse:
        """Propose another time to the other side; it is reserved until they reply."""
        data = self.validate_body(ProposalSerializer)
        day, time = data["appointmentDate"], data["appointmentTime"]
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        count_change(request)
        propose_time(appointment, day, time, data["reason"], actor=get_user(request), now=timezone.now())
        return ApiResponse({"appointment": self.get_current(pk)}, "New time proposed", status=201)

    @extend_schema(operation_id="appointments_answer_proposal", request=AcceptSerializer, responses=AppointmentData)
    @propose.mapping.put
    def answer(self, request: Request, pk: UUID) -> ApiResponse:
        """Accept or decline the proposed time; declining one's own proposal withdraws it."""
        accept = self.validate_body(AcceptSerializer)["accept"]
        answer_proposal(
            get_object_or_404(self.get_visible(), pk=pk), accept, actor=get_user(request), now=timezone.now()
        )
        return ApiResponse(
            {"appointment": self.get_current(pk)}, "New time accepted" if accept else "New time declined"
        )

    @extend_schema(operation_id="appointments_cancel_request", request=ReasonSerializer, responses=CancelRequestData)
    @action(methods=["post"], detail=True, url_path="cancel-request")
    def cancel_request(self, request: Request, pk: UUID) -> ApiResponse:
        """Say "I can't make it": cancels at once within the doctor's limit, and asks the doctor after that."""
        reason = self.validate_body(ReasonSerializer)["reason"]
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        count_change(request)
        is_cancelled = request_cancellation(appointment, reason, actor=get_user(request), now=timezone.now())
        message = (
            "Appointment cancelled successfully" if is_cancelled else "We've told the doctor that you can't make it."
        )
        return ApiResponse({"appointment": self.get_current(pk), "cancelled": is_cancelled}, message)

    @extend_schema(
        operation_id="appointments_withdraw_cancel_request", request=None, responses={200: ChangedAppointmentData}
    )
    @cancel_request.mapping.delete
    def withdraw_cancel_request(self, request: Request, pk: UUID) -> ApiResponse:
        """Withdraw "I can't make it" before the doctor replies."""
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        count_change(request)
        changed = withdraw_cancel_request(appointment, actor=get_user(request), now=timezone.now())
        message = "We've told the doctor that you can make it." if changed else "There is nothing to take back."
        return ApiResponse({"appointment": self.get_current(pk), "changed": changed}, message)


def serialize_history(appointment: Appointment, reader: User) -> list[Any]:
    """Return the earlier times of an appointment, without reasons for admins."""
    rows = [TimeChangeSerializer(change).data for change in appointment.time_changes.all()]
    return [remove_reason(row) for row in rows] if reader.role == Role.ADMIN else rows


STATUS_BY_NOW = {
    Status.PENDING: "is pending again",
    Status.CONFIRMED: "has already been confirmed",
    Status.COMPLETED: "has already been completed",
    Status.CANCELLED: "has already been cancelled",
}


def refuse_outdated_page(appointment: Appointment, data: Mapping[str, Any], now: datetime) -> None:
    """Raise `illegal_transition` if an act was meant for another status than the one that the appointment has now.

    Declining from an outdated page must not cancel an appointment that was confirmed meanwhile.
    """
    status = appointment.status_at(now)
    if status not in {data.get("expectedStatus", status), data["status"]}:
        raise DomainError(
            "illegal_transition", f"This appointment {STATUS_BY_NOW[Status(status)]}. Nothing was changed."
        )


patient_hold_limit = RateLimit("holds-person", settings.MAX_HOLD_ATTEMPTS)
network_hold_limit = NetworkRateLimit("holds-address", settings.MAX_HOLD_ATTEMPTS)
patient_change_limit = RateLimit("appointment-changes", settings.MAX_APPOINTMENT_CHANGES_PER_PATIENT)


def count_change(request: Request) -> None:
    """Count a patient's action that notifies a doctor; raise `too_many`."""
    if get_user(request).role == Role.PATIENT:
        patient_change_limit.consume(str(get_user(request).pk))


class IsVisitorOrPatient(BasePermission):
    """Allow patients and signed-out visitors."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return not request.user.is_authenticated or request.user.role == Role.PATIENT


@extend_schema(tags=["appointments"])
class HoldViewSet(ApiViewSet):
    """Holds of times while a form is filled in."""

    lookup_url_kwarg = "secret"
    lookup_value_converter = "str"
    no_personal_data_reason = "A time that the reader keeps."
    queryset = Appointment.objects.none()
    permission_classes = (IsVisitorOrPatient,)

    # Doctors are public, and the secret of a hold can't be guessed; releasing an expired one is no attempt to do so.
    public_object_actions = ("create", "destroy")

    @extend_schema(operation_id="appointments_hold", request=HoldSerializer, responses={201: HoldData})
    def create(self, request: Request) -> ApiResponse:
        """Hold a free time for some minutes, or extend a hold."""
        data = self.validate_body(HoldSerializer)
        patient = request.user if request.user.is_authenticated else None
        if patient:
            patient_hold_limit.consume(str(patient.pk))
        else:
            network_hold_limit.consume(current_address.get())
        time = data["appointmentTime"]
        now = timezone.now()
        secret, reservation = hold_slot(patient, data["holdId"], data["doctorId"], data["appointmentDate"], time, now)
        kept = {
            "holdId": secret,
            "expiresAt": reservation.expires_at,
            "doctorId": reservation.doctor_id,
            "startsAt": reservation.starts_at,
            "respondBy": compute_request_deadline(reservation.doctor, reservation.starts_at, now),
        }
        return ApiResponse(HoldData(kept).data, status=201)

    @extend_schema(operation_id="appointments_release_hold", request=None, responses={200: None})
    def destroy(self, request: Request, secret: str) -> ApiResponse:
        """Release a hold."""
        release_hold(secret, timezone.now())
        return ApiResponse(message="Released")


def list_alternatives(appointment: Appointment, now: datetime) -> list[Slot]:
    """Return the nearest free times if the request has expired."""
    expired = appointment.is_overdue(now) or (
        appointment.cancelled_by == SYSTEM and appointment.cancel_reason == EXPIRED
    )
    if not expired or not appointment.doctor.is_bookable:
        return []
    return Calendar.read(appointment.doctor, now).list_alternatives(
        appointment.date, appointment.time, appointment.patient
    )
