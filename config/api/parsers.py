"""Parsers of JSON and multipart bodies."""

from typing import Any

import orjson
from django.core.exceptions import RequestDataTooBig
from rest_framework import parsers
from rest_framework.exceptions import ParseError

MAX_ANONYMOUS_JSON_BYTES = 64 * 1024


class StrictJSONParser(parsers.JSONParser):
    """Parse a JSON object; other top-level values, NaN and invalid JSON are `malformed`.

    Anonymous users have a lower limit, since their forms are short and parsing a megabyte of JSON is expensive.
    """

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        request = (parser_context or {}).get("request")
        if request is not None and not request.user.is_authenticated:
            length = request.META.get("CONTENT_LENGTH") or "0"
            if not length.isdecimal() or int(length) > MAX_ANONYMOUS_JSON_BYTES:
                raise RequestDataTooBig
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError from error
        if not isinstance(data, dict):
            raise ParseError
        return data


class MultipartJSONParser(parsers.MultiPartParser):
    """Parse a multipart form, and decode the parts that the view lists in `json_parts` as JSON."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:  # type: ignore[override]  # a plain dict serves our serializers
        parsed = super().parse(stream, media_type, parser_context)
        json_parts = getattr((parser_context or {}).get("view"), "json_parts", ())
        body: dict[str, Any] = {}
        for name, value in parsed.data.items():
            if name in json_parts and isinstance(value, str):
                try:
                    body[name] = orjson.loads(value)
                except orjson.JSONDecodeError:
                    # The field's validation reports what is wrong.
                    body[name] = value
            else:
                body[name] = value
        return body | dict(parsed.files.items())
