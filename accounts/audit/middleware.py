"""Middleware for the client's address and exhausted rate limits."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.audit.log import current_address, current_caller, exhausted_limits, write_rate_limits
from accounts.models import User
from config.http.middleware import get_client_address


class SourceAddressMiddleware:
    """Store the client's address for the audit log, sessions and rate limits; audit exhausted limits."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = current_address.set(get_client_address(request))
        caller_token = current_caller.set("")
        limits: list[tuple[str, int]] = []
        exhausted_token = exhausted_limits.set(limits)
        try:
            return self.get_response(request)
        finally:
            if limits:
                user = getattr(request, "user", None)
                write_rate_limits(limits, user if isinstance(user, User) else None)
            exhausted_limits.reset(exhausted_token)
            current_caller.reset(caller_token)
            current_address.reset(token)
