"""The base of all views: parse, call, answer."""

from typing import Any

from rest_framework import serializers
from rest_framework.viewsets import GenericViewSet


class WireViewSet(GenericViewSet):  # type: ignore[type-arg]  # one base for all views
    """Parse, call, answer."""

    lookup_value_converter = "uuid"
    # Statuses that a view answers although it looks up no session; for the schema.
    refuses: tuple[str, ...] = ()
    # A page asks by itself every few seconds: that keeps no session alive which nobody uses any more.
    asked_by_the_page = False
    # The actions that stay open to staff who must set up a second step first.
    without_second_step: tuple[str, ...] = ()

    def asks_by_id(self) -> bool:
        """Tell whether this call names an object by its id; who tries many that are none is slowed down."""
        return bool(self.kwargs)

    def read(self, serializer_class: type[serializers.Serializer[Any]], **kwargs: Any) -> dict[str, Any]:
        """Check the body; raises a field error for each field that can't be taken."""
        serializer = serializer_class(data=self.request.data, context=self.get_serializer_context(), **kwargs)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def read_query(self, serializer_class: type[serializers.Serializer[Any]]) -> dict[str, Any]:
        """Check the query parameters in the same way; unknown ones are passed over."""
        serializer = serializer_class(data=self.request.query_params.dict(), context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)
