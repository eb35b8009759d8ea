"""Test that every error is a plain sentence: wrong types in every field, and no framework messages."""

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework import serializers

from adminpanel.tests.contracts.openapi_schema import SCHEMA, get_body, get_operation, resolve_schema
from adminpanel.tests.contracts.valid_calls import CALLS, Call
from config.api.field_messages import LABELS, MESSAGES, get_label, name_field

pytestmark = pytest.mark.either_engine

WRONG: tuple[Any, ...] = (
    *("Nope", "", "x" * 5000, "\x00", "\ud800", "2026-02-30", "24:61"),
    *(7, -1, 1.5, 10**30, 0.001, True, None),
    *([], ["x"], [None], [{"x": 1}], {}, {"x": 1}, {"start": 1}),
)
# Each field gets one in so many of these values in the short form, each the next ones; all of them with 1.
EVERY = int(os.environ.get("WRONG_VALUES_EVERY", "7"))
# What the framework writes for developers, and what no person says.
FRAMEWORK = re.compile(
    r"<field>|not a valid|valid choice|Expected|Must be|Ensure|This field|may not be|Invalid|A valid|got type|"
    r"\b(?:null|None|UUID|boolean|integer|string|dictionary|JSON|object|instance|datatype|regex|characters? are not)\b"
)


def iterate_invalid_bodies(usual: Any, schema: dict[str, Any]) -> Iterator[Any]:
    """Put each wrong value into each field of a body and of its parts, and leave each field out once."""
    for number, (name, described) in enumerate(schema.get("properties", {}).items()):
        wrong = WRONG[number % EVERY :: EVERY]
        inner = resolve_schema(described)
        present = usual if isinstance(usual, dict) else {}
        yield {key: value for key, value in present.items() if key != name}
        for value in wrong:
            yield {**present, name: value}
        if "properties" in inner:
            yield from ({**present, name: body} for body in iterate_invalid_bodies(present.get(name), inner))
        item = resolve_schema(inner.get("items", {})) if inner.get("type") == "array" else {}
        for value in wrong if item else ():
            yield {**present, name: [value]}
        if "properties" in item:
            first = (present.get(name) or [{}])[0]
            yield from ({**present, name: [body]} for body in iterate_invalid_bodies(first, item))


def assert_plain(answer: Any, sent: Any) -> bool:
    """Check the sentences of a refusal; return whether it was one."""
    if answer.streaming or answer.status_code < 400:
        return False
    assert answer.status_code < 500, sent
    reply = answer.json()
    sentences = [reply["message"], *(sentence for each in reply["errors"].values() for sentence in each)]
    assert [sentence for sentence in sentences if FRAMEWORK.search(sentence) or not sentence.strip()] == [], sent
    return answer.status_code == 400 and bool(reply["errors"])


@pytest.mark.parametrize("name", [name for name, call in CALLS.items() if call.kind == "json"])
def test_body_errors_are_plain_sentences(name: str, populated_site: Any) -> None:
    call: Call = CALLS[name]
    call.prepare(populated_site)
    address, client = call.get_address(populated_site), populated_site.clients[call.who]
    schema = get_body(get_operation(call, populated_site), "json")
    refused = 0
    for body in iterate_invalid_bodies(call.body(populated_site), schema):
        answer = client.generic(call.method, address, json.dumps(body), content_type="application/json")
        refused += assert_plain(answer, body)
    assert refused or not schema.get("required"), "nothing was refused, so no sentence was read"


QUERIES = [
    (path, [each["name"] for each in operations["get"].get("parameters", []) if each["in"] == "query"])
    for path, operations in SCHEMA["paths"].items()
    if "get" in operations and "{" not in path
]


@pytest.mark.parametrize(("path", "names"), [row for row in QUERIES if row[1]], ids=lambda part: str(part)[:40])
@pytest.mark.parametrize("who", ["patient owner", "doctor owner", "admin"])
def test_query_errors_are_plain_sentences(path: str, names: list[str], who: str, populated_site: Any) -> None:
    client = populated_site.clients[who]
    for name in names:
        for value in ("Nope", "", "-1", "1.5", "0", "9" * 40, "x" * 500, "true", "2026-02-30", "\x00"):
            assert_plain(client.get(path, {name: value}), (name, value))


@pytest.mark.parametrize("field", MESSAGES, ids=lambda field: field.__name__)
def test_every_framework_message_is_replaced(field: type[serializers.Field[Any, Any, Any, Any]]) -> None:
    messages: dict[str, str] = {}
    for base in reversed(field.__mro__):
        messages |= getattr(base, "default_error_messages", {})
    assert {code: text for code, text in messages.items() if FRAMEWORK.search(text.replace("<field>", ""))} == {}


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("dateOfBirth", "date of birth"),
        ("hospital.phone", "hospital phone number"),
        ("hospital.address.zipCode", "hospital ZIP code"),
        ("address.zipCode", "ZIP code"),
        ("workingDays.0", "working days"),
        ("prescription.items.2.dose", "dose"),
        ("", "form"),
    ],
)
def test_message_names_the_field_by_its_label(path: str, label: str) -> None:
    assert get_label(path) == label
    assert name_field("Enter the <field>.", path) == f"Enter the {label}."


def test_labels_contain_no_wire_names() -> None:
    assert [label for label in LABELS.values() if re.search(r"[a-z][A-Z]", label)] == []
