"""How data looks on the wire: names, envelope, parsing and paging. Knows no app."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, Protocol

import orjson
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import parsers, renderers, serializers
from rest_framework.exceptions import ParseError
from rest_framework.response import Response

from config.errors import RuleBroken

HUMP = re.compile(r"(?<!^)([A-Z])")


def model_name(wire_name: str) -> str:
    """Answer the model's name for a wire name: `dateOfBirth` is `date_of_birth`, `_id` is `id`."""
    return "id" if wire_name == "_id" else HUMP.sub(r"_\1", wire_name).lower()


class WireModelSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]  # one base for all models
    """A model serializer whose `Meta.fields` lists the names on the wire."""

    def get_extra_kwargs(self) -> dict[str, Any]:
        extra = super().get_extra_kwargs()
        for wire_name in self.Meta.fields:
            if wire_name not in self._declared_fields and model_name(wire_name) != wire_name:
                extra.setdefault(wire_name, {}).setdefault("source", model_name(wire_name))
        return dict(extra)


ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class IdField(serializers.UUIDField):
    """The `_id` of a person or a visit, in the one spelling in which it is given out and stands in addresses.

    DRF would take a number, capitals, braces and `urn:uuid:` for a UUID too, and so two names for one row.
    """

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or not ID.fullmatch(data):
            self.fail("invalid", value="")
        return super().to_internal_value(data)


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "examples": ["09:00"]})
class LocalTimeField(serializers.Field):  # type: ignore[type-arg]  # reads and writes plain strings
    """A wall-clock time, written `HH:MM` and in no other way; the value inside is a `datetime.time`."""

    default_error_messages = {"invalid": "Enter a time as HH:MM, like 09:00."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", data, re.ASCII):
            self.fail("invalid")
        return time.fromisoformat(data)

    def to_representation(self, value: Any) -> str:
        return value.strftime("%H:%M") if not isinstance(value, str) else value


@extend_schema_field({"type": "string", "format": "date"})
class LocalDateField(serializers.Field):  # type: ignore[type-arg]  # reads and writes plain strings
    """A calendar date, written `YYYY-MM-DD` and in no other way; the value inside is a `datetime.date`."""

    default_error_messages = {"invalid": "Enter a real date as YYYY-MM-DD."}

    def to_internal_value(self, data: Any) -> date:
        if not isinstance(data, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", data, re.ASCII):
            self.fail("invalid")
        try:
            return date.fromisoformat(data)
        except ValueError:
            self.fail("invalid")

    def to_representation(self, value: date) -> str:
        return value.isoformat()


# What a database's integer holds.
LARGEST_NUMBER = 2**31 - 1


class WholeNumberField(serializers.IntegerField):
    """A whole number, written as one: neither text nor `true` nor `2.0`."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class PaginationSerializer(serializers.Serializer):  # type: ignore[type-arg]  # describes a dict
    """Where a page stands in its list."""

    page = serializers.IntegerField()
    pageSize = serializers.IntegerField()
    hasNext = serializers.BooleanField()
    count = serializers.IntegerField(help_text="Counting stops at 1,000.")
    countIsExact = serializers.BooleanField(help_text="False where there are more than `count`.")


class PageQuery(serializers.Serializer):  # type: ignore[type-arg]  # describes query parameters
    """The paging part of a list's query parameters."""

    page = serializers.IntegerField(default=1, min_value=1, max_value=10_000)
    pageSize = serializers.IntegerField(default=20, min_value=1, max_value=100)


COUNT_LIMIT = 1_000
ROW_LIMIT = 10_000


class Answer(Response):
    """A successful answer: `data` under the keys of the specification, `message` for a person."""

    def __init__(self, data: Mapping[str, Any] | None = None, message: str = "", status: int = 200) -> None:
        super().__init__(data if data is not None else {}, status=status)
        self.message = message


def plain(value: Any) -> Any:
    """Write the values that orjson does not know."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    return str(value)


class EnvelopeRenderer(renderers.BaseRenderer):
    """Write `{"success": true, "message": …, "data": …}`."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        envelope = {
            "success": True,
            "message": getattr(response, "message", ""),
            "data": data if data is not None else {},
        }
        return orjson.dumps(envelope, default=plain)


class StrictJSONParser(parsers.JSONParser):
    """Read a JSON object; anything else at the top, NaN or broken text is `malformed`."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError from deep
        if not isinstance(data, dict):
            raise ParseError
        return data


class MultipartJSONParser(parsers.MultiPartParser):
    """Read a multipart form, decoding the parts that carry JSON; the view names them in `json_parts`."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:  # type: ignore[override]  # a plain dict serves our serializers
        parsed = super().parse(stream, media_type, parser_context)
        json_parts = getattr((parser_context or {}).get("view"), "json_parts", ())
        body: dict[str, Any] = {}
        for name, value in parsed.data.items():
            if name in json_parts and isinstance(value, str):
                try:
                    body[name] = orjson.loads(value)
                except orjson.JSONDecodeError:
                    # Not JSON: the field's own check says what is wrong with the text.
                    body[name] = value
            else:
                body[name] = value
        return body | dict(parsed.files.items())


def iso_utc(moment: datetime) -> str:
    """Write an instant as `2026-12-08T14:00:00Z`."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class InstantField(serializers.DateTimeField):
    """An instant, written in UTC with a `Z`."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]  # DRF writes None too
        return iso_utc(value) if isinstance(value, datetime) else value


@lru_cache(maxsize=8192)
def second_utc(second: int) -> str:
    """Write whole seconds since 1970 in the same way; free times of many doctors begin at the same few moments."""
    return iso_utc(datetime.fromtimestamp(second, UTC))


class SecondField(InstantField):
    """An instant that is kept as whole seconds since 1970, written like every other."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]  # DRF writes None too
        return second_utc(value) if type(value) is int else super().to_representation(value)


class Countable(Protocol):
    """What can be counted up to where it is sliced."""

    def __getitem__(self, part: slice, /) -> Any: ...

    def count(self) -> int: ...


class Rows(Protocol):
    """What can be paged: a queryset, or what can be sliced and counted like one."""

    def __getitem__(self, part: slice, /) -> Iterable[Any]: ...

    def order_by(self) -> Countable:
        """Answer the same rows in no order."""


class InTurn:
    """Two orders one after the other, sliced and counted like one list; the second begins where the first ends."""

    def __init__(self, rows: QuerySet[Any], first: QuerySet[Any], rest: QuerySet[Any]) -> None:
        self.rows, self.first, self.rest = rows, first, rest

    def __getitem__(self, part: slice) -> list[Any]:
        """Read the rows from `part.start` up to `part.stop`."""
        start, stop = part.start or 0, part.stop
        found = list(self.first[start:stop])
        if len(found) == stop - start:
            return found
        before = start + len(found) if found else self.first.order_by()[:stop].count()
        return found + list(self.rest[max(0, start - before) : stop - before])

    def order_by(self) -> QuerySet[Any]:
        """Answer all of them in no order, for counting."""
        return self.rows.order_by()


class Page:
    """One page of a queryset, read in two statements: the rows, and a count that stops at 1,000."""

    def __init__(self, queryset: Rows, query: Mapping[str, Any]) -> None:
        self.number, self.size = query["page"], query["pageSize"]
        first = (self.number - 1) * self.size
        if first >= ROW_LIMIT:
            raise RuleBroken(
                "invalid", errors={"page": ["Only the first 10,000 rows can be paged; narrow the search."]}
            )
        rows = list(queryset[first : first + self.size + 1])
        self.rows = rows[: self.size]
        self.has_next = len(rows) > self.size and first + self.size < ROW_LIMIT
        counted = queryset.order_by()[: COUNT_LIMIT + 1].count()
        self.count, self.is_exact = min(counted, COUNT_LIMIT), counted <= COUNT_LIMIT

    @property
    def pagination(self) -> dict[str, Any]:
        """Answer `data.pagination`."""
        return {
            "page": self.number,
            "pageSize": self.size,
            "hasNext": self.has_next,
            "count": self.count,
            "countIsExact": self.is_exact,
        }
