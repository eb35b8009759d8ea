"""Imprint, terms of use and privacy policy, for everybody."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from adminpanel.models import SiteText
from config.api.errors import DomainError
from config.api.fields import InstantField
from config.api.renderers import ApiResponse
from config.api.viewsets import ApiViewSet


class SiteTextSerializer(serializers.Serializer[Any]):
    """A text in one language: paragraphs, headings after `# ` and `## `, lists of lines after `- `."""

    language = serializers.CharField(help_text="A tag of BCP 47.")
    text = serializers.CharField()
    updatedAt = InstantField(source="updated_at")


class SiteTextsData(serializers.Serializer[Any]):
    """`data` of one kind of text, in each of its languages."""

    texts = SiteTextSerializer(many=True)


@extend_schema(tags=["config"])
class SiteTextViewSet(ApiViewSet):
    """The texts that the operator publishes."""

    no_personal_data_reason = "Texts of the operator, the same for everybody."
    permission_classes = (AllowAny,)
    authentication_classes = ()
    lookup_field = "kind"
    lookup_value_converter = "slug"

    @extend_schema(operation_id="site_text_retrieve", responses=SiteTextsData)
    def retrieve(self, request: Request, kind: str) -> ApiResponse:
        """Return the imprint, the terms of use or the privacy policy of this site, in each language it is written in.

        The site's own language comes first. The privacy policy replaces the one that comes with the pages.
        """
        texts = sorted(
            SiteText.objects.filter(kind=kind),
            key=lambda each: (each.language != settings.MESSAGE_LANGUAGE, each.language),
        )
        if not texts:
            raise DomainError("not_found")
        return ApiResponse(SiteTextsData({"texts": texts}).data)
