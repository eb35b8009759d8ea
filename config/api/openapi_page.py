"""API documentation as an HTML page, without external scripts or styles."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from config.api.openapi_document import OncePerProcess, generate_schema
from config.http.compression import CompressedDocument


def list_operations() -> dict[str, list[dict[str, Any]]]:
    """Return the schema's operations by tag, in the order of their paths."""
    schema = generate_schema()
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
                    "fields": list_fields(schema, body),
                    "answers": {
                        status: answer.get("description", "")
                        for status, answer in sorted(operation["responses"].items())
                    },
                }
            )
    return by_tag


def list_fields(schema: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
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


document = OncePerProcess(
    lambda: CompressedDocument.compress(render_to_string("api_docs.html", {"tags": list_operations()}).encode())
)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Serve the page, rendered once per process."""
    return document().respond(request, "text/html; charset=utf-8")
