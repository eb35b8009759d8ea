"""Serializer field for uploaded files."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.files.validation import REJECTION_MESSAGES
from config.api.errors import DomainError


@extend_schema_field({"type": "string", "format": "binary"})
class UploadField(serializers.FileField):
    """An uploaded file. `accounts/files/validation.py` checks its content."""

    default_error_messages = {"invalid": "Send the file as a file."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, UploadedFile):
            self.fail("invalid")
        if (data.size or 0) > settings.MAX_ATTACHMENT_BYTES:
            raise DomainError(
                "too_large",
                REJECTION_MESSAGES["too_large"],
                errors={self.field_name or "file": [REJECTION_MESSAGES["too_large"]]},
            )
        # Browsers escape a quotation mark in a file name this way (HTML, "multipart/form-data encoding").
        data.name = (data.name or "").replace("%22", '"')
        return data
