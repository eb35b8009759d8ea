"""The base of all views: parse, call, answer."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar

from django.db import DatabaseError
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.viewsets import GenericViewSet

from config.api import access_log
from config.api.access_log import Shown, UnstatedReadingError
from config.api.errors import DomainError

# What is longer is rare, and nobody shall fill the memory with it.
MOST_REMEMBERED = 200


@lru_cache(maxsize=1024)
def checked_query(serializer_class: type[serializers.Serializer[Any]], query: str) -> dict[str, Any]:
    """Check a query string; raises a field error for each parameter that can't be taken, which is not remembered."""
    serializer = serializer_class(data=QueryDict(query.encode("iso-8859-1")).dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@lru_cache
def authenticators(classes: tuple[type[BaseAuthentication], ...]) -> tuple[BaseAuthentication, ...]:
    """Make what finds out who asks; it keeps nothing of a request, so all share it."""
    return tuple(each() for each in classes)


@lru_cache(maxsize=256)
def takes_json(accept: str) -> bool:
    """Return whether a header plainly takes JSON; what has further wishes is for DRF to weigh."""
    return not {"*/*", "application/json"}.isdisjoint(each.strip() for each in accept.split(","))


def view_name(request: Request) -> str:
    """Return the name of the route that is asked."""
    match = request.resolver_match
    return match.view_name if match else ""


class ApiViewSet(GenericViewSet):  # type: ignore[type-arg]  # one base for all views
    """Parse, call, answer."""

    lookup_value_converter = "uuid"
    # Statuses that a view answers although it looks up no session; for the schema.
    refuses: tuple[str, ...] = ()
    # A page asks by itself every few seconds: that keeps no session alive which nobody uses any more.
    asked_by_the_page = False
    # The actions that stay open to staff who must set up a second step first.
    without_second_step: tuple[str, ...] = ()
    # Why this view, or some of its actions by their names, shows nobody's data but the reader's own or what is public.
    # Every other one says whose data it shows (`config.api.access_log`), and who read it is recorded.
    without_personal_data: ClassVar[str | Mapping[str, str]] = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with access_log.collecting() as self.collected:
            return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Record whose data the response shows, before it is sent."""
        if response.status_code < 400 or response.status_code == 409:
            try:
                self.record_readings(request, response)
            except (DomainError, DatabaseError) as refused:
                response = self.handle_exception(refused)
        return super().finalize_response(request, response, *args, **kwargs)

    def record_readings(self, request: Request, response: Any) -> None:
        """Record what was collected; raise `UnstatedReadingError` for a view that says nothing of whom it shows.

        A conflict may list the appointments that stand in the way.
        """
        collected: Shown = self.collected
        if not request.user.is_authenticated:
            return
        if collected.subjects:
            access_log.record(request.user, view_name(request), collected.subjects.values())
        is_silent = not collected.is_stated and not self.why_without_personal_data()
        if is_silent and response.status_code < 300 and getattr(response, "data", True):
            raise UnstatedReadingError(f"{view_name(request)}, {self.action}")

    def why_without_personal_data(self) -> str:
        """Return why the action shows nobody's data, or "" where it says whose it shows."""
        why = self.without_personal_data
        return why if isinstance(why, str) else why.get(self.action, "")

    def get_authenticators(self) -> list[BaseAuthentication]:
        return list(authenticators(tuple(self.authentication_classes)))

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        accept = request.META.get("HTTP_ACCEPT", "*/*")
        first, *others = self.get_renderers()
        is_json = first.media_type == "application/json" and not others
        if is_json and len(accept) <= MOST_REMEMBERED and takes_json(accept):
            return first, first.media_type
        return super().perform_content_negotiation(request, force)

    # The actions whose objects everybody may see: there an id hides nothing, and counting the ones that are none would
    # shut out everyone else behind the same address.
    public_objects: tuple[str, ...] = ()

    def asks_by_id(self) -> bool:
        """Return whether this call names a private object by its id; who tries many that are none is slowed down."""
        return bool(self.kwargs) and self.action not in self.public_objects

    def read(self, serializer_class: type[serializers.Serializer[Any]], **kwargs: Any) -> dict[str, Any]:
        """Check the body; raises a field error for each field that can't be taken."""
        serializer = serializer_class(data=self.request.data, context=self.get_serializer_context(), **kwargs)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def read_query(self, serializer_class: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Check the query parameters in the same way; unknown ones are passed over.

        A check that needs neither the clock nor the reader (`is_timeless`) is made once for each query string.
        """
        query = self.request.META.get("QUERY_STRING", "")
        is_plain = len(query) <= MOST_REMEMBERED and self.request.encoding is None
        if is_plain and getattr(serializer_class, "is_timeless", False):
            return dict(checked_query(serializer_class, query))
        serializer = serializer_class(data=self.request.query_params.dict(), context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)
