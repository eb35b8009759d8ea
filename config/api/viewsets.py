"""The base viewset: parse, call, respond."""

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
from config.api.access_log import ResponseSubjects, UndeclaredAccessError
from config.api.errors import DomainError

# Longer query strings and headers are rare, and caching them would let clients fill the memory.
MAX_CACHED_LENGTH = 200


@lru_cache(maxsize=1024)
def validate_cached_query(serializer_class: type[serializers.Serializer[Any]], query: str) -> dict[str, Any]:
    """Return the validated query parameters; errors are raised and not cached."""
    serializer = serializer_class(data=QueryDict(query.encode("iso-8859-1")).dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@lru_cache
def create_authenticators(classes: tuple[type[BaseAuthentication], ...]) -> tuple[BaseAuthentication, ...]:
    """Return authenticator instances, which are stateless and shared by all requests."""
    return tuple(each() for each in classes)


@lru_cache(maxsize=256)
def accepts_json(accept: str) -> bool:
    """Return whether an `Accept` header lists JSON without parameters; DRF negotiates the others."""
    return not {"*/*", "application/json"}.isdisjoint(each.strip() for each in accept.split(","))


def get_view_name(request: Request) -> str:
    match = request.resolver_match
    return match.view_name if match else ""


class ApiViewSet(GenericViewSet):  # type: ignore[type-arg]  # one base for all views
    """Parse, call, respond."""

    lookup_value_converter = "uuid"
    # Error statuses, for the schema, of a view without authentication.
    extra_error_statuses: tuple[str, ...] = ()
    # Background polling by a page doesn't extend the session.
    is_background_poll = False
    # Actions that are allowed to staff who still have to set up a second step.
    second_step_exempt_actions: tuple[str, ...] = ()
    # Why this view, or each of the named actions, shows only the reader's own or public data.
    # All others declare whose data they show (`config.api.access_log`), and the access is recorded.
    no_personal_data_reason: ClassVar[str | Mapping[str, str]] = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with access_log.collect_subjects() as self.collected:
            return super().dispatch(request, *args, **kwargs)

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Record the access to personal data before the response is sent."""
        if response.status_code < 400 or response.status_code == 409:
            try:
                self.record_access(request, response)
            except (DomainError, DatabaseError) as error:
                response = self.handle_exception(error)
        return super().finalize_response(request, response, *args, **kwargs)

    def record_access(self, request: Request, response: Any) -> None:
        """Record the collected subjects; raise `UndeclaredAccessError` for a view that declares none.

        Conflicts are recorded too, since they may list the conflicting appointments.
        """
        collected: ResponseSubjects = self.collected
        if not request.user.is_authenticated:
            return
        if collected.subjects:
            access_log.record_access(request.user, get_view_name(request), collected.subjects.values())
        is_undeclared = not collected.is_declared and not self.get_no_personal_data_reason()
        if is_undeclared and response.status_code < 300 and getattr(response, "data", True):
            raise UndeclaredAccessError(f"{get_view_name(request)}, {self.action}")

    def get_no_personal_data_reason(self) -> str:
        """Return why the action shows no personal data, or "" if it declares its subjects."""
        reason = self.no_personal_data_reason
        return reason if isinstance(reason, str) else reason.get(self.action, "")

    def get_authenticators(self) -> list[BaseAuthentication]:
        return list(create_authenticators(tuple(self.authentication_classes)))

    def perform_content_negotiation(self, request: Request, force: bool = False) -> tuple[BaseRenderer, str]:
        accept = request.META.get("HTTP_ACCEPT", "*/*")
        first, *others = self.get_renderers()
        is_json = first.media_type == "application/json" and not others
        if is_json and len(accept) <= MAX_CACHED_LENGTH and accepts_json(accept):
            return first, first.media_type
        return super().perform_content_negotiation(request, force)

    # Actions on public objects. Unknown ids aren't throttled there: the ids are no secret, and the throttle would block
    # other users behind the same IP address.
    public_object_actions: tuple[str, ...] = ()

    def is_object_request(self) -> bool:
        """Return whether this request names a private object by id; probing for unknown ids is throttled."""
        return bool(self.kwargs) and self.action not in self.public_object_actions

    def validate_body(self, serializer_class: type[serializers.Serializer[Any]], **kwargs: Any) -> dict[str, Any]:
        """Return the validated request body; raise field errors."""
        serializer = serializer_class(data=self.request.data, context=self.get_serializer_context(), **kwargs)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def validate_query(self, serializer_class: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Return the validated query parameters; raise field errors, ignore unknown parameters.

        Results of serializers that depend on neither the clock nor the user (`is_timeless`) are cached.
        """
        query = self.request.META.get("QUERY_STRING", "")
        is_plain = len(query) <= MAX_CACHED_LENGTH and self.request.encoding is None
        if is_plain and getattr(serializer_class, "is_timeless", False):
            return dict(validate_cached_query(serializer_class, query))
        serializer = serializer_class(data=self.request.query_params.dict(), context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)
