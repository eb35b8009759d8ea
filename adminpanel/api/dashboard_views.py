"""The admin's dashboard, records and trail: parse, call, answer."""

from uuid import UUID

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.audit.log import Action, record
from accounts.authentication import person_of
from accounts.throttling.expensive_requests import LIST_EXPORT, exports, hold_place
from adminpanel.api.analytics_serializers import AnalyticsData, AnalyticsQuery, period_of
from adminpanel.api.dashboard_serializers import (
    AuditData,
    AuditEventSerializer,
    AuditQuery,
    CancelSerializer,
    DecisionWaitingSerializer,
    HealthSerializer,
    OverviewData,
    RecordsQuery,
)
from adminpanel.api.viewsets import ForAdmins
from adminpanel.queries import audit
from adminpanel.queries.analytics import analytics
from adminpanel.queries.appointments import find_appointments
from adminpanel.queries.dashboard import overview
from appointments.models import Appointment, Status
from appointments.serializers import AppointmentsData, ChangedAppointmentData
from appointments.transitions import change_status
from config.api.access_log import shown_people
from config.api.pagination import Page
from config.api.renderers import Answer, EnvelopeRenderer
from config.http.concurrency_limit import Held
from config.http.downloads import CsvRenderer, download_csv


@extend_schema(tags=["admin"])
class DeskViewSet(ForAdmins):
    """What an admin opens in the morning."""

    without_personal_data = {"analytics": "Figures of the whole site."}

    @extend_schema(operation_id="admin_dashboard_retrieve", responses=OverviewData)
    @action(detail=False)
    def dashboard(self, request: Request) -> Answer:
        """Show what needs a decision, how the system does, and the figures."""
        seen = overview(timezone.now())
        shown_people("doctor", [case.doctor_id for case in seen.cases])
        return Answer(
            {
                "totals": seen.totals,
                "decisions": [DecisionWaitingSerializer(case).data for case in seen.cases],
                "stranded": {"count": seen.stranded_count, "appointments": self.appointments_on_wire(seen.stranded)},
                "health": HealthSerializer(seen.health).data,
                "comparison": seen.comparison,
            }
        )

    @extend_schema(
        operation_id="admin_analytics_retrieve", parameters=[AnalyticsQuery], responses=AnalyticsData, filters=False
    )
    @action(detail=False)
    def analytics(self, request: Request) -> Answer:
        """Show the figures of a period, step by step, by specialization and by city; at most a year of days."""
        return Answer(AnalyticsData(analytics(period_of(self.read_query(AnalyticsQuery)))).data)

    @extend_schema(
        operation_id="admin_records_list", parameters=[RecordsQuery], responses=AppointmentsData, filters=False
    )
    @action(detail=False)
    def records(self, request: Request) -> Answer:
        """List all appointments, upcoming ones soonest first, then others newest first, without clinical text."""
        query = self.read_query(RecordsQuery)
        page = Page(find_appointments(query, timezone.now()), query)
        return Answer({"appointments": self.appointments_on_wire(page.rows), "pagination": page.pagination})


@extend_schema(tags=["admin"])
class AppointmentViewSet(ForAdmins):
    """Anybody's appointments."""

    @extend_schema(operation_id="admin_appointments_cancel", request=CancelSerializer, responses=ChangedAppointmentData)
    @action(methods=["put"], detail=True)
    def cancel(self, request: Request, pk: UUID) -> Answer:
        """Cancel a live appointment, with a reason that both sides read."""
        reason = self.read(CancelSerializer)["reason"]
        appointment = get_object_or_404(Appointment.objects.select_related("doctor__user", "patient"), pk=pk)
        changed = change_status(
            appointment, Status.CANCELLED, actor=person_of(request), now=timezone.now(), reason=reason
        )
        said = "Appointment cancelled successfully" if changed else "This appointment is already cancelled."
        return Answer({"appointment": self.appointments_on_wire([appointment])[0], "changed": changed}, said)


@extend_schema(tags=["admin"])
class AuditViewSet(ForAdmins):
    """The audit trail."""

    @extend_schema(operation_id="admin_audit_list", parameters=[AuditQuery], responses=AuditData, filters=False)
    def list(self, request: Request) -> Answer:
        """Show the audit trail, newest first; looking into it is written down too."""
        query = self.read_query(AuditQuery)
        page = Page(audit.find_events(query), query)
        record("audit.read", Action.READ, "audit", None, by=person_of(request))
        context = {"names": audit.names_in(page.rows)}
        return Answer(
            {
                "events": [AuditEventSerializer(row, context=context).data for row in page.rows],
                "pagination": page.pagination,
            }
        )


@extend_schema(tags=["admin"])
class TrailExportViewSet(ForAdmins):
    """The trail to take away."""

    without_personal_data = "Each export of the audit log is in the audit log itself: `audit.export`."
    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    @extend_schema(
        operation_id="admin_audit_export",
        parameters=[AuditQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def retrieve(self, request: Request) -> StreamingHttpResponse:
        """Write the trail as CSV, all that the filters leave, newest first; taking it away is written down too."""
        query, now = self.read_query(AuditQuery), timezone.now()
        LIST_EXPORT.take()
        place = hold_place(exports)
        record("audit.export", Action.READ, "audit", None, by=person_of(request))
        return download_csv("audit", Held(audit.trail_csv(audit.find_events(query)), place), now.date())
