"""What every template that is rendered for a request knows."""

from django.conf import settings
from django.http import HttpRequest


def site_name(request: HttpRequest) -> dict[str, str]:
    return {"site_name": settings.SITE_NAME}
