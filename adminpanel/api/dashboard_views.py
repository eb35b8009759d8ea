"""Views of the admin dashboard, appointments and audit log."""

from uuid import UUID

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from accounts.audit.log import Action, record_event
from accounts.authentication import get_user
from accounts.throttling.expensive_requests import LIST_EXPORT, acquire_place, exports
from adminpanel.api.analytics_serializers import AnalyticsData, AnalyticsQuery, get_period
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
from adminpanel.api.viewsets import AdminViewSet
from adminpanel.queries import audit
from adminpanel.queries.analytics import get_analytics
from adminpanel.queries.appointments import find_appointments
from adminpanel.queries.dashboard import get_overview
from appointments.models import Appointment, Status
from appointments.serializers import AppointmentsData, ChangedAppointmentData
from appointments.transitions import change_status
from config.api.access_log import add_people
from config.api.pagination import Page
from config.api.renderers import ApiResponse, EnvelopeRenderer
from config.http.downloads import CsvRenderer, download_csv


@extend_schema(tags=["admin"])
class DeskViewSet(AdminViewSet):
    """The admin dashboard."""

    no_personal_data_reason = {"analytics": "Figures of the whole site."}

    @extend_schema(operation_id="admin_dashboard_retrieve", responses=OverviewData)
    @action(detail=False)
    def dashboard(self, request: Request) -> ApiResponse:
        """Return pending decisions, the state of the system, and totals."""
        overview = get_overview(timezone.now())
        add_people("doctor", [case.doctor_id for case in overview.cases])
        return ApiResponse(
            {
                "totals": overview.totals,
                "decisions": [DecisionWaitingSerializer(case).data for case in overview.cases],
                "stranded": {
                    "count": overview.stranded_count,
                    "appointments": self.serialize_appointments(overview.stranded),
                },
                "health": HealthSerializer(overview.health).data,
                "comparison": overview.comparison,
            }
        )

    @extend_schema(
        operation_id="admin_analytics_retrieve", parameters=[AnalyticsQuery], responses=AnalyticsData, filters=False
    )
    @action(detail=False)
    def analytics(self, request: Request) -> ApiResponse:
        """Return the figures of a period by day or week, specialization and city."""
        return ApiResponse(AnalyticsData(get_analytics(get_period(self.validate_query(AnalyticsQuery)))).data)

    @extend_schema(
        operation_id="admin_records_list", parameters=[RecordsQuery], responses=AppointmentsData, filters=False
    )
    @action(detail=False)
    def records(self, request: Request) -> ApiResponse:
        """List all appointments, upcoming ones soonest first, then others newest first, without clinical text."""
        query = self.validate_query(RecordsQuery)
        page = Page(find_appointments(query, timezone.now()), query)
        return ApiResponse({"appointments": self.serialize_appointments(page.rows), "pagination": page.pagination})


@extend_schema(tags=["admin"])
class AppointmentViewSet(AdminViewSet):
    """Appointments of all users."""

    @extend_schema(operation_id="admin_appointments_cancel", request=CancelSerializer, responses=ChangedAppointmentData)
    @action(methods=["put"], detail=True)
    def cancel(self, request: Request, pk: UUID) -> ApiResponse:
        """Cancel a live appointment, with a reason that both sides read."""
        reason = self.validate_body(CancelSerializer)["reason"]
        appointment = get_object_or_404(Appointment.objects.select_related("doctor__user", "patient"), pk=pk)
        changed = change_status(
            appointment, Status.CANCELLED, actor=get_user(request), now=timezone.now(), reason=reason
        )
        message = "Appointment cancelled successfully" if changed else "This appointment is already cancelled."
        return ApiResponse({"appointment": self.serialize_appointments([appointment])[0], "changed": changed}, message)


@extend_schema(tags=["admin"])
class AuditViewSet(AdminViewSet):
    """The audit log."""

    @extend_schema(operation_id="admin_audit_list", parameters=[AuditQuery], responses=AuditData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """List the audit log, newest first; reading it is audited, too."""
        query = self.validate_query(AuditQuery)
        page = Page(audit.find_events(query), query)
        record_event("audit.read", Action.READ, "audit", None, actor=get_user(request))
        context = {"names": audit.get_names(page.rows)}
        return ApiResponse(
            {
                "events": [AuditEventSerializer(row, context=context).data for row in page.rows],
                "pagination": page.pagination,
            }
        )


@extend_schema(tags=["admin"])
class TrailExportViewSet(AdminViewSet):
    """Export of the audit log."""

    no_personal_data_reason = "Each export of the audit log is in the audit log itself: `audit.export`."
    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    @extend_schema(
        operation_id="admin_audit_export",
        parameters=[AuditQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def retrieve(self, request: Request) -> StreamingHttpResponse:
        """Export the events that match the filters as CSV, newest first; this is audited, too."""
        query, now = self.validate_query(AuditQuery), timezone.now()
        LIST_EXPORT.consume()
        place = acquire_place(exports)
        record_event("audit.export", Action.READ, "audit", None, actor=get_user(request))
        return place.release_after(download_csv("audit", audit.write_events_csv(audit.find_events(query)), now.date()))
