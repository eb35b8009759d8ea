"""The admin's dashboard, records and trail: parse, call, answer."""

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
from adminpanel.api.viewsets import ForAdmins
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
class DeskViewSet(ForAdmins):
    """What an admin opens in the morning."""

    no_personal_data_reason = {"analytics": "Figures of the whole site."}

    @extend_schema(operation_id="admin_dashboard_retrieve", responses=OverviewData)
    @action(detail=False)
    def dashboard(self, request: Request) -> ApiResponse:
        """Show what needs a decision, how the system does, and the figures."""
        seen = get_overview(timezone.now())
        add_people("doctor", [case.doctor_id for case in seen.cases])
        return ApiResponse(
            {
                "totals": seen.totals,
                "decisions": [DecisionWaitingSerializer(case).data for case in seen.cases],
                "stranded": {"count": seen.stranded_count, "appointments": self.serialize_appointments(seen.stranded)},
                "health": HealthSerializer(seen.health).data,
                "comparison": seen.comparison,
            }
        )

    @extend_schema(
        operation_id="admin_analytics_retrieve", parameters=[AnalyticsQuery], responses=AnalyticsData, filters=False
    )
    @action(detail=False)
    def analytics(self, request: Request) -> ApiResponse:
        """Show the figures of a period, step by step, by specialization and by city; at most a year of days."""
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
class AppointmentViewSet(ForAdmins):
    """Anybody's appointments."""

    @extend_schema(operation_id="admin_appointments_cancel", request=CancelSerializer, responses=ChangedAppointmentData)
    @action(methods=["put"], detail=True)
    def cancel(self, request: Request, pk: UUID) -> ApiResponse:
        """Cancel a live appointment, with a reason that both sides read."""
        reason = self.validate_body(CancelSerializer)["reason"]
        appointment = get_object_or_404(Appointment.objects.select_related("doctor__user", "patient"), pk=pk)
        changed = change_status(
            appointment, Status.CANCELLED, actor=get_user(request), now=timezone.now(), reason=reason
        )
        said = "Appointment cancelled successfully" if changed else "This appointment is already cancelled."
        return ApiResponse({"appointment": self.serialize_appointments([appointment])[0], "changed": changed}, said)


@extend_schema(tags=["admin"])
class AuditViewSet(ForAdmins):
    """The audit trail."""

    @extend_schema(operation_id="admin_audit_list", parameters=[AuditQuery], responses=AuditData, filters=False)
    def list(self, request: Request) -> ApiResponse:
        """Show the audit trail, newest first; looking into it is written down too."""
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
class TrailExportViewSet(ForAdmins):
    """The trail to take away."""

    no_personal_data_reason = "Each export of the audit log is in the audit log itself: `audit.export`."
    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    @extend_schema(
        operation_id="admin_audit_export",
        parameters=[AuditQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def retrieve(self, request: Request) -> StreamingHttpResponse:
        """Write the trail as CSV, all that the filters leave, newest first; taking it away is written down too."""
        query, now = self.validate_query(AuditQuery), timezone.now()
        LIST_EXPORT.consume()
        place = acquire_place(exports)
        record_event("audit.export", Action.READ, "audit", None, actor=get_user(request))
        return place.release_after(download_csv("audit", audit.write_events_csv(audit.find_events(query)), now.date()))
