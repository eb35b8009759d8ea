"""Views of an appointment's record."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.permissions import BasePermission
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.files.private_storage import read_file
from accounts.files.validation import EXTENSIONS
from accounts.models import Role
from accounts.permissions import IsDoctor, IsPatient
from accounts.throttling.expensive_requests import PRESCRIPTION, acquire_place, documents
from appointments.access_log import add_reader_names, list_readings, log_access
from appointments.models import Appointment
from appointments.prescription import build_prescription_pdf, has_medicines
from appointments.records.attachments import add_attachment, list_files, remove_attachment
from appointments.records.serializers import (
    AppointmentWithRecordData,
    AttachmentData,
    AttachmentOnWire,
    DraftData,
    DraftSerializer,
    PatientOfAppointmentSerializer,
    ReadersData,
    ReaderSerializer,
    RecordChangesSerializer,
    RecordData,
    UploadSerializer,
    VersionsData,
    serialize_draft,
    serialize_record,
)
from appointments.records.services import (
    PAST_APPOINTMENTS,
    delete_draft,
    find_draft,
    get_current_record,
    list_past_appointments,
    save_draft,
    write_record,
)
from appointments.serializers import serialize_appointments
from appointments.viewsets import OwnAppointments
from config.api.access_log import add_subjects
from config.api.pagination import Page, PageQuery
from config.api.parsers import MultipartJSONParser
from config.api.renderers import ApiResponse
from config.http.downloads import FileRenderer, download
from doctors.availability.calendar import local_date


class ParticipantsViewSet(OwnAppointments):
    """Base of views for the patient and the doctor of an appointment, without admins."""

    doctor_only_actions: tuple[str, ...] = ()

    def get_permissions(self) -> list[BasePermission]:
        rule: Any = IsDoctor if self.action in self.doctor_only_actions else IsDoctor | IsPatient
        return [rule()]

    def get_appointment(self, pk: UUID) -> Appointment:
        """Return one of the reader's appointments; raise Http404 for any other."""
        return get_object_or_404(self.get_visible(), pk=pk)


@extend_schema(tags=["records"])
class RecordViewSet(ParticipantsViewSet):
    """The record of an appointment."""

    doctor_only_actions = ("update",)

    @extend_schema(operation_id="appointments_visit_retrieve", responses=AppointmentWithRecordData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Return an appointment, its record and files; doctors also get draft, patient and earlier appointments."""
        reader, now = get_user(request), timezone.now()
        is_doctor = reader.role == Role.DOCTOR
        appointment = get_object_or_404(self.get_visible().select_related("patient__patient_details"), pk=pk)
        past = (
            list(list_past_appointments(appointment, self.get_visible(), now)[:PAST_APPOINTMENTS]) if is_doctor else []
        )
        log_access([appointment, *(earlier for earlier in past if earlier.has_clinical_text)], reader, "visit")
        files = list_files(appointment)
        context = {"today": local_date(now, appointment.time_zone)}
        rows = serialize_appointments([appointment, *past], reader, now)
        return ApiResponse(
            {
                "appointment": rows[0],
                "record": serialize_record(get_current_record(appointment)),
                "attachments": [AttachmentOnWire(file).data for file in files],
                "draft": serialize_draft(find_draft(appointment, reader)),
                "past": rows[1:],
                "patient": PatientOfAppointmentSerializer(appointment.patient, context=context).data
                if is_doctor
                else None,
            }
        )

    @extend_schema(operation_id="appointments_visit_update", request=RecordChangesSerializer, responses=RecordData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Save the record's next version; absent fields stay."""
        appointment = self.get_appointment(pk)
        changes = self.validate_body(RecordChangesSerializer)
        write_record(appointment, changes, actor=get_user(request), now=timezone.now())
        return ApiResponse(
            {"appointment": self.serialize(appointment), "record": serialize_record(get_current_record(appointment))},
            "Record saved",
        )

    @extend_schema(operation_id="appointments_visit_versions", parameters=[PageQuery], responses=VersionsData)
    @action(detail=False)
    def versions(self, request: Request, pk: UUID) -> ApiResponse:
        """List all versions of the record, newest first."""
        appointment = self.get_appointment(pk)
        page = Page(appointment.records.order_by("-version"), self.validate_query(PageQuery))
        log_access([appointment], get_user(request), "versions")
        return ApiResponse({"versions": [serialize_record(row) for row in page.rows], "pagination": page.pagination})


@extend_schema(tags=["records"])
class DraftViewSet(ParticipantsViewSet):
    """The draft of a record."""

    doctor_only_actions = ("update", "destroy")

    @extend_schema(operation_id="appointments_visit_draft_update", request=DraftSerializer, responses=DraftData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Save the draft, unless another window has saved it meanwhile."""
        appointment = self.get_appointment(pk)
        typed = self.validate_body(DraftSerializer)
        draft = save_draft(appointment, typed["content"], typed["revision"], timezone.now())
        add_subjects("appointment", [(appointment.pk, appointment.patient_id)])
        return ApiResponse({"draft": serialize_draft(draft)}, "Draft saved")

    @extend_schema(operation_id="appointments_visit_draft_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Delete the draft."""
        delete_draft(self.get_appointment(pk))
        return ApiResponse(message="Draft thrown away")


@extend_schema(tags=["records"])
class PrescriptionViewSet(ParticipantsViewSet):
    """The prescription as a PDF."""

    renderer_classes = (FileRenderer,)

    @extend_schema(
        operation_id="appointments_prescription_pdf", responses={(200, "application/pdf"): OpenApiTypes.BINARY}
    )
    def retrieve(self, request: Request, pk: UUID) -> HttpResponse:
        """Return the prescription as a PDF; 404 when no medicine is prescribed."""
        appointment = self.get_appointment(pk)
        record = get_current_record(appointment)
        if not has_medicines(record):
            raise Http404
        PRESCRIPTION.consume()
        with acquire_place(documents):
            printed = build_prescription_pdf(appointment, record)
        log_access([appointment], get_user(request), "prescription")
        return download(
            printed, "application/pdf", f"prescription-{appointment.date.isoformat()}-v{record.version}.pdf"
        )


@extend_schema(tags=["records"])
class AttachmentViewSet(ParticipantsViewSet):
    """The files of an appointment."""

    lookup_url_kwarg = "file"
    doctor_only_actions = ("create", "destroy")
    parser_classes = (MultipartJSONParser,)

    def get_renderers(self) -> list[BaseRenderer]:
        return [FileRenderer()] if self.action == "retrieve" else super().get_renderers()

    @extend_schema(
        operation_id="appointments_attachments_create",
        request={"multipart/form-data": UploadSerializer},
        responses={201: AttachmentData},
    )
    def create(self, request: Request, pk: UUID) -> ApiResponse:
        """Attach a PDF or a picture to an appointment, after sanitizing it."""
        appointment = self.get_appointment(pk)
        file = self.validate_body(UploadSerializer)["file"]
        kept = add_attachment(appointment, file.name or "", file.read(), actor=get_user(request), now=timezone.now())
        add_subjects("appointment", [(appointment.pk, appointment.patient_id)])
        return ApiResponse({"attachment": AttachmentOnWire(kept).data}, "File attached", status=201)

    @extend_schema(
        operation_id="appointments_attachment_retrieve",
        responses={(200, kind): OpenApiTypes.BINARY for kind in EXTENSIONS},
    )
    def retrieve(self, request: Request, pk: UUID, file: UUID) -> HttpResponse:
        """Return a file."""
        appointment = self.get_appointment(pk)
        attachment = get_object_or_404(list_files(appointment), pk=file)
        content = read_file(attachment.stored_as)
        log_access([appointment], get_user(request), "attachment")
        return download(content, attachment.content_type, attachment.name)

    @extend_schema(operation_id="appointments_attachment_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID, file: UUID) -> ApiResponse:
        """Remove a file for both sides."""
        remove_attachment(self.get_appointment(pk), file, actor=get_user(request), now=timezone.now())
        return ApiResponse(message="File removed")


@extend_schema(tags=["records"])
class ReadersViewSet(OwnAppointments):
    """Who opened the record of an appointment."""

    no_personal_data_reason = "Who read one's own record, and nobody's data but the reader's own."
    permission_classes = (IsPatient,)

    @extend_schema(operation_id="appointments_readers", parameters=[PageQuery], responses=ReadersData)
    def list(self, request: Request, pk: UUID) -> ApiResponse:
        """List who opened what, newest first; repeated readings of one user on a day are one row."""
        appointment = get_object_or_404(self.get_visible(), pk=pk)
        page = Page(list_readings(appointment), self.validate_query(PageQuery))
        readers = ReaderSerializer(add_reader_names(page.rows), many=True).data
        return ApiResponse({"readers": readers, "pagination": page.pagination})
