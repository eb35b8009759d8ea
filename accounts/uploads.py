"""An uploaded file on the wire."""

from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.admitted_files import REFUSALS
from config.errors import RuleBroken


@extend_schema_field({"type": "string", "format": "binary"})
class UploadField(serializers.FileField):
    """An uploaded file; its content is examined by `accounts/admitted_files.py`."""

    default_error_messages = {"invalid": "Send the file as a file."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, UploadedFile):
            self.fail("invalid")
        if (data.size or 0) > settings.MAX_ATTACHMENT_BYTES:
            raise RuleBroken(
                "too_large", REFUSALS["too_large"], errors={self.field_name or "file": [REFUSALS["too_large"]]}
            )
        return data
