"""Middleware that notes where a request came from and audits exhausted limits."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.audit.log import current_address, current_caller, exhausted_limits, write_rate_limits
from accounts.models import User
from config.http.middleware import get_client_address


class SourceAddressMiddleware:
    """Remember where each request came from, for the trail, the sessions and the limits; audit exhausted limits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = current_address.set(get_client_address(request))
        nobody = current_caller.set("")
        limits: list[tuple[str, int]] = []
        exhausted_token = exhausted_limits.set(limits)
        try:
            return self.get_response(request)
        finally:
            if limits:
                user = getattr(request, "user", None)
                write_rate_limits(limits, user if isinstance(user, User) else None)
            exhausted_limits.reset(exhausted_token)
            current_caller.reset(nobody)
            current_address.reset(token)
