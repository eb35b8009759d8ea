"""The admin's dashboard, records and trail: parse, call, answer."""

from uuid import UUID

from django.http import StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.search import each_word
from accounts.trail import Action, record
from adminpanel import audit
from adminpanel.analytics import analytics
from adminpanel.analytics_wire import AnalyticsData, AnalyticsQuery, period_of
from adminpanel.desk_wire import (
    AuditData,
    AuditEventSerializer,
    AuditQuery,
    CancelSerializer,
    DecisionWaitingSerializer,
    HealthSerializer,
    OverviewData,
    RecordsQuery,
)
from adminpanel.for_admins import ForAdmins
from adminpanel.overview import overview
from appointments.models import Appointment, Status
from appointments.serializers import AppointmentData, AppointmentsData
from appointments.states import move
from config.downloads import CsvRenderer, download_csv
from config.wire import Answer, EnvelopeRenderer, Page


@extend_schema(tags=["admin"])
class DeskViewSet(ForAdmins):
    """What an admin opens in the morning."""

    @extend_schema(operation_id="admin_dashboard_retrieve", responses=OverviewData)
    def dashboard(self, request: Request) -> Answer:
        """Show what needs a decision, how the system does, and the figures."""
        seen = overview(timezone.now())
        return Answer(
            {
                "totals": seen.totals,
                "decisions": [DecisionWaitingSerializer(case).data for case in seen.cases],
                "stranded": {"count": seen.stranded_count, "appointments": self.visits_on_wire(seen.stranded)},
                "health": HealthSerializer(seen.health).data,
                "comparison": seen.comparison,
            }
        )

    @extend_schema(
        operation_id="admin_analytics_retrieve", parameters=[AnalyticsQuery], responses=AnalyticsData, filters=False
    )
    def analytics(self, request: Request) -> Answer:
        """Show the figures of a period, step by step, by specialization and by city; at most a year of days."""
        return Answer(AnalyticsData(analytics(period_of(self.read_query(AnalyticsQuery)))).data)

    @extend_schema(
        operation_id="admin_records_list", parameters=[RecordsQuery], responses=AppointmentsData, filters=False
    )
    def records(self, request: Request) -> Answer:
        """List all visits, newest first, without clinical text."""
        query = self.read_query(RecordsQuery)
        visits = Appointment.objects.with_people().on_dates(query.get("from"), query.get("to"))
        visits = visits.filter(each_word(query.get("search", ""), "patient_name", "doctor_name"))
        if query.get("status"):
            visits = visits.with_status(query["status"], timezone.now())
        if query["attended"] is not None:
            # Only what is completed is one or the other; said so that an index leads there.
            visits = visits.filter(status=Status.COMPLETED, attended=query["attended"])
        page = Page(visits.order_by("-starts_at", "pk"), query)
        return Answer({"appointments": self.visits_on_wire(page.rows), "pagination": page.pagination})

    @extend_schema(operation_id="admin_appointments_cancel", request=CancelSerializer, responses=AppointmentData)
    def cancel(self, request: Request, pk: UUID) -> Answer:
        """Cancel a live visit, with a reason that both sides read."""
        reason = self.read(CancelSerializer)["reason"]
        visit = get_object_or_404(Appointment.objects.select_related("doctor__user", "patient"), pk=pk)
        move(visit, Status.CANCELLED, by=person_of(request), now=timezone.now(), reason=reason)
        return Answer({"appointment": self.visits_on_wire([visit])[0]}, "Appointment cancelled successfully")

    @extend_schema(operation_id="admin_audit_list", parameters=[AuditQuery], responses=AuditData, filters=False)
    def trail(self, request: Request) -> Answer:
        """Show the audit trail, newest first; looking into it is written down too."""
        query = self.read_query(AuditQuery)
        page = Page(audit.find_events(query), query)
        record("audit.read", Action.READ, "audit", None, by=person_of(request))
        context = {"names": audit.names_of(page.rows)}
        return Answer(
            {
                "events": [AuditEventSerializer(row, context=context).data for row in page.rows],
                "pagination": page.pagination,
            }
        )


@extend_schema(tags=["admin"])
class TrailExportViewSet(ForAdmins):
    """The trail to take away."""

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
        record("audit.export", Action.READ, "audit", None, by=person_of(request))
        return download_csv("audit", audit.trail_csv(audit.find_events(query)), now.date())
