"""Parsers of JSON and multipart bodies."""

from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig
from rest_framework import parsers
from rest_framework.exceptions import ParseError

MAX_VISITOR_JSON_BYTES = 64 * 1024


class StrictJSONParser(parsers.JSONParser):
    """Read a JSON object; anything else at the top, NaN or broken text is `malformed`.

    A visitor's forms are short, and reading a megabyte of JSON costs more than any of them does.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        request = (parser_context or {}).get("request")
        if request is not None and not request.user.is_authenticated:
            length = request.META.get("CONTENT_LENGTH") or "0"
            if not length.isdecimal() or int(length) > MAX_VISITOR_JSON_BYTES:
                raise RequestDataTooBig
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError as deep:
            raise ParseError from deep
        if not isinstance(data, dict):
            raise ParseError
        return data


class MultipartJSONParser(parsers.MultiPartParser):
    """Read a multipart form, decoding the parts that carry JSON; the view names them in `json_parts`."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:  # type: ignore[override]  # a plain dict serves our serializers
        parsed = super().parse(stream, media_type, parser_context)
        json_parts = getattr((parser_context or {}).get("view"), "json_parts", ())
        body: dict[str, Any] = {}
        for name, value in parsed.data.items():
            if name in json_parts and isinstance(value, str):
                try:
                    body[name] = orjson.loads(value)
                except orjson.JSONDecodeError:
                    # Not JSON: the field's own check says what is wrong with the text.
                    body[name] = value
            else:
                body[name] = value
        return body | dict(parsed.files.items())
