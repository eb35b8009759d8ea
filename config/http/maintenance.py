"""Maintenance mode: while a file exists, every request but health checks and static files gets 503.

A file works without the database, and a proxy need not know of it. Each machine has its own.
"""

from collections.abc import Callable
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from config.api.errors import DomainError, error_response
from config.http.middleware import is_api
from config.http.misconfiguration import PROBE_PATHS

# What browsers and calendar programs are told to wait.
RETRY_AFTER_SECONDS = 60


class MaintenanceMiddleware:
    """Respond with 503 during maintenance: a page to people, a JSON error to callers of the API."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        message = None if request.path_info in PROBE_PATHS else read_message()
        if message is None:
            return self.get_response(request)
        if is_api(request):
            return error_response(DomainError("maintenance", retry_after=RETRY_AFTER_SECONDS))
        context = {"message": message, "site_name": settings.SITE_NAME}
        response = HttpResponse(render_to_string("maintenance.html", context), status=503)
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
        response["Cache-Control"] = "no-store"
        return response


def read_message() -> str | None:
    """Return the message for the page, which may be empty; None when there is no maintenance."""
    try:
        # Nearly always there is none. Every request asks, and this is quicker than an attempt to open it.
        settings.MAINTENANCE_FILE.stat()
        return settings.MAINTENANCE_FILE.read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        # It can't be read, but it is there.
        return ""


def is_in_maintenance() -> bool:
    return read_message() is not None


def start_maintenance(message: str) -> None:
    """Start it on this machine, or change its message."""
    file = settings.MAINTENANCE_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(message, encoding="utf-8")
    # The server may run as another user than the one who starts it.
    file.chmod(0o644)


def stop_maintenance() -> None:
    settings.MAINTENANCE_FILE.unlink(missing_ok=True)


def get_start() -> datetime | None:
    """Return when it began or got its message, in local time; None when there is no maintenance."""
    try:
        return datetime.fromtimestamp(settings.MAINTENANCE_FILE.stat().st_mtime).astimezone()
    except FileNotFoundError:
        return None
