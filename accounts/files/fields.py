"""An uploaded file on the wire."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.files.validation import REFUSALS
from config.api.errors import DomainError


@extend_schema_field({"type": "string", "format": "binary"})
class UploadField(serializers.FileField):
    """An uploaded file; its content is examined by `accounts/files/validation.py`."""

    default_error_messages = {"invalid": "Send the file as a file."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, UploadedFile):
            self.fail("invalid")
        if (data.size or 0) > settings.MAX_ATTACHMENT_BYTES:
            raise DomainError(
                "too_large", REFUSALS["too_large"], errors={self.field_name or "file": [REFUSALS["too_large"]]}
            )
        # How browsers write a quotation mark within the quoted name of a file (HTML, "multipart/form-data encoding").
        data.name = (data.name or "").replace("%22", '"')
        return data
