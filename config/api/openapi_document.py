"""The OpenAPI document, generated once per process.

Generating takes some 300 ms of CPU, so no header or query parameter may cause it again: `Accept` and `format` select
one of the generated variants, and everything else is ignored.
"""

import json
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from config.api.errors import DomainError, error_response
from config.http.compression import CompressedDocument

# The first one is the default.
RENDERERS: tuple[type[BaseRenderer], ...] = (
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
)
MAX_ACCEPT_LENGTH = 1_000

T = TypeVar("T")


class OncePerProcess(Generic[T]):
    """A value that one thread computes while the others wait; `functools.cache` would let each compute it."""

    def __init__(self, compute: Callable[[], T]) -> None:
        self.compute = compute
        self.lock = threading.Lock()
        self.value: T | None = None

    def __call__(self) -> T:
        if self.value is None:
            with self.lock:
                if self.value is None:
                    self.value = self.compute()
        return self.value


def generate_schema() -> dict[str, Any]:
    """Generate the schema, as `manage.py spectacular` does."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def render_documents() -> dict[str, CompressedDocument]:
    """Return the schema as YAML and as JSON."""
    schema = generate_schema()
    return {
        "yaml": CompressedDocument.compress(OpenApiYamlRenderer().render(schema)),
        "json": CompressedDocument.compress(
            json.dumps(schema, ensure_ascii=False, cls=JSONEncoder, separators=(",", ":")).encode()
        ),
    }


documents = OncePerProcess(render_documents)


@lru_cache(maxsize=64)
def negotiate_format(accept: str, format_name: str) -> tuple[str, str] | None:
    """Return the format and media type for an `Accept` header and a `format` parameter; None if not acceptable."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    renderers = [each() for each in RENDERERS if format_name in {"", each.format}]
    try:
        renderer, _ = DefaultContentNegotiation().select_renderer(Request(request), renderers)
    except NotAcceptable:
        return None
    # Without the parameters that the client added.
    charset = f"; charset={renderer.charset}" if renderer.charset else ""
    return renderer.format, f"{renderer.media_type}{charset}"


@require_safe
def view(request: HttpRequest) -> HttpResponse:
    """Serve the schema in the format that `?format=json|yaml` or `Accept` asks for."""
    accept = request.META.get("HTTP_ACCEPT", "*/*")
    format_name = request.GET.get("format", "")
    variant = None
    if len(accept) <= MAX_ACCEPT_LENGTH:
        variant = negotiate_format(accept, format_name if format_name in {"json", "yaml"} else "")
    if variant is None:
        response = error_response(DomainError("not_acceptable"))
    else:
        response = documents()[variant[0]].respond(request, variant[1])
        if response.status_code == 200:
            response["Content-Disposition"] = f'inline; filename="Wellhour.{variant[0]}"'
    patch_vary_headers(response, ["Accept"])
    return response
