"""Test field names that are not valid text: every JSON route rejects or ignores them."""

import itertools
import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from adminpanel.tests.contracts.openapi_schema import get_body, get_operation, resolve_schema
from adminpanel.tests.contracts.valid_calls import CALLS, Call

ODD = ("\ud800", "\x00", "", "a" * 5000, "__proto__")
INNER: tuple[Any, ...] = ([], "x", {"\ud800": {"\ud800": None}})
# Each call gets one in so many of these bodies in the short form, each the next ones; all of them with 1.
EVERY = int(os.environ.get("FIELD_NAMES_EVERY", "4"))
JSON_CALLS = [name for name, call in CALLS.items() if call.kind == "json"]


def parts(schema: dict[str, Any]) -> Iterator[str]:
    """Name the fields of a body that are objects or lists of objects themselves."""
    for name, each in schema.get("properties", {}).items():
        known = resolve_schema(each)
        kinds = known.get("type", "object")
        # What may be null as well has a list of types.
        if {"object", "array"} & set([kinds] if isinstance(kinds, str) else kinds):
            yield name


def bodies(call: Call, site: Any) -> Iterator[dict[str, Any]]:
    """Make a call's body with an odd name at its top, and in each of its parts."""
    usual = call.body(site)
    for odd in ODD:
        for inner in INNER:
            yield {**usual, odd: inner}
    for name in parts(get_body(get_operation(call, site), "json")):
        for odd in ODD:
            for inner in INNER:
                yield {**usual, name: {odd: inner}}
                yield {**usual, name: [{odd: inner}]}


@pytest.mark.parametrize("name", JSON_CALLS)
def test_unusual_field_names_cause_no_error(name, populated_site):
    call = CALLS[name]
    call.prepare(populated_site)
    address, client = call.get_address(populated_site), populated_site.clients[call.who]
    for body in itertools.islice(bodies(call, populated_site), JSON_CALLS.index(name) % EVERY, None, EVERY):
        # As ASCII, so that a lone surrogate can be sent too.
        answer = client.generic(call.method, address, json.dumps(body), content_type="application/json")
        assert answer.status_code < 500, body
        if answer.streaming:
            # Closing the answer itself would close the test's connection, and its transaction with it.
            for closer in answer._resource_closers:
                closer()


def test_there_are_parts_to_test(populated_site):
    named = {name for body in bodies(CALLS["change the schedule"], populated_site) for name in body}
    assert {"weeklyHours", "visits", "overrides"} <= named
