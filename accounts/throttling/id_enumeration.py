"""Throttle clients that probe object ids (repeated 404s).

Ids can't be guessed, so this is a second line: staff see it on the trail, and it goes slowly.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.audit.log import Action, Outcome, current_address, record
from accounts.models import User
from accounts.throttling.rate_limit import Limit, NetworkLimit
from config.api.errors import DomainError, error_response

of_person = Limit("misses-person", settings.MISSES_PER_PERSON)
of_network = NetworkLimit("misses-address", settings.MISSES_PER_ADDRESS)


@dataclass(frozen=True)
class Watched:
    """Who asks for an object by its id: a person, or a network where nobody is signed in."""

    person: User | None

    @property
    def counters(self) -> list[tuple[Limit, tuple[str, ...]]]:
        # The person, not the session: a new sign-in does not start a new count.
        return [(of_person, (str(self.person.pk),))] if self.person else of_network.counters(current_address.get())

    def refuse_when_spent(self) -> None:
        """Raise `too_many` when there have been enough misses."""
        for limit, subject in self.counters:
            limit.refuse_when_spent(*subject)

    def missed(self, answer: HttpResponse) -> HttpResponse:
        """Count an id that was none; return what to say, which beyond the limit is no longer whether it is one.

        Counting comes before answering, so that of any number at once exactly so many learn it. The last of them is
        written to the trail, so once for each window.
        """
        try:
            for limit, subject in self.counters:
                tries, end = limit.count(*subject)
                if tries == limit.most:
                    record(
                        "account.ids_tried",
                        Action.EXECUTE,
                        "user",
                        self.person.pk if self.person else None,
                        by=self.person,
                        outcome=Outcome.MINOR_FAILURE,
                        detail={"most": limit.most},
                    )
                limit.refuse_beyond(limit.most, (tries, end))
        except DomainError as refused:
            return error_response(refused) if refused.code == "too_many" else answer
        return answer


class MissThrottle(BaseThrottle):
    """Refuse clients that tried too many unknown ids; existing objects too, so that the answer reveals nothing."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Let a call go on that names no object; raises `too_many` for one that does, after too many misses."""
        # A view of a library's, like the API's description, is asked what its address names.
        if view.is_object_request() if hasattr(view, "is_object_request") else view.kwargs:
            watched = Watched(request.user if isinstance(request.user, User) else None)
            try:
                watched.refuse_when_spent()
            except DomainError as refused:
                # While the counters are away nobody is kept from what is theirs.
                if refused.code == "too_many":
                    raise
            request._request.watched = watched  # type: ignore[attr-defined]  # for the middleware below
        return True


class MissMiddleware:
    """Count the objects that were asked for and are not there, whichever way a view says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        watched: Watched | None = getattr(request, "watched", None)
        return watched.missed(answer) if watched and answer.status_code == 404 else answer
