"""Calendar files over HTTP: parse, call, answer."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.authentication import person_of
from accounts.languages import language_of, speaking
from appointments.calendar_files import PUBLISH, calendar_file
from appointments.record_views import BothSides
from config.downloads import FileRenderer, download


@extend_schema(tags=["appointments"])
class CalendarFileViewSet(BothSides):
    """A visit for one's own calendar."""

    renderer_classes = (FileRenderer,)

    @extend_schema(operation_id="appointments_calendar_file", responses={(200, "text/calendar"): OpenApiTypes.BINARY})
    def retrieve(self, request: Request, pk: UUID) -> HttpResponse:
        """Answer a visit as an iCalendar file; a later file brings the same entry up to date."""
        visit, reader = self.visit(pk), person_of(request)
        with speaking(language_of(reader)):
            file = calendar_file(visit, reader, PUBLISH, timezone.now())
        return download(file, "text/calendar; charset=utf-8; method=PUBLISH", f"visit-{visit.date.isoformat()}.ics")
