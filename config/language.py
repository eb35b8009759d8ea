"""Which language a request gets."""

from collections.abc import Collection

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

# Of a page's address, for links to it in one language.
LANGUAGE_PARAMETER = "lang"


def negotiate_language(accept_language: str, available: Collection[str]) -> str:
    """Return the available language that a browser prefers (RFC 9110, 12.5.4), or "" if it names none of them."""
    codes = {code.lower(): code for code in available}
    # In lower case.
    for tag, quality in parse_accept_lang_header(accept_language):
        parts = tag.split("-")
        # Of "zh-hant-tw", first the whole tag and then shorter ones (RFC 4647, 3.4).
        tags = ("-".join(parts[:length]) for length in range(len(parts), 0, -1))
        if quality > 0 and (language := next((codes[each] for each in tags if each in codes), "")):
            return language
    return ""


def choose_page_language(request: HttpRequest, available: Collection[str]) -> str:
    """Return the language of a page: the one in its address, that of the cookie, or else the browser's."""
    chosen = (
        request.GET.get(LANGUAGE_PARAMETER, ""),
        request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""),
        negotiate_language(request.headers.get("Accept-Language", ""), available),
    )
    return next((language for language in chosen if language in available), settings.LANGUAGE_CODE)
