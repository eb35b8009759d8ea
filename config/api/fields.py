"""Serializer fields for names, ids, times and numbers on the wire."""

import re
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.api.field_messages import install_messages

install_messages()

CAMEL_CASE_BOUNDARY = re.compile(r"(?<!^)([A-Z])")


def to_model_name(wire_name: str) -> str:
    """Return the model's name for a wire name: `dateOfBirth` is `date_of_birth`, `_id` is `id`."""
    return "id" if wire_name == "_id" else CAMEL_CASE_BOUNDARY.sub(r"_\1", wire_name).lower()


class WireModelSerializer(serializers.ModelSerializer):  # type: ignore[type-arg]  # one base for all models
    """A model serializer whose `Meta.fields` lists the names on the wire."""

    def get_extra_kwargs(self) -> dict[str, Any]:
        extra = super().get_extra_kwargs()
        for wire_name in self.Meta.fields:
            if wire_name not in self._declared_fields and to_model_name(wire_name) != wire_name:
                extra.setdefault(wire_name, {}).setdefault("source", to_model_name(wire_name))
        return dict(extra)


ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class IdField(serializers.UUIDField):
    """A UUID in canonical form, as in URLs.

    DRF also accepts numbers, capitals, braces and `urn:uuid:`, so that one row would have several ids.
    """

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or not ID.fullmatch(data):
            self.fail("invalid", value="")
        return super().to_internal_value(data)


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "examples": ["09:00"]})
class LocalTimeField(serializers.Field):  # type: ignore[type-arg]  # reads and writes plain strings
    """A wall-clock time, `HH:MM` on the wire and `datetime.time` in Python."""

    default_error_messages = {"invalid": "Enter a time like 09:00."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", data, re.ASCII):
            self.fail("invalid")
        return time.fromisoformat(data)

    def to_representation(self, value: time) -> str:
        return format_time(value)


@lru_cache(maxsize=1440)
def format_time(value: time) -> str:
    """Return a wall-clock time as `HH:MM`; a list of free times has hundreds."""
    return value.isoformat("minutes")


@extend_schema_field({"type": "string", "format": "date"})
class LocalDateField(serializers.Field):  # type: ignore[type-arg]  # reads and writes plain strings
    """A calendar date, `YYYY-MM-DD` on the wire and `datetime.date` in Python."""

    default_error_messages = {"invalid": "Enter a real date, like 2026-12-08."}

    def to_internal_value(self, data: Any) -> date:
        if not isinstance(data, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", data, re.ASCII):
            self.fail("invalid")
        try:
            return date.fromisoformat(data)
        except ValueError:
            self.fail("invalid")

    def to_representation(self, value: date) -> str:
        return value.isoformat()


# The largest value of a database integer column.
MAX_INTEGER = 2**31 - 1


class WholeNumberField(serializers.IntegerField):
    """A JSON integer; text, `true` and `2.0` are invalid."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


def format_utc(instant: datetime) -> str:
    """Return an instant as `2026-12-08T14:00:00Z`."""
    return instant.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class InstantField(serializers.DateTimeField):
    """An instant, written in UTC with a `Z`."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]  # DRF writes None too
        return format_utc(value) if isinstance(value, datetime) else value


@lru_cache(maxsize=8192)
def format_epoch(second: int) -> str:
    """Return seconds since 1970 in the same format; cached, since many doctors' slots start at the same instants."""
    return format_utc(datetime.fromtimestamp(second, UTC))


class EpochField(InstantField):
    """An instant stored as seconds since 1970, with the same format on the wire."""

    def to_representation(self, value: Any) -> str | None:  # type: ignore[override]  # DRF writes None too
        return format_epoch(value) if type(value) is int else super().to_representation(value)
