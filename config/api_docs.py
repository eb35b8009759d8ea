"""A readable page over the OpenAPI schema, without scripts or styles from elsewhere."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator


@lru_cache(maxsize=1)
def operations() -> dict[str, list[dict[str, Any]]]:
    """Answer the schema's operations by tag, in the order of their addresses. Made once a process."""
    schema = SchemaGenerator().get_schema(request=None, public=True)
    by_tag: dict[str, list[dict[str, Any]]] = {}
    for address, methods in schema["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            by_tag.setdefault(operation.get("tags", ["other"])[0], []).append(
                {
                    "id": operation["operationId"],
                    "method": method.upper(),
                    "address": address,
                    "description": operation.get("description", ""),
                    "open": {} in operation.get("security", []),
                    "parameters": operation.get("parameters", []),
                    "fields": fields_of(schema, body),
                    "answers": {
                        status: answer.get("description", "")
                        for status, answer in sorted(operation["responses"].items())
                    },
                }
            )
    return by_tag


def fields_of(schema: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """List the fields of a request body, following a reference."""
    if "$ref" in part:
        part = schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]]
    required = part.get("required", [])
    return [
        {
            "name": name,
            "type": field.get("type") or field.get("$ref", "").rsplit("/", 1)[-1] or "object",
            "format": field.get("format", ""),
            "required": name in required,
        }
        for name, field in part.get("properties", {}).items()
    ]


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Serve the page."""
    return render(request, "api_docs.html", {"tags": operations()})
