"""The one page that boots the React bundle, and the pictures it shows."""

import re

from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

# The names that our own re-encoding gives; nothing else in the storage is public.
PICTURE_NAME = re.compile(r"pictures/[\w-]+\.webp", re.ASCII)


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Serve the page; the bundle's site map decides what stands at this address."""
    return render(request, "index.html")


@require_safe
def media(request: HttpRequest, name: str) -> FileResponse:
    """Serve a portrait from the storage, whatever the storage is. Its name changes with its content."""
    if not PICTURE_NAME.fullmatch(name):
        raise Http404
    try:
        file = default_storage.open(name)
    except OSError as missing:
        raise Http404 from missing
    response = FileResponse(file, content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
