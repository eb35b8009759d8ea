"""Throttle clients that probe object ids (repeated 404s).

Ids can't be guessed, so this is a second line of defense: it slows the client down and leaves an audit event.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.audit.log import Action, Outcome, current_address, record_event
from accounts.models import User
from accounts.throttling.rate_limit import NetworkRateLimit, RateLimit
from config.api.errors import DomainError, error_response

user_limit = RateLimit("misses-person", settings.MAX_UNKNOWN_IDS_PER_USER)
network_limit = NetworkRateLimit("misses-address", settings.MAX_UNKNOWN_IDS_PER_IP)


@dataclass(frozen=True)
class MissCounter:
    """Counts unknown ids per user, or per network for visitors."""

    user: User | None

    @property
    def limits(self) -> list[tuple[RateLimit, tuple[str, ...]]]:
        # By user, not by session: a new sign-in does not start a new count.
        return [(user_limit, (str(self.user.pk),))] if self.user else network_limit.limits(current_address.get())

    def check(self) -> None:
        """Raise `too_many` after too many misses."""
        for limit, subject in self.limits:
            limit.check(*subject)

    def count_miss(self, response: HttpResponse) -> HttpResponse:
        """Count a 404; return it, or `too_many` over the limit, so that it no longer reveals whether an id exists.

        Counting comes first, so that parallel requests can't exceed the limit. The last permitted miss of a window
        writes an audit event.
        """
        try:
            for limit, subject in self.limits:
                attempts, window_end = limit.count(*subject)
                if attempts == limit.max_attempts:
                    record_event(
                        "account.ids_tried",
                        Action.EXECUTE,
                        "user",
                        self.user.pk if self.user else None,
                        actor=self.user,
                        outcome=Outcome.MINOR_FAILURE,
                        detail={"max_attempts": limit.max_attempts},
                    )
                limit.raise_if_exceeded(limit.max_attempts, attempts, window_end)
        except DomainError as error:
            return error_response(error) if error.code == "too_many" else response
        return response


class IdEnumerationThrottle(BaseThrottle):
    """Refuse clients with too many misses, for existing objects too, so that the response reveals nothing."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Allow requests that name no object; raise `too_many` for others after too many misses."""
        # Third-party views, such as the API schema, have no `is_object_request`.
        if view.is_object_request() if hasattr(view, "is_object_request") else view.kwargs:
            miss_counter = MissCounter(request.user if isinstance(request.user, User) else None)
            try:
                miss_counter.check()
            except DomainError as error:
                # While the cache is unavailable, requests are allowed.
                if error.code == "too_many":
                    raise
            request._request.miss_counter = miss_counter  # type: ignore[attr-defined]  # for the middleware below
        return True


class IdEnumerationMiddleware:
    """Count 404 responses to requests by id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        miss_counter: MissCounter | None = getattr(request, "miss_counter", None)
        return miss_counter.count_miss(response) if miss_counter and response.status_code == 404 else response
