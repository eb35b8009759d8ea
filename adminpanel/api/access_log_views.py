"""Views of the access log, for admins."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access_log import count_readings_by_day
from accounts.audit.log import Action, record_event
from accounts.authentication import get_user
from accounts.models import Reading, Role, User
from accounts.text.fields import LineField
from accounts.throttling.expensive_requests import LIST_EXPORT, acquire_place, exports
from adminpanel.api.dashboard_serializers import DatesQuery
from adminpanel.api.viewsets import AdminViewSet
from adminpanel.queries.audit import find_people
from config.api.access_log import add_people
from config.api.fields import InstantField, LocalDateField, format_utc
from config.api.pagination import Page, PaginationSerializer
from config.api.renderers import ApiResponse, EnvelopeRenderer
from config.db import chunked_iterator
from config.http.csv import BATCH, lines
from config.http.downloads import CsvRenderer, download_csv

# Limits the query, because all days are grouped before paging.
DEFAULT_DAYS = 30

# --- Serializers ------------------------------------------------------------------------------


class ReadingsQuery(DatesQuery):
    """Filters of the access log. Dates are in UTC, both ends included."""

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["from"].help_text = f"The first day; {DEFAULT_DAYS - 1} days before `to` where nothing is said."
        fields["to"].help_text = "The last day, or up to now; without `from` today, so that these are the last 30 days."
        return fields

    actor = LineField(max_length=100, required=False, allow_blank=True, help_text="Who read: an id or words of a name.")
    person = LineField(
        max_length=100, required=False, allow_blank=True, help_text="Whose data it is: an id or words of a name."
    )

    def validate(self, query: dict[str, Any]) -> dict[str, Any]:
        return {**query, "from": query.get("from") or get_first_day(query.get("to") or timezone.now().date())}


def get_first_day(last: date) -> date:
    """Return the default first day for a last day."""
    return date.fromordinal(max(last.toordinal() - DEFAULT_DAYS + 1, 1))


class ReadingDaySerializer(serializers.Serializer[Any]):
    """The readings of one user on one day."""

    date = LocalDateField(source="day")
    actorId = serializers.UUIDField(source="actor_id")
    actorName = serializers.CharField(source="name", allow_null=True)
    actorRole = serializers.ChoiceField(source="actor_role", choices=Role.choices)
    people = serializers.IntegerField(help_text="Of how many people something was shown.")
    views = serializers.IntegerField(source="total", help_text="How often anything of theirs was shown.")
    lastAt = InstantField(source="last")


class ReadingsData(serializers.Serializer[Any]):
    """`data` of the access log."""

    days = ReadingDaySerializer(many=True)
    pagination = PaginationSerializer()


# --- Rows -------------------------------------------------------------------------------------


def filter_readings(rows: Any, query: Mapping[str, Any]) -> Any:
    """Return the readings that match a query."""
    for name, column in (("actor", "actor_id"), ("person", "person_id")):
        if query.get(name):
            rows = rows.filter(**{f"{column}__in": find_people(query[name])})
    dates: dict[str, date] = {}
    for name, condition in (("from", "day__gte"), ("to", "day__lte")):
        if query.get(name):
            dates[condition] = query[name]
    return rows.filter(**dates)


def get_names(ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the names of these users, in one query."""
    return dict(User.objects.filter(pk__in=set(ids)).values_list("pk", "name"))


COLUMNS = (
    *("Date (UTC)", "Who", "Name", "Role", "View", "What", "Its id", "Whose data", "Name of whose data"),
    *("Times", "First at", "Last at"),
)


def write_readings_csv(rows: "QuerySet[Reading]") -> Iterator[str]:
    """Yield readings as CSV lines, newest first."""
    return lines(COLUMNS, iterate_rows(rows))


def iterate_rows(rows: "QuerySet[Reading]") -> Iterator[Iterable[object]]:
    """Yield the cells of each row, read in batches."""
    reading = chunked_iterator.iterate(rows, BATCH)
    while batch := list(islice(reading, BATCH)):
        names = get_names(one for row in batch for one in (row.actor_id, row.person_id))
        for row in batch:
            yield (
                row.day,
                row.actor_id,
                names.get(row.actor_id, ""),
                row.actor_role,
                row.view,
                row.subject_type,
                row.subject_id,
                row.person_id,
                names.get(row.person_id, ""),
                row.times,
                format_utc(row.first_at),
                format_utc(row.last_at),
            )


# --- Views ------------------------------------------------------------------------------------


@extend_schema(tags=["admin"])
class ReadingsViewSet(AdminViewSet):
    """The access log: who read whose personal data."""

    @extend_schema(
        operation_id="admin_readings_list", parameters=[ReadingsQuery], responses=ReadingsData, filters=False
    )
    def list(self, request: Request) -> ApiResponse:
        """List days and readers, the newest day first, on each day those with the most people first.

        Without dates these are the last 30 days.
        """
        query = self.validate_query(ReadingsQuery)
        page = Page(filter_readings(count_readings_by_day(), query), query)
        record_event("audit.read", Action.READ, "audit", None, actor=get_user(request))
        rows: Any = page.rows
        names = get_names(row["actor_id"] for row in rows)
        add_people("user", names)
        days = [{**row, "name": names.get(row["actor_id"])} for row in rows]
        return ApiResponse({"days": ReadingDaySerializer(days, many=True).data, "pagination": page.pagination})


@extend_schema(tags=["admin"])
class ReadingsExportViewSet(AdminViewSet):
    """Export of the access log."""

    no_personal_data_reason = "Each export of it is in the audit log itself: `audit.export`."
    renderer_classes = (CsvRenderer, EnvelopeRenderer)

    @extend_schema(
        operation_id="admin_readings_export",
        parameters=[ReadingsQuery],
        responses={(200, "text/csv"): OpenApiTypes.STR},
        filters=False,
    )
    def retrieve(self, request: Request) -> StreamingHttpResponse:
        """Export the readings that match the filters as CSV, the newest day first.

        Without dates that is the last 30 days.
        """
        query, now = self.validate_query(ReadingsQuery), timezone.now()
        LIST_EXPORT.consume()
        place = acquire_place(exports)
        record_event("audit.export", Action.READ, "audit", None, actor=get_user(request), detail={"what": "readings"})
        rows = filter_readings(Reading.objects.order_by("-day", "-id"), query)
        return place.release_after(download_csv("readings", write_readings_csv(rows), now.date()))
