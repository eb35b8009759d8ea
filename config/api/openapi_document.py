"""The OpenAPI description as bytes, generated once per process: it says the same to everybody.

Generating takes some 300 ms of CPU, so neither a header nor a query parameter may cause it again: `Accept` and `format`
choose between the variants that were made, and everything else is ignored.
"""

import gzip
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

import brotli
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
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
from config.http.compression import choose_coding
from config.http.etag import etag_of

# The first one is sent to a client that takes anything.
RENDERERS: tuple[type[BaseRenderer], ...] = (
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
)
MAX_ACCEPT_LENGTH = 1_000

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Document:
    """One document in every content coding, each with its ETag."""

    bodies: dict[str, tuple[bytes, str]]

    @classmethod
    def compress(cls, body: bytes) -> "Document":
        """Return the document of these bytes; the effort is spent once."""
        bodies = {
            "": body,
            "gzip": gzip.compress(body, 9, mtime=0),
            "br": bytes(brotli.compress(body, quality=9)),
        }
        return cls({coding: (coded, etag_of(coded)) for coding, coded in bodies.items()})

    def respond(self, request: HttpRequest, content_type: str) -> HttpResponse:
        """Return the document, or 304 to a client that has it. Caches may keep it and ask whether it is current."""
        coding = choose_coding(request)
        body, etag = self.bodies[coding]
        response = HttpResponse(body, content_type=content_type)
        if coding:
            response["Content-Encoding"] = coding
        response["ETag"] = etag
        response["Cache-Control"] = "public, no-cache"
        patch_vary_headers(response, ["Accept-Encoding"])
        return get_conditional_response(request, etag, response=response) or response


class OncePerProcess(Generic[T]):
    """A value that one thread computes; the others that ask meanwhile wait for it instead of computing it too."""

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


def generate() -> dict[str, Any]:
    """Generate the schema, as `manage.py spectacular` does."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return schema


def compress_formats() -> dict[str, Document]:
    """Return the schema as YAML and as JSON."""
    schema = generate()
    return {
        "yaml": Document.compress(OpenApiYamlRenderer().render(schema)),
        "json": Document.compress(
            json.dumps(schema, ensure_ascii=False, cls=JSONEncoder, separators=(",", ":")).encode()
        ),
    }


documents = OncePerProcess(compress_formats)


@lru_cache(maxsize=64)
def negotiate(accept: str, format_name: str) -> tuple[str, str] | None:
    """Return the format and media type for an `Accept` header and a `format` parameter; None for none of ours."""
    request = HttpRequest()
    request.META["HTTP_ACCEPT"] = accept
    renderers = [each() for each in RENDERERS if format_name in {"", each.format}]
    try:
        renderer, _ = DefaultContentNegotiation().select_renderer(Request(request), renderers)
    except NotAcceptable:
        return None
    # Parameters that the client added to the type are not repeated.
    charset = f"; charset={renderer.charset}" if renderer.charset else ""
    return renderer.format, f"{renderer.media_type}{charset}"


@require_safe
def view(request: HttpRequest) -> HttpResponse:
    """Serve the schema in the format that `?format=json|yaml` or `Accept` asks for."""
    accept = request.META.get("HTTP_ACCEPT", "*/*")
    format_name = request.GET.get("format", "")
    found = None
    if len(accept) <= MAX_ACCEPT_LENGTH:
        found = negotiate(accept, format_name if format_name in {"json", "yaml"} else "")
    if found is None:
        response = error_response(DomainError("not_acceptable"))
    else:
        response = documents()[found[0]].respond(request, found[1])
        if response.status_code == 200:
            response["Content-Disposition"] = f'inline; filename="Wellhour.{found[0]}"'
    patch_vary_headers(response, ["Accept"])
    return response
