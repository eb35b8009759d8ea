"""Serializer fields: how names, ids, times and numbers are written on the wire."""

import re
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.api.field_messages import use_plain_messages

use_plain_messages()

HUMP = re.compile(r"(?<!^)([A-Z])")


def model_name(wire_name: str) -> str:
    """Return the model's name for a wire name: `dateOfBirth` is `date_of_birth`, `_id` is `id`."""
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
    """The `_id` of a person or an appointment, in the one spelling in which it is given out and stands in addresses.

    DRF would take a number, capitals, braces and `urn:uuid:` for a UUID too, and so two names for one row.
    """

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str) or not ID.fullmatch(data):
            self.fail("invalid", value="")
        return super().to_internal_value(data)


@extend_schema_field({"type": "string", "pattern": r"^([01]\d|2[0-3]):[0-5]\d$", "examples": ["09:00"]})
class LocalTimeField(serializers.Field):  # type: ignore[type-arg]  # reads and writes plain strings
    """A wall-clock time, written `HH:MM` and in no other way; the value inside is a `datetime.time`."""

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
    """A calendar date, written `YYYY-MM-DD` and in no other way; the value inside is a `datetime.date`."""

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


# What a database's integer holds.
LARGEST_NUMBER = 2**31 - 1


class WholeNumberField(serializers.IntegerField):
    """A whole number, written as one: neither text nor `true` nor `2.0`."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


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
