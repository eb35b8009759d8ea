"""The pages that load the React bundle, prerendered for each route, and the portraits."""

import functools
import json
import re
from collections.abc import Callable
from typing import Any, NotRequired, TypedDict
from urllib.parse import quote

import orjson
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.html import escape
from django.views.decorators.http import require_safe

from config.http.compression import CompressedDocument
from config.language import LANGUAGE_PARAMETER, choose_page_language
from config.version import VERSION

# What looks like a file: a name with an extension, or anything hidden.
FILE_PATH = re.compile(r"/\.|\.\w+/?$", re.ASCII)
# The names of re-encoded portraits; nothing else in the storage is public.
PICTURE_NAME = re.compile(r"pictures/[\w-]+\.webp", re.ASCII)

# Pages that exist once their text is written.
TEXT_PAGES = {"/imprint": "imprint", "/terms": "terms"}
# A page that comes with a text, which another one may replace.
REPLACEABLE_PAGES = {"/privacy": "privacy"}
# The messages that every page needs (`frontend/src/lib/i18n.ts`).
SHELL_CATALOG = "shell"
# While developing, it shows which texts are no messages yet.
PSEUDO_LOCALE = "pseudo"

# A character that no page has, in place of what is removed.
REMOVED = "\0"


PublicSettings = Callable[[tuple[str, ...]], dict[str, Any]]


class PrerenderedPage(TypedDict):
    """A prerendered page and the files that it needs."""

    # A pattern of the React router, such as `/doctors/:id`.
    pattern: str
    # The name of its message catalog; missing from the empty shell.
    catalog: NotRequired[str]
    # By language; empty for the empty shell.
    html: dict[str, str]
    # Whether the page has content without its scripts, which may then load after the first paint.
    readable: bool
    # The entry is the first one.
    scripts: list[str]
    styles: list[str]


class FrontendBuild(TypedDict):
    """The content of pages.json, written by frontend/build.mjs; file names are relative to `app/`."""

    boot: str
    font: str
    # Placeholders in the prerendered HTML, by the dotted key of the public settings that replaces them.
    placeholders: dict[str, str]
    # The names of the message catalogs, with {catalog} and {locale}.
    catalogs: str
    pages: list[PrerenderedPage]
    none: PrerenderedPage


@functools.cache
def load_build() -> FrontendBuild:
    """Return the frontend build, read once per process; raise ImproperlyConfigured without one."""
    path = settings.STATIC_ROOT / "app" / "pages.json"
    try:
        build: FrontendBuild = json.loads(path.read_text())
    except OSError as error:
        raise ImproperlyConfigured(f"{path} is missing: run `npm run build`, then collectstatic.") from error
    return build


@functools.cache
def compile_patterns() -> list[tuple[re.Pattern[str], PrerenderedPage]]:
    """Return the routes as regular expressions; those without parameters come first, as in the router."""
    pages = sorted(load_build()["pages"], key=lambda page: page["pattern"].count(":"))
    return [(re.compile(re.sub(r":\w+", "[^/]+", page["pattern"]) + "/?", re.IGNORECASE), page) for page in pages]


def find_page(path: str) -> PrerenderedPage | None:
    """Return the page at a path, or None."""
    return next((page for pattern, page in compile_patterns() if pattern.fullmatch(path)), None)


def remove_list_item(html: str, placeholder: str) -> str:
    """Replace the list items that show a placeholder by a mark, since React renders none for an empty setting."""
    return re.sub(rf"<li\b(?:(?!<li\b|</li>).)*{placeholder}(?:(?!</li>).)*</li>", REMOVED, html, flags=re.DOTALL)


def remove_empty_lists(html: str) -> str:
    """Remove the marks, and lists of nothing else with the headings in the same `div`."""
    empty = rf"<ul\b[^>]*>{REMOVED}+</ul>"
    return re.sub(rf"<div><h2\b[^>]*>[^<]*</h2>{empty}</div>|{empty}|{REMOVED}", "", html)


def fill_placeholders(html: str, public_config: dict[str, Any]) -> str:
    """Replace the placeholders by this site's public settings."""
    for name, placeholder in load_build()["placeholders"].items():
        value: Any = public_config
        for key in name.split("."):
            value = value[key]
        if value == "":
            html = remove_list_item(html, placeholder)
        # The same format as in lib/contact.ts.
        html = html.replace(f"tel:{placeholder}", "tel:" + re.sub(r"[^+\d]", "", str(value)))
        html = html.replace(placeholder, escape(value))
    for path, text in TEXT_PAGES.items():
        if text not in public_config["texts"]:
            html = remove_list_item(html, f'href="{path}"')
    return remove_empty_lists(html)


def build_context(public_config: dict[str, Any], language: str) -> dict[str, Any]:
    """Return the context that the template always needs."""
    return {
        "config": orjson.dumps(public_config).decode(),
        "contact": public_config["contact"],
        "site_name": public_config["siteName"],
        "version": VERSION,
        "language": {"code": language, "is_right_to_left": language in settings.LANGUAGES_BIDI},
    }


def list_catalogs(page: PrerenderedPage, language: str) -> list[str]:
    """Return the files with a page's messages: those of every page, and its own."""
    names = [SHELL_CATALOG, *filter(None, [page.get("catalog")])]
    return [load_build()["catalogs"].format(catalog=name, locale=language) for name in names]


def list_alternates(path: str) -> str:
    """Return the addresses of a page in each language, for search engines (RFC 8288; `hreflang`)."""
    url = settings.BASE_URL + quote(path)
    links = [
        f'<{url}?{LANGUAGE_PARAMETER}={language}>; rel="alternate"; hreflang="{language}"'
        for language in settings.INTERFACE_LANGUAGES
    ]
    return ", ".join([*links, f'<{url}>; rel="alternate"; hreflang="x-default"'])


@functools.cache
def render_page(
    pattern: str, language: str, public_settings: PublicSettings, texts: tuple[str, ...]
) -> CompressedDocument:
    """Return the page of a pattern, or the empty shell for "". It is the same for every reader of a language.

    It contains no secrets and nothing from the request, so its compressed length reveals nothing.
    """
    public_config = public_settings(texts)
    page = next((each for each in load_build()["pages"] if each["pattern"] == pattern), load_build()["none"])
    if REPLACEABLE_PAGES.get(pattern) in texts:
        page = {**page, "html": {}, "readable": False}
    html = fill_placeholders(page["html"].get(language, ""), public_config)
    context = {
        **build_context(public_config, language),
        "built": load_build(),
        "page": page,
        "html": html,
        "catalogs": list_catalogs(page, language),
    }
    return CompressedDocument.compress(render_to_string("index.html", context).encode())


@require_safe
def page(
    request: HttpRequest, public_settings: PublicSettings, list_texts: Callable[[], tuple[str, ...]]
) -> HttpResponseBase:
    """Serve the page at a path, or the empty shell with status 404, whose script shows the home page and a message.

    A path of a file, which is no page, gets a plain 404: only scanners and broken links ask for one.

    The URL configuration passes `public_settings` and `list_texts`, which returns the kinds of texts that staff have
    written, so that this module imports no app.
    """
    texts = list_texts()
    if settings.VITE_DEV:
        language = choose_page_language(request, [*settings.INTERFACE_LANGUAGES, PSEUDO_LOCALE])
        return render(request, "index.html", build_context(public_settings(texts), language))
    page = find_page(request.path_info)
    if page is None and FILE_PATH.search(request.path_info):
        raise Http404
    if page and page["pattern"] in TEXT_PAGES and TEXT_PAGES[page["pattern"]] not in texts:
        page = None
    language = choose_page_language(request, settings.INTERFACE_LANGUAGES)
    document = render_page(page["pattern"] if page else "", language, public_settings, texts)
    # Not cached without revalidation, since it names files that a deploy replaces.
    status = 200 if page else 404
    response = document.respond(request, "text/html; charset=utf-8", status=status, cache_control="no-cache")
    response["Content-Language"] = language
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    if page and len(settings.INTERFACE_LANGUAGES) > 1:
        response["Link"] = list_alternates(request.path)
    return response


@require_safe
def media(request: HttpRequest, name: str) -> FileResponse:
    """Serve a portrait from the storage; its name changes with its content."""
    if not PICTURE_NAME.fullmatch(name):
        raise Http404
    try:
        file = default_storage.open(name)
    except OSError as error:
        raise Http404 from error
    response = FileResponse(file, content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response
