"""The one page that boots the React bundle, as it begins at each address, and the pictures it shows."""

import functools
import gzip
import json
import re
from collections.abc import Callable
from typing import Any, TypedDict

import brotli
import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.html import escape
from django.views.decorators.http import require_safe

from config.http.compression import choose_coding
from config.http.etag import etag_of

# The names that our own re-encoding gives; nothing else in the storage is public.
PICTURE_NAME = re.compile(r"pictures/[\w-]+\.webp", re.ASCII)


class Drawing(TypedDict):
    """A page as it stands before its code runs, and the files that it needs."""

    # In the router's words, `/doctors/:id`.
    pattern: str
    html: str
    # There is something to read before the code is here, which so may come after the paint.
    readable: bool
    # The entry first.
    scripts: list[str]
    styles: list[str]


class Built(TypedDict):
    """What frontend/build.mjs leaves in pages.json; names of files are those below `app/`."""

    boot: str
    font: str
    # By their place in the public settings, the numbers that stand for them in the drawings.
    standIns: dict[str, str]
    pages: list[Drawing]
    none: Drawing


@functools.cache
def built() -> Built:
    """Read what the build left, once in a process's life: a page names the files of one build alone.

    Raises ImproperlyConfigured where nothing was built.
    """
    path = settings.STATIC_ROOT / "app" / "pages.json"
    try:
        found: Built = json.loads(path.read_text())
    except OSError as missing:
        raise ImproperlyConfigured(f"{path} is missing: run `npm run build`, then collectstatic.") from missing
    return found


@functools.cache
def places() -> list[tuple[re.Pattern[str], Drawing]]:
    """List the addresses that have a page; those without a name in them come first, as in the router."""
    pages = sorted(built()["pages"], key=lambda page: page["pattern"].count(":"))
    return [(re.compile(re.sub(r":\w+", "[^/]+", page["pattern"]) + "/?", re.IGNORECASE), page) for page in pages]


def drawing_at(path: str) -> Drawing | None:
    """Return the page at an address; None where the site has none."""
    return next((page for pattern, page in places() if pattern.fullmatch(path)), None)


def filled_in(html: str, said: dict[str, Any]) -> str:
    """Put this site's own words in the place of their stand-ins; `said` are the public settings."""
    for name, stand_in in built()["standIns"].items():
        value: Any = said
        for key in name.split("."):
            value = value[key]
        # As lib/contact.ts writes what is dialled.
        html = html.replace(f"tel:{stand_in}", "tel:" + re.sub(r"[^+\d]", "", str(value)))
        html = html.replace(stand_in, escape(value))
    return html


def words(said: dict[str, Any]) -> dict[str, Any]:
    """Return what the template needs in any case."""
    return {"config": orjson.dumps(said).decode(), "contact": said["contact"]}


CODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: bytes(brotli.compress(body, quality=9)),
    "gzip": lambda body: gzip.compress(body, 9, mtime=0),
    "": lambda body: body,
}


@functools.cache
def written(pattern: str, coding: str, public_settings: Callable[[], dict[str, Any]]) -> tuple[bytes, str]:
    """Return the page of one place, compressed, and its tag; neither depends on the visitor.

    Nothing secret and nothing that was sent stands in it, so that its compressed length tells nothing.
    """
    if coding:
        body = CODERS[coding](written(pattern, "", public_settings)[0])
    else:
        said = public_settings()
        page = next((each for each in built()["pages"] if each["pattern"] == pattern), built()["none"])
        context = {**words(said), "built": built(), "page": page, "html": filled_in(page["html"], said)}
        body = render_to_string("index.html", context).encode()
    return body, etag_of(body)


@require_safe
def page(request: HttpRequest, public_settings: Callable[[], dict[str, Any]]) -> HttpResponseBase:
    """Serve the page at this address.

    An unknown address gets the empty shell with status 404; its script goes to the home page and says so there.
    The URL configuration passes `public_settings`, so that this module knows no app.
    """
    if settings.VITE_DEV:
        return render(request, "index.html", words(public_settings()))
    coding = choose_coding(request)
    drawing = drawing_at(request.path_info)
    body, tag = written(drawing["pattern"] if drawing else "", coding, public_settings)
    response = HttpResponse(body, status=200 if drawing else 404)
    if coding:
        response["Content-Encoding"] = coding
    response["ETag"] = tag
    # It names files that a deploy replaces.
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    return get_conditional_response(request, tag, response=response) or response


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
