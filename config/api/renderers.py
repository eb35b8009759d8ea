"""The envelope around every response."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import orjson
from rest_framework import renderers
from rest_framework.response import Response


class ApiResponse(Response):
    """A successful response: `data`, and a `message` for the user."""

    def __init__(self, data: Mapping[str, Any] | None = None, message: str = "", status: int = 200) -> None:
        super().__init__(data if data is not None else {}, status=status)
        self.message = message


def to_json_value(value: Any) -> Any:
    """Convert a value that orjson can't serialize."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence):
        return list(value)
    return str(value)


class EnvelopeRenderer(renderers.BaseRenderer):
    """Write `{"success": true, "message": …, "data": …}`."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        response = (renderer_context or {}).get("response")
        envelope = {
            "success": True,
            "message": getattr(response, "message", ""),
            "data": data if data is not None else {},
        }
        return orjson.dumps(envelope, default=to_json_value)
