"""An appointment's record over HTTP: parse, call, answer."""

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
from appointments.access_log import opened, readings_of, with_names
from appointments.models import Appointment
from appointments.prescription import has_medicines, prescription_pdf
from appointments.records.attachments import attach, remove, standing_files
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
    draft_on_wire,
    record_on_wire,
)
from appointments.records.services import (
    PAST_APPOINTMENTS,
    draft_of,
    drop_draft,
    past_appointments,
    save_draft,
    standing,
    write_record,
)
from appointments.serializers import appointments_on_wire
from appointments.viewsets import OwnAppointments
from config.api.access_log import add_subjects
from config.api.pagination import Page, PageQuery
from config.api.parsers import MultipartJSONParser
from config.api.renderers import ApiResponse
from config.http.downloads import FileRenderer, download
from doctors.availability.calendar import local_date


class BothSides(OwnAppointments):
    """The two whom an appointment's record is about; an admin has no business here."""

    # What the doctor alone may do, by action.
    doctors_alone: tuple[str, ...] = ()

    def get_permissions(self) -> list[BasePermission]:
        rule: Any = IsDoctor if self.action in self.doctors_alone else IsDoctor | IsPatient
        return [rule()]

    def appointment(self, pk: UUID) -> Appointment:
        """Find one of the reader's appointments; anybody else's is not there."""
        return get_object_or_404(self.visible(), pk=pk)


@extend_schema(tags=["records"])
class RecordViewSet(BothSides):
    """What is written about an appointment."""

    doctors_alone = ("update",)

    @extend_schema(operation_id="appointments_visit_retrieve", responses=AppointmentWithRecordData)
    def retrieve(self, request: Request, pk: UUID) -> ApiResponse:
        """Show an appointment, its record and its files; doctors also see the draft, the patient and earlier ones."""
        reader, now = get_user(request), timezone.now()
        is_doctor = reader.role == Role.DOCTOR
        appointment = get_object_or_404(self.visible().select_related("patient__patient_details"), pk=pk)
        past = list(past_appointments(appointment, self.visible(), now)[:PAST_APPOINTMENTS]) if is_doctor else []
        opened([appointment, *(earlier for earlier in past if earlier.has_clinical_text)], reader, "visit")
        files = standing_files(appointment)
        context = {"today": local_date(now, appointment.time_zone)}
        rows = appointments_on_wire([appointment, *past], reader, now)
        return ApiResponse(
            {
                "appointment": rows[0],
                "record": record_on_wire(standing(appointment)),
                "attachments": [AttachmentOnWire(file).data for file in files],
                "draft": draft_on_wire(draft_of(appointment, reader)),
                "past": rows[1:],
                "patient": PatientOfAppointmentSerializer(appointment.patient, context=context).data
                if is_doctor
                else None,
            }
        )

    @extend_schema(operation_id="appointments_visit_update", request=RecordChangesSerializer, responses=RecordData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Write the record's next version; what is not sent stays as it is."""
        appointment = self.appointment(pk)
        changes = self.validate_body(RecordChangesSerializer)
        write_record(appointment, changes, actor=get_user(request), now=timezone.now())
        return ApiResponse(
            {"appointment": self.on_wire(appointment), "record": record_on_wire(standing(appointment))}, "Record saved"
        )

    @extend_schema(operation_id="appointments_visit_versions", parameters=[PageQuery], responses=VersionsData)
    @action(detail=False)
    def versions(self, request: Request, pk: UUID) -> ApiResponse:
        """List all versions of the record, newest first."""
        appointment = self.appointment(pk)
        page = Page(appointment.records.order_by("-version"), self.validate_query(PageQuery))
        opened([appointment], get_user(request), "versions")
        return ApiResponse({"versions": [record_on_wire(row) for row in page.rows], "pagination": page.pagination})


@extend_schema(tags=["records"])
class DraftViewSet(BothSides):
    """What the doctor is typing about an appointment."""

    doctors_alone = ("update", "destroy")

    @extend_schema(operation_id="appointments_visit_draft_update", request=DraftSerializer, responses=DraftData)
    def update(self, request: Request, pk: UUID) -> ApiResponse:
        """Keep what has been typed so far; another window's draft is not written over."""
        appointment = self.appointment(pk)
        typed = self.validate_body(DraftSerializer)
        draft = save_draft(appointment, typed["content"], typed["revision"], timezone.now())
        add_subjects("appointment", [(appointment.pk, appointment.patient_id)])
        return ApiResponse({"draft": draft_on_wire(draft)}, "Draft saved")

    @extend_schema(operation_id="appointments_visit_draft_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> ApiResponse:
        """Throw the draft away."""
        drop_draft(self.appointment(pk))
        return ApiResponse(message="Draft thrown away")


@extend_schema(tags=["records"])
class PrescriptionViewSet(BothSides):
    """The prescription on paper."""

    renderer_classes = (FileRenderer,)

    @extend_schema(
        operation_id="appointments_prescription_pdf", responses={(200, "application/pdf"): OpenApiTypes.BINARY}
    )
    def retrieve(self, request: Request, pk: UUID) -> HttpResponse:
        """Return the prescription as a PDF; 404 when no medicine is prescribed."""
        appointment = self.appointment(pk)
        record = standing(appointment)
        if not has_medicines(record):
            raise Http404
        PRESCRIPTION.consume()
        with acquire_place(documents):
            printed = prescription_pdf(appointment, record)
        opened([appointment], get_user(request), "prescription")
        return download(
            printed, "application/pdf", f"prescription-{appointment.date.isoformat()}-v{record.version}.pdf"
        )


@extend_schema(tags=["records"])
class AttachmentViewSet(BothSides):
    """The files of an appointment."""

    lookup_url_kwarg = "file"
    doctors_alone = ("create", "destroy")
    parser_classes = (MultipartJSONParser,)

    def get_renderers(self) -> list[BaseRenderer]:
        return [FileRenderer()] if self.action == "retrieve" else super().get_renderers()

    @extend_schema(
        operation_id="appointments_attachments_create",
        request={"multipart/form-data": UploadSerializer},
        responses={201: AttachmentData},
    )
    def create(self, request: Request, pk: UUID) -> ApiResponse:
        """Keep a PDF or a picture with an appointment, once it is sanitized."""
        appointment = self.appointment(pk)
        file = self.validate_body(UploadSerializer)["file"]
        kept = attach(appointment, file.name or "", file.read(), actor=get_user(request), now=timezone.now())
        add_subjects("appointment", [(appointment.pk, appointment.patient_id)])
        return ApiResponse({"attachment": AttachmentOnWire(kept).data}, "File attached", status=201)

    @extend_schema(
        operation_id="appointments_attachment_retrieve",
        responses={(200, kind): OpenApiTypes.BINARY for kind in EXTENSIONS},
    )
    def retrieve(self, request: Request, pk: UUID, file: UUID) -> HttpResponse:
        """Hand out a file."""
        appointment = self.appointment(pk)
        attachment = get_object_or_404(standing_files(appointment), pk=file)
        content = read_file(attachment.stored_as)
        opened([appointment], get_user(request), "attachment")
        return download(content, attachment.content_type, attachment.name)

    @extend_schema(operation_id="appointments_attachment_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID, file: UUID) -> ApiResponse:
        """Take a file out of the record, for both sides."""
        remove(self.appointment(pk), file, actor=get_user(request), now=timezone.now())
        return ApiResponse(message="File removed")


@extend_schema(tags=["records"])
class ReadersViewSet(OwnAppointments):
    """Who opened what was written about an appointment."""

    no_personal_data_reason = "Who read one's own record, and nobody's data but the reader's own."
    permission_classes = (IsPatient,)

    @extend_schema(operation_id="appointments_readers", parameters=[PageQuery], responses=ReadersData)
    def list(self, request: Request, pk: UUID) -> ApiResponse:
        """Return to the patient who opened what, newest first; one person's repeated readings of a day are one row."""
        appointment = get_object_or_404(self.visible(), pk=pk)
        page = Page(readings_of(appointment), self.validate_query(PageQuery))
        readers = ReaderSerializer(with_names(page.rows), many=True).data
        return ApiResponse({"readers": readers, "pagination": page.pagination})
