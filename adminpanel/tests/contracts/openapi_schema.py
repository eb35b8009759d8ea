"""The OpenAPI document, looked up by call."""

from typing import Any

import yaml
from django.conf import settings
from django.urls import resolve

from adminpanel.tests.contracts.populated_site import PopulatedSite
from adminpanel.tests.contracts.valid_calls import Call

SCHEMA = yaml.safe_load((settings.BASE_DIR / "docs" / "openapi.yaml").read_text())


def resolve_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Follow a reference."""
    if "$ref" in schema:
        return resolve_schema(SCHEMA["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    for each in (*schema.get("oneOf", ()), *schema.get("allOf", ())):
        found = resolve_schema(each)
        if "properties" in found or found.get("type") == "array":
            return found
    return schema


def get_operation(call: Call, site: PopulatedSite) -> dict[str, Any]:
    """Return what the description of the API says of a call."""
    path = call.get_address(site).partition("?")[0]
    given = {str(value) for value in resolve(path).kwargs.values()}
    for template, operations in SCHEMA["paths"].items():
        parts, wanted = path.strip("/").split("/"), template.strip("/").split("/")
        if len(parts) != len(wanted) or call.method.lower() not in operations:
            continue
        if all(a == b or (b.startswith("{") and a in given) for a, b in zip(parts, wanted, strict=True)):
            return dict(operations[call.method.lower()])
    raise AssertionError(f"{call.method} {path} is not described")


def get_body(operation: dict[str, Any], kind: str) -> dict[str, Any]:
    named = {"json": "application/json", "multipart": "multipart/form-data"}[kind]
    return resolve_schema(operation.get("requestBody", {}).get("content", {}).get(named, {}).get("schema", {}))
