"""What a wrong `ALLOWED_HOSTS` or `TRUSTED_PROXIES` does to requests: the log says which setting it is.

Probes of a load balancer or a supervisor name no host of ours but an address, so theirs is not checked.
"""

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from config.failure_reasons import LogThrottle
from config.http.middleware import GetResponse

logger = logging.getLogger(__name__)
host_throttle = LogThrottle()
loop_throttle = LogThrottle(seconds=float("inf"))

# Their responses contain nothing of the host. `SECURE_REDIRECT_EXEMPT` lists them, too.
PROBE_PATHS = {"/healthz", "/readyz", "/metrics"}
MAX_HOST_LENGTH = 100


class MisconfigurationMiddleware:
    """Respond to probes whatever host they name, and log other hosts that are refused, and redirects that never end."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Django checks the host of all others itself, so it is looked at again only where that went wrong.
        if request.path_info in PROBE_PATHS and not has_allowed_host(request):
            request.META["HTTP_HOST"] = urlsplit(settings.BASE_URL).netloc
        response = self.get_response(request)
        if response.status_code == 400 and not has_allowed_host(request):
            log_refused_host(request)
        elif response.status_code == 301 and is_redirect_loop(request, response):
            log_redirect_loop()
        return response


def has_allowed_host(request: HttpRequest) -> bool:
    try:
        request.get_host()
    except DisallowedHost:
        return False
    return True


def log_refused_host(request: HttpRequest) -> None:
    """Log a host that Django will refuse; the client chose it, so it is shortened and escaped."""
    host = ascii(request.META.get("HTTP_HOST", "")[:MAX_HOST_LENGTH])
    if host_throttle.allows(host):
        logger.warning("A request for the host %s was refused: ALLOWED_HOSTS does not name it", host)


def is_redirect_loop(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a request that came by https is redirected to https, since no proxy is trusted to say so."""
    return (
        not settings.TRUSTED_PROXIES
        and request.META.get("HTTP_X_FORWARDED_PROTO") == "https"
        and response["Location"] == f"https://{request.get_host()}{request.get_full_path()}"
    )


def log_redirect_loop() -> None:
    if loop_throttle.allows():
        logger.warning(
            "A request with X-Forwarded-Proto: https was redirected to itself: set TRUSTED_PROXIES to the number of"
            " your proxies, which is 0 now"
        )
