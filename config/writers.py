"""Turn a declared serializer into a plain function that writes the same, once and for all.

DRF looks up, for each field of each row, what the class has said already. Here that is looked up once: the fields
become one expression, like what one would write by hand, and the serializer stays the only description of the wire.
Whatever is not of the expected kind (a callable, a mapping, a missing attribute, a class's own way of writing) is left
to DRF itself, so that both roads write the same.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any, ClassVar
from uuid import UUID

from django.db.models.manager import BaseManager
from rest_framework import serializers
from rest_framework.relations import PKOnlyObject
from rest_framework.settings import api_settings

from config.wire import InstantField, LocalDateField, LocalTimeField, SecondField, iso_utc, second_utc


class Writer:
    """Writes rows as a serializer does that needs no context; the JSON is the same, what is before may be not: decimals
    come as floats, ids and dates as they are.

    Made on first use, when all models are known.
    """

    # All there are, for the test that holds each against DRF.
    made: ClassVar[list["Writer"]] = []

    def __init__(self, serializer: type[serializers.Serializer[Any]]) -> None:
        self.serializer = serializer
        self.made.append(self)

    @cached_property
    def one(self) -> Callable[[Any], dict[str, Any]]:
        """Write a row."""
        serializer = self.serializer()
        code = Code()
        expression = code.of_serializer(serializer, "row")
        code.names["slowly"] = serializer.to_representation
        source = f"def write(row):\n try:\n  return {expression}\n except Exception:\n  return slowly(row)\n"
        # The source holds nothing but names out of our own classes.
        exec(compile(source, f"<writer of {self.serializer.__name__}>", "exec"), code.names)  # noqa: S102
        write: Callable[[Any], dict[str, Any]] = code.names["write"]
        return write

    def many(self, rows: Iterable[Any]) -> list[dict[str, Any]]:
        """Write several rows."""
        write = self.one
        return [write(row) for row in rows]


# What the expressions name.
NAMES = {
    "UUID": UUID,
    "Decimal": Decimal,
    "date": date,
    "datetime": datetime,
    "iso_utc": iso_utc,
    "second_utc": second_utc,
    "BaseManager": BaseManager,
}


class Code:
    """The expressions of one writer, and what their names stand for."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = dict(NAMES)
        self.count = 0

    def name(self, value: Any = None) -> str:
        """Answer a new name for a value, or for one that the expression gives itself."""
        self.count += 1
        name = f"n{self.count}"
        if value is not None:
            self.names[name] = value
        return name

    def of_serializer(self, serializer: serializers.Serializer[Any], row: str) -> str:
        """Write all fields of a serializer as a dict."""
        fields = ", ".join(f"{name!r}: {self.of_field(field, row)}" for name, field in readable(serializer))
        return f"{{{fields}}}"

    def of_field(self, field: Any, row: str) -> str:
        """Write one field of a row."""
        if isinstance(field, serializers.SerializerMethodField):
            return f"{self.name(getattr(field.parent, field.method_name))}({row})"
        if type(field).get_attribute is not serializers.Field.get_attribute:
            return f"{self.name(by_drf(field))}({row})"
        if not field.source_attrs:
            # The row itself, which is never missing.
            return self.of_value(field, row, f"{self.name(by_drf(field))}({row})")
        value = self.name()
        path = ".".join([row, *field.source_attrs])
        slowly = f"{self.name(by_drf(field))}({row})"
        return f"(None if ({value} := {path}) is None else {self.of_value(field, value, slowly)})"

    def of_value(self, field: Any, value: str, slowly: str) -> str:
        """Write a value that is not None; `slowly` is what DRF would do, for values of another kind."""
        way = type(field).to_representation
        if way is serializers.Serializer.to_representation:
            return self.of_serializer(field, value)
        if way in PLAIN:
            kind, written = PLAIN[way]
            if is_plain(field):
                return f"({written.format(value)} if {value}.__class__ is {kind} else {slowly})"
        if way is serializers.DecimalField.to_representation and not getattr(
            field, "coerce_to_string", api_settings.COERCE_DECIMAL_TO_STRING
        ):
            as_float = lru_cache(maxsize=1024, typed=True)(lambda number: float(field.to_representation(number)))
            return f"({self.name(as_float)}({value}) if {value}.__class__ is Decimal else {slowly})"
        if way is serializers.ListField.to_representation:
            item = self.name()
            one = self.of_value(field.child, item, f"{self.name(field.child.to_representation)}({item})")
            items = f"[None if {item} is None else {one} for {item} in {value}]"
            return f"({items} if {value}.__class__ in (list, tuple) else {slowly})"
        if way is serializers.ListSerializer.to_representation:
            item = self.name()
            one = self.of_value(field.child, item, f"{self.name(field.child.to_representation)}({item})")
            rows = f"({value}.all() if isinstance({value}, BaseManager) else {value})"
            return f"[{one} for {item} in {rows}]"
        return slowly


def readable(serializer: serializers.Serializer[Any]) -> Iterator[tuple[str, Any]]:
    """Answer the fields that are written, in their order."""
    return ((name, field) for name, field in serializer.fields.items() if not field.write_only)


def by_drf(field: Any) -> Callable[[Any], Any]:
    """Answer a function that writes one field of a row in DRF's own steps."""

    def write(row: Any) -> Any:
        value = field.get_attribute(row)
        known = value.pk if isinstance(value, PKOnlyObject) else value
        return None if known is None else field.to_representation(value)

    return write


def is_plain(field: Any) -> bool:
    """Tell whether a field's options leave its values as `PLAIN` has them."""
    if isinstance(field, serializers.ChoiceField):
        return all(isinstance(choice, str) for choice in field.choice_strings_to_values.values())
    return getattr(field, "uuid_format", "hex_verbose") == "hex_verbose"


# How a field's class writes, the kind of value for which it is known, and what it comes to.
PLAIN: dict[Any, tuple[str, str]] = {
    serializers.CharField.to_representation: ("str", "{0}"),
    serializers.ChoiceField.to_representation: ("str", "{0}"),
    serializers.IntegerField.to_representation: ("int", "{0}"),
    serializers.FloatField.to_representation: ("float", "{0}"),
    serializers.BooleanField.to_representation: ("bool", "{0}"),
    # orjson writes these two as DRF does.
    serializers.UUIDField.to_representation: ("UUID", "{0}"),
    LocalDateField.to_representation: ("date", "{0}"),
    LocalTimeField.to_representation: ("str", "{0}"),
    InstantField.to_representation: ("datetime", "iso_utc({0})"),
    SecondField.to_representation: ("int", "second_utc({0})"),
}
