"""A visit's record over HTTP: parse, call, answer."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.models import Role
from accounts.permissions import IsDoctor, IsPatient
from appointments.models import Appointment
from appointments.reading import opened
from appointments.record_wire import (
    AttachmentOnWire,
    DraftData,
    DraftSerializer,
    PatientOfVisitSerializer,
    RecordChangesSerializer,
    RecordData,
    VersionsData,
    VisitData,
    draft_on_wire,
    record_on_wire,
)
from appointments.records import PAST_VISITS, draft_of, drop_draft, past_visits, save_draft, standing, write_record
from appointments.serializers import AppointmentSerializer
from appointments.views import OwnVisits
from config.wire import Answer, Page, PageQuery
from doctors.calendar import local_date


class BothSides(OwnVisits):
    """The two whom a visit's record is about; an admin has no business here."""

    # What the doctor alone may do, by action.
    doctors_alone: tuple[str, ...] = ()

    def get_permissions(self) -> list[BasePermission]:
        rule: Any = IsDoctor if self.action in self.doctors_alone else IsDoctor | IsPatient
        return [rule()]

    def visit(self, pk: UUID) -> Appointment:
        """Find one of the reader's visits; anybody else's is not there."""
        return get_object_or_404(self.visible(), pk=pk)


@extend_schema(tags=["records"])
class RecordViewSet(BothSides):
    """What is written about a visit."""

    doctors_alone = ("update",)

    @extend_schema(operation_id="appointments_visit_retrieve", responses=VisitData)
    def retrieve(self, request: Request, pk: UUID) -> Answer:
        """Show a visit, its record and its files; the doctor also sees the draft, the patient and earlier visits."""
        reader, now = person_of(request), timezone.now()
        is_doctor = reader.role == Role.DOCTOR
        visit = get_object_or_404(self.visible().select_related("patient__patient_details"), pk=pk)
        past = list(past_visits(visit, self.visible())[:PAST_VISITS]) if is_doctor else []
        opened([visit, *(earlier for earlier in past if earlier.has_clinical_text)], reader, "visit")
        files = visit.attachments.filter(removed_at=None)
        context = {"reader": reader, "now": now, "today": local_date(now, visit.time_zone)}
        rows = [AppointmentSerializer(row, context=context).data for row in (visit, *past)]
        return Answer(
            {
                "appointment": rows[0],
                "record": record_on_wire(standing(visit)),
                "attachments": [AttachmentOnWire(file).data for file in files],
                "draft": draft_on_wire(draft_of(visit, reader)),
                "past": rows[1:],
                "patient": PatientOfVisitSerializer(visit.patient, context=context).data if is_doctor else None,
            }
        )

    @extend_schema(operation_id="appointments_visit_update", request=RecordChangesSerializer, responses=RecordData)
    def update(self, request: Request, pk: UUID) -> Answer:
        """Write the record's next version; what is not sent stays as it is."""
        visit = self.visit(pk)
        changes = self.read(RecordChangesSerializer)
        write_record(visit, changes, by=person_of(request), now=timezone.now())
        return Answer({"appointment": self.on_wire(visit), "record": record_on_wire(standing(visit))}, "Record saved")

    @extend_schema(operation_id="appointments_visit_versions", parameters=[PageQuery], responses=VersionsData)
    def versions(self, request: Request, pk: UUID) -> Answer:
        """List all versions of the record, newest first."""
        visit = self.visit(pk)
        page = Page(visit.records.order_by("-version"), self.read_query(PageQuery))
        opened([visit], person_of(request), "versions")
        return Answer({"versions": [record_on_wire(row) for row in page.rows], "pagination": page.pagination})


@extend_schema(tags=["records"])
class DraftViewSet(BothSides):
    """What the doctor is typing about a visit."""

    doctors_alone = ("update", "destroy")

    @extend_schema(operation_id="appointments_visit_draft_update", request=DraftSerializer, responses=DraftData)
    def update(self, request: Request, pk: UUID) -> Answer:
        """Keep what has been typed so far; another window's draft is not written over."""
        visit = self.visit(pk)
        typed = self.read(DraftSerializer)
        draft = save_draft(visit, typed["content"], typed["revision"], timezone.now())
        return Answer({"draft": draft_on_wire(draft)}, "Draft saved")

    @extend_schema(operation_id="appointments_visit_draft_delete", request=None, responses={200: None})
    def destroy(self, request: Request, pk: UUID) -> Answer:
        """Throw the draft away."""
        drop_draft(self.visit(pk))
        return Answer(message="Draft thrown away")
