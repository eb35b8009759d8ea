"""Routers of the API: addresses without a trailing slash, and lookups by path converters."""

from typing import Any

from rest_framework.routers import DynamicRoute, Route, SimpleRouter


class ApiRouter(SimpleRouter):
    """Routes of a collection and its objects. A viewset's `lookup_value_converter` says how an object is looked up.

    A prefix may contain converters: `appointments/<uuid:pk>/attachments` is nested in an appointment.
    """

    # DRF's own, and DELETE on a collection.
    routes = [
        Route(
            url="{prefix}",
            mapping={"get": "list", "post": "create", "delete": "bulk_destroy"},
            name="{basename}-list",
            detail=False,
            initkwargs={"suffix": "List"},
        ),
        *SimpleRouter.routes[1:],
    ]

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)

    def _get_dynamic_route(self, route: DynamicRoute, action: Any) -> Route:
        """Leave out the `schema` that `@extend_schema` gives an `@action`.

        As an argument of `as_view`, it would keep the last view of the route, and with it the request's body and token,
        until the next call. drf-spectacular reads it from the method itself.
        """
        dynamic: Route = super()._get_dynamic_route(route, action)
        dynamic.initkwargs.pop("schema", None)
        return dynamic


class SingletonRouter(ApiRouter):
    """Routes of what there is one of for each caller or parent, such as one's own profile: no list and no id."""

    routes = [
        Route(
            url="{prefix}",
            mapping={"get": "retrieve", "post": "create", "put": "update", "delete": "destroy"},
            name="{basename}",
            detail=True,
            initkwargs={},
        ),
        DynamicRoute(url="{prefix}/{url_path}", name="{basename}-{url_name}", detail=False, initkwargs={}),
    ]
