"""What every answer tells a browser about itself: a policy for pages, and a bare one for all that is no page."""

from collections.abc import Callable

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

# What is no page shows nothing and runs nothing, should a browser be led to open it as one (files of people above all).
BARE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
# Nothing here asks for any of these, so no script that gets in may either.
DENIED = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi"),
    *("payment", "picture-in-picture", "screen-wake-lock", "serial", "sync-xhr", "usb", "xr-spatial-tracking"),
)
HEADERS = {
    HEADER: BARE_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in DENIED),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def is_page(response: HttpResponseBase) -> bool:
    """Return whether an answer is a page of ours; only those have anything to run."""
    return response.headers.get("Content-Type", "").startswith("text/html")


def takes_bare_policy(response: HttpResponseBase) -> bool:
    """Return whether the bare policy is this answer's, where it has none of its own.

    A 304 has no type, and its headers take the place of those that the browser has kept (RFC 9111, 3.2): a page would
    be shown with the policy of what is none, and run nothing. So it says nothing, and the kept policy stands.
    """
    # Django's debug pages bring styles and scripts of their own.
    return response.status_code != 304 and not (settings.DEBUG and is_page(response))


class BrowserSafetyMiddleware:
    """Put the headers on every answer, static files, refusals and crashes included; stands before all that answers."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            if name != HEADER or takes_bare_policy(response):
                response.headers.setdefault(name, value)
        return response


class PagePolicyMiddleware(CSPMiddleware):
    """The policy of the settings, with its nonce, on pages alone."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if not is_page(response):
            return response
        if request.path_info.startswith("/staff/"):
            # The scripts of Django's admin come with jQuery, which writes markup as text (ADR 0075).
            response._csp_replace = {"require-trusted-types-for": None, "trusted-types": None}  # type: ignore[attr-defined]  # read by django-csp
        answered: HttpResponseBase = super().process_response(request, response)
        return answered
