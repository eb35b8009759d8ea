"""View of an appointment as a calendar file."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import override
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.authentication import get_user
from accounts.notifications.languages import user_language
from appointments.ical import PUBLISH, build_calendar_file
from appointments.records.views import ParticipantsViewSet
from config.api.access_log import add_subjects
from config.http.downloads import FileRenderer, download


@extend_schema(tags=["appointments"])
class CalendarFileViewSet(ParticipantsViewSet):
    """An appointment as a calendar file."""

    renderer_classes = (FileRenderer,)

    @extend_schema(operation_id="appointments_calendar_file", responses={(200, "text/calendar"): OpenApiTypes.BINARY})
    def retrieve(self, request: Request, pk: UUID) -> HttpResponse:
        """Return an appointment as an iCalendar file; a later file updates the same entry."""
        appointment, reader = self.get_appointment(pk), get_user(request)
        add_subjects("appointment", [(appointment.pk, appointment.patient_id)])
        with override(user_language(reader)):
            file = build_calendar_file(appointment, reader, PUBLISH, timezone.now())
        return download(
            file, "text/calendar; charset=utf-8; method=PUBLISH", f"appointment-{appointment.date.isoformat()}.ics"
        )
